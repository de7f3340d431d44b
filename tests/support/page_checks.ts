/** What must hold of the pages of a file, whatever is in it. */
import { assert } from "@std/assert";
import type { Page, PageOptions, Workspace } from "../../mod.ts";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** A file, how it is called, and how its pages are asked for. */
export interface Walk {
  readonly workspace: Workspace;
  readonly path: string;
  readonly file: Uint8Array;
  readonly options: PageOptions;
}

/** Walks over the pages by their `next`, and fails if a byte, a line or a call is out of place. */
export async function checkWalk(walk: Walk): Promise<Page[]> {
  try {
    return await walkOver(walk);
  } catch (cause) {
    const { file, options } = walk;
    const what = `[${file.slice(0, 99)}] by ${JSON.stringify(options)}`;
    throw new Error(`${what}: ${cause}`, { cause });
  }
}

async function walkOver(
  { workspace, path, file, options }: Walk,
): Promise<Page[]> {
  const pages: Page[] = [];
  const total = countLines(file);
  let [position, line, column] = [0, 1, 1];
  let smallest = Infinity;
  let next: PageOptions | null = options;
  let before = "";
  while (next !== null) {
    const call = JSON.stringify(next);
    assert(call !== before, `${call} leads to itself`);
    before = call;
    // A model has no more than the JSON text.
    const page: Page = await workspace.read(path, JSON.parse(call));
    pages.push(page);
    checkPage(page, file);
    checkBounds(page, file, options);
    assertSame(page.shown.start, position);
    if (page.lines.length === 0) {
      assertSame(file.length, 0);
      assertSame(page.next, null);
      assertSame(page.empty, "empty file");
      assertSame(page.totalLines, 0);
      break;
    }
    const [first] = page.lines;
    assertSame(first!.number, line);
    assertSame(first!.column, column);
    assert(page.shown.end > position, "it shows no new byte");
    smallest = Math.min(smallest, page.shown.end - position);
    position = page.shown.end;
    const last = page.lines.at(-1)!;
    const isInside = last.ending === "" && position < file.length;
    line = isInside ? last.number : last.number + 1;
    column = isInside ? last.column + countCharacters(last.text) : 1;
    next = page.next;
    assertSame(next === null, position === file.length);
    if (next === null) assertSame(page.totalLines, total);
    else {
      assertSame(next.start, line);
      assertSame(next.column ?? 1, column);
    }
    assert(pages.length <= Math.ceil(file.length / smallest) + 1);
  }
  assertSame(position, file.length);
  return pages;
}

/** Fails if a page does not say of itself what it shows of the file. */
export function checkPage(page: Page, file: Uint8Array): void {
  const { shown: { start, end }, lines, exact, inexact } = page;
  const bytes = page.bytes();
  assertBytes(bytes, file.subarray(start, end));
  assertSame(page.size, file.length);
  const text = lines.map((line) => line.text + line.ending).join("");
  const isUtf8 = isStrict(bytes);
  assertSame(exact, isUtf8);
  assertSame(exact, inexact.length === 0);
  if (exact) assertBytes(encoder.encode(text), bytes);
  else assert(text === lossy.decode(bytes), "the text is another");
  assert(text.isWellFormed(), "half a surrogate");
  // Between CR and LF no page ends.
  assert(file[end - 1] !== CR || file[end] !== LF || start === end, "CR | LF");
  let position = start;
  const lossyLines: number[] = [];
  for (const [index, { number, column, ending }] of lines.entries()) {
    assertSame(number, lines[0]!.number + index);
    assert(index === 0 || column === 1);
    assert(index === lines.length - 1 || ending !== "");
    const feed = bytes.indexOf(LF, position - start);
    const after = feed < 0 ? end : start + feed + 1;
    if (!isStrict(file.subarray(position, after))) lossyLines.push(number);
    position = after;
  }
  assertSame(inexact.map(({ number }) => number).join(), lossyLines.join());
}

/** Fails if a page shows more than it may, or stops before it must. */
function checkBounds(
  { lines, shown: { start, end } }: Page,
  file: Uint8Array,
  { count, width, maxBytes = Infinity }: PageOptions,
): void {
  if (lines.length === 0) return;
  const isEnd = end === file.length;
  const last = lines.at(-1)!;
  const characters = countCharacters(last.text);
  const isOne = lines.length === 1 &&
    characters + (last.ending === "" ? 0 : 1) === 1;
  assert(end - start <= maxBytes || isOne, "too many bytes");
  if (width !== undefined) {
    assert(lines.length === 1 && characters <= width, "too many columns");
    const stops = characters === width || last.ending !== "" || isEnd;
    assert(stops || maxBytes < Infinity, "too few columns");
    return;
  }
  assert(lines.length <= (count ?? Infinity), "too many lines");
  if (isEnd || lines.length === count && last.ending !== "") return;
  assert(maxBytes < Infinity, "too few lines");
  // A line is divided only if it does not fit by itself.
  const from = last.ending === "" ? start : end;
  assert(from === end || lines.length === 1, "a line too many was divided");
  const feed = file.indexOf(LF, from);
  const after = feed < 0 ? file.length : feed + 1;
  assert(after - start > maxBytes, "one more line would have fitted");
}

const LF = 0x0a;
const CR = 0x0d;

/** Whether nothing is lost on the way there and back: a strict decoder takes long to fail. */
function isStrict(bytes: Uint8Array): boolean {
  const same = encoder.encode(lossy.decode(bytes));
  return same.length === bytes.length &&
    same.every((byte, index) => byte === bytes[index]);
}

function assertBytes(actual: Uint8Array, wanted: Uint8Array): void {
  const isSame = actual.length === wanted.length &&
    actual.every((byte, index) => byte === wanted[index]);
  assert(isSame, `[${actual}] instead of [${wanted}]`);
}

// Of millions of checks each may cost little, so this looks no deeper.
function assertSame(actual: unknown, wanted: unknown): void {
  if (actual !== wanted) throw new Error(`${actual} instead of ${wanted}`);
}

/** The characters of a text: code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The lines of a file: a line feed at the end begins no other. */
export function countLines(file: Uint8Array): number {
  const feeds = file.reduce((sum, byte) => sum + (byte === LF ? 1 : 0), 0);
  return file.length === 0 || file.at(-1) === LF ? feeds : feeds + 1;
}
