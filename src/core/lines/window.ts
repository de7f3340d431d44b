// Runtime-agnostic.
import {
  checkUtf8,
  decodeText,
  hasLongLine,
  isLossy,
  readClipped,
} from "./text.ts";
import type { Span } from "./locate.ts";
import type { FileBytes, FileStat } from "../base/port.ts";
import type { ReadPolicy } from "../base/selection.ts";
import type { FileEncoding } from "./codec.ts";
import type { Source } from "./source.ts";

/** One line and its ending. */
export interface Line {
  /** Its number, from 1 on; `null` if the lines before were not counted. */
  readonly number: number | null;
  /** Its text, without its ending. */
  readonly text: string;
  /** Its ending; only the last line of a file can have none. */
  readonly ending: "" | "\n" | "\r\n";
}

const CR = 0x0d;

/** Splits a text into its lines. `lfOnly` holds the indexes of clipped lines that end with LF alone, though clipping put a CR of their text before it. */
function* splitLines(
  text: string,
  start: number | null,
  lfOnly: ReadonlySet<number> | undefined,
): Generator<Line, void> {
  let index = 0;
  for (let from = 0; from < text.length; index++) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    const crlf = feed > from && text.charCodeAt(feed - 1) === CR &&
      !lfOnly?.has(index);
    yield {
      number: start === null ? null : start + index,
      text: text.slice(from, crlf ? to - 1 : to),
      ending: feed < 0 ? "" : crlf ? "\r\n" : "\n",
    };
    from = to + 1;
  }
}

/** Consecutive lines of a file. */
export interface TextWindow {
  /** Always `"text"`. */
  readonly kind: "text";
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** The stat of the file when it was opened. */
  readonly stat: FileStat;
  /** The bytes of the file that it spans: `[start, end)`. */
  readonly span: { readonly start: number; readonly end: number };
  /** The bytes shown: those of the span, unless lines were clipped. */
  readonly bytes: FileBytes;
  /** Whether lines longer than the policy's `maxLineBytes` were clipped. */
  readonly clipped: boolean;
  /** The number of the first line; `null` if the lines before were not counted. */
  readonly start: number | null;
  /** The first line after it; `null` at the end of the file, or if lines have no numbers. */
  readonly next: number | null;
  /** The column where the first line begins: 1, unless reading began inside it. */
  readonly column: number;
  /** The column where `next` continues: 1, unless the window ends inside that line. */
  readonly nextColumn: number;
  /** How many lines the file has; `null` if they were not counted. */
  readonly totalLines: number | null;
  /** Whether `maxWindowBytes` left out lines that were asked for. */
  readonly cut: boolean;
  /** How many lines it has. */
  readonly lineCount: number;
  /** The bytes as text; undecodable bytes become U+FFFD, a BOM U+FEFF. */
  readonly text: string;
  /** Whether some U+FFFD in the text stands for undecodable bytes, not for itself. */
  readonly lossy: boolean;
  /** The encoding of the file, and how it was found. */
  readonly encoding: FileEncoding;
  /** The lines of the text. */
  readonly lines: readonly Line[];
  /** Yields the same lines without keeping them, for large windows. */
  eachLine(): Iterable<Line>;
}

interface Parts {
  readonly path: string;
  readonly stat: FileStat;
  readonly span: Span;
  readonly text: string;
  readonly encoding: FileEncoding;
  /** The bytes, if encoding the text would not give them back. */
  readonly bytes?: FileBytes;
  /** The indexes of clipped lines that end with LF alone, after a CR of their text. */
  readonly lfOnly?: ReadonlySet<number>;
}

const encoder = new TextEncoder();

/** A window that encodes its bytes, splits lines and counts them lazily. */
class LazyWindow implements TextWindow {
  readonly kind = "text";
  readonly path: string;
  readonly stat: FileStat;
  readonly span: TextWindow["span"];
  readonly text: string;
  readonly encoding: FileEncoding;
  readonly clipped: boolean;
  readonly start: number | null;
  readonly next: number | null;
  readonly column: number;
  readonly nextColumn: number;
  readonly totalLines: number | null;
  readonly cut: boolean;
  readonly #lfOnly: ReadonlySet<number> | undefined;
  #bytes: FileBytes | undefined;
  #lines: readonly Line[] | undefined;
  #lineCount: number | null;

