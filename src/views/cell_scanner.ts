import { isUtf8 } from "../core/lines/text.ts";

/** The longest string of a notebook that is kept whole, in bytes: enough for a source, or the header of an image. */
const MAX_STRING_BYTES = 1024 * 1024;
/** The most bytes that are kept of one cell. */
const MAX_PART_BYTES = 3 * 1024 * 1024;
const MAX_NESTING = 500;
/** The most objects, lists and properties of one cell: the engine parses them at once, in some 30 ms. */
export const MAX_PART_VALUES = 65_536;
/** The longest name of a property that is compared. */
const MAX_NAME_BYTES = 64;

/** A cell, or the metadata of a notebook. */
export interface NotebookPart {
  readonly kind: "cell" | "metadata";
  /** The part as JSON, with lone surrogates for bytes that are not UTF-8 and for U+FFFF; `null` if it is too large even without its long strings, or has too many values. */
  readonly json: string | null;
  readonly hasManyValues: boolean;
  /** How many bytes of the file it takes. */
  readonly bytes: number;
}

/** How many brackets are open around a part. */
const DEPTHS = { metadata: 1, cell: 2 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const FORBIDDEN = 0;
const ALLOWED = 1;
const WHITE_SPACE = 2;
/** Which of these each byte is outside of strings. */
const OUTSIDE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (" \t\r\n".includes(character)) return WHITE_SPACE;
  const isAllowed = '{}[]:,"0123456789+-.eEtrufalsn'.includes(character);
  return isAllowed ? ALLOWED : FORBIDDEN;
});

/** Finds the cells of a notebook, and its metadata, in its bytes. Holds one of them at a time. */
export class CellScanner {
  readonly #emit: (part: NotebookPart) => void;
  readonly #fail: (problem: string) => Error;
  /** Holds the JSON of the current part. */
  readonly #buffer: Uint8Array;
  /** The current part; `undefined` outside of parts. */
  #part: OpenPart | undefined;
  /** For each open bracket, whether it opens a list. */
  readonly #lists: boolean[] = [];
  /** The name of the current property of the notebook itself. */
  #property = "";
  /** The current or last string outside of parts, which may be the name of a property. */
  #name = "";
  #isInString = false;
  /** Whether the last byte was the backslash of an escape. */
  #isEscaped = false;
  /** How many bytes were scanned by earlier calls of `push()`. */
  #scanned = 0;
  #hasCells = false;
  #isDone = false;

  /** Calls `emit` with each part of a notebook of `size` bytes, and throws what `fail` makes. */
  constructor(
    size: number,
    emit: (part: NotebookPart) => void,
    fail: (problem: string) => Error,
  ) {
    this.#emit = emit;
    this.#fail = fail;
    // Of a small file, everything fits.
    const capacity = size > MAX_STRING_BYTES ? MAX_PART_BYTES : size;
    this.#buffer = new Uint8Array(capacity);
  }

  /** Scans the next bytes of the file. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#isInString) at = this.#takeString(bytes, at);
      else this.#takeOutside(bytes[at]!, this.#scanned + at++);
    }
    this.#scanned += bytes.length;
  }

  /** Fails if the file ends too early, or has no list of cells. */
  end(): void {
    if (!this.#isDone) {
      const problem = "it ends before its last bracket is closed";
      throw this.#fail(`it is not JSON: ${problem}`);
    }
    if (!this.#hasCells) throw this.#fail("it has no list of cells");
  }

  #failAt(position: number, problem = "it is not JSON"): Error {
    return this.#fail(`${problem} at byte ${position}`);
  }

