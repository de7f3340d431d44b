// Runtime-agnostic.
import {
  checkUtf8,
  decodeLossy,
  decodeStrict,
  hasLongLine,
  isExact,
  notUtf8,
  readClipped,
} from "./text.ts";
import { ReadFileError } from "../base/errors.ts";
import { MAX_SHOWN_BYTES } from "../base/limits.ts";
import type { Span } from "./locate.ts";
import type { FileStat } from "../base/port.ts";
import type { ReadPolicy } from "../base/policy.ts";
import type { Source } from "./source.ts";

/**
 * One line, and how it ends.
 */
export interface Line {
  /** Its number, from 1 on; `null` where the lines before were not counted. */
  readonly number: number | null;
  /** Its text, without its ending. */
  readonly text: string;
  /** Its ending; only the last line of a file can have none. */
  readonly ending: "" | "\n" | "\r\n";
}

const CR = 0x0d;

/** Splits a text into its lines, one at a time; those in `bare` only seem to end at CR LF. */
function* splitLines(
  text: string,
  start: number | null,
  bare: ReadonlySet<number>,
): Generator<Line, void> {
  let index = 0;
  for (let from = 0; from < text.length; index++) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    const crlf = feed > from && text.charCodeAt(feed - 1) === CR &&
      !bare.has(index);
    yield {
      number: start === null ? null : start + index,
      text: text.slice(from, crlf ? to - 1 : to),
      ending: feed < 0 ? "" : crlf ? "\r\n" : "\n",
    };
    from = to + 1;
  }
}

/**
 * A run of whole lines of a file.
 */
export interface TextWindow {
  /** Always `"text"`. */
  readonly kind: "text";
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  /** The bytes of the file that it spans: `[start, end)`. */
  readonly span: { readonly start: number; readonly end: number };
  /** The bytes shown: those of the span, unless lines were clipped. */
  readonly bytes: Uint8Array;
  /** Whether lines longer than the policy's `maxLineBytes` were clipped. */
  readonly clipped: boolean;
  /** The number of the first line; `null` where the lines before were not counted. */
  readonly start: number | null;
  /** The first line after it; `null` at the end of the file, or if lines have no numbers. */
  readonly next: number | null;
  /** The column that the first line begins at: 1, unless it was read on from inside. */
  readonly column: number;
  /** The column that `next` goes on from: 1, unless the window ends inside that line. */
  readonly nextColumn: number;
  /** How many lines the file has, where that came to be known. */
  readonly totalLines: number | null;
  /** Whether `maxWindowBytes` left out lines that were asked for. */
  readonly cut: boolean;
  /** How many lines it has. */
  readonly lineCount: number;
  /** The bytes as text; what is no UTF-8 stands as U+FFFD, a BOM as U+FEFF. */
  readonly text: string;
  /** The same, line by line. */
  readonly lines: readonly Line[];
  /**
   * Gives the same lines one after the other and keeps none of them, for
   * windows of very many.
   *
   * @returns The lines.
   */
  eachLine(): Iterable<Line>;
}

/** What a window is made of: its bytes, or a text that they can be made of again. */
interface Parts {
  readonly path: string;
  readonly stat: FileStat;
  readonly span: Span;
  readonly bytes?: Uint8Array | undefined;
  readonly text?: string;
  /** Where lines were clipped, which of them only seem to end at CR LF. */
  readonly bare?: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
const encoder = new TextEncoder();

/** A window that decodes, splits and counts only when it is asked to. */
class LazyWindow implements TextWindow {
  readonly kind = "text";
  readonly path: string;
  readonly stat: FileStat;
  readonly span: TextWindow["span"];
  readonly clipped: boolean;
  readonly start: number | null;
  readonly next: number | null;
  readonly column: number;
  readonly nextColumn: number;
  readonly totalLines: number | null;
  readonly cut: boolean;
  readonly #bare: ReadonlySet<number>;
  #bytes: Uint8Array | undefined;
  #text: string | undefined;
  #lines: readonly Line[] | undefined;
  #lineCount: number | null;

