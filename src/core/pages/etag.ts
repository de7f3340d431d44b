import type { FileStat } from "../base/port.ts";
import { isAtRest } from "../guard/proof.ts";
import { ReadFileError, refuseArgument } from "../base/errors.ts";
import type { WantedLines } from "../read_options.ts";
import { quote } from "../base/words.ts";
import { type LocateOptions, mostBytes, type Span } from "../lines/locate.ts";
import { linesIn } from "../lines/scan.ts";
import { countColumns } from "../lines/columns.ts";
import { seek, seekLine } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { afterRun, bytesOf, type Run } from "../lines/run.ts";
import type { Steps } from "../base/call.ts";
import { Checksum, checksumOf, readDigits, writeDigits } from "./checksum.ts";

// An etag is the identity of a version of a file, and of the page that was read of it:
// the next call proves that the bytes of that page are still there. It says nothing of
// the pages before, which had their own etags.
//
// The times of a file at rest prove it without reading. Otherwise, or if the file grew,
// the bytes of the page are read again and compared.
//
// As text, in characters of six bits: checksums of the identity (4), of the mtime (5), of
// the ctime (3) and of the line and column after the page (5); the checksum of its bytes
// (11); the size of the file, the byte after the page, and its length, with as many
// characters as the size needs; and two that show if the etag was copied wrongly.

/** What an etag holds. */
export interface Version {
  readonly id: string;
  readonly mtime: string;
  /** The checksum of the ctime; `UNPROVED` if the times would not show each later change. */
  readonly ctime: string;
  /** The checksum of the line and column where the next page begins. */
  readonly place: string;
  /** The checksum of the bytes of the page. */
  readonly bytes: string;
  readonly size: number;
  /** The byte after the page. */
  readonly end: number;
  /** How many bytes the page has. */
  readonly length: number;
}

/** How many characters each checksum has. */
const LENGTHS = { id: 4, mtime: 5, ctime: 3, place: 5, bytes: 11 } as const;
/** How many they have together. */
const FIXED_LENGTH = 28;
/** In the place of the checksum of a ctime. */
const UNPROVED = "---";

/** An etag, and which kinds of bytes the last run of its page has, see `checksum.ts`. */
export interface WrittenEtag {
  readonly etag: string;
  readonly byteKinds: number;
}

/** Writes the etag of a page whose last run this is; `now` was sampled before `stat()`. */
export function* writeEtag(
  run: Run,
  stat: FileStat,
  now: number,
): Steps<WrittenEtag> {
  const bytes = provedBytes(run);
  const checksum = new Checksum();
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    checksum.add(bytes.subarray(at, at + STEP_BYTES));
  }
  const ctime = isAtRest(stat, now) ? ctimeOf(stat) : UNPROVED;
  const place = placeAfter(run, stat.size);
  const facts = idOf(stat) + mtimeOf(stat) + ctime + place + checksum.end();
  const width = writtenLength(stat.size);
  const numbers = [stat.size, run.end, bytes.length]
    .map((number) => writeDigits(number, width));
  const text = facts + numbers.join("");
  return { etag: text + checkOf(text), byteKinds: checksum.byteKinds };
}

/** The bytes at the end of a run that are those of the file: all of them, or those after its last clipped line. */
function provedBytes(run: Run): Uint8Array {
  const bytes = bytesOf(run);
  const clipped = run.clips.at(-1)?.index ?? -1;
  let from = 0;
  for (let line = 0; line <= clipped; line++) {
    from = bytes.indexOf(LF, from) + 1 || bytes.length;
  }
  return bytes.subarray(from);
}

const LF = 0x0a;

/** How many bytes are added per step. */
const STEP_BYTES = 1024 * 1024;

