// Runtime-agnostic.
import { isAtRest } from "../base/port.ts";
import { ReadFileError } from "../base/errors.ts";
import { quote } from "../base/words.ts";
import { linesIn, seekLine, type Source } from "../lines/source.ts";
import type { TextWindow } from "../lines/window.ts";
import { doAtOnce, type Steps } from "../base/call.ts";

/** The digits of a lane: 32 bits, five a digit. */
const LANE_DIGITS = 7;
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
 * Sixty-four bits that stand for some bytes: to notice a change, not to resist a
 * forger. It can be written down and gone on with.
 */
class Digest {
  #one = 0x811c9dc5 | 0;
  #two = 0x01000193;
  #signs = 0;

  /** Constructs a new instance: of no bytes, or of those that `text` stands for. */
  constructor(text?: string) {
    if (text === undefined) return;
    this.#one = parseInt(text.slice(0, LANE_DIGITS), 32) | 0;
    this.#two = parseInt(text.slice(LANE_DIGITS), 32) | 0;
  }

  /** Adds bytes at the end. */
  add(bytes: Uint8Array): void {
    let one = this.#one;
    let two = this.#two;
    let signs = this.#signs;
    // By index: a loop over the values takes three times as long.
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      one = Math.imul(one ^ byte, 0x01000193);
      two = Math.imul(two + byte, 0x5bd1e995);
      two ^= two >>> 13;
      signs |= SIGNS[byte]!;
    }
    this.#one = one;
    this.#two = two;
    this.#signs = signs;
  }

  /** Which signs the added bytes have, as bits; 0 if all are plain. */
  get signs(): number {
    return this.#signs;
  }

  /** It all, as fourteen letters and digits. */
  get text(): string {
    // toString(36) of what fills 32 bits takes ten times as long.
    let text = "";
    for (const lane of [this.#one, this.#two]) {
      for (let bit = (LANE_DIGITS - 1) * 5; bit >= 0; bit -= 5) {
        text += DIGITS[(lane >>> bit) & 31];
      }
    }
    return text;
  }
}

const encoder = new TextEncoder();
let last: readonly [string, string] | undefined;

/** The digest of a text; of the same one again, it costs nothing. */
function digestText(text: string): string {
  if (last?.[0] === text) return last[1];
  const digest = new Digest();
  digest.add(encoder.encode(text));
  last = [text, digest.text];
  return last[1];
}

/** A version of a file, and the bytes of it that a walk has shown. */
interface Version {
  /** Whether every later change of the file must be seen from its times. */
  readonly atRest: boolean;
  /** Stands for the file's identity, without telling it. */
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number | null;
  /** When anything about it last changed, as it is written down; empty if unknown. */
  readonly ctime: string;
  /** The first byte that was shown, by this page or those it went on from. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The line and column that `end` is at: where the page goes on; line 0 if none begins there. */
  readonly line: number;
  readonly column: number;
  /** Stands for the bytes `[start, end)`. */
  readonly digest: string;
}

/** How a file is another than the one that a page before showed. */
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
 * Fails with `CHANGED` if the line and column that go on are no longer where the
 * page before ended: then something before it is longer or shorter by now, even
 * if all that was shown stands. A page that begins elsewhere joins nothing.
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
 * was shown since the walk began, if it goes on from the page of `before`.
 *
 * `now` is from before the file was looked at.
 */
export function writeEtag(
  window: TextWindow,
  before: string | undefined,
  now: number,
): string {
  return doAtOnce(writingEtag(window, before, now)).etag;
}

/** The same, a step at a time; and which signs the bytes of the window have. */
export function* writingEtag(
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
  const file = rest + digestText(id ?? "") + wholeText(ctimeMs);
  const etag = [file, ...times, digest.text].join("-");
  return { etag, signs: digest.signs };
}

/** How much is digested at a step; no product, which bundlers keep where nothing uses it. */
const STEP_BYTES = 1_048_576;

/** The line and column at the window's end; line 0 where it shows nothing, or ends in an open line. */
function placeAfter(
  window: TextWindow,
): { readonly line: number; readonly column: number } {
  const { next, nextColumn, start, span, bytes } = window;
  if (span.start === span.end || start === null) return { line: 0, column: 0 };
  if (next !== null) return { line: next, column: nextColumn };
  // The file ends here. Only after a line feed is it clear what more would be.
  return bytes.at(-1) === LF
    ? { line: start + window.lineCount, column: 1 }
    : { line: 0, column: 0 };
}

const LF = 0x0a;

/** Reads an `etag`; `undefined` if it is none of ours. */
export function readEtag(etag: string): Version | undefined {
  const parts =
    /^([ru])([0-9a-z]{14})([0-9a-z]*)-([0-9a-z]{1,11})-(-?[0-9a-z]{0,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{14})$/
      .exec(etag);
  if (parts === null) return undefined;
  const [, rest, file, ctime] = parts;
  const numbers = [parts[4], ...parts.slice(6, 10)]
    .map((number) => parseInt(number!, 36));
  // The pattern has all of them.
  const [size, start, end, line, column] = numbers as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [mtimeMs, digest] = [parts[5]!, parts[10]!];
  // One that was made up must not ask for bytes that no page can have shown.
  if (start > end || end > size) return undefined;
  return {
    atRest: rest === "r",
    file: file!,
    size,
    mtimeMs: mtimeMs === "" ? null : parseInt(mtimeMs, 36),
    ctime: ctime!,
    start,
    end,
    line,
    column,
    digest,
  };
}

/**
 * Fails with `CHANGED` if the page that `etag` comes from cannot be gone on from:
 * pages of two versions must not be joined. A file that only grew is no other
 * version: what was shown of it stands where it stood.
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
  // Times that could not tell of a change say nothing: what was shown must tell. A
  // new name or another owner is a change too, and so is a time that was set back.
  const isTrusted = before.atRest && !grew &&
    before.ctime === wholeText(stat.ctimeMs);
  const isSame = isTrusted || await stands(source, before);
  if (!isSame) throw changed(path, grew ? "grew" : "rewritten");
}

/** Whether all that was shown is there still. */
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

/** A time in whole milliseconds; `null` if there is none, or it is no number that can be written down. */
function wholeMs(ms: number | null): number | null {
  const whole = ms === null ? NaN : Math.trunc(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}

function wholeText(ms: number | null): string {
  const whole = wholeMs(ms);
  return whole === null ? "" : Math.abs(whole).toString(36);
}
