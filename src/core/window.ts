// Runtime-agnostic.
import { hasLongLine, readClipped } from "./clip.ts";
import { ReadFileError } from "./errors.ts";
import { FIRST_CHUNK_BYTES } from "./limits.ts";
import type { Span } from "./locate.ts";
import type { FileStat } from "./port.ts";
import type { ReadPolicy } from "./policy.ts";
import type { Source } from "./source.ts";
import { decodeLossy, decodeStrict } from "./utf8.ts";

/** One line, and how it ends. */
export interface Line {
  /** Its number, from 1 on; `null` where the lines before were not counted. */
  readonly number: number | null;
  /** Its text, without its ending. */
  readonly text: string;
  /** Its ending; only the last line of a file can have none. */
  readonly ending: "" | "\n" | "\r\n";
}

/**
 * A run of whole lines of a file.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\nthree" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const selection = { kind: "lines", start: 1, count: 2 } as const;
 * const window = await readFile(workspace, "a.txt", selection);
 * assertEquals(window.text, "one\r\ntwo\n");
 * assertEquals(window.lines[0], { number: 1, text: "one", ending: "\r\n" });
 * assertEquals(window.next, 3);
 * ```
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
}

/** What a window is made of. */
interface Parts {
  readonly path: string;
  readonly stat: FileStat;
  readonly span: Span;
  readonly bytes: Uint8Array;
  readonly text?: string;
  /** Where lines were clipped, which of them only seem to end at CR LF. */
  readonly bare?: ReadonlySet<number>;
}

const LF = 0x0a;
const CR = 0x0d;
const NONE: ReadonlySet<number> = new Set();

/** A window that decodes, splits and counts only when it is asked to. */
class LazyWindow implements TextWindow {
  readonly kind = "text";
  readonly path: string;
  readonly stat: FileStat;
  readonly span: TextWindow["span"];
  readonly bytes: Uint8Array;
  readonly clipped: boolean;
  readonly start: number | null;
  readonly next: number | null;
  readonly column: number;
  readonly nextColumn: number;
  readonly totalLines: number | null;
  readonly cut: boolean;
  readonly #bare: ReadonlySet<number>;
  #text: string | undefined;
  #lines: readonly Line[] | undefined;
  #lineCount: number | null;

  constructor(parts: Parts) {
    const { path, stat, span, bytes, text, bare = NONE } = parts;
    this.path = path;
    this.stat = stat;
    this.span = { start: span.start, end: span.end };
    this.bytes = bytes;
    this.clipped = bytes.length < span.end - span.start;
    this.start = span.line;
    this.cut = span.cut;
    this.totalLines = span.total;
    this.#bare = bare;
    this.#text = text;
    this.#lineCount = span.lines;
    this.column = span.column ?? 1;
    this.nextColumn = span.inside ?? 1;
    const inside = this.nextColumn > 1;
    const goesOn = (inside || span.end < stat.size) && span.line !== null;
    const after = inside ? this.lineCount - 1 : this.lineCount;
    this.next = goesOn ? span.line + after : null;
    this.#check();
  }

  get text(): string {
    return this.#text ??= decodeLossy(this.bytes);
  }

  get lines(): readonly Line[] {
    return this.#lines ??= splitLines(this.text, this.start, this.#bare);
  }

  get lineCount(): number {
    return this.#lineCount ??= countLines(this.bytes);
  }

  // A window that skips or repeats a line must fail here, not at the model.
  #check(): void {
    const { span, stat, start, totalLines, next, nextColumn, bytes } = this;
    const endsInside = next !== null && nextColumn === 1 && bytes.length > 0 &&
      bytes.at(-1) !== LF;
    const last = start === null || totalLines === null || bytes.length === 0
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

/** Reads the bytes of a span, clipping lines that are longer than the policy allows. */
export async function readWindow(
  source: Source,
  span: Span,
  policy: ReadPolicy,
): Promise<TextWindow> {
  const { file: { path, stat } } = source;
  const { maxLineBytes = Infinity } = policy;
  const isStrict = policy.binary === "reject-invalid" && span.start < span.end;
  const length = span.end - span.start;
  // Few bytes are had sooner whole, and most have no line to clip.
  if (length <= Math.max(maxLineBytes, FIRST_CHUNK_BYTES)) {
    const bytes = new Uint8Array(length);
    await source.copy(bytes, span.start);
    if (!hasLongLine(bytes, maxLineBytes)) {
      if (!isStrict) return new LazyWindow({ path, stat, span, bytes });
      await checkUtf8(source, span, span.start);
      const text = decodeStrict(bytes);
      if (text === undefined) throw notUtf8(source);
      return new LazyWindow({ path, stat, span, bytes, text });
    }
  }
  if (isStrict) await checkUtf8(source, span, span.end);
  const clipped = await readClipped(source, span, maxLineBytes);
  return new LazyWindow({ path, stat, span, ...clipped });
}

/** `BINARY` if what was read to find a span, as far as `end`, is not UTF-8. */
async function checkUtf8(
  source: Source,
  { start, line }: Span,
  end: number,
): Promise<void> {
  const strict = new TextDecoder("utf-8", { fatal: true });
  // Lines without numbers were found from the end: nothing before them was read.
  for (let position = line === null ? start : 0; position < end;) {
    await source.load(position);
    const to = Math.min(source.end, end);
    try {
      strict.decode(source.view(position, to), { stream: to < end });
    } catch {
      throw notUtf8(source);
    }
    position = to;
  }
}

function notUtf8({ path }: Source): ReadFileError<"BINARY"> {
  return new ReadFileError("BINARY", path, { sign: "utf-8" });
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  let from = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
    count++;
    from = at + 1;
  }
  return from < bytes.length ? count + 1 : count;
}

function splitLines(
  text: string,
  start: number | null,
  bare: ReadonlySet<number>,
): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf("\n", from);
    const to = feed < 0 ? text.length : feed;
    const crlf = feed > from && text.charCodeAt(feed - 1) === CR &&
      !bare.has(lines.length);
    lines.push({
      number: start === null ? null : start + lines.length,
      text: text.slice(from, crlf ? to - 1 : to),
      ending: feed < 0 ? "" : crlf ? "\r\n" : "\n",
    });
    from = to + 1;
  }
  return lines;
}
