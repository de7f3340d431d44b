// Runtime-agnostic.
import { decodePart, MARK } from "./part_json.ts";

/** The longest string of a notebook that is kept whole, in bytes: enough for a source, or the header of an image. */
const MAX_STRING_BYTES = 1024 * 1024;
/** The most bytes that are kept of one cell. */
const MAX_PART_BYTES = 3 * 1024 * 1024;
const MAX_NESTING = 500;
/** The longest name of a property that is compared. */
const MAX_NAME_BYTES = 64;

/** A cell, or the metadata of a notebook. */
export interface NotebookPart {
  readonly kind: "cell" | "metadata";
  /** The part as JSON, with lone surrogates for bytes that are not UTF-8 and for U+FFFF; `null` if it is too large even without its long strings. */
  readonly json: string | null;
  /** How many bytes of the file it takes. */
  readonly bytes: number;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d];

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** The characters that may occur outside of strings, besides white space. */
const OUTSIDE = "{}[]:,0123456789+-.eEtrufalsn";
const WHITE = " \t\r\n";

/** Finds the cells of a notebook in its bytes; only one cell is in memory at a time. */
export class CellScanner {
  readonly #emit: (part: NotebookPart) => void;
  readonly #fail: (problem: string) => Error;
  /** For each open bracket, whether it opens a list. */
  readonly #lists: boolean[] = [];
  /** For each open object, the name of its last property. */
  readonly #names: string[] = [];
  readonly #outside = new Uint8Array(256);
  #position = 0;
  #done = false;
  #hasCells = false;
  #inString = false;
  #escaped = false;
  /** How many hexadecimal digits of an escape are still to come. */
  #digits = 0;
  #name = "";
  #kept = new Uint8Array(4096);
  #length = 0;
  /** Where the marks of clipped strings are in `#kept`. */
  readonly #marks: number[] = [];
  #kind: NotebookPart["kind"] | undefined;
  /** How many brackets were open before the part, and where it begins. */
  #depth = 0;
  #start = 0;
  #isFull = false;
  /** Where the current string begins in `#kept`, and how many bytes of it are left out. */
  #string = 0;
  #dropped = 0;
  /** The last string that was left out whole: where it begins and ends in `#kept`, and its bytes. */
  #gone = { start: 0, end: 0, bytes: 0 };

  /** Constructs a new instance that calls `emit` with each complete part, and throws what `fail` makes. */
  constructor(
    emit: (part: NotebookPart) => void,
    fail: (problem: string) => Error,
  ) {
    this.#emit = emit;
    this.#fail = fail;
    for (const sign of OUTSIDE) this.#outside[sign.charCodeAt(0)] = 1;
    for (const sign of WHITE) this.#outside[sign.charCodeAt(0)] = 2;
  }

  push(bytes: Uint8Array): void {
    const base = this.#position;
    for (let at = 0; at < bytes.length;) {
      if (this.#inString) {
        at = this.#takeString(bytes, at);
      } else {
        this.#position = base + at;
        this.#takeSign(bytes[at++]!);
      }
    }
    this.#position = base + bytes.length;
  }

  /** Fails if the file ends too early, or has no list of cells. */
  end(): void {
    if (!this.#done) {
      const problem = "it ends before its last bracket is closed";
      throw this.#fail(`it is not JSON: ${problem}`);
    }
    if (!this.#hasCells) throw this.#fail("it has no list of cells");
  }

  #failHere(problem = "it is not JSON"): Error {
    return this.#fail(`${problem} at byte ${this.#position}`);
  }