  constructor(parts: Parts) {
    const { path, stat, span, bytes, text } = parts;
    this.path = path;
    this.stat = stat;
    this.text = text;
    this.encoding = parts.encoding;
    this.span = { start: span.start, end: span.end };
    this.clipped = bytes !== undefined && bytes.length < span.end - span.start;
    this.start = span.line;
    this.cut = span.cut;
    this.totalLines = span.total;
    this.#lfOnly = parts.lfOnly;
    this.#bytes = bytes;
    this.#lineCount = span.lines;
    this.column = span.column ?? 1;
    this.nextColumn = span.endColumn ?? 1;
    const isInside = this.nextColumn > 1;
    const goesOn = (isInside || span.end < stat.size) && span.line !== null;
    // At the end of the file `next` is null; skip counting.
    this.next = goesOn ? span.line + this.lineCount - (isInside ? 1 : 0) : null;
    this.#check();
  }

  get bytes(): FileBytes {
    return this.#bytes ??= encoder.encode(this.text);
  }

  get lossy(): boolean {
    return isLossy(this.text, this.bytes, this.encoding);
  }

  get lines(): readonly Line[] {
    return this.#lines ??= [...this.eachLine()];
  }

  eachLine(): Iterable<Line> {
    return splitLines(this.text, this.start, this.#lfOnly);
  }

  get lineCount(): number {
    return this.#lineCount ??= countLines(this.text);
  }

  // Fail here rather than show a window that skips or repeats a line.
  #check(): void {
    const { span, stat, start, totalLines: total, next, text } = this;
    const isEmpty = span.start === span.end;
    /** Whether the last line is whole. */
    const isWhole = this.nextColumn === 1;
    // A whole line that others follow ends with a line feed.
    const lacksFeed = next !== null && isWhole && !isEmpty &&
      !text.endsWith("\n");
    let isMiscounted = false;
    if (start !== null && total !== null && !isEmpty) {
      const last = start + this.lineCount - 1;
      // If the window stops after a whole line but before the end of the file, at least
      // one more line follows.
      const most = isWhole && span.end < stat.size ? total - 1 : total;
      isMiscounted = last > most || span.end === stat.size && last < total;
    }
    if (span.start > span.end || lacksFeed || isMiscounted) {
      throw new RangeError("Cannot show a window that is not a run of lines");
    }
  }
}

/** Reads a span as text, with long lines clipped; keeps its bytes if they will be needed, or if encoding the text would not give them back. */
export async function readWindow(
  source: Source,
  span: Span,
  policy: ReadPolicy,
  keepsBytes: boolean,
): Promise<TextWindow> {
  const { start, end, line } = span;
  const { codec, encoding, file: { path, stat } } = source;
  const parts = { path, stat, span, encoding };
  const { maxLineBytes = Infinity, binary } = policy;
  const strict = binary === "reject-invalid";
  // A strict read also checks the bytes before the window; not before a tail without
  // numbers, whose read does not touch them.
  if (strict && end > start && line !== null) {
    await checkUtf8(source, 0, start);
  }
  const isHeld = end - start <= source.kernel.buffer.length;
  const loading = isHeld ? source.hold(start, end) : undefined;
  if (loading !== undefined) await loading;
  const mayNeedClipping = end - start > maxLineBytes &&
    (!isHeld || codec !== undefined ||
      hasLongLine(source.view(start, end), maxLineBytes));
  if (mayNeedClipping) {
    if (strict) await checkUtf8(source, start, end);
    const { bytes, lfOnly } = await readClipped(source, span, maxLineBytes);
    // Clipping may cut a character of UTF-8, which a strict decoder would refuse. UTF-8
    // was checked above, so only other encodings are decoded strictly.
    const isStrict = strict && codec !== undefined;
    const { text } = await decodeText(source, bytes, isStrict);
    return new LazyWindow({ ...parts, text, bytes, lfOnly });
  }
  const copy = isHeld ? undefined : await source.copyOf(start, end);
  const bytes = copy ?? source.view(start, end);
  const { text, exact } = await decodeText(source, bytes, strict);
  // Encoding a little ASCII again takes no longer than copying it now.
  const isCheap = isHeld && text.length === bytes.length;
  if (exact && codec === undefined && (isCheap || !keepsBytes)) {
    return new LazyWindow({ ...parts, text });
  }
  return new LazyWindow({ ...parts, text, bytes: copy ?? bytes.slice() });
}

export function relabel(window: TextWindow, encoding: FileEncoding): void {
  Object.assign(window, { encoding });
}

/** Copies a window and its bytes, for another path to the same version of the file. */
export function copyWindow(
  window: TextWindow,
  path: string,
  stat: FileStat,
): TextWindow {
  const { start: line, lineCount: lines, totalLines: total, text } = window;
  const { column, nextColumn: endColumn, cut, encoding } = window;
  const span = { ...window.span, line, lines, total, cut, column, endColumn };
  const bytes = window.bytes.slice();
  return new LazyWindow({ path, stat, span, text, bytes, encoding });
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
