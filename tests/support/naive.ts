/** The expected result of a read, computed from the whole decoded file. */
import {
  type FileContent,
  type FsPort,
  type Line,
  openWorkspace,
  readFile,
  ReadFileError,
  type ReadPolicy,
  type Selection,
} from "../../mod.ts";

/** The result of a read, in a form to compare. */
export type Outcome =
  | { readonly error: string; readonly details: object }
  | { readonly bytes: string; readonly cut: boolean }
  | {
    readonly span: { readonly start: number; readonly end: number };
    readonly bytes: string;
    readonly text: string;
    readonly lines: readonly Line[];
    readonly lineCount: number;
    readonly start: number | null;
    readonly next: number | null;
    readonly totalLines: number | null;
    readonly cut: boolean;
    readonly clipped: boolean;
  };

/** The selections that depend only on line feeds. */
export type PlainSelection = Exclude<
  Selection,
  { readonly kind: "block" | "match" }
>;

/** The result of reading `/ws/a.txt`. */
export async function actual(
  fs: FsPort,
  selection: Selection,
  policy: ReadPolicy,
): Promise<Outcome> {
  const workspace = await openWorkspace("/ws", { fs });
  try {
    return outcomeOf(await readFile(workspace, "a.txt", selection, policy));
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    return { error: error.code, details: error.details };
  }
}

function outcomeOf(content: FileContent): Outcome {
  const bytes = toBinary(content.bytes);
  if (content.kind === "binary") return { bytes, cut: content.cut };
  const { span, text, lines, lineCount, start, next, totalLines } = content;
  const { cut, clipped } = content;
  const facts = { start, next, totalLines, cut, clipped };
  return { span, bytes, text, lines, lineCount, ...facts };
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

/** A selected range of lines. */
interface Found {
  readonly first: number;
  readonly count: number;
  readonly cut: boolean;
  readonly numbered: boolean;
}

class Failure {
  readonly outcome: Outcome;
  constructor(error: string, details: object) {
    this.outcome = { error, details };
  }
}

/** The expected result of a read. */
export function expected(
  file: string,
  selection: PlainSelection,
  policy: ReadPolicy,
): Outcome {
  try {
    return read(file, selection, policy);
  } catch (failure) {
    if (failure instanceof Failure) return failure.outcome;
    throw failure;
  }
}

function read(
  file: string,
  selection: PlainSelection,
  policy: ReadPolicy,
): Outcome {
  const size = file.length;
  const { maxFileBytes = Infinity, maxWindowBytes = Infinity } = policy;
  const { maxScanBytes = Infinity, maxLineBytes = Infinity } = policy;
  const { binary = "replace", countAll = false } = policy;
  if (size > maxFileBytes) {
    throw new Failure("TOO_LARGE", { what: "file", size, limit: maxFileBytes });
  }
  const head = file.slice(0, 8192);
  const hasNul = head.includes("\0");
  if (binary === "reject-nul" && hasNul) {
    throw new Failure("BINARY", { sign: "nul" });
  }
  if (binary === "bytes" && (hasNul || !isUtf8(head, size > 8192))) {
    return { bytes: file.slice(0, maxWindowBytes), cut: maxWindowBytes < size };
  }
  const lines = file.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const ends = lines.map(() => 0);
  let at = 0;
  lines.forEach((line, index) => ends[index] = at += line.length);
  const found = find(size, ends, selection, policy);
  const { first, count, cut, numbered } = found;
  const start = first === 0 ? 0 : ends[first - 1] ?? size;
  const end = count === 0 ? start : ends[first + count - 1]!;
  const readFrom = numbered ? 0 : start;
  if (
    binary === "reject-invalid" && count > 0 &&
    !isUtf8(file.slice(readFrom, end))
  ) throw new Failure("BINARY", { sign: "utf-8" });
  const number = selection.kind === "lines" ? selection.start : first + 1;
  const counted = countAll && size <= maxScanBytes;
  const reachesEnd = selection.kind !== "all" && end === size && numbered;
  // At the limit, an empty line looks the same whether or not it is clipped.
  const shown = lines.slice(first, first + count).map((line) => {
    const [, text = "", ending = ""] = /^([^]*?)(\r?\n)?$/.exec(line)!;
    return {
      text: text.slice(0, maxLineBytes),
      ending: ending as Line["ending"],
    };
  });
  const bytes = shown.map(({ text, ending }) => text + ending).join("");
  // A line that is not clipped equals the same line of the decoded file.
  const whole = decode(file).split("\n").slice(first, first + count).map((
    text,
    index,
  ) => shown[index]!.ending === "\r\n" ? text.slice(0, -1) : text);
  const clipped = bytes.length < end - start;
  return {
    span: { start, end },
    bytes,
    text: decode(bytes),
    lines: shown.map(({ text, ending }, index) => ({
      number: numbered ? number + index : null,
      text: clipped ? decode(text) : whole[index]!,
      ending,
    })),
    lineCount: count,
    start: numbered ? number : null,
    next: end < size && numbered ? number + count : null,
    totalLines: counted || reachesEnd ? lines.length : null,
    cut,
    clipped,
  };
}

function find(
  size: number,
  ends: readonly number[],
  selection: PlainSelection,
  policy: ReadPolicy,
): Found {
  const { maxWindowBytes: window = Infinity } = policy;
  const { maxScanBytes: scan = Infinity } = policy;
  const total = ends.length;
  const beginOf = (line: number) => line === 0 ? 0 : ends[line - 1]!;
  const tooLong = { what: "line", size: window + 1, limit: window };
  const scanLimit = (lines: number) =>
    new Failure("SCAN_LIMIT", { limit: scan, lines });
  if (selection.kind === "all") {
    if (size <= window) {
      return { first: 0, count: total, cut: false, numbered: true };
    }
    throw new Failure("TOO_LARGE", { what: "file", size, limit: window });
  }
  if (selection.kind === "tail") {
    const first = Math.max(0, total - selection.count);
    const floor = Math.max(0, size - window, size - scan);
    let shown = first;
    while (shown < total && beginOf(shown) < floor) shown++;
    const cut = shown > first;
    if (cut && scan < Math.min(window, size)) throw scanLimit(total - shown);
    if (cut && shown === total) throw new Failure("TOO_LARGE", tooLong);
    const counted = policy.countAll === true && size <= scan;
    const numbered = shown === 0 || counted;
    return { first: shown, count: total - shown, cut, numbered };
  }
  const first = selection.start - 1;
  const last = Math.min(total, first + selection.count);
  const short = first + selection.count > total;
  const horizon = Math.min(size, scan);
  const within = ends.filter((end) => end <= horizon).length;
  const outOfBounds = () =>
    new Failure("RANGE_OUT_OF_BOUNDS", {
      start: selection.start,
      end: selection.start + selection.count - 1,
      totalLines: total,
    });
  if (first >= total) {
    if (horizon < size) throw scanLimit(within);
    if (policy.exactRange) throw outOfBounds();
    return { first: total, count: 0, cut: false, numbered: true };
  }
  const begin = beginOf(first);
  if (begin > horizon) throw scanLimit(within);
  const limit = Math.min(horizon, begin + window);
  let shown = first;
  while (shown < last && ends[shown]! <= limit) shown++;
  const cut = shown < last;
  if (cut && begin + window > horizon) throw scanLimit(within);
  if (cut && shown === first) throw new Failure("TOO_LARGE", tooLong);
  if (!cut && short && policy.exactRange) throw outOfBounds();
  return { first, count: shown - first, cut, numbered: true };
}