  #takeSign(byte: number): void {
    if (byte === BYTE_ORDER_MARK[this.#position]) return;
    const role = this.#outside[byte];
    if (role === 2) return;
    if (byte === QUOTE && this.#lists.length > 0) {
      this.#keep(byte);
      this.#inString = true;
      this.#string = this.#length;
      this.#dropped = 0;
      this.#name = "";
      return;
    }
    const isFirst = this.#lists.length === 0;
    if (role === 0 || isFirst && (this.#done || byte !== OBJECT)) {
      throw this.#failHere();
    }
    if (byte === OBJECT || byte === LIST) return this.#open(byte);
    this.#keep(byte);
    if (byte === OBJECT_END || byte === LIST_END) return this.#close(byte);
    if (byte === COLON && !this.#lists.at(-1)) {
      this.#names[this.#lists.length - 1] = this.#name;
    }
  }

  #open(byte: number): void {
    const depth = this.#lists.length;
    if (depth >= MAX_NESTING) {
      const problem = `it has more than ${MAX_NESTING} brackets in each other`;
      throw this.#failHere(problem);
    }
    if (byte === LIST && this.#isCells(depth)) this.#hasCells = true;
    if (this.#kind === undefined && byte === OBJECT) {
      this.#kind = depth === 1 && this.#names[0] === "metadata"
        ? "metadata"
        : this.#lists.at(-1) && this.#isCells(depth - 1)
        ? "cell"
        : undefined;
      if (this.#kind !== undefined) {
        this.#depth = depth;
        this.#start = this.#position;
        this.#length = 0;
        this.#marks.length = 0;
        this.#gone.end = 0;
        this.#isFull = false;
      }
    }
    this.#lists.push(byte === LIST);
    this.#names[depth] = "";
    this.#keep(byte);
  }

  /** Whether the bracket at a depth opens the list of cells: in the notebook, or in version 3 in a worksheet. */
  #isCells(depth: number): boolean {
    const [first, second, third] = this.#names;
    return depth === 1
      ? first === "cells"
      : depth === 3 && first === "worksheets" && second === "" &&
        third === "cells";
  }

  #close(byte: number): void {
    if (this.#lists.pop() !== (byte === LIST_END)) throw this.#failHere();
    const depth = this.#lists.length;
    this.#done = depth === 0;
    if (this.#kind === undefined || depth > this.#depth) return;
    const kept = this.#kept.subarray(0, this.#length);
    const json = this.#isFull ? null : decodePart(kept, this.#marks);
    const bytes = this.#position + 1 - this.#start;
    this.#emit({ kind: this.#kind, json, bytes });
    this.#kind = undefined;
  }

  /** Takes bytes of a string, up to its end or the end of the bytes. */
  #takeString(bytes: Uint8Array, at: number): number {
    if (this.#escaped) {
      this.#escaped = false;
      if (bytes[at] === 0x75) this.#digits = 4;
      this.#keepOf(bytes, at, at + 1, true);
      return at + 1;
    }
    let end = at;
    for (; end < bytes.length; end++) {
      const byte = bytes[end]!;
      if (byte === QUOTE || byte === BACKSLASH) break;
    }
    if (end > at) this.#keepRun(bytes, at, end);
    if (end === bytes.length) return end;
    if (bytes[end] === BACKSLASH) {
      this.#escaped = true;
      this.#keepOf(bytes, end, end + 1, this.#room() > 8);
      return end + 1;
    }
    this.#inString = false;
    if (this.#dropped > 0) this.#mark();
    else this.#keep(QUOTE);
    return end + 1;
  }

  /** Ends a clipped string. Of several in a list that are left out whole, one is kept. */
  #mark(): void {
    const isWhole = this.#length === this.#string;
    const isNext = this.#gone.end === this.#string - 2 && this.#lists.at(-1);
    if (isWhole && isNext) {
      this.#dropped += this.#gone.bytes;
      this.#length = this.#gone.start;
      this.#marks.pop();
      this.#keep(QUOTE);
    }
    const start = this.#length - 1;
    if (!this.#isFull) this.#marks.push(this.#length);
    for (const sign of `${MARK}${this.#dropped}"`) {
      this.#keep(sign.charCodeAt(0));
    }
    const bytes = isWhole ? this.#dropped : 0;
    this.#gone = { start, end: isWhole ? this.#length : 0, bytes };
  }

  /** How many more bytes of the current string can be kept. */
  #room(): number {
    if (this.#dropped > 0) return 0;
    const ofString = MAX_STRING_BYTES - (this.#length - this.#string);
    return Math.min(ofString, MAX_PART_BYTES / 2 - this.#length);
  }

  /** Keeps as much of a run without escapes as fits, in whole characters. */
  #keepRun(bytes: Uint8Array, from: number, to: number): void {
    if (this.#kind === undefined) {
      const room = MAX_NAME_BYTES - this.#name.length;
      if (room <= 0) return;
      this.#name += String.fromCharCode(
        ...bytes.subarray(from, Math.min(to, from + room)),
      );
      return;
    }
    // Keep the digits of an escape whose beginning was kept.
    const digits = Math.min(this.#digits, to - from);
    this.#digits -= digits;
    let end = Math.min(to, from + Math.max(digits, this.#room()));
    while (end < to && end > from + digits && (bytes[end]! & 0xc0) === 0x80) {
      end--;
    }
    if (end > from) this.#keepOf(bytes, from, end, this.#dropped === 0);
    this.#dropped += to - end;
  }

  /** Keeps bytes of the current string, or counts them. */
  #keepOf(bytes: Uint8Array, from: number, to: number, fits: boolean): void {
    if (this.#kind === undefined) return;
    if (!fits || this.#dropped > 0) {
      this.#dropped += to - from;
      return;
    }
    this.#grow(to - from);
    this.#kept.set(bytes.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  /** Keeps a byte of the structure, while there is room. */
  #keep(byte: number): void {
    if (this.#kind === undefined || this.#isFull) return;
    if (this.#length >= MAX_PART_BYTES) {
      this.#isFull = true;
      return;
    }
    this.#grow(1);
    this.#kept[this.#length++] = byte;
  }

  #grow(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#kept.length) return;
    const longer = new Uint8Array(Math.max(needed, this.#kept.length * 2));
    longer.set(this.#kept.subarray(0, this.#length));
    this.#kept = longer;
  }
}
