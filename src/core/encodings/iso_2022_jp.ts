// Runtime-agnostic.
import type { FileBytes } from "../base/port.ts";
import type { Charset } from "../lines/codec.ts";
import { encode, SHAPES } from "./double_byte.ts";
import { ASCII_PARTS, makeTables, type Tables } from "./tables.ts";

const ESC = 0x1b;
const LF = 0x0a;
const SIGN = "\uFFFD";

/** The sets of characters, by the two bytes after the escape that selects them. */
const SETS = ["(B", "(J", "(I", "$@", "$B"];

/** The set that an escape at `at` selects; `undefined` if there is no such escape. */
function setAt(bytes: Uint8Array, at: number): string | undefined {
  if (bytes[at] !== ESC || at + 2 >= bytes.length) return undefined;
  const set = String.fromCharCode(bytes[at + 1]!, bytes[at + 2]!);
  return SETS.includes(set) ? set : undefined;
}

/** Where a run of another set ends: after the escape back to ASCII, or at the end of its line. */
function runLength(bytes: Uint8Array, at: number): number {
  let place = at;
  // Searching for the end of the line at each run would take quadratic time.
  for (; place < bytes.length && bytes[place] !== LF; place++) {
    const isBack = bytes[place] === ESC && bytes[place + 1] === 0x28 &&
      bytes[place + 2] === 0x42;
    if (isBack) return place + 3 - at;
  }
  return place - at;
}

/**
 * ISO-2022-JP, whose escapes switch between sets of characters. Each line
 * begins in ASCII. A run of another set is one unit and is never divided, so
 * that each page can be decoded by itself.
 */
export function iso2022jpCodec(): Charset {
  const label = "iso-2022-jp";
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  let made: Tables | undefined;
  const unitLength = (bytes: Uint8Array, at: number) =>
    setAt(bytes, at) === undefined ? 1 : runLength(bytes, at);
  // A run without text is U+FFFD, since a page cannot end at bytes without a character.
  const decodeRun = (run: Uint8Array) => decoder.decode(run) || SIGN;

  return {
    ...ASCII_PARTS,
    label,
    most: 64 * 1024,
    hasAscii: false,
    unitLength,
    columnsOf(bytes, at, length) {
      if (length === 1) return 1;
      return Array.from(decodeRun(bytes.subarray(at, at + length))).length;
    },
    decode(bytes) {
      let text = "";
      for (let from = 0; from < bytes.length;) {
        const escape = bytes.indexOf(ESC, from);
        const plain = escape < 0 ? bytes.length : escape;
        if (plain > from) text += decoder.decode(bytes.subarray(from, plain));
        if (escape < 0) return text;
        const length = unitLength(bytes, escape);
        text += decodeRun(bytes.subarray(escape, escape + length));
        from = escape + length;
      }
      return text;
    },
    encode(text) {
      made ??= makeTables(new TextDecoder("euc-jp"), SHAPES["euc-jp"]!);
      return encodeRuns(text, made);
    },
  };
}

/** Encodes a text by the table of EUC-JP, whose bytes are the same with the highest bit set. */
function encodeRuns(text: string, tables: Tables): FileBytes | undefined {
  const bytes: number[] = [];
  let set = "(B";
  const begin = (other: string) => {
    if (other === set) return;
    bytes.push(ESC, other.charCodeAt(0), other.charCodeAt(1));
    set = other;
  };
  for (const character of text) {
    if (character < "\x80") {
      begin("(B");
      bytes.push(character.charCodeAt(0));
    } else if (character === "\xa5" || character === "\u203e") {
      begin("(J");
      bytes.push(character === "\xa5" ? 0x5c : 0x7e);
    } else {
      const pair = encode(character, tables, "euc-jp");
      if (pair?.length !== 2 || pair[0] === 0x8e) return undefined;
      begin("$B");
      bytes.push(pair[0]! & 0x7f, pair[1]! & 0x7f);
    }
  }
  begin("(B");
  return Uint8Array.from(bytes);
}
