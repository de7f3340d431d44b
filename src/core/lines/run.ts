import { ownOf } from "../base/check.ts";
import type { FileBytes } from "../base/port.ts";
import type { ReadFields } from "../read_options.ts";
import type { Span } from "./locate.ts";
import type { Source } from "./source.ts";
import { checkUtf8, decodeText, hasLongLine, readClipped } from "./text.ts";
import type { Clip } from "./text.ts";

/** Consecutive lines of a file, or a part of one: where they lie, and their text. */
export interface Run {
  /** The first byte in the file. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** The number of the first line; `null` if the lines before were not counted. */
  readonly line: number | null;
  /** How many lines it has. */
  readonly lines: number;
  /** The column where it begins: 1, unless it begins inside a line. */
  readonly column: number;
  /** The column where its last line goes on; 1 if the run ends with a whole line. */
  readonly endColumn: number;
  /** Its text; undecodable bytes are U+FFFD, a BOM is U+FEFF. */
  readonly text: string;
  /** The bytes of the text; `undefined` if they are its UTF-8. */
  readonly bytes: FileBytes | undefined;
  /** The lines whose end was left out, in order; the text has fewer bytes than the run then. */
  readonly clips: readonly Clip[];
}

const NO_CLIPS: readonly Clip[] = [];

/** Where the lines after a run begin. */
export interface Following {
  readonly line: number;
  readonly column: number;
}

/** Where the lines after a run begin; `null` at the end of the file, or if lines have no numbers. */
export function afterRun(run: Run, size: number): Following | null {
  const { line, lines, end, endColumn } = run;
  if (line === null || end === size && endColumn === 1) return null;
  return { line: line + lines - (endColumn > 1 ? 1 : 0), column: endColumn };
}

const encoder = new TextEncoder();

/** The bytes of the text of a run. */
export function bytesOf({ bytes, text }: Run): FileBytes {
  return bytes ?? encoder.encode(text);
}

/** Reads a span as text, with long lines clipped; keeps its bytes if encoding the text would not give them back. */
export async function readRun(
  source: Source,
  located: Span,
  { maxLineBytes = Infinity, binary }: ReadFields,
): Promise<Run> {
  let span = located;
  const { start, end, line } = span;
  const { codec } = source;
  const strict = binary === "refuse-invalid";
  // A strict read also checks the bytes before the run; not before a tail without
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
    const { bytes, clips } = await readClipped(source, span, maxLineBytes);
    // Clipping may cut a character of UTF-8, which a strict decoder would refuse. UTF-8
    // was checked above, so only other encodings are decoded strictly.
    const isStrict = strict && codec !== undefined;
    const { text } = await decodeText(source, bytes, isStrict);
    return makeRun(source, span, text, bytes, clips);
  }
  const copy = isHeld ? undefined : await source.copyOf(start, end);
  const bytes = copy ?? source.view(start, end);
  const { text, exact } = await decodeText(source, bytes, strict);
  if (span.lines === null && isHeld) {
    const { kernel, start: held } = source;
    const feeds = kernel.count(start - held, end - held);
    const isOpen = end > start && !text.endsWith("\n");
    span = { ...span, lines: feeds + (isOpen ? 1 : 0) };
  }
  // Encoding a little ASCII again takes no longer than copying it now.
  const isCheap = isHeld && text.length === bytes.length;
  const own = exact && codec === undefined && isCheap
    ? undefined
    : copy ?? bytes.slice();
  return makeRun(source, span, text, own);
}

function makeRun(
  { size }: Source,
  span: Span,
  text: string,
  bytes: FileBytes | undefined,
  clips: readonly Clip[] = NO_CLIPS,
): Run {
  const { start, end, line, total, column = 1, endColumn = 1 } = ownOf(span);
  const lines = span.lines ?? countLines(text);
  const isEmpty = start === end;
  const isWhole = endColumn === 1;
  // Fail here rather than show lines that are skipped or repeated.
  // A whole line that others follow ends with a line feed.
  const lacksFeed = line !== null && end < size && isWhole && !isEmpty &&
    !text.endsWith("\n");
  let isMiscounted = false;
  if (line !== null && total !== null && !isEmpty) {
    const last = line + lines - 1;
    // If the run stops after a whole line but before the end of the file, at least one
    // more line follows.
    const most = isWhole && end < size ? total - 1 : total;
    isMiscounted = last > most;
  }
  if (start > end || end > size || lacksFeed || isMiscounted) {
    throw new Error("The read gave text that is not a run of lines");
  }
  return { start, end, line, lines, column, endColumn, text, bytes, clips };
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
