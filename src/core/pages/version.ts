// Runtime-agnostic.
import { type FileStat, isAtRest } from "../base/port.ts";
import { ReadFileError } from "../base/errors.ts";
import type { ReadPolicy } from "../base/policy.ts";
import type { PageSelection } from "../base/selection.ts";
import { quote } from "../base/words.ts";
import { linesIn } from "../lines/scan.ts";
import { seekLine, type Source } from "../lines/source.ts";
import type { TextWindow } from "../lines/window.ts";
import type { Steps } from "../base/call.ts";
import { Checksum, checksumOf, hashOf } from "./digest.ts";
import { stride } from "./columns.ts";

/** A version of a file, and the bytes that the pages of a walk have shown. */
export interface Version {
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
  /** The seam: the last bytes of the page, and their checksum. A file at rest needs none. */
  readonly seam: number;
  readonly seamDigest: string | undefined;
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

/** The failure of content that is another: what was shown has changed or moved. */
function contentChanged(
  path: string,
  { size }: FileStat,
  before: Version,
): ReadFileError<"CHANGED"> {
  return changed(path, size > before.size ? "grew" : "rewritten");
}

/** Fails with `CHANGED` if the page begins at the line and column where the earlier one ended, and they are now at another byte. */
export function refuseGap(
  etag: string,
  { stat, span, start, column }: Pick<
    TextWindow,
    "stat" | "span" | "start" | "column"
  >,
  path: string,
): void {
  const before = readEtag(etag)!;
  const goesOn = start === before.line && column === before.column;
  if (!goesOn || span.start === before.end) return;
  throw contentChanged(path, stat, before);
}

/** An `etag`, and which signs the bytes of its page have. */
export interface Written {
  readonly etag: string;
  readonly signs: number;
}

/** What a page goes on from. */
export interface Onward {
  /** The etag of the page before. */
  readonly before?: string | undefined;
  /** Whether no page follows in this walk. */
  readonly isLast?: boolean;
}

/**
 * Writes the version of the file and what was shown of it as an `etag`: since
 * the walk began, if the page continues the one of `before`. `now` was sampled
 * before `stat()`.
 */
export function* writeEtag(
  window: TextWindow,
  { before, isLast = true }: Onward,
  now: number,
): Steps<Written> {
  const { stat, span, bytes } = window;
  const { id, size, mtimeMs, ctimeMs } = stat;
  const walk = before === undefined ? undefined : readEtag(before)!;
  const goesOn = walk?.end === span.start;
  const digest = new Checksum(goesOn ? walk.digest : undefined);
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    digest.add(bytes.subarray(at, at + STEP_BYTES));
  }
  const start = goesOn ? walk.start : span.start;
  const times = [size, wholeMs(mtimeMs), start, span.end, ...placeAfter(window)]
    .map((number) => number === null ? "" : number.toString(36));
  // What was not compared yet must still be compared, even if the file is now at rest.
  const owes = goesOn && !isLast && mayOwe(walk, stat);
  const isTrusted = !owes && isAtRest(stat, now);
  const file = (isTrusted ? "r" : "u") + checksumOf(encoder.encode(id ?? "")) +
    secondsOf(ctimeMs);
  const seam = bytes.subarray(-SEAM_BYTES);
  const seams = isTrusted ? [] : [seam.length.toString(36) + checksumOf(seam)];
  const etag = [file, ...times, digest.text, ...seams].join("-");
  return { etag, signs: digest.signs };
}

const encoder = /* @__PURE__ */ new TextEncoder();

/** How many bytes a step takes. A literal, as bundlers keep an unused product. */
const STEP_BYTES = 1_048_576;

/** How many of the last bytes shown are compared by the next page at least. */
const SEAM_BYTES = 1024;

/** The most bytes that each page of a walk may read again: a block of a disk. */
const BLOCK_BYTES = 4096;

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
  /^([ruw])([0-9a-z]{7})([0-9a-z]*)-([0-9a-z]{1,11})-(-?[0-9a-z]{0,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{14,19})(?:-([0-9a-z]{1,2})([0-9a-z]{7}))?$/;

/** Reads an `etag`; `undefined` if it is none of ours. */
export function readEtag(etag: string): Version | undefined {
  const parts = ETAG.exec(etag);
  if (parts === null) return undefined;
  const number = (index: number) => parseInt(parts[index] ?? "0", 36);
  const [size, start, end, seam] = [
    number(4),
    number(6),
    number(7),
    number(11),
  ];
  // A forged one must not ask for bytes that no page can have shown.
  if (start > end || end > size || seam > end - start) return undefined;
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
    seam,
    seamDigest: parts[12],
  };
}

