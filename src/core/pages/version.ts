// Runtime-agnostic.
import type { FileStat } from "../base/port.ts";
import { isAtRest } from "../guard/proof.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import type { PageSelection, ReadPolicy } from "../base/selection.ts";
import { quote } from "../base/words.ts";
import { linesIn } from "../lines/scan.ts";
import { seekLine } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import type { TextWindow } from "../lines/window.ts";
import { runAtOnce, type Steps } from "../base/call.ts";
import { skipColumns } from "../lines/columns.ts";
import { Checksum, checksumOf, hasDigest } from "./digest.ts";
import type { Beginning } from "../lines/locate.ts";
import { readStamp, writeStamp } from "./receipt.ts";

// The etag of a page has a checksum of all bytes that its series of pages has shown. If
// times do not prove that the file is unchanged, a later page must compare these bytes.
// Comparing all of them for each page would take quadratic time. So a page that
// continues the series compares only their end, the seam, and postpones the rest: it
// is compared after the last page.

// How an etag proves that nothing changed; it is the kind of its stamp.
/** By times: the file was at rest, so each later change shows in them. */
const TIMES = 0;
/** By the shown bytes, which are compared. */
const CONTENT = 1;
/** By size and times, although they prove less: the caller accepts that. */
const WEAK = 2;

/** A version of a file, and the bytes that a series of pages has shown. */
export interface Version {
  /** `TIMES`, `CONTENT` or `WEAK`. */
  readonly proof: number;
  /** The checksum of the file's identity. */
  readonly file: number;
  readonly size: number;
  readonly mtimeMs: number | null;
  /** How many seconds the ctime is after the mtime; `null` if unknown. In seconds, since Deno's ctime has no milliseconds. */
  readonly lag: number | null;
  /** The first byte that the pages have shown. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The line and column at `end`, where the next page begins; line 0 for the last page. */
  readonly line: number;
  readonly column: number;
  /** The seam: how many of the last shown bytes have a separate checksum; 0 for a file at rest. */
  readonly seam: number;
  readonly seamSum: number;
  /** The state of the checksum of the bytes `[start, end)`. */
  readonly digest: readonly number[];
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
  const lines = totalLines === 1 ? "line" : "lines";
  const isCounted = totalLines !== undefined;
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

/** The failure if the shown bytes have changed or moved. */
function contentChanged(path: string, stat: FileStat, before: Version) {
  return changed(path, stat.size > before.size ? "grew" : "rewritten");
}

/** Fails with `CHANGED` if the page begins at the line and column where the earlier page ended, but these are now at another byte. */
export function failOnGap(
  etag: string,
  window: TextWindow & { readonly from?: Beginning },
): void {
  const before = readEtag(etag)!;
  const { path, stat, span: { start: position }, start: line, column } = window;
  // A page of hits begins where the search began, which may be before its lines.
  const { from = { position, line, column } } = window;
  const continues = from.line === before.line && from.column === before.column;
  if (!continues || from.position === before.end) return;
  throw contentChanged(path, stat, before);
}

/** An `etag`, and which kinds of bytes its page has, see `digest.ts`. */
export interface WrittenEtag {
  readonly etag: string;
  readonly byteKinds: number;
}

/**
 * Writes the version of the file and the shown bytes as an `etag`. If the page
 * continues the one of `before`, the etag covers the earlier pages too. With
 * `mayPostpone`, a later page may make the comparison with these. `now` was
 * sampled before `stat()`.
 */
export function* writeEtag(
  window: TextWindow,
  now: number,
  before?: string,
  mayPostpone = false,
): Steps<WrittenEtag> {
  const { stat, span, bytes } = window;
  const earlier = before === undefined ? undefined : readEtag(before)!;
  const continues = earlier?.end === span.start;
  const digest = new Checksum(continues ? earlier.digest : undefined);
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    digest.add(bytes.subarray(at, at + STEP_BYTES));
  }
  // If the comparison is postponed, the proof must be CONTENT. With TIMES, later pages
  // would trust the times, and the comparison would never be made.
  const isPostponed = continues && mayPostpone && isPostponable(earlier, stat);
  const isTrusted = !isPostponed && isAtRest(stat, now);
  const seam = isTrusted ? bytes.subarray(0, 0) : bytes.subarray(-SEAM_BYTES);
  const start = continues ? earlier.start : span.start;
  const numbers = [
    idOf(stat),
    stat.size,
    wholeMs(stat.mtimeMs),
    lagOf(stat),
    start,
    span.end - start,
    ...placeAfter(window),
    seam.length,
    seam.length > 0 ? checksumOf(seam) : 0,
    ...digest.state,
  ];
  const proof = isTrusted ? TIMES : CONTENT;
  const etag = yield* writeStamp({ kind: proof, numbers, tail: "" });
  return { etag, byteKinds: digest.byteKinds };
}

