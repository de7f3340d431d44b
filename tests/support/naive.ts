/** The expected page of a read, computed from the whole decoded file. */
import {
  type FsPort,
  openWorkspace,
  type Page,
  type PageLine,
  ReadFileError,
  type ReadOptions,
} from "../../mod.ts";

/** The result of a read, in a form to compare. */
export type Outcome =
  | { readonly error: string; readonly details: object }
  | { readonly binary: string; readonly next: null }
  | {
    readonly shown: { readonly start: number; readonly end: number };
    readonly bytes: string;
    readonly text: string;
    readonly lines: readonly PageLine[];
    readonly lineCount: number;
    readonly next: { readonly start: number; readonly column: number } | null;
    readonly totalLines: number | null;
    readonly empty: Page["empty"];
    /** The numbers of the clipped lines. */
    readonly clipped: readonly number[];
  };

/** The options that depend only on line feeds. */
export type PlainOptions = Pick<
  ReadOptions,
  | "start"
  | "count"
  | "end"
  | "exactRange"
  | "tail"
  | "numbered"
  | "keepEnd"
  | "binary"
  | "countLines"
  | "maxBytes"
  | "maxLines"
  | "maxFileBytes"
  | "maxScanBytes"
  | "maxLineBytes"
>;

/** The result of reading `/ws/a.txt`. */
export async function actual(
  fs: FsPort,
  options: ReadOptions,
): Promise<Outcome> {
  const workspace = await openWorkspace("/ws", { fs });
  try {
    return outcomeOf(await workspace.read("a.txt", options));
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    return { error: error.code, details: error.details };
  }
}

function outcomeOf(page: Page): Outcome {
  const { shown, text, lines, lineCount, next, totalLines, empty } = page;
  const bytes = toBinary(page.bytes());
  if (empty === "binary") return { binary: bytes, next: next as null };
  return {
    shown,
    bytes,
    text,
    lines,
    lineCount,
    next: next && { start: next.start!, column: next.column ?? 1 },
    totalLines,
    empty,
    clipped: page.inexact.filter(({ reason }) => reason === "clipped")
      .map(({ number }) => number),
  };
}