  constructor(parts: Parts) {
    const { path, stat, span, bytes, text, bare = NONE } = parts;
    this.path = path;
    this.stat = stat;
    this.span = { start: span.start, end: span.end };
    this.clipped = bytes !== undefined && bytes.length < span.end - span.start;
    this.start = span.line;
    this.cut = span.cut;
    this.totalLines = span.total;
    this.#bare = bare;
    this.#bytes = bytes;
    this.#text = text;
    this.#lineCount = span.lines;
    this.column = span.column ?? 1;
    this.nextColumn = span.inside ?? 1;
    const inside = this.nextColumn > 1;
    const goesOn = (inside || span.end < stat.size) && span.line !== null;
    // Where nothing follows, no one need count.
    this.next = goesOn ? span.line + this.lineCount - (inside ? 1 : 0) : null;
    this.#check();
  }

  get bytes(): Uint8Array {
    return this.#bytes ??= encoder.encode(this.#text);
  }

  get text(): string {
    return this.#text ??= decodeLossy(this.bytes);
  }

  get lines(): readonly Line[] {
    return this.#lines ??= [...this.eachLine()];
  }

  eachLine(): Iterable<Line> {
    return splitLines(this.text, this.start, this.#bare);
  }

  get lineCount(): number {
    return this.#lineCount ??= countLines(this.text);
  }

  // A window that skips or repeats a line must fail here, not at the model.
  #check(): void {
    const { span, stat, start, totalLines, next, nextColumn } = this;
    const isEmpty = span.start === span.end;
    const endsInside = next !== null && nextColumn === 1 && !isEmpty &&
      !this.text.endsWith("\n");
    const last = start === null || totalLines === null || isEmpty
      ? null
      : start + this.lineCount - 1;
    const whole = nextColumn === 1;
    const miscounted = last !== null &&
      (span.end === stat.size ? last !== totalLines : last > totalLines! ||
        (whole && last === totalLines));
    if (span.start > span.end || endsInside || miscounted) {
      throw new RangeError("Cannot show a window that is not a run of lines");
    }
  }
}

/**
 * Reads the bytes of a span, clipping lines that are longer than the policy allows.
 * Keeps them if they will be asked for, or if they cannot be made of the text.
 */
export async function readWindow(
  source: Source,
  span: Span,
  policy: ReadPolicy,
  keepsBytes: boolean,
): Promise<TextWindow> {
  const { start, end, line } = span;
  const { maxLineBytes = Infinity } = policy;
  const isStrict = policy.binary === "reject-invalid";
  // Lines without numbers were found from the end: nothing before them was read.
  if (isStrict && end > start && line !== null) {
    await checkUtf8(source, 0, start);
  }
  if (source.canHold(end - start)) {
    const loading = source.hold(start, end);
    if (loading !== undefined) await loading;
    const bytes = source.view(start, end);
    if (!hasLongLine(bytes, maxLineBytes)) {
      return decodeWindow(source, span, bytes, isStrict, keepsBytes);
    }
  } else if (end - start <= maxLineBytes) {
    refuseHuge(source, end - start);
    const bytes = new Uint8Array(end - start);
    await source.copy(bytes, start);
    return decodeWindow(source, span, bytes, isStrict, keepsBytes);
  }
  if (isStrict) await checkUtf8(source, start, end);
  const { file: { path, stat } } = source;
  const clipped = await readClipped(source, span, maxLineBytes);
  return new LazyWindow({ path, stat, span, ...clipped });
}

function decodeWindow(
  source: Source,
  span: Span,
  bytes: Uint8Array,
  isStrict: boolean,
  keepsBytes: boolean,
): TextWindow {
  const { file: { path, stat } } = source;
  const text = decodeLossy(bytes);
  const isSame = isExact(text);
  if (!isSame && isStrict && decodeStrict(bytes) === undefined) {
    throw notUtf8(source);
  }
  // Bytes can be made of an exact text again, so that the buffer need not be copied.
  return isSame && !keepsBytes
    ? new LazyWindow({ path, stat, span, text })
    : new LazyWindow({ path, stat, span, bytes: bytes.slice(), text });
}

/** `TOO_LARGE` rather than out of memory. */
export function refuseHuge({ path }: Source, size: number): void {
  if (size <= MAX_SHOWN_BYTES) return;
  const facts = { what: "file", size, limit: MAX_SHOWN_BYTES } as const;
  throw new ReadFileError("TOO_LARGE", path, facts);
}

function countLines(text: string): number {
  let count = 0;
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    count++;
    from = at + 1;
  }
  return from < text.length ? count + 1 : count;
}