  /** Takes a byte outside of strings. */
  #takeOutside(byte: number, position: number): void {
    if (byte === BYTE_ORDER_MARK[position]) return;
    const role = OUTSIDE[byte];
    if (role === WHITE_SPACE) return;
    const depth = this.#lists.length;
    // The notebook is one object.
    const isOfObject = depth > 0 || byte === OBJECT && !this.#isDone;
    if (role === FORBIDDEN || !isOfObject) throw this.#failAt(position);
    if (byte === OBJECT || byte === LIST) return this.#open(byte, position);
    this.#part?.add(byte);
    if (byte === OBJECT_END || byte === LIST_END) this.#close(byte, position);
    else if (byte === COLON && depth === 1) this.#property = this.#name;
    else if (byte === QUOTE) {
      this.#isInString = true;
      this.#name = "";
      this.#part?.beginString();
    }
  }

  #open(byte: number, position: number): void {
    const depth = this.#lists.length;
    if (depth >= MAX_NESTING) {
      const problem = `it has more than ${MAX_NESTING} brackets in each other`;
      throw this.#failAt(position, problem);
    }
    const isList = byte === LIST;
    if (depth === 1 && isList && this.#property === "cells") {
      this.#hasCells = true;
    }
    const kind = isList ? undefined : this.#kindAt(depth);
    if (kind !== undefined) {
      this.#part = new OpenPart(kind, position, this.#buffer);
    }
    this.#lists.push(isList);
    this.#part?.add(byte);
  }

  /** What an object is that opens at a depth; `undefined` if it is not a part. */
  #kindAt(depth: number): NotebookPart["kind"] | undefined {
    if (depth === 1 && this.#property === "metadata") return "metadata";
    const isInCells = depth === 2 && this.#property === "cells";
    return isInCells && this.#lists.at(-1) ? "cell" : undefined;
  }

  #close(byte: number, position: number): void {
    const isList = byte === LIST_END;
    if (this.#lists.pop() !== isList) throw this.#failAt(position);
    const depth = this.#lists.length;
    this.#isDone = depth === 0;
    const part = this.#part;
    if (part === undefined || depth > DEPTHS[part.kind]) return;
    this.#emit(part.finish(position + 1));
    this.#part = undefined;
  }

  /** Takes bytes of a string up to its end, or to its next backslash; returns how far. */
  #takeString(bytes: Uint8Array, from: number): number {
    // The byte after a backslash ends nothing.
    let at = this.#isEscaped ? from + 1 : from;
    while (at < bytes.length) {
      if (bytes[at] === QUOTE || bytes[at] === BACKSLASH) break;
      at++;
    }
    if (at > from) this.#addToString(bytes.subarray(from, at), 1);
    this.#isEscaped = bytes[at] === BACKSLASH;
    if (at === bytes.length) return at;
    if (this.#isEscaped) {
      this.#addToString(bytes.subarray(at, at + 1), ESCAPE_BYTES);
    } else {
      this.#isInString = false;
      this.#part?.endString(this.#lists.at(-1)!);
    }
    return at + 1;
  }

  #addToString(bytes: Uint8Array, least: number): void {
    if (this.#part !== undefined) this.#part.addToString(bytes, least);
    else if (this.#name.length < MAX_NAME_BYTES) {
      const begin = bytes.subarray(0, MAX_NAME_BYTES);
      this.#name += String.fromCharCode(...begin);
    }
  }
}

/** The room that an escape needs, so that it is kept whole or not at all: more than it can take. */
const ESCAPE_BYTES = 9;

/** The current part, whose JSON is in a buffer; long strings in it are clipped. */
class OpenPart {
  readonly kind: NotebookPart["kind"];
  /** Where it begins in the file. */
  readonly #start: number;
  readonly #buffer: Uint8Array;
  /** How many bytes of the buffer are used. */
  #length = 0;
  /** Whether the part is too large even without its long strings. */
  #isFull = false;
  /** How many objects, lists and properties it has. */
  #values = 0;
  /** Where the current string begins in the buffer. */
  #stringStart = 0;
  /** How many bytes of the current string are left out. */
  #dropped = 0;
  /** How many strings end with a mark, since bytes of them are left out. */
  #marks = 0;
  /** The last string that was left out whole: where it begins and ends in the buffer, with its mark, and how many bytes it had. */
  #lastLeftOut = { start: 0, end: 0, dropped: 0 };

  constructor(kind: NotebookPart["kind"], start: number, buffer: Uint8Array) {
    this.kind = kind;
    this.#start = start;
    this.#buffer = buffer;
  }

