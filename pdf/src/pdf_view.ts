import type { OpenedFile, View, ViewRequest } from "@agent-tools/read-file";
import { joinItems, linesOf } from "./lines.ts";
import { watch, type WatchLimits } from "./watch.ts";

/** Options for {@linkcode pdfView}. */
export interface PdfViewOptions {
  /** The largest size of a file in bytes; 32 MiB by default. The whole file is held in memory. */
  readonly maxBytes?: number;
  /** The largest size of the text in bytes; 4 MiB by default. Request fewer `pages` of a longer document. */
  readonly maxTextBytes?: number;
  /** The largest number of pages of one call; 50 by default. PDF.js keeps some memory for each page. */
  readonly maxPages?: number;
}

const DEFAULTS = {
  maxBytes: 32 * 1024 * 1024,
  maxTextBytes: 4 * 1024 * 1024,
  maxPages: 50,
} as const satisfies PdfViewOptions;

/** How long PDF.js may block the event loop, and how long it may work for one call. */
const MAX_BLOCK_MS = 2000;
const MAX_MS = 30_000;

/** How many bytes of the file are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes a view of PDF documents: the text of their pages, each below a line with
 * its number. The name of the view is `"pdf"`, and it supports `pages`. The PDF
 * library is loaded with the first document.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { pdfView } from "@agent-tools/read-file-pdf";
 * import { assertEquals } from "@std/assert";
 *
 * const objects = [
 *   "<</Type/Catalog/Pages 2 0 R>>",
 *   "<</Type/Pages/Kids[3 0 R]/Count 1>>",
 *   "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
 *   "<</Length 33>>stream\nBT /F 12 Tf 9 99 Td (Hi) Tj ET   \nendstream",
 *   "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
 * ].map((content, at) => `${at + 1} 0 obj${content}endobj`);
 * const pdf = ["%PDF-1.4", ...objects, "trailer<</Root 1 0 R>>"].join("\n");
 * const fs = memoryFs({ "/repo/a.pdf": pdf });
 * const workspace = await openWorkspace("/repo", { fs, views: [pdfView()] });
 * const { lines } = await workspace.read("a.pdf");
 * assertEquals(lines.map(({ text }) => text), ["--- page 1 of 1", "Hi"]);
 * ```
 */
export function pdfView(options: PdfViewOptions = {}): View {
  const limits = takeLimits(options);
  return {
    name: "pdf",
    paged: true,
    matches: ({ media }) => media?.type === "application/pdf",
    async open(file, request) {
      const { size } = file.stat;
      if (size > limits.maxBytes) {
        throw request.tooLarge("its size in bytes", size, limits.maxBytes);
      }
      const bytes = await readAll(file, request);
      const loading = await load(bytes);
      const workLimits: WatchLimits = {
        blockMs: MAX_BLOCK_MS,
        until: Date.now() + MAX_MS,
      };
      /** Stops the work of PDF.js; returns the failure. */
      const stop = (limit: keyof WatchLimits) => {
        void loading.destroy();
        const isTotal = limit === "until";
        const seconds = (isTotal ? MAX_MS : MAX_BLOCK_MS) / 1000;
        const what = isTotal ? "for these pages" : "at a time";
        const problem = `PDF.js takes more than ${seconds} s ${what}`;
        return request.fail(problem, FEWER_PAGES);
      };
      const step: Step = (work) => watch(work, workLimits, stop);
      try {
        return await textOf(loading, step, request, limits);
      } finally {
        await loading.destroy();
      }
    },
  };
}

const OTHER_PAGES = 'name other pages, such as "1"';

