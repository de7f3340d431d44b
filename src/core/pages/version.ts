// Runtime-agnostic.
import { isAtRest } from "../base/port.ts";
import { ReadFileError } from "../base/errors.ts";
import { quote } from "../base/words.ts";
import { linesIn, seekLine, type Source } from "../lines/source.ts";
import type { TextWindow } from "../lines/window.ts";
import type { Steps } from "../base/call.ts";

/** The digits of 32 bits, five bits a digit. */
const LANE_DIGITS = 7;
/** The digits of up to three bytes that are no whole word, and how many they are. */
const REST_DIGITS = 5;
const DIGITS = "0123456789abcdefghijklmnopqrstuv";

/** The sign of a carriage return. */
export const CR_SIGN = 1;
/** The sign of any other byte but a tab, a line feed and what ASCII prints. */
const ODD_SIGN = 2;

const SIGNS = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0d) return CR_SIGN;
  const isPlain = byte === 0x09 || byte === 0x0a ||
    (byte >= 0x20 && byte < 0x7f);
  return isPlain ? 0 : ODD_SIGN;
});

/**
 * A checksum of 64 bits: it notices a change, and does not resist a forger. Its
 * text holds its whole state, so that a later page can continue it.
 */
class Digest {
  #one = 0x811c9dc5 | 0;
  #two = 0x01000193;
  /** The bytes after the last whole word of four, below a bit that tells how many. */
  #rest = 1;
  #signs = 0;

  /** Constructs a new instance: of no bytes, or in the state of `text`. */
  constructor(text?: string) {
    if (text === undefined) return;
    this.#one = parseInt(text.slice(0, LANE_DIGITS), 32) | 0;
    this.#two = parseInt(text.slice(LANE_DIGITS, -REST_DIGITS), 32) | 0;
    this.#rest = parseInt(text.slice(-REST_DIGITS), 32);
  }

  /** Adds bytes at the end. */
  add(bytes: Uint8Array): void {
    let at = 0;
    while (this.#rest > 1 && at < bytes.length) this.#addByte(bytes[at++]!);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let one = this.#one;
    let two = this.#two;
    let signs = this.#signs;
    for (const last = bytes.length - 4; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      one = Math.imul(one ^ word, 0x01000193);
      one ^= one >>> 15;
      two = Math.imul(two + word, 0x5bd1e995);
      two ^= two >>> 13;
      // Whether a byte is below 0x20, is 0x7f, or is no ASCII.
      const odd = (word - 0x20202020 & ~word | word + 0x01010101 | word) &
        0x80808080;
      if (odd !== 0 && signs < ODD_SIGN) {
        signs |= SIGNS[word & 255]! | SIGNS[word >>> 8 & 255]! |
          SIGNS[word >>> 16 & 255]! | SIGNS[word >>> 24]!;
      }
    }
    this.#one = one;
    this.#two = two;
    this.#signs = signs;
    while (at < bytes.length) this.#addByte(bytes[at++]!);
  }

  #addByte(byte: number): void {
    this.#signs |= SIGNS[byte]!;
    const rest = this.#rest * 256 + byte;
    if (rest < 2 ** 32) {
      this.#rest = rest;
      return;
    }
    this.#rest = 1;
    // The first byte is the lowest of a word.
    const word = rest >>> 24 & 255 | rest >>> 8 & 0xff00 |
      (rest & 0xff00) << 8 | rest << 24;
    this.#one = Math.imul(this.#one ^ word, 0x01000193);
    this.#one ^= this.#one >>> 15;
    this.#two = Math.imul(this.#two + word, 0x5bd1e995);
    this.#two ^= this.#two >>> 13;
  }

  /** Which signs the added bytes have, as bits; 0 if all are plain. */
  get signs(): number {
    return this.#signs;
  }

