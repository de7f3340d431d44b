import type { Awaitable } from "../base/port.ts";
import type { Refuse } from "../base/check.ts";
import type { NewlineKernel } from "./scan.ts";
import type { Source } from "./source.ts";

/** The encoding that a file was read in, and why. */
export interface FileEncoding {
  /** Its name in WHATWG's Encoding Standard, in lower case. */
  readonly label: string;
  /**
   * How it was found. A page with an `etag` is read in the encoding of the
   * earlier page; `"nothing else fits"` is UTF-8 with some invalid bytes,
   * as is `"no detector"`, where the workspace has no `detect`.
   */
  readonly why:
    | "asked"
    | "as on the page before"
    | "byte order mark"
    | "valid UTF-8"
    | "zero bytes"
    | "escape sequences"
    | "statistics"
    | "nothing else fits"
    | "no detector";
  /** Less likely encodings, by statistics, the best first. */
  readonly runnersUp?: readonly string[];
}

/**
 * Decodes an encoding other than UTF-8. Lines are found in the bytes, and only
 * what is shown or searched is decoded; where text is divided is found by
 * decoding, too.
 */
export interface Codec {
  readonly label: string;
  /** How many bytes a line feed has. */
  readonly feedLength: 1 | 2;
  /** The most bytes that cannot be divided. */
  readonly maxCharLength: number;
  /** Makes the kernel that finds line feeds of two bytes, in the buffer of another. */
  kernelFor?(kernel: NewlineKernel, source: Source): NewlineKernel;
  /** How many bytes the line ending at `at` has; 0 if no line ends there. */
  endingAt(bytes: Uint8Array, at: number): number;
  /** Decodes whole characters; invalid bytes become U+FFFD. */
  decode(bytes: Uint8Array): string;
  /** Where the last whole character up to `limit` ends; at least the one at `from`. */
  divide(bytes: Uint8Array, from: number, limit: number): number;
}

/** An encoding, with its codec. */
export interface ResolvedEncoding {
  readonly encoding: FileEncoding;
  /** `undefined` for UTF-8. */
  readonly codec?: Codec | undefined;
  /** Sets the encoding of a source, before anything is located. */
  use(source: Source): void;
}

/** Lines that were read as UTF-8. */
export interface ShownText {
  /** Whether a search for text beyond ASCII had no hit. */
  readonly isMissed?: boolean;
  readonly span: { readonly start: number; readonly end: number };
  /** The column of the first character; 1 if it begins a line. */
  readonly column?: number;
  readonly text: string;
  /** Makes its bytes. Not a getter: an engine may keep what a getter of an object literal holds, such as the whole page, until its next full collection. */
  bytes(): Uint8Array;
}

/** Detects encodings, and finds their codecs. */
export interface Encodings {
  /** Checks a label; returns the name of its encoding, or `"auto"`. */
  check(label: string, refuse: Refuse): string;
  /** Loads the codec of an encoding, for a file. */
  resolve(label: string, path: string): Promise<ResolvedEncoding>;
  /** Detects the encoding of a file that was read as UTF-8, by the lines that were read or its first bytes; `undefined` for plain UTF-8, mostly without a promise. */
  detect(
    source: Source,
    shown?: ShownText,
  ): Awaitable<ResolvedEncoding | undefined>;
}

/** UTF-8 that a call asks for. */
export const AS_UTF_8: ResolvedEncoding = {
  encoding: { label: "utf-8", why: "asked" },
  use(source) {
    source.encoding = this.encoding;
  },
};

/** The encoding of a file with invalid UTF-8, in a workspace without a detector. */
export const UNDETECTED: FileEncoding = { label: "utf-8", why: "no detector" };

/** The encoding of a file without invalid bytes. */
export const UTF_8: FileEncoding = { label: "utf-8", why: "valid UTF-8" };