  /** Adds a byte that is not inside a string. */
  add(byte: number): void {
    if (byte === COLON || byte === OBJECT || byte === LIST) this.#values++;
    if (this.#length >= MAX_PART_BYTES) this.#isFull = true;
    else this.#buffer[this.#length++] = byte;
  }

  beginString(): void {
    this.#stringStart = this.#length;
    this.#dropped = 0;
  }

  /** Adds as many bytes of the current string as fit. Adds nothing if fewer than `least` bytes have room, or if earlier bytes of the string did not fit. */
  addToString(bytes: Uint8Array, least: number): void {
    const room = this.#dropped > 0 ? 0 : this.#room();
    const count = room < least ? 0 : Math.min(room, bytes.length);
    if (count > 0) {
      // Most bytes fit, and making a view of them takes time.
      const kept = count < bytes.length ? bytes.subarray(0, count) : bytes;
      this.#buffer.set(kept, this.#length);
      this.#length += count;
    }
    if (count === bytes.length) return;
    // A character is kept whole or not at all.
    const isCut = this.#dropped === 0 && isContinuation(bytes[count]!);
    this.#dropped += bytes.length - count;
    if (isCut) this.#dropLastCharacter();
  }

  /** How many more bytes of the current string fit. */
  #room(): number {
    const ofString = MAX_STRING_BYTES - (this.#length - this.#stringStart);
    // The other half of the part is for brackets, numbers and marks.
    return Math.min(ofString, MAX_PART_BYTES / 2 - this.#length);
  }

  /** Drops the bytes of the last character of the current string, of which a part did not fit. */
  #dropLastCharacter(): void {
    let last = 0x80;
    while (isContinuation(last) && this.#length > this.#stringStart) {
      last = this.#buffer[this.#length - 1]!;
      // Invalid UTF-8: these continuation bytes belong to no character.
      if (last < 0x80) return;
      this.#length--;
      this.#dropped++;
    }
  }

  /** Ends the current string; if bytes of it are left out, with a mark. */
  endString(isInList: boolean): void {
    if (this.#dropped === 0) return this.add(QUOTE);
    const isLeftOut = this.#length === this.#stringStart;
    const last = this.#lastLeftOut;
    // Only a comma and a quote are between the two strings. In an object, one of
    // them is the name of a property.
    const isNext = isInList && last.end === this.#stringStart - 2;
    if (isLeftOut && isNext) {
      // One mark stands for both, since there may be millions.
      this.#dropped += last.dropped;
      this.#length = last.start;
      this.#marks--;
    }
    const start = this.#length;
    for (const character of `${MARK}${this.#dropped};"`) {
      this.add(character.charCodeAt(0));
    }
    this.#marks++;
    if (!isLeftOut) return;
    this.#lastLeftOut = { start, end: this.#length, dropped: this.#dropped };
  }

  finish(end: number): NotebookPart {
    const bytes = this.#buffer.subarray(0, this.#length);
    const hasManyValues = this.#values > MAX_PART_VALUES;
    const json = this.#isFull || hasManyValues
      ? null
      : decodePart(bytes, this.#marks);
    return { kind: this.kind, json, hasManyValues, bytes: end - this.#start };
  }
}

/** Whether a byte of UTF-8 continues a character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The replacement character, to which a decoder turns bytes that are not UTF-8. */
const REPLACEMENT = "\uFFFD";
/** Stands for lost bytes: two lone surrogates, so that one is left if an escape such as \ud83d before them joins with the first. */
const LOST = "\uDFFF\uDFFF";
/** Marks the end of a clipped string in the bytes of a part; the number of bytes that were left out follows, and a semicolon. JSON allows this control character nowhere, so a valid part has none of its own. */
const MARK = "\x01";
/** Replaces the mark in the JSON of a part: the escape of U+FFFF. A notebook's own U+FFFF becomes `LOST`. */
const SHOWN_MARK = "\\uFFFF";
/** A U+FFFF, written out or as an escape; or any other escape, so that the second backslash of two is not taken for the beginning of one. */
const ALIKE_OR_ESCAPE = /(\\uffff|\uFFFF)|\\[^]/gi;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the JSON of a part of a notebook, to which the scanner added `marks` marks; these become `SHOWN_MARK`. */
function decodePart(bytes: Uint8Array, marks: number): string {
  let text = decode(bytes);
  // The notebook's own U+FFFF must not look like a mark.
  if (/\\uffff|\uFFFF/i.test(text)) {
    text = text.replace(ALIKE_OR_ESCAPE, (found, own) => own ? LOST : found);
  }
  const parts = text.split(MARK);
  // A part that has such a byte itself is not JSON: `JSON.parse` must see it.
  return parts.length - 1 === marks ? parts.join(SHOWN_MARK) : text;
}

/** Decodes UTF-8, with `LOST` for bytes that are not; a U+FFFD of the notebook itself stays one. */
function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes(REPLACEMENT) || isUtf8(bytes, true)) return text;
  // Between two U+FFFD of the notebook itself, each REPLACEMENT is from the decoder.
  const parts: string[] = [];
  let from = 0;
  // The bytes of U+FFFD in UTF-8 are EF BF BD.
  for (let at = 0; (at = bytes.indexOf(0xef, at)) >= 0; at++) {
    if (bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue;
    parts.push(decoder.decode(bytes.subarray(from, at)));
    from = at + 3;
  }
  parts.push(decoder.decode(bytes.subarray(from)));
  return parts.map((part) => part.replaceAll(REPLACEMENT, LOST)).join(
    REPLACEMENT,
  );
}
