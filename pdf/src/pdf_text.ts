/** What is asked for of a document. */
export interface PdfRequest {
  /** Such as `"3-5"`; all pages without it. */
  readonly pages: string | undefined;
  readonly maxPages: number;
  readonly maxTextBytes: number;
}

/** The text, or why there is none; plain data, since it comes from a worker. */
export type PdfAnswer =
  | { readonly text: string }
  | { readonly problem: string; readonly hint?: string | undefined }
  | {
    readonly what: string;
    readonly size: number;
    readonly limit: number;
    readonly hint?: string | undefined;
  };

/** A document of PDF.js, as far as it is used. */
interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}

interface PdfPage {
  streamTextContent(): ReadableStream<{ readonly items: readonly PdfItem[] }>;
  cleanup(): unknown;
}

/** A piece of text on a page, or a mark without text. */
type PdfItem =
  | { readonly str: string; readonly hasEOL: boolean }
  | { readonly str?: never; readonly type: string };

/** PDF.js at work on a document. */
export interface PdfLoading {
  readonly promise: Promise<PdfDocument>;
  destroy(): Promise<void>;
}

/** The package unpdf, as far as it is used. */
export interface PdfLibrary {
  getResolvedPDFJS(): Promise<{
    getDocument(options: Readonly<Record<string, unknown>>): PdfLoading;
  }>;
}

/**
 * Makes the text of the requested pages. Its source is also the program of a
 * worker, so it uses nothing of this module.
 *
 * @param step Waits for a step of PDF.js; what it throws ends the work.
 */
export async function pdfText(
  library: PdfLibrary,
  data: Uint8Array,
  { pages, maxPages, maxTextBytes }: PdfRequest,
  step: <T>(work: Promise<T>, loading: PdfLoading) => Promise<T>,
): Promise<PdfAnswer> {
  const fewer = 'name fewer pages, such as "1"';
  const { getDocument } = await library.getResolvedPDFJS();
  const loading = getDocument({
    data,
    // Warnings would go to standard output, which a protocol may use.
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
  });
  /** Waits for a step, and tells a failure of PDF.js from one of `step`. */
  const attempt = async <T>(work: Promise<T>) => {
    let failure: unknown;
    const caught = work.catch((error: unknown) => {
      failure = error ?? "it failed";
      return undefined;
    });
    const value = await step(caught, loading);
    return { value, failure };
  };
  try {
    const { value: document, failure } = await attempt(loading.promise);
    if (document === undefined) {
      const isLocked = Object(failure).name === "PasswordException";
      return {
        problem: isLocked
          ? "it opens only with a password"
          : "it is damaged: it is not a PDF document that can be read",
      };
    }
    const count = document.numPages;
    if (count === 0) return { problem: "it has no pages" };
    const [from = "1", to = from] = pages?.split("-") ?? ["1", ""];
    const first = Number(from);
    // The last one exists.
    const last = to === "" ? count : Math.min(count, Number(to));
    if (first > last || first > count) {
      const problem = `its pages are 1 to ${count}`;
      return { problem, hint: `name pages from 1 to ${count}` };
    }
    const size = last - first + 1;
    if (size > maxPages) {
      const range = `${first}-${first + maxPages - 1}`;
      return {
        ...{ what: "how many pages are asked for", size, limit: maxPages },
        hint:
          `name up to ${maxPages} of its ${count} pages, such as "${range}"`,
      };
    }
    const parts: string[] = [];
    let bytes = 0;
    let hasText = false;
    for (let number = first; number <= last; number++) {
      const hint = 'name other pages, such as "1"';
      const damaged = { problem: `its page ${number} is damaged`, hint };
      const { value: page } = await attempt(document.getPage(number));
      if (page === undefined) return damaged;
      const reader = page.streamTextContent().getReader();
      let text = "";
      // PDF.js waits while pieces are unread.
      while (text.length <= maxTextBytes) {
        const { value: read } = await attempt(reader.read());
        if (read === undefined) return damaged;
        if (read.done) break;
        for (const item of read.value.items) {
          if (item.str === undefined) continue;
          text += item.str + (item.hasEOL ? "\n" : "");
        }
      }
      await reader.cancel();
      page.cleanup();
      // Without blank lines at the beginning and the end.
      const lines = text.split("\n").map((line) => line.trimEnd());
      while (lines.at(-1) === "") lines.pop();
      const begin = lines.findIndex((line) => line !== "");
      const shown = lines.slice(Math.max(0, begin))
        .map((line) => `${line}\n`).join("");
      hasText ||= shown !== "";
      const note = shown === "" ? ": no text" : "";
      const part = `--- page ${number} of ${count}${note}\n${shown}`;
      parts.push(part);
      // An upper bound: a code unit takes at most three bytes of UTF-8.
      bytes += part.length * 3;
      if (bytes <= maxTextBytes) continue;
      bytes = new TextEncoder().encode(parts.join("")).length;
      if (bytes <= maxTextBytes) continue;
      const what = `the text of its pages ${first} to ${number} in bytes`;
      return { what, size: bytes, limit: maxTextBytes, hint: fewer };
    }
    const which = first === last ? `page ${first} has` : "these pages have";
    const text = parts.join("");
    if (hasText) return { text };
    return { text: `${which} no text, as those of a scan\n${text}` };
  } finally {
    await loading.destroy();
  }
}