/** Reads an `etag`; `undefined` for a text that is none. */
export function readEtag(etag: string): Version | undefined {
  const text = etag.slice(0, -2);
  if (!/^[\w-]{33,60}$/.test(etag) || checkOf(text) !== etag.slice(-2)) {
    return undefined;
  }
  let at = 0;
  const take = (length: number) => text.slice(at, at += length);
  const [id, mtime, ctime, place, bytes] = [
    take(LENGTHS.id),
    take(LENGTHS.mtime),
    take(LENGTHS.ctime),
    take(LENGTHS.place),
    take(LENGTHS.bytes),
  ];
  const width = (text.length - FIXED_LENGTH) / 3;
  const [size, end, length] = [take(width), take(width), take(width)]
    .map(readDigits) as [number, number, number];
  // A forged etag must not make the reader read impossible bytes.
  const isPossible = Number.isSafeInteger(size) && end <= size &&
    length <= end && width === writtenLength(size);
  if (!isPossible) return undefined;
  return { id, mtime, ctime, place, bytes, size, end, length };
}

function writtenLength(size: number): number {
  let length = 1;
  while (size >= 64 ** length) length++;
  return length;
}

/** The etag as one number, by a prime below 64²: another character, or two that changed places, give another remainder. */
function checkOf(text: string): string {
  let rest = 1;
  for (const char of text) rest = (rest * 64 + readDigits(char)) % 4093;
  return writeDigits(rest, 2);
}

function idOf({ id }: FileStat): string {
  return checksumOf(id ?? "", LENGTHS.id);
}

function mtimeOf({ mtimeMs }: FileStat): string {
  return checksumOf(`${wholeMs(mtimeMs)}`, LENGTHS.mtime);
}

/** In whole seconds, since Deno's ctime has no milliseconds. */
function ctimeOf({ ctimeMs }: FileStat): string {
  const ms = wholeMs(ctimeMs);
  const seconds = ms === null ? null : Math.floor(ms / 1000);
  return checksumOf(`${seconds}`, LENGTHS.ctime);
}