/** Bytes as a string with one character for each byte. */
export function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Converts such a string back to bytes. */
export function toBytes(binary: string): Uint8Array {
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Decodes bytes as UTF-8; invalid bytes become U+FFFD, and a BOM stays. */
function decode(binary: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(toBytes(binary));
}

function isUtf8(binary: string, isBeginning = false): boolean {
  try {
    const strict = new TextDecoder("utf-8", { fatal: true });
    strict.decode(toBytes(binary), { stream: isBeginning });
    return true;
  } catch {
    return false;
  }
}

/** Consecutive lines of the file. */
interface Found {
  /** The index of the first one. */
  readonly first: number;
  readonly count: number;
  readonly isNumbered: boolean;
  /** How many bytes are shown of the only line, if it does not fit. */
  readonly cut?: number;
}

class Failure {
  readonly outcome: Outcome;
  constructor(error: string, details: object) {
    this.outcome = { error, details };
  }
}

/** The expected result of a read. */
export function expected(file: string, options: PlainOptions): Outcome {
  try {
    return read(file, options);
  } catch (failure) {
    if (failure instanceof Failure) return failure.outcome;
    throw failure;
  }
}

function read(file: string, options: PlainOptions): Outcome {
  const size = file.length;
  const { maxFileBytes = Infinity, maxBytes = Infinity } = options;
  const { maxScanBytes = Infinity, maxLineBytes = Infinity } = options;
  const { binary = "text" } = options;
  const tooLarge = () => {
    const details = { what: "file", size, limit: maxFileBytes };
    return new Failure("TOO_LARGE", details);
  };
  if (size > maxFileBytes && binary !== "bytes") throw tooLarge();
  const head = file.slice(0, 8192);
  const hasNul = head.includes("\0");
  const refusal = new Failure("BINARY", { sign: "nul" });
  if (binary === "refuse-nul" && hasNul) throw refusal;
  if (binary === "bytes" && (hasNul || !isUtf8(head, size > 8192))) {
    return { binary: file.slice(0, maxBytes), next: null };
  }
  if (size > maxFileBytes) throw tooLarge();
  const all = file.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const ends = all.map(() => 0);
  let at = 0;
  all.forEach((line, index) => ends[index] = at += line.length);
  const { first, count, cut, isNumbered } = find(file, all, ends, options);
  const start = first === 0 ? 0 : ends[first - 1] ?? size;
  const end = cut !== undefined
    ? start + cut
    : count === 0
    ? start
    : ends[first + count - 1]!;
  const { start: from = 1, end: to = Infinity } = options;
  if (options.exactRange && end === size && to > all.length) {
    const details = { start: from, end: to, totalLines: all.length };
    throw new Failure("RANGE_OUT_OF_BOUNDS", details);
  }
  const isChecked = binary === "refuse-invalid" && end > start;
  if (isChecked && !isUtf8(file.slice(isNumbered ? 0 : start, end))) {
    throw new Failure("BINARY", { sign: "utf-8" });
  }
  const pieces = all.slice(first, first + count);
  if (cut !== undefined) pieces[0] = pieces[0]!.slice(0, cut);
  const own = pieces.map((line) => {
    const [, text = "", ending = ""] = /^([^]*?)(\r?\n)?$/.exec(line)!;
    return { text, ending: ending as PageLine["ending"] };
  });
  const shown = own.map(({ text, ending }) => ({
    text: text.slice(0, maxLineBytes),
    ending,
  }));
  const bytes = shown.map(({ text, ending }) => text + ending).join("");
  const looksBinary = bytes.includes("\0") || !isUtf8(bytes) ||
    end === start && size > 0;
  if (binary === "refuse-shown" && looksBinary && hasNul) throw refusal;
  const asked = options.tail === undefined ? from : first + 1;
  const numberOf = (index: number) =>
    isNumbered ? asked + index : index - count;
  const isLast = end === size;
  const next = {
    start: asked + count - (cut === undefined ? 0 : 1),
    column: 1 + (cut === undefined ? 0 : Array.from(decode(pieces[0]!)).length),
  };
  const isCounted = options.tail === undefined
    ? isLast || size <= Math.min(mostCounted(options), maxScanBytes)
    : isNumbered;
  return {
    shown: { start, end },
    bytes,
    text: decode(bytes),
    lines: shown.map(({ text, ending }, index) => ({
      number: numberOf(index),
      column: 1,
      text: decode(text),
      ending,
    })),
    lineCount: count,
    next: isLast || !isNumbered || next.start > to ? null : next,
    totalLines: isCounted ? all.length : null,
    empty: end > start ? null : size === 0 ? "empty file" : "past the end",
    clipped: own.flatMap(({ text }, index) =>
      text.length > maxLineBytes ? [numberOf(index)] : []
    ),
  };
}

function find(
  file: string,
  all: readonly string[],
  ends: readonly number[],
  options: PlainOptions,
): Found {
  const size = file.length;
  const { maxBytes = Infinity, maxLines = Infinity } = options;
  const { maxScanBytes: scan = Infinity, start = 1, tail, keepEnd } = options;
  const total = ends.length;
  const beginOf = (line: number) => line === 0 ? 0 : ends[line - 1]!;
  const scanLimit = (lines: number) =>
    new Failure("SCAN_LIMIT", { limit: scan, lines });
  /** The lines from `first` up to `last` that fit; or the part of a line that does. */
  const fitting = (first: number, last: number): Found => {
    const limit = beginOf(first) + maxBytes;
    let shown = first;
    while (shown < last && ends[shown]! <= limit) shown++;
    const found = { first, count: shown - first, isNumbered: true };
    if (shown > first || first >= last) return found;
    const cut = cutOf(all[first]!, maxBytes);
    const isWhole = cut === all[first]!.length;
    return isWhole ? { ...found, count: 1 } : { ...found, count: 1, cut };
  };
  if (tail !== undefined) {
    const count = keepEnd ? Math.min(tail, maxLines) : tail;
    const first = Math.max(0, total - count);
    const floor = Math.max(0, size - scan, keepEnd ? size - maxBytes : 0);
    let shown = first;
    while (shown < total && beginOf(shown) < floor) shown++;
    const isEndOfScan = !keepEnd || scan < Math.min(maxBytes, size);
    if (shown > first && isEndOfScan) throw scanLimit(total - shown);
    if (shown > first && shown === total) {
      // A part of the last line is shown.
      shown--;
      if (beginOf(shown) < size - scan) throw scanLimit(0);
    }
    const isCut = size - beginOf(shown) > maxBytes || total - shown > maxLines;
    const isWanted = options.numbered ??
      (options.countLines === undefined || size <= mostCounted(options));
    const isPart = keepEnd && size - beginOf(shown) > maxBytes;
    if (isPart && shown > 0 && !isWanted) {
      return { ...fitting(shown, total), isNumbered: false };
    }
    const isNumbered = shown === 0 || size <= scan && (isWanted || isCut);
    if (isCut && !isNumbered) throw scanLimit(total - shown);
    if (!isCut) return { first: shown, count: total - shown, isNumbered };
    return fitting(shown, Math.min(total, shown + maxLines));
  }
  const first = start - 1;
  const { end = Infinity } = options;
  const { count: most = end - first } = options;
  const count = Math.min(most, maxLines);
  const last = Math.min(total, first + count);
  const horizon = Math.min(size, scan);
  const within = ends.filter((end) => end <= horizon).length;
  if (first >= total) {
    if (horizon < size) throw scanLimit(within);
    return { first: total, count: 0, isNumbered: true };
  }
  const isEndOfScan = horizon < size && beginOf(first) + maxBytes > horizon;
  const isFar = beginOf(first) > horizon || isEndOfScan && within < last;
  if (isFar || isEndOfScan && last < first + count) throw scanLimit(within);
  return fitting(first, last);
}

/** The largest file whose lines are counted. */
function mostCounted({ countLines = false }: PlainOptions): number {
  if (typeof countLines === "number") return countLines;
  return countLines ? Infinity : -1;
}

/** How many bytes of a line are shown: as many characters as fit, but at least one. */
function cutOf(line: string, most: number): number {
  const isBoundary = (at: number) =>
    decode(line.slice(0, at)) + decode(line.slice(at)) === decode(line) &&
    line.slice(at - 1) !== "\r\n";
  let at = Math.min(most, line.length);
  while (at > 0 && !isBoundary(at)) at--;
  if (at > 0) return at;
  do at++; while (!isBoundary(at));
  return at;
}
