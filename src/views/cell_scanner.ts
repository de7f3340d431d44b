// Runtime-agnostic.
import { isUtf8 } from "../core/lines/text.ts";

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
/** For each byte outside of strings: 0 if it may not occur there, 2 for white space, 1 for any other. */
const OUTSIDE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (" \t\r\n".includes(character)) return 2;
  return "{}[]:,0123456789+-.eEtrufalsn".includes(character) ? 1 : 0;
});

/** Finds the cells of a notebook of `size` bytes; holds one at a time, calls `emit` with each, and throws what `fail` makes. */
export function scanCells(
  size: number,
  emit: (part: NotebookPart) => void,
  fail: (problem: string) => Error,
) {
  /** For each open bracket, whether it opens a list. */
  const lists: boolean[] = [];
  /** The name of the current property of the notebook itself. */
  let property = "";
  let position = 0;
  let done = false;
  let hasCells = false;
  let inString = false;
  let escaped = false;
  /** How many hexadecimal digits of an escape are still to come. */
  let digits = 0;
  /** The current string, if it may be the name of a property. */
  let name = "";
  // Of a small file, everything fits.
  const capacity = size > MAX_STRING_BYTES ? MAX_PART_BYTES : size;
  /** The JSON of the current part, and how many bytes of it there are. */
  const kept = new Uint8Array(capacity);
  let length = 0;
  /** How many strings in `kept` end with a mark, since bytes of them are left out. */
  let marks = 0;
  /** What the current part is; `undefined` outside of parts. */
  let kind: NotebookPart["kind"] | undefined;
  /** Where the part begins in the file. */
  let start = 0;
  /** Whether the part is too large even without its long strings. */
  let isFull = false;
  /** Where the current string begins in `kept`. */
  let stringStart = 0;
  /** How many bytes of the current string are left out. */
  let dropped = 0;
  /** The last string of which only a mark is kept: where the mark begins, where the string ends in `kept`, and how many bytes were left out. */
  let lastMark = { start: 0, end: 0, bytes: 0 };

  function push(bytes: Uint8Array): void {
    const base = position;
    for (let at = 0; at < bytes.length;) {
      if (inString) at = takeString(bytes, at);
      else {
        position = base + at;
        takeOutside(bytes[at++]!);
      }
    }
    position = base + bytes.length;
  }

  /** Fails if the file ends too early, or has no list of cells. */
  function end(): void {
    if (!done) {
      const problem = "it ends before its last bracket is closed";
      throw fail(`it is not JSON: ${problem}`);
    }
    if (!hasCells) throw fail("it has no list of cells");
  }

  function failHere(problem = "it is not JSON"): Error {
    return fail(`${problem} at byte ${position}`);
  }

  function takeOutside(byte: number): void {
    if (byte === BYTE_ORDER_MARK[position]) return;
    const role = OUTSIDE[byte];
    if (role === 2) return;
    if (byte === QUOTE && lists.length > 0) {
      keep(byte);
      inString = true;
      stringStart = length;
      dropped = 0;
      name = "";
      return;
    }
    // The notebook is one object.
    const isOutside = lists.length === 0;
    if (role === 0 || isOutside && (done || byte !== OBJECT)) throw failHere();
    if (byte === OBJECT || byte === LIST) return open(byte);
    keep(byte);
    if (byte === OBJECT_END || byte === LIST_END) return close(byte);
    if (byte === COLON && lists.length === 1) property = name;
  }

  function open(byte: number): void {
    const depth = lists.length;
    if (depth >= MAX_NESTING) {
      const problem = `it has more than ${MAX_NESTING} brackets in each other`;
      throw failHere(problem);
    }
    if (depth === 1 && byte === LIST && property === "cells") hasCells = true;
    if (kind === undefined && byte === OBJECT) {
      kind = kindAt(depth);
      start = position;
      length = marks = lastMark.end = 0;
      isFull = false;
    }
    lists.push(byte === LIST);
    keep(byte);
  }

  /** What the object at a depth is; `undefined` if it is not a part. */
  function kindAt(depth: number): NotebookPart["kind"] | undefined {
    if (depth === 1 && property === "metadata") return "metadata";
    const isCell = depth === 2 && property === "cells" && lists.at(-1);
    return isCell ? "cell" : undefined;
  }

  function close(byte: number): void {
    if (lists.pop() !== (byte === LIST_END)) throw failHere();
    const depth = lists.length;
    done = depth === 0;
    if (kind === undefined || depth > DEPTHS[kind]) return;
    const json = isFull ? null : decodePart(kept.subarray(0, length), marks);
    const bytes = position + 1 - start;
    emit({ kind, json, bytes });
    kind = undefined;
  }

  /** Takes bytes of a string, up to its end or the end of the bytes. */
  function takeString(bytes: Uint8Array, at: number): number {
    if (escaped) {
      escaped = false;
      if (bytes[at] === 0x75) digits = 4;
      keepOf(bytes, at, at + 1, true);
      return at + 1;
    }
    let end = at;
    for (; end < bytes.length; end++) {
      const byte = bytes[end]!;
      if (byte === QUOTE || byte === BACKSLASH) break;
    }
    if (end > at) keepRun(bytes, at, end);
    if (end === bytes.length) return end;
    if (bytes[end] === BACKSLASH) {
      escaped = true;
      // An escape has at most six bytes. With room to spare, it is kept whole,
      // otherwise not at all.
      keepOf(bytes, end, end + 1, room() > 8);
      return end + 1;
    }
    inString = false;
    if (dropped > 0) mark();
    else keep(QUOTE);
    return end + 1;
  }

  /** Ends a clipped string with a mark. Strings of a list that follow each other, and are left out whole, get one mark. */
  function mark(): void {
    const isWhole = length === stringStart;
    // Only a comma and a quote are between the string of the last mark and this one.
    const isNext = lastMark.end === stringStart - 2 && lists.at(-1);
    if (isWhole && isNext) {
      // Replace the last mark by one for both strings.
      dropped += lastMark.bytes;
      length = lastMark.start;
      marks--;
    }
    const begin = length;
    for (const character of `${MARK}${dropped};"`) {
      keep(character.charCodeAt(0));
    }
    marks++;
    lastMark = { start: begin, end: isWhole ? length : 0, bytes: dropped };
  }

  /** How many more bytes of the current string can be kept. */
  function room(): number {
    if (dropped > 0) return 0;
    const ofString = MAX_STRING_BYTES - (length - stringStart);
    // The other half of the part is for brackets, numbers and marks.
    return Math.min(ofString, MAX_PART_BYTES / 2 - length);
  }

  /** Keeps as much of a run without escapes as fits, in whole characters. */
  function keepRun(bytes: Uint8Array, from: number, to: number): void {
    if (kind === undefined) {
      if (name.length >= MAX_NAME_BYTES) return;
      const part = bytes.subarray(from, Math.min(to, from + MAX_NAME_BYTES));
      name += String.fromCharCode(...part);
      return;
    }
    // Keep the digits of an escape whose beginning was kept.
    const left = Math.min(digits, to - from);
    digits -= left;
    let end = Math.min(to, from + Math.max(left, room()));
    while (end < to && end > from + left && isContinuation(bytes[end]!)) end--;
    if (end > from) keepOf(bytes, from, end, dropped === 0);
    else if (dropped === 0 && isContinuation(bytes[end]!)) dropCharacter();
    dropped += to - end;
  }

  /** Drops the bytes of a character that were kept before a read ended inside it. */
  function dropCharacter(): void {
    let byte = 0;
    while (byte < 0xc0 && length > stringStart && kept[length - 1]! >= 0x80) {
      byte = kept[--length]!;
      dropped++;
    }
  }

  /** Keeps bytes of the current string, or counts them as left out. */
  function keepOf(bytes: Uint8Array, from: number, to: number, fits: boolean) {
    if (kind === undefined) return;
    if (!fits || dropped > 0) {
      dropped += to - from;
      return;
    }
    kept.set(bytes.subarray(from, to), length);
    length += to - from;
  }

  /** Keeps a byte of the structure, while there is room. */
  function keep(byte: number): void {
    if (kind === undefined || isFull) return;
    isFull = length >= MAX_PART_BYTES;
    if (!isFull) kept[length++] = byte;
  }

  return { push, end };
}