/** How many numbers an etag has. */
const NUMBERS = 13;
/** The longest etag: each number has at most 11 digits. */
const MAX_ETAG_CHARS = 150;
/** How many bytes are hashed per step. A literal, since bundlers do not tree-shake an expression. */
const STEP_BYTES = 1_048_576;
/** How many bytes a seam has, if so many were shown. */
const SEAM_BYTES = 1024;
/** If the shown bytes end within so many bytes from the beginning of the file, each page compares all of them: that takes one block of a disk. */
const BLOCK_BYTES = 4096;

/** The line and column at the end of the window; zeros if it is empty, or its last line may continue. */
function placeAfter(window: TextWindow): readonly [number, number] {
  const { next, nextColumn, start, span, text } = window;
  if (span.start === span.end || start === null) return [0, 0];
  if (next !== null) return [next, nextColumn];
  // At the end of the file, a next line begins only after a line feed.
  return text.endsWith("\n") ? [start + window.lineCount, 1] : [0, 0];
}

/** The same `etag`, for which the shown bytes are not read again, even if the file grew or has no times. */
export function weaken(etag: string): string {
  const stamp = runAtOnce(readStamp(etag, NUMBERS))!;
  return runAtOnce(writeStamp({ ...stamp, kind: WEAK }));
}

/** Reads an `etag`; `undefined` for an invalid one. */
export function readEtag(etag: string): Version | undefined {
  if (etag.length > MAX_ETAG_CHARS) return undefined;
  const stamp = runAtOnce(readStamp(etag, NUMBERS));
  if (stamp === undefined || stamp.kind > WEAK || stamp.tail) return undefined;
  // In the order of `writeEtag`. Only times can be unknown; elsewhere, `null` is forged.
  const [file, size, mtimeMs = null, lag = null, ...others] = stamp.numbers;
  const counts = others.map((number) => number ?? 0);
  const [
    start = 0,
    length = 0,
    line = 0,
    column = 0,
    seam = 0,
    seamSum = 0,
    ...digest
  ] = counts;
  const version = {
    proof: stamp.kind,
    file: file ?? 0,
    size: size ?? 0,
    mtimeMs,
    lag,
    start,
    end: start + length,
    line,
    column,
    seam,
    seamSum,
    digest,
  };
  // A forged etag must not make the reader read impossible bytes.
  const isPossible = counts.every((count) => count >= 0) &&
    version.end <= version.size && seam <= length;
  return isPossible ? version : undefined;
}

/**
 * Fails with `CHANGED` if the file is not the version of `etag`; a file that
 * only grew is the same version. If `next` begins where the earlier page ended,
 * and times do not prove that the file is unchanged, only the seam is compared.
 * Then the version is returned, and {@linkcode settle} must make the postponed
 * comparison after the last page.
 */
