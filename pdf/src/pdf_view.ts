// Runtime-agnostic.
import type { OpenedFile, View, ViewRequest } from "@agent-tools/read-file";
import { linesOf } from "./lines.ts";

/** Options for {@linkcode pdfView}. */
export interface PdfViewOptions {
  /** The largest file that is read; 32 MiB by default, since the whole file is held in memory. */
  readonly maxBytes?: number;
  /** The most bytes of text; 16 MiB by default. Ask for fewer `pages` of a longer document. */
  readonly maxTextBytes?: number;
}

/** How many bytes of the file are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes a view of PDF documents: the text of their pages, each below a line
 * with its number. `"pdf"` is its name, and it takes `pages`. The library for
 * PDF is loaded with the first document.
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
  const { maxBytes = 32 * 1024 * 1024, maxTextBytes = 16 * 1024 * 1024 } =
    checked(options);
  return {
    name: "pdf",
    paged: true,
    matches: ({ media }) => media?.type === "application/pdf",
    async open(file, request) {
      const { size } = file.stat;
      if (size > maxBytes) {
        throw request.tooLarge("its size in bytes", size, maxBytes);
      }
      const bytes = await readAll(file, request);
      const document = await openDocument(bytes, request);
      try {
        return await textOf(document, request, maxTextBytes);
      } finally {
        await document.loadingTask.destroy();
      }
    },
  };
}

function checked(options: PdfViewOptions): PdfViewOptions {
  for (const [name, value] of Object.entries(options)) {
    const isKnown = name === "maxBytes" || name === "maxTextBytes";
    if (!isKnown) {
      throw new TypeError(
        `Cannot make a view of PDF: ${
          JSON.stringify(name)
        } is unknown; the names are maxBytes, maxTextBytes`,
      );
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw new RangeError(
        `Cannot make a view of PDF: ${name} must be a whole number from 1 on`,
      );
    }
  }
  return options;
}

async function readAll(
  file: OpenedFile,
  { breathe }: ViewRequest,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.stat.size);
  for (let at = 0; at < bytes.length;) {
    await breathe();
    const count = await file.read(bytes.subarray(at, at + CHUNK_BYTES), at);
    if (count === 0) throw file.changed("shrank");
    at += count;
  }
  return bytes;
}

type PdfDocument = Awaited<
  ReturnType<typeof import("unpdf").getDocumentProxy>
>;

async function openDocument(
  bytes: Uint8Array,
  { fail }: ViewRequest,
): Promise<PdfDocument> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    return await getDocumentProxy(bytes, {
      // Its warnings would go to standard output, which may be used for a protocol.
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    const { name } = Object(error);
    throw fail(
      name === "PasswordException"
        ? "it opens only with a password"
        : "it is damaged: it is not a PDF document that can be read",
    );
  }
}

/** The text of the requested pages. */
async function textOf(
  document: PdfDocument,
  { pages, breathe, fail, tooLarge }: ViewRequest,
  maxTextBytes: number,
): Promise<string> {
  const { numPages: count } = document;
  const [first, last] = rangeOf(pages, count);
  if (first > last || first > count) {
    throw fail(`its pages are 1 to ${count}`, `name pages from 1 to ${count}`);
  }
  const parts: string[] = [];
  let bytes = 0;
  let hasText = false;
  for (let number = first; number <= last; number++) {
    await breathe();
    const lines = await linesOnPage(document, number, fail);
    hasText ||= lines !== "";
    const note = lines === "" ? ": no text" : "";
    const part = `--- page ${number} of ${count}${note}\n${lines}`;
    parts.push(part);
    // A code unit is at most three bytes of UTF-8.
    bytes += part.length * 3;
    if (bytes > maxTextBytes) {
      const size = new TextEncoder().encode(parts.join("")).length;
      if (size > maxTextBytes) {
        const what = `the text of its pages ${first} to ${number} in bytes`;
        throw tooLarge(what, size, maxTextBytes);
      }
      bytes = size;
    }
  }
  const which = first === last ? `page ${first} has` : "these pages have";
  return hasText
    ? parts.join("")
    : `${which} no text, as those of a scan\n${parts.join("")}`;
}

async function linesOnPage(
  document: PdfDocument,
  number: number,
  fail: ViewRequest["fail"],
): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return linesOf(items);
  } catch {
    throw fail(
      `its page ${number} is damaged`,
      'name other pages, such as "1"',
    );
  }
}

/** The first and the last requested page. */
function rangeOf(
  pages: string | undefined,
  count: number,
): readonly [number, number] {
  if (pages === undefined) return [1, count];
  const [first = "1", last = first] = pages.split("-");
  return [Number(first), last === "" ? count : Math.min(count, Number(last))];
}