/** Whether a byte of UTF-8 continues a character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The replacement character, to which a decoder turns bytes that are not UTF-8. */
const REPLACEMENT = "\uFFFD";
/** Stands for lost bytes: two lone surrogates, so that one is left if an escape such as \ud83d before them joins with the first. */
const LOST = "\uDFFF\uDFFF";
/** Marks the end of a clipped string in the bytes of a part; the number of bytes that were left out follows, and a semicolon. JSON has no such character. */
const MARK = "\x01";
/** The mark in the JSON of a part. A notebook's own U+FFFF becomes two lone surrogates. */
const SHOWN_MARK = "\\uFFFF";
/** A U+FFFF, written out or as an escape; or any other escape, so that the second backslash of two is not taken for the beginning of one. */
const ALIKE_OR_ESCAPE = /(\\uffff|\uFFFF)|\\[^]/gi;

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes the JSON of a part of a notebook, to which the scanner added `marks` marks. */
function decodePart(bytes: Uint8Array, marks: number): string {
  let text = decode(bytes);
  if (/\\uffff|\uFFFF/i.test(text)) {
    text = text.replace(ALIKE_OR_ESCAPE, (found, own) => own ? LOST : found);
  }
  const parts = text.split(MARK);
  // A part that has such a byte itself is not JSON: `JSON.parse` must see it.
  return parts.length - 1 === marks ? parts.join(SHOWN_MARK) : text;
}

/** Decodes UTF-8, with lone surrogates for bytes that are not. */
function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (!text.includes(REPLACEMENT) || isUtf8(bytes, true)) return text;
  const parts: string[] = [];
  let from = 0;
  // U+FFFD itself in UTF-8.
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
