import type { OpenedFile, View, ViewRequest } from "@agent-tools/read-file";
import { type PdfAnswer, type PdfRequest, pdfText } from "./pdf_text.ts";
import { MAX_WORKER_MIB, textInWorker } from "./pdf_worker.ts";
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

/** How long PDF.js may work for one call; and how long at a time, where it blocks the event loop. */
const MAX_MS = 30_000;
const MAX_BLOCK_MS = 2000;

/** How many documents are read at a time, since each may take much memory. */
const MAX_AT_A_TIME = 2;

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
      await takeTurn(request);
      try {
        return await textOf(file, request, limits);
      } finally {
        turns.delete(request);
      }
    },
  };
}

/** The calls at work, and those that wait, in order. */
const turns = new Set<ViewRequest>();

async function takeTurn(request: ViewRequest): Promise<void> {
  turns.add(request);
  try {
    while ([...turns].indexOf(request) >= MAX_AT_A_TIME) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await request.yieldIfDue();
      if (request.signal?.aborted) throw request.signal.reason;
    }
  } catch (error) {
    turns.delete(request);
    throw error;
  }
}

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
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(file.stat.size);
  for (let at = 0; at < bytes.length;) {
    await yieldIfDue();
    const count = await file.read(bytes.subarray(at, at + CHUNK_BYTES), at);
    if (count === 0) throw file.changed("shrank");
    at += count;
  }
  return bytes;
}

const FEWER_PAGES = 'name fewer pages, such as "1"';

/** Whether a worker did not start: then none will. */
let hasNoWorkers = false;

async function textOf(
  file: OpenedFile,
  request: ViewRequest,
  { maxPages, maxTextBytes }: Required<PdfViewOptions>,
): Promise<string> {
  const { pages, signal, fail } = request;
  const asked = { pages, maxPages, maxTextBytes };
  if (!hasNoWorkers) {
    const data = await readAll(file, request);
    const answer = await textInWorker(data, asked, { ms: MAX_MS, signal });
    if (signal?.aborted) await request.yieldIfDue();
    if (answer === "late") throw tooLong(fail, MAX_MS, "for these pages");
    if (answer === "out of memory") {
      const problem = `PDF.js takes more than ${MAX_WORKER_MIB} MiB for them`;
      throw fail(problem, FEWER_PAGES);
    }
    if (answer === "failed") throw fail("PDF.js fails on it");
    if (answer !== "no worker") return take(answer, request);
    hasNoWorkers = true;
  }
  const data = await readAll(file, request);
  return take(await textHere(data, asked, request), request);
}

/** Works in this thread, where no timer can stop PDF.js between its steps. */
async function textHere(
  data: Uint8Array,
  asked: PdfRequest,
  { fail, yieldIfDue }: ViewRequest,
): Promise<PdfAnswer> {
  const limits: WatchLimits = {
    blockMs: MAX_BLOCK_MS,
    until: Date.now() + MAX_MS,
  };
  return await pdfText(await import("unpdf"), data, asked, async (
    work,
    loading,
  ) => {
    const value = await watch(work, limits, (limit) => {
      void loading.destroy();
      return limit === "until"
        ? tooLong(fail, MAX_MS, "for these pages")
        : tooLong(fail, MAX_BLOCK_MS, "at a time");
    });
    await yieldIfDue();
    return value;
  });
}

function tooLong(fail: ViewRequest["fail"], ms: number, what: string): Error {
  const problem = `PDF.js takes more than ${ms / 1000} s ${what}`;
  return fail(problem, FEWER_PAGES);
}

function take(answer: PdfAnswer, { fail, tooLarge }: ViewRequest): string {
  if ("text" in answer) return answer.text;
  if ("problem" in answer) throw fail(answer.problem, answer.hint);
  throw tooLarge(answer.what, answer.size, answer.limit, answer.hint);
}