/** Fails with `CHANGED` if the file is not the version of `etag`; one that only grew is the same version. */
export async function checkEtag(source: Source, etag: string): Promise<void> {
  const before = await checkFacts(source, etag);
  if (isProved(before, source.file.stat)) return;
  // Where the times prove nothing, what was shown is read again and compared.
  if (!await isUnchanged(source, before)) {
    throw contentChanged(source.path, source.file.stat, before);
  }
}

/**
 * Checks an `etag` like {@linkcode checkEtag}, for a page. If the page goes on in
 * a file whose times prove nothing, only the seam is compared: then the version
 * is returned, and {@linkcode settle} must compare the rest after the last page.
 * Comparing all of it for each page would cost the square of the file.
 */
export async function checkOnward(
  source: Source,
  etag: string,
  selection: PageSelection,
  { maxWindowBytes = Infinity }: ReadPolicy,
): Promise<Version | undefined> {
  const { start, column, around, count, width = Infinity } = selection;
  const before = readEtag(etag);
  const goesOn = around === undefined && start === before?.line &&
    column === before.column;
  const owes = goesOn && before.end < source.size &&
    mayOwe(before, source.file.stat);
  if (!owes) {
    await checkEtag(source, etag);
    return undefined;
  }
  await checkFacts(source, etag);
  const { seam, seamDigest, end, line } = before;
  const usual = Math.ceil(end / Math.max(1, line - 1)) * count;
  const most = Math.min(usual, maxWindowBytes, width, source.size - end);
  source.expectTo(end - seam, end + most);
  const shown = await source.piece(end - seam, end);
  if (checksumOf(shown) === seamDigest) return before;
  throw contentChanged(source.path, source.file.stat, before);
}

/** Whether the next page of the walk may leave the comparison to the last one. */
function mayOwe(before: Version, stat: FileStat): boolean {
  return before.seamDigest !== undefined && before.end > BLOCK_BYTES &&
    !isProved(before, stat);
}

/** Fails with `CHANGED` if what the walk has shown, or the place where it ended, is not as it was. */
export async function settle(source: Source, before: Version): Promise<void> {
  const { start, end, line, column, digest } = before;
  const hash = new Checksum();
  let feeds = 0;
  let begin = 0;
  source.expectTo(0, end);
  for (let position = 0; position < end;) {
    await source.load(position);
    const to = Math.min(source.end, end);
    const [from, until] = [position - source.start, to - source.start];
    const passed = source.kernel.count(from, until);
    feeds += passed;
    if (passed > 0) {
      begin = source.start + source.kernel.nthLast(from, until, 1) + 1;
    }
    if (to > start) hash.add(source.view(Math.max(start, position), to));
    position = to;
  }
  let isSame = hash.text === digest && feeds === line - 1;
  if (isSame && column > 1 && begin < start) {
    // The line began before the walk: its characters are counted again.
    isSame = (await stride(source, begin, column - 1)).position === end;
  }
  if (!isSame) throw contentChanged(source.path, source.file.stat, before);
}

/** Fails with `CHANGED` if the identity, the size or the times tell of another version. */
async function checkFacts(source: Source, etag: string): Promise<Version> {
  const { path, size, file: { stat } } = source;
  const before = readEtag(etag);
  if (before === undefined) {
    throw new ReadFileError("INVALID_ARGUMENT", path, {
      argument: "etag",
      problem: "is not the etag of a page",
    });
  }
  if (before.file !== checksumOf(encoder.encode(stat.id ?? ""))) {
    throw changed(path, "replaced");
  }
  if (size < before.size) {
    const { passed } = await seekLine(source, Infinity, size);
    throw changed(path, "shrank", await linesIn(source, passed));
  }
  if (size === before.size && wholeMs(stat.mtimeMs) !== before.mtimeMs) {
    throw changed(path, "rewritten");
  }
  return before;
}

/** Whether the facts prove that nothing has changed, or the caller wants no more proof. */
function isProved(before: Version, { size, ctimeMs }: FileStat): boolean {
  // A rename, another owner and an mtime that was set back change the ctime.
  return before.proof === "weak" ||
    before.proof === "times" && size === before.size &&
      before.ctime === secondsOf(ctimeMs);
}

/** Whether the bytes that were shown are unchanged. */
async function isUnchanged(
  source: Source,
  { start, end, digest }: Version,
): Promise<boolean> {
  return (await hashOf(source, start, end, new Checksum())).text === digest;
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