  /** Its state, as nineteen letters and digits. */
  get text(): string {
    return digitsOf(this.#one, LANE_DIGITS) +
      digitsOf(this.#two, LANE_DIGITS) + digitsOf(this.#rest, REST_DIGITS);
  }
}

/** `toString()` of what fills 32 bits takes ten times as long. */
function digitsOf(bits: number, length: number): string {
  let text = "";
  for (let shift = (length - 1) * 5; shift >= 0; shift -= 5) {
    text += DIGITS[(bits >>> shift) & 31];
  }
  return text;
}

const encoder = /* @__PURE__ */ new TextEncoder();

function digestText(text: string): string {
  const digest = new Digest();
  digest.add(encoder.encode(text));
  return digest.text;
}

/** A version of a file, and the bytes that the pages of a walk have shown. */
interface Version {
  /**
   * How a later change is noticed: by the times of a file at rest; by what was
   * shown of one that was not; by times alone, where the caller wants no more.
   */
  readonly proof: "times" | "content" | "weak";
  /** The checksum of the file's identity. */
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number | null;
  /**
   * When anything about it last changed, in whole seconds, as Deno tells no more;
   * empty if unknown. Of a file that was at rest, a later change is of another second.
   */
  readonly ctime: string;
  /** The first byte that the walk has shown. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The line and column at `end`, where the next page begins; line 0 if none does. */
  readonly line: number;
  readonly column: number;
  /** The checksum of the bytes `[start, end)`. */
  readonly digest: string;
}

/** How a file differs from the one that an earlier page showed. */
type How = "replaced" | "shrank" | "grew" | "rewritten";

const SENTENCES = {
  replaced: "another file has taken its place since the page before",
  shrank: "it has shrunk since the page before",
  grew: "it has grown since the page before, and not only at its end",
  rewritten: "it was written anew since the page before",
} as const satisfies Record<How, string>;

function changed(
  path: string,
  how: How,
  totalLines?: number,
): ReadFileError<"CHANGED"> {
  const lines = totalLines === undefined
    ? ""
    : `, and has ${totalLines} ${totalLines === 1 ? "line" : "lines"} now`;
  const details = totalLines === undefined ? { how } : { how, totalLines };
  return new ReadFileError("CHANGED", path, details, {
    words: {
      CHANGED: ({ path }) => [
        `Cannot read on in ${quote(path)}: ${SENTENCES[how]}${lines}`,
        "read it again from the beginning",
      ],
    },
  });
}

/**
 * Fails with `CHANGED` if the line and column at which the earlier page ended are
 * at another byte now: something before them has another length. A page that
 * begins elsewhere is not checked.
 */
export function refuseGap(
  etag: string,
  { stat, span, start, column }: TextWindow,
  path: string,
): void {
  const before = readEtag(etag)!;
  const goesOn = start === before.line && column === before.column;
  if (!goesOn || span.start === before.end) return;
  throw changed(path, stat.size > before.size ? "grew" : "rewritten");
}

/**
 * Writes what a page showed of which version of its file as an `etag`: all that
 * was shown since the walk began, if it goes on from the page of `before`. Tells
 * as well which signs the bytes of the window have. `now` is from before the
 * file was looked at.
 */
export function* writeEtag(
  window: TextWindow,
  before: string | undefined,
  now: number,
): Steps<{ readonly etag: string; readonly signs: number }> {
  const { stat, span, bytes } = window;
  const { id, size, mtimeMs, ctimeMs } = stat;
  const walk = before === undefined ? undefined : readEtag(before)!;
  const goesOn = walk?.end === span.start;
  const digest = new Digest(goesOn ? walk.digest : undefined);
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    digest.add(bytes.subarray(at, at + STEP_BYTES));
  }
  const start = goesOn ? walk.start : span.start;
  const { line, column } = placeAfter(window);
  const times = [size, wholeMs(mtimeMs), start, span.end, line, column]
    .map((number) => number === null ? "" : number.toString(36));
  const rest = isAtRest(stat, now) ? "r" : "u";
  const file = rest + digestText(id ?? "") + secondsOf(ctimeMs);
  const etag = [file, ...times, digest.text].join("-");
  return { etag, signs: digest.signs };
}

/** How many bytes a step takes. A literal, as bundlers keep an unused product. */
const STEP_BYTES = 1_048_576;

/** The line and column at the window's end; line 0 where it shows nothing, or ends in an open line. */
function placeAfter(
  window: TextWindow,
): { readonly line: number; readonly column: number } {
  const { next, nextColumn, start, span, bytes } = window;
  if (span.start === span.end || start === null) return { line: 0, column: 0 };
  if (next !== null) return { line: next, column: nextColumn };
  // At the end of the file, only a line feed tells where more would begin.
  return bytes.at(-1) === LF
    ? { line: start + window.lineCount, column: 1 }
    : { line: 0, column: 0 };
}

const LF = 0x0a;

const PROOFS = { r: "times", u: "content", w: "weak" } as const;

/**
 * The same `etag`, by which a file that grew, or has no times, is held to be the
 * same without reading again what was shown of it.
 */
export function weaken(etag: string): string {
  return etag.replace(/^[ru]/, "w");
}

const ETAG =
  /^([ruw])([0-9a-z]{19})([0-9a-z]*)-([0-9a-z]{1,11})-(-?[0-9a-z]{0,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{19})$/;

/** Reads an `etag`; `undefined` if it is none of ours. */
export function readEtag(etag: string): Version | undefined {
  const parts = ETAG.exec(etag);
  if (parts === null) return undefined;
  const number = (index: number) => parseInt(parts[index]!, 36);
  const [size, start, end] = [number(4), number(6), number(7)];
  // A forged one must not ask for bytes that no page can have shown.
  if (start > end || end > size) return undefined;
  return {
    proof: PROOFS[parts[1] as keyof typeof PROOFS],
    file: parts[2]!,
    ctime: parts[3]!,
    size,
    mtimeMs: parts[5] === "" ? null : number(5),
    start,
    end,
    line: number(8),
    column: number(9),
    digest: parts[10]!,
  };
}

/**
 * Fails with `CHANGED` if a page cannot be joined to the one that `etag` is from,
 * as the file is another version now. A file that only grew is the same version.
 */
export async function checkEtag(source: Source, etag: string): Promise<void> {
  const { path, size, file: { stat } } = source;
  const before = readEtag(etag);
  if (before === undefined) {
    throw new ReadFileError("INVALID_ARGUMENT", path, {
      argument: "etag",
      problem: "is not the etag of a page",
    });
  }
  if (before.file !== digestText(stat.id ?? "")) {
    throw changed(path, "replaced");
  }
  if (size < before.size) {
    const { passed } = await seekLine(source, Infinity, size);
    throw changed(path, "shrank", await linesIn(source, passed));
  }
  const grew = size > before.size;
  if (!grew && wholeMs(stat.mtimeMs) !== before.mtimeMs) {
    throw changed(path, "rewritten");
  }
  // Where the times prove nothing, what was shown is read again and compared. A
  // rename, another owner and a time that was set back change the ctime.
  const isTrusted = before.proof === "weak" ||
    before.proof === "times" && !grew &&
      before.ctime === secondsOf(stat.ctimeMs);
  const isSame = isTrusted || await stands(source, before);
  if (!isSame) throw changed(path, grew ? "grew" : "rewritten");
}

/** Whether the bytes that were shown are unchanged. */
async function stands(
  source: Source,
  { start, end, digest: wanted }: Version,
): Promise<boolean> {
  const digest = new Digest();
  for (let position = start; position < end;) {
    await source.load(position);
    const to = Math.min(source.end, end);
    digest.add(source.view(position, to));
    position = to;
  }
  return digest.text === wanted;
}

/** A time in whole milliseconds; `null` if there is none, or it is no safe integer. */
function wholeMs(ms: number | null): number | null {
  const whole = ms === null ? NaN : Math.trunc(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}

function secondsOf(ms: number | null): string {
  const whole = wholeMs(ms);
  return whole === null ? "" : Math.floor(Math.abs(whole) / 1000).toString(36);
}