/** Checks the options; fills in the defaults. */
function takeLimits(options: PdfViewOptions): Required<PdfViewOptions> {
  const failed = "Cannot make a view of PDF";
  const isObject = Object(options) === options;
  const prototype = isObject ? Object.getPrototypeOf(options) : undefined;
  // An object without a prototype is plain, too.
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${failed}: options must be a plain object`);
  }
  let limits: Required<PdfViewOptions> = DEFAULTS;
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      const names = Object.keys(DEFAULTS).join(", ");
      const problem = `${JSON.stringify(name)} is unknown`;
      throw new TypeError(`${failed}: ${problem}; the names are ${names}`);
    }
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1) {
      const problem = `${name} must be a whole number from 1 on`;
      throw new RangeError(`${failed}: ${problem}`);
    }
    limits = { ...limits, [name]: value };
  }
  return limits;
}

async function readAll(
  file: OpenedFile,
  { yieldIfDue }: ViewRequest,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.stat.size);
  for (let at = 0; at < bytes.length;) {
    await yieldIfDue();
    const count = await file.read(bytes.subarray(at, at + CHUNK_BYTES), at);
    if (count === 0) throw file.changed("shrank");
    at += count;
  }
  return bytes;
}

/** Waits for a step of PDF.js, with limits. */
type Step = <T>(work: Promise<T>) => Promise<T>;

type Loading = ReturnType<
  Awaited<ReturnType<typeof import("unpdf").getResolvedPDFJS>>["getDocument"]
>;
type PdfDocument = Awaited<Loading["promise"]>;

async function load(data: Uint8Array): Promise<Loading> {
  const { getResolvedPDFJS } = await import("unpdf");
  const { getDocument } = await getResolvedPDFJS();
  return getDocument({
    data,
    // Warnings would go to standard output, which a protocol may use.
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
  });
}

async function openDocument(
  { promise }: Loading,
  step: Step,
  { fail }: ViewRequest,
): Promise<PdfDocument> {
  try {
    return await step(promise);
  } catch (error) {
    const { name, code } = Object(error);
    // A limit was exceeded.
    if (code === "UNREADABLE") throw error;
    throw fail(
      name === "PasswordException"
        ? "it opens only with a password"
        : "it is damaged: it is not a PDF document that can be read",
    );
  }
}

/** The text of the requested pages. */
async function textOf(
  loading: Loading,
  step: Step,
  request: ViewRequest,
  { maxTextBytes, maxPages }: Required<PdfViewOptions>,
): Promise<string> {
  const document = await openDocument(loading, step, request);
  const { pages, yieldIfDue, fail, tooLarge } = request;
  const { numPages: count } = document;
  if (count === 0) throw fail("it has no pages");
  const [first, last] = wantedPages(pages, count);
  if (first > last || first > count) {
    throw fail(`its pages are 1 to ${count}`, `name pages from 1 to ${count}`);
  }
  const asked = last - first + 1;
  if (asked > maxPages) {
    const hint =
      `name up to ${maxPages} of its ${count} pages, such as "${first}-${
        first + maxPages - 1
      }"`;
    throw tooLarge("how many pages are asked for", asked, maxPages, hint);
  }
  const parts: string[] = [];
  let bytes = 0;
  let hasText = false;
  for (let number = first; number <= last; number++) {
    await yieldIfDue();
    const lines = await linesOnPage(
      document,
      number,
      step,
      request,
      maxTextBytes,
    );
    hasText ||= lines !== "";
    const note = lines === "" ? ": no text" : "";
    const part = `--- page ${number} of ${count}${note}\n${lines}`;
    parts.push(part);
    // An upper bound: a code unit takes at most three bytes of UTF-8.
    bytes += part.length * 3;
    if (bytes > maxTextBytes) {
      const size = new TextEncoder().encode(parts.join("")).length;
      if (size > maxTextBytes) {
        const what = `the text of its pages ${first} to ${number} in bytes`;
        throw tooLarge(what, size, maxTextBytes, FEWER_PAGES);
      }
      bytes = size;
    }
  }
  const which = first === last ? `page ${first} has` : "these pages have";
  return hasText
    ? parts.join("")
    : `${which} no text, as those of a scan\n${parts.join("")}`;
}

const FEWER_PAGES = 'name fewer pages, such as "1"';

/** The text of a page, as lines. */
async function linesOnPage(
  document: PdfDocument,
  number: number,
  step: Step,
  { yieldIfDue, fail }: ViewRequest,
  maxTextBytes: number,
): Promise<string> {
  try {
    const page = await step(document.getPage(number));
    const reader = page.streamTextContent().getReader();
    let text = "";
    // PDF.js waits while pieces are unread, so other calls can run.
    for (let isDone = false; !isDone && text.length <= maxTextBytes;) {
      const { done, value } = await step(reader.read());
      isDone = done;
      if (!done) text += joinItems(value.items);
      await yieldIfDue();
    }
    await reader.cancel();
    page.cleanup();
    return linesOf(text);
  } catch (error) {
    // A failure of the call has a code; errors of PDF.js have none.
    if ("code" in Object(error)) throw error;
    throw fail(`its page ${number} is damaged`, OTHER_PAGES);
  }
}

/** The first and the last requested page; the last one exists. */
function wantedPages(
  pages: string | undefined,
  count: number,
): readonly [number, number] {
  if (pages === undefined) return [1, count];
  const [first = "1", last = first] = pages.split("-");
  return [Number(first), last === "" ? count : Math.min(count, Number(last))];
}
