// Runtime-agnostic.
import type { Refuse } from "../base/check.ts";
import type { NewlineKernel } from "./scan.ts";
import type { Span } from "./locate.ts";
import type { Source } from "./source.ts";
import type { Clipped } from "./text.ts";

/** How an encoding was told. */
export type EncodingSign =
  | "asked"
  | "byte order mark"
  | "valid UTF-8"
  | "zero bytes"
  | "escape sequences"
  | "statistics"
  | "nothing else fits";

/** The encoding that a file was read in, and why. */
export interface FileEncoding {
  /** Its name, as WHATWG's Encoding Standard has it, in lower case. */
  readonly label: string;
  /**
   * How it was told: by the caller, a byte order mark, valid UTF-8, the zero
   * bytes of UTF-16, the escape sequences of ISO-2022-JP, or statistics.
   * `"nothing else fits"` is UTF-8 in which some bytes are no text.
   */
  readonly why: EncodingSign;
  /** The encodings that statistics hold for less likely, the best first. */
  readonly runnersUp?: readonly string[];
}

/** What an encoding other than UTF-8 is. */
export interface Charset {
  readonly label: string;
  /** The bytes of a line feed. */
  readonly feed: 1 | 2;
  /** No character has more bytes. */
  readonly most: number;
  /** Whether ASCII bytes after a whole character are ASCII. */
  readonly hasAscii: boolean;
  /** The kernel that finds line feeds in the buffer of another. */
  kernelFor(kernel: NewlineKernel, source: Source): NewlineKernel;
  /** The bytes of the line ending at `at`, or 0. */
  endingAt(bytes: Uint8Array, at: number): number;
  /** The bytes of the character at `at`, of which the decoder makes one code point, mostly. */
  unitLength(bytes: Uint8Array, at: number): number;
  /** How many code points the decoder makes of the character at `at`. */
  columnsOf(bytes: Uint8Array, at: number, length: number): number;
  /** Decodes whole characters; what is none becomes U+FFFD. */
  decode(bytes: Uint8Array): string;
  /** The bytes of a text; `undefined` if the encoding has none for it. */
  encode(text: string): Uint8Array | undefined;
}

/** How a file in an encoding other than UTF-8 is read: no part of bundles that read UTF-8 alone. */
export interface Codec extends Charset {
  /** Decodes bytes of any length, and yields between steps. */
  decodeAll(
    source: Source,
    bytes: Uint8Array,
  ): Promise<{ readonly text: string; readonly exact: boolean }>;
  /** Reads a span, keeping of each line the first characters that have at most `keep` bytes, and its ending. */
  readClipped(source: Source, span: Span, keep: number): Promise<Clipped>;
  /** Throws `BINARY` if the text holds a NUL at its beginning. */
  refuseNul(source: Source): Promise<undefined>;
  /** How a line begins, in UTF-8. */
  leadOf(source: Source, start: number, end: number): Promise<Uint8Array>;
  /** Scans on from `position` past at most `columns` characters of the same line; past one at least, if `isGoing`. */
  stride(
    source: Source,
    position: number,
    columns: number,
    isGoing: boolean,
  ): Promise<Stride>;
  /** Where the characters of a line that begins at `from` are cut, up to `limit`; after one at least. */
  cutInside(source: Source, from: number, limit: number): Promise<number>;
  /** Counts the code points of bytes. */
  countUnits(source: Source, bytes: Uint8Array): Promise<number>;
}

/** How far a scan over the columns of a line came. */
export interface Stride {
  /** Where it stopped; not inside a character. */
  readonly position: number;
  /** The columns it passed. */
  readonly columns: number;
  /** Whether it stopped at the end of the line. */
  readonly ended: boolean;
}

/** An encoding, with what reads it. */
export interface ResolvedEncoding {
  readonly encoding: FileEncoding;
  /** `undefined` for UTF-8. */
  readonly codec?: Codec | undefined;
  /** Lets a file be read in it; before anything is located. */
  use(source: Source): void;
}

/** What was read as UTF-8. */
export interface Shown {
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Tells encodings; no part of bundles that read UTF-8 alone. */
export interface Encodings {
  /** The name of the encoding that was asked for, or `"auto"`. */
  check(asked: string, refuse: Refuse): string;
  /** What reads the encoding of a name, for a file. */
  resolve(label: string, path: string): Promise<ResolvedEncoding>;
  /**
   * Judges a file that was read as UTF-8, by the lines that were shown, and by its
   * beginning where these are in doubt, or there are none; `undefined` if nothing
   * speaks against UTF-8.
   */
  judge(source: Source, shown?: Shown): Promise<ResolvedEncoding | undefined>;
}

/** UTF-8 that nothing speaks against. */
export const UTF_8: FileEncoding = { label: "utf-8", why: "valid UTF-8" };