/** A time in whole milliseconds; `null` if it is unknown or not a safe integer. */
function wholeMs(ms: number | null): number | null {
  const whole = ms === null ? NaN : Math.trunc(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}

function placeWord(line: number, column: number): string {
  return checksumOf(`${line}:${column}`, LENGTHS.place);
}

/** Nothing begins after the page: its last line may go on, or it has none. */
const NOWHERE = placeWord(0, 0);

/** The place where the next page begins. */
function placeAfter(run: Run, size: number): string {
  const { start, end, line, lines, text } = run;
  if (start === end || line === null) return NOWHERE;
  const next = afterRun(run, size);
  if (next !== null) return placeWord(next.line, next.column);
  // At the end of the file, a next line begins only after a line feed.
  return text.endsWith("\n") ? placeWord(line + lines, 1) : NOWHERE;
}

/** Where the page that is asked for begins, and how many lines it shows at most. */
type Wanted = Pick<WantedLines, "start" | "column" | "around" | "width"> & {
  readonly count?: number | undefined;
};

/**
 * Fails with `CHANGED` if the file is not the version of `etag`; a file that
 * only grew is the same version. Returns the byte where the page begins, if it
 * begins where the page of the etag ended. `isOther` tells whether the file has
 * another encoding than the one it is read in.
 */
export async function checkEtag(
  source: Source,
  etag: string,
  wanted: Wanted,
  limits: LocateOptions,
  isOther: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<number | undefined> {
  const { path, size, file: { stat } } = source;
  const before = readEtag(etag);
  if (before === undefined) {
    throw refuseArgument(path)("etag", "is not the etag of a page");
  }
  await failOnFacts(source, before);
  const { end, length } = before;
  const { start: line, column, around } = wanted;
  const isNext = around === undefined &&
    before.place === placeWord(line, column);
  const begin = isNext ? end : undefined;
  const isProved = size === before.size && before.ctime === ctimeOf(stat);
  if (isProved) {
    // The page may be shorter than the one before, so less is read first.
    if (isNext) source.expect(length * 5 / 8);
    return begin;
  }
  const { count, width = Infinity } = wanted;
  if (isNext && end < size && count !== undefined) {
    // Read the page before and this one together.
    const lineBytes = Math.ceil(end / Math.max(1, line - 1));
    const lines = lineBytes * Math.min(count, limits.maxLines ?? Infinity);
    const most = Math.min(lines, mostBytes(limits), width, size - end);
    source.expectTo(end - length, end + most);
  }
  const isSame = await isPlaced(source, before, isOther) &&
    await checksumIn(source, end - length, end) === before.bytes;
  if (!isSame) throw contentChanged(source, before);
  return begin;
}

/** Fails with `CHANGED` if the identity, the size or the mtime is that of another version. */
async function failOnFacts(source: Source, before: Version): Promise<void> {
  const { path, size, file: { stat } } = source;
  if (before.id !== idOf(stat)) throw fileChanged(path, "replaced");
  if (size < before.size) {
    const { passed } = await seekLine(source, Infinity, size);
    throw fileChanged(path, "shrank", await linesIn(source, passed));
  }
  // The ctime alone changes with a rename, another owner, or an mtime that was set back.
  if (size === before.size && mtimeOf(stat) !== before.mtime) {
    throw fileChanged(path, "rewritten");
  }
}

/** If a page begins within so many bytes from the beginning of the file, the lines before it are counted again. */
const RECOUNTED_BYTES = 4096;

/** Whether the line and the column after the page are still there, as far as this is counted. */
async function isPlaced(
  source: Source,
  { end, length, place }: Version,
  isOther: () => Promise<boolean>,
): Promise<boolean> {
  const start = end - length;
  if (start > RECOUNTED_BYTES || place === NOWHERE) return true;
  const { passed, last } = await seek(source, 0, Infinity, end);
  const columns = await countColumns(source, await source.copyOf(last, end));
  if (placeWord(passed + 1, columns + 1) === place) return true;
  // In another encoding, other bytes are lines and columns.
  return await isOther();
}

/** The checksum of the bytes `[start, end)`. */
async function checksumIn(
  source: Source,
  start: number,
  end: number,
): Promise<string> {
  const checksum = new Checksum();
  for (let position = start; position < end;) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const to = Math.min(source.end, end);
    checksum.add(source.view(position, to));
    position = to;
  }
  return checksum.end();
}

/** How a file differs from the one that an earlier page showed. */
const HOW_CHANGED = {
  replaced: "another file has taken its place",
  shrank: "it has shrunk",
  grew: "it has changed and grown",
  rewritten: "it was written anew",
} as const;

/** The failure if the bytes of the page before have changed or moved. */
function contentChanged({ path, size }: Source, before: Version) {
  return fileChanged(path, size > before.size ? "grew" : "rewritten");
}

/** Fails with `CHANGED` if a page that continues another cannot have its number in a file of so many lines: the lines before it have changed. */
export function checkLast(
  { path, size }: Source,
  { line, lines, end, endColumn }: Span,
  total: number,
): void {
  const last = line! - 1 + lines!;
  const isEnd = end === size && endColumn === undefined;
  const most = isEnd || endColumn !== undefined ? total : total - 1;
  if (last > most || isEnd && last < total) {
    throw fileChanged(path, "rewritten");
  }
}

function fileChanged(
  path: string,
  how: keyof typeof HOW_CHANGED,
  totalLines?: number,
): ReadFileError {
  const lines = totalLines === 1 ? "line" : "lines";
  const isCounted = totalLines !== undefined;
  const total = isCounted ? `, and has ${totalLines} ${lines} now` : "";
  const details = isCounted ? { how, totalLines } : { how };
  return new ReadFileError("CHANGED", path, details, {
    words: {
      CHANGED: ({ path }) => [
        `Cannot read on in ${quote(path)}: ${HOW_CHANGED[how]}${total}`,
        "read it again from the beginning",
      ],
    },
  });
}