export async function checkEtag(
  source: Source,
  etag: string,
  next?: PageSelection,
  { maxWindowBytes = Infinity }: ReadPolicy = {},
): Promise<Version | undefined> {
  const before = await checkFacts(source, etag);
  const { start, end, line, seam, seamSum, digest } = before;
  const { path, size, file: { stat } } = source;
  if (isProved(before, stat)) return undefined;
  const continues = next !== undefined && next.around === undefined &&
    next.start === line && next.column === before.column;
  const isPostponed = continues && end < size && isPostponable(before, stat);
  if (isPostponed) {
    const { count, width = Infinity } = next;
    // Read the seam and the page together. Its lines are about as long as those before.
    const lineBytes = Math.ceil(end / Math.max(1, line - 1));
    const most = Math.min(lineBytes * count, maxWindowBytes, width, size - end);
    source.expectTo(end - seam, end + most);
  }
  const isSame = isPostponed
    ? checksumOf(await source.piece(end - seam, end)) === seamSum
    : await hasDigest(source, start, end, new Checksum(), digest.join());
  if (!isSame) throw contentChanged(path, stat, before);
  return isPostponed ? before : undefined;
}

/** Whether the page after `before` may leave the comparison of all shown bytes to the last page. */
function isPostponable(before: Version, stat: FileStat): boolean {
  return before.seam > 0 && before.end > BLOCK_BYTES && !isProved(before, stat);
}

/** Makes the postponed comparison: fails with `CHANGED` if the shown bytes, or the place where the pages ended, have changed. */
export async function settle(source: Source, before: Version): Promise<void> {
  const { start, end, line, column, digest } = before;
  const hash = new Checksum();
  // One pass hashes the shown bytes, counts the line feeds before `end`, and notes where
  // the line of `end` begins.
  let feeds = 0;
  let lineStart = 0;
  source.expectTo(0, end);
  for (let position = 0; position < end;) {
    await source.load(position);
    const to = Math.min(source.end, end);
    const from = position - source.start;
    const until = to - source.start;
    feeds += source.kernel.count(from, until);
    const feed = source.kernel.nthLast(from, until, 1);
    if (feed >= 0) lineStart = source.start + feed + 1;
    if (to > start) hash.add(source.view(Math.max(start, position), to));
    position = to;
  }
  let isSame = hash.end() === digest.join() && feeds === line - 1;
  if (isSame && column > 1 && lineStart < start) {
    // The bytes before the first page are not in the checksum, so the column may have
    // moved.
    const reach = await skipColumns(source, lineStart, column - 1);
    isSame = reach.position === end;
  }
  if (!isSame) throw contentChanged(source.path, source.file.stat, before);
}

/** Fails with `CHANGED` if the identity, the size or the times are of another version. */
async function checkFacts(source: Source, etag: string): Promise<Version> {
  const { path, size, file: { stat } } = source;
  const before = readEtag(etag);
  if (before === undefined) {
    throw refuseArgument(path)("etag", "is not the etag of a page");
  }
  if (before.file !== idOf(stat)) throw changed(path, "replaced");
  if (size < before.size) {
    const { passed } = await seekLine(source, Infinity, size);
    throw changed(path, "shrank", await linesIn(source, passed));
  }
  if (size === before.size && wholeMs(stat.mtimeMs) !== before.mtimeMs) {
    throw changed(path, "rewritten");
  }
  return before;
}

/** Whether the stat proves that nothing has changed, or the caller accepts times as proof. */
function isProved(before: Version, stat: FileStat): boolean {
  // A rename, another owner and an mtime that was set back change the ctime.
  return before.proof === WEAK ||
    before.proof === TIMES && stat.size === before.size &&
      lagOf(stat) === before.lag;
}

const encoder = /* @__PURE__ */ new TextEncoder();

function idOf({ id }: FileStat): number {
  return checksumOf(encoder.encode(id ?? ""));
}

/** A time in whole milliseconds; `null` if it is unknown or not a safe integer. */
function wholeMs(ms: number | null): number | null {
  const whole = ms === null ? NaN : Math.trunc(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** How many seconds the ctime is after the mtime; `null` if the ctime is unknown. */
function lagOf({ mtimeMs, ctimeMs }: FileStat): number | null {
  const mtime = wholeMs(mtimeMs) ?? 0;
  const ctime = wholeMs(ctimeMs);
  if (ctime === null) return null;
  return Math.floor(ctime / 1000) - Math.floor(mtime / 1000);
}
