// Runtime-agnostic.
import { isAtRest } from "../base/port.ts";
import { ReadFileError } from "../base/errors.ts";
import { quote } from "../base/words.ts";
import { linesIn } from "../lines/ends.ts";
import { seekLine, type Source } from "../lines/source.ts";
import type { TextWindow } from "../lines/window.ts";
import type { Steps } from "../base/call.ts";

/** The digits of 32 bits, five bits each. */
const LANE_DIGITS = 7;
/** The digits of up to three bytes that are no whole word, below a bit that tells how many. */
const REST_DIGITS = 5;
const DIGITS = "0123456789abcdefghijklmnopqrstuv";

/** The sign of a carriage return. */
export const CR_SIGN = 1;
/** The sign of any other byte but a tab, a line feed and printable ASCII. */
const ODD_SIGN = 2;

const SIGNS = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0d) return CR_SIGN;
  if (byte === 0x09 || byte === 0x0a) return 0;
  return byte >= 0x20 && byte < 0x7f ? 0 : ODD_SIGN;
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
    at = this.#addWords(bytes, at);
    while (at < bytes.length) this.#addByte(bytes[at++]!);
  }

  /** Adds whole words of four bytes from `at` on; returns where they end. */
  #addWords(bytes: Uint8Array, at: number): number {
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
    return at;
  }

  #addByte(byte: number): void {
    this.#signs |= SIGNS[byte]!;
    this.#rest = this.#rest * 256 + byte;
    if (this.#rest < 2 ** 32) return;
    const word = new Uint8Array(4);
    new DataView(word.buffer).setUint32(0, this.#rest % 2 ** 32);
    this.#rest = 1;
    this.#addWords(word, 0);
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
  /** How a later change is noticed: by times, if the file was at rest; by what was shown; by times alone, if the caller wants no more. */
  readonly proof: "times" | "content" | "weak";
  /** The checksum of the file's identity. */
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number | null;
  /** The ctime in whole seconds, since Deno tells no more; empty if unknown. */
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
const SENTENCES = {
  replaced: "another file has taken its place since the page before",
  shrank: "it has shrunk since the page before",
  grew: "it has grown since the page before, and not only at its end",
  rewritten: "it was written anew since the page before",
} as const;

function changed(
  path: string,
  how: keyof typeof SENTENCES,
  totalLines?: number,
): ReadFileError<"CHANGED"> {
  const isCounted = totalLines !== undefined;
  const lines = totalLines === 1 ? "line" : "lines";
  const total = isCounted ? `, and has ${totalLines} ${lines} now` : "";
  const details = isCounted ? { how, totalLines } : { how };
  return new ReadFileError("CHANGED", path, details, {
    words: {
      CHANGED: ({ path }) => [
        `Cannot read on in ${quote(path)}: ${SENTENCES[how]}${total}`,
        "read it again from the beginning",
      ],
    },
  });
}

/** Fails with `CHANGED` if the page begins at the line and column where the earlier one ended, and they are now at another byte. */
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

/** An `etag`, and which signs the bytes of its page have. */
export interface Written {
  readonly etag: string;
  readonly signs: number;
}

/**
 * Writes the version of the file and what was shown of it as an `etag`: since
 * the walk began, if the page continues the one of `before`. `now` was sampled
 * before `stat()`.
 */
export function* writeEtag(
  window: TextWindow,
  before: string | undefined,
  now: number,
): Steps<Written> {
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
  const times = [size, wholeMs(mtimeMs), start, span.end, ...placeAfter(window)]
    .map((number) => number === null ? "" : number.toString(36));
  const rest = isAtRest(stat, now) ? "r" : "u";
  const file = rest + digestText(id ?? "") + secondsOf(ctimeMs);
  const etag = [file, ...times, digest.text].join("-");
  return { etag, signs: digest.signs };
}

/** How many bytes a step takes. A literal, as bundlers keep an unused product. */
const STEP_BYTES = 1_048_576;

/** The line and column at the window's end; zeros where it shows nothing, or ends in an open line. */
function placeAfter(window: TextWindow): readonly [number, number] {
  const { next, nextColumn, start, span, text } = window;
  if (span.start === span.end || start === null) return [0, 0];
  if (next !== null) return [next, nextColumn];
  // At the end of the file, only a line feed tells where more would begin.
  return text.endsWith("\n") ? [start + window.lineCount, 1] : [0, 0];
}

const PROOFS = { r: "times", u: "content", w: "weak" } as const;

/** The same `etag`, for which what was shown is not read again, even if the file grew or has no times. */
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

/** Fails with `CHANGED` if the file is not the version of `etag`; one that only grew is the same version. */
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
  if (before.proof === "weak") return;
  // A rename, another owner and an mtime that was set back change the ctime.
  const isTrusted = before.proof === "times" && !grew &&
    before.ctime === secondsOf(stat.ctimeMs);
  // Where the times prove nothing, what was shown is read again and compared.
  if (isTrusted || await isUnchanged(source, before)) return;
  throw changed(path, grew ? "grew" : "rewritten");
}

/** Whether the bytes that were shown are unchanged. */
async function isUnchanged(
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
