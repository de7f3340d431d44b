/** Checks that hold for the pages of any file. */
import { assert } from "@std/assert";
import type { Page, ReadOptions } from "../../mod.ts";
import type { KnownFile, Part } from "./known_file.ts";

const encoder = new TextEncoder();

/** A file, a function that reads its pages, and the first options. */
export interface Walk {
  readonly read: (options: ReadOptions) => Promise<Page>;
  readonly file: KnownFile;
  readonly options: ReadOptions;
}

/** Follows `next` through the pages, and fails if a byte, a line or a call is wrong. */
export async function checkWalk(walk: Walk): Promise<Page[]> {
  try {
    return await walkOver(walk);
  } catch (cause) {
    const { file, options } = walk;
    const what = `[${file.bytes.slice(0, 99)}] by ${JSON.stringify(options)}`;
    throw new Error(`${what}: ${cause}`, { cause });
  }
}

async function walkOver({ read, file, options }: Walk): Promise<Page[]> {
  const pages: Page[] = [];
  const asked = file.asked(options);
  let { start: position, line, column } = asked;
  let smallest = Infinity;
  // The line numbers before such a page are unknown.
  const isUncounted = options.numbered === false && asked.start > 0 &&
    file.size - asked.start <= (options.maxBytes ?? Infinity);
  if (isUncounted) line -= file.lines + 1;
  let next: ReadOptions | null = options;
  let before = "";
  let text = "";
  while (next !== null) {
    const call = JSON.stringify(next);
    assert(call !== before, `${call} repeats itself`);
    before = call;
    // Pass the call through JSON, as a model does.
    const page: Page = await read(JSON.parse(call));
    pages.push(page);
    if (asked.start === asked.end) {
      checkNothing(page, file, options);
      return pages;
    }
    text += checkPage(page, file);
    checkBounds(page, file, asked, options);
    const { shown, lines } = page;
    assertSame(shown.start, position);
    assertSame(lines[0]!.number, line);
    assertSame(lines[0]!.column, column);
    assert(shown.end > position, "the page shows no new byte");
    smallest = Math.min(smallest, shown.end - position);
    position = shown.end;
    const last = lines.at(-1)!;
    const isInside = last.ending === "" && position < file.size;
    line = isInside ? last.number : last.number + 1;
    column = isInside ? last.column + countCharacters(last.text) : 1;
    next = page.next;
    assertSame(next === null, position === asked.end);
    if (isUncounted) assertSame(page.totalLines, null);
    else if (position === file.size || page.totalLines !== null) {
      assertSame(page.totalLines, file.lines);
    }
    if (next !== null) {
      assertSame(next.start, line);
      assertSame(next.column ?? 1, column);
    }
    const bytes = position - asked.start;
    assert(pages.length <= Math.ceil(bytes / smallest) + 1, "too many pages");
  }
  assertSame(position, asked.end);
  if (file.encoding === undefined && file.isUtf8(asked.start, asked.end)) {
    const shown = file.bytes.subarray(asked.start, asked.end);
    assertBytes(encoder.encode(text), shown);
  }
  return pages;
}

/** Fails if a page without lines does not give the right reason. */
function checkNothing(
  page: Page,
  { size, lines }: KnownFile,
  { start = 1, around = start, column = 1 }: ReadOptions,
): void {
  assertSame(page.lines.length, 0);
  assertSame(page.bytes().length, 0);
  assertSame(page.next, null);
  const isLine = column > 1 && around <= lines;
  const past = isLine ? "past the last column" : "past the end";
  assertSame(page.empty, size === 0 ? "empty file" : past);
  assertSame(page.totalLines, lines);
}

/** Fails if the facts of a page are wrong; returns its text. */
function checkPage(page: Page, file: KnownFile): string {
  const { shown: { start, end }, lines, exact, inexact } = page;
  assertBytes(page.bytes(), file.bytes.subarray(start, end));
  assertSame(page.size, file.size);
  assertSame(page.empty, null);
  const [from, to] = [file.index[start]!, file.index[end]!];
  assert(from >= 0 && to >= 0, "the page divides a character");
  // A page never ends between CR and LF.
  assert(file.text.slice(to - 1, to + 1) !== "\r\n", "CR | LF");
  let text = "";
  let position = start;
  let found = 0;
  for (let index = 0; index < lines.length; index++) {
    const { number, column, text: content, ending } = lines[index]!;
    assertSame(number, lines[0]!.number + index);
    assert(index === 0 || column === 1);
    assert(index === lines.length - 1 || ending !== "");
    assert(!content.includes("\n"), "a line contains a line feed");
    text += content + ending;
    const counted = number < 0 ? file.lines + 1 + number : number;
    const after = Math.min(end, file.endOf(counted));
    if (!file.isUtf8(position, after)) {
      assertSame(inexact[found]?.number, number);
      const isUtf8 = file.encoding === undefined;
      const reason = isUtf8 ? "not UTF-8" : "undecodable";
      assertSame(inexact[found]?.reason, reason);
      found++;
    }
    position = after;
  }
  assertSame(text, file.text.slice(from, to));
  assertSame(inexact.length, found);
  const isUtf8 = file.encoding === undefined;
  assertSame(exact, isUtf8 && file.isUtf8(start, end));
  return text;
}

/** Fails if a page shows more than its limits, or stops too early. */
function checkBounds(
  { lines, shown: { start, end } }: Page,
  file: KnownFile,
  asked: Part,
  { count, width, maxBytes = Infinity }: ReadOptions,
): void {
  const isEnd = end === asked.end;
  const last = lines.at(-1)!;
  if (maxBytes < end - start) {
    const isOne = lines.length === 1 &&
      countCharacters(last.text) + (last.ending === "" ? 0 : 1) === 1;
    assert(isOne, "too many bytes");
  }
  if (width !== undefined) {
    const characters = countCharacters(last.text);
    assert(lines.length === 1 && characters <= width, "too many columns");
    const stops = characters === width || last.ending !== "" || isEnd;
    assert(stops || maxBytes < Infinity, "too few columns");
    return;
  }
  assert(lines.length <= (count ?? Infinity), "too many lines");
  if (isEnd || lines.length === count && last.ending !== "") return;
  assert(maxBytes < Infinity, "too few lines");
  // A line is divided only if it does not fit on a page.
  const isDivided = last.ending === "";
  assert(!isDivided || lines.length === 1, "a line was divided without need");
  const after = file.endOf(last.number + (isDivided ? 0 : 1));
  assert(after - start > maxBytes, "one more line would have fitted");
}

function assertBytes(actual: Uint8Array, wanted: Uint8Array): void {
  const { length } = actual;
  let same = length === wanted.length;
  for (let at = 0; same && at < length; at++) same = actual[at] === wanted[at];
  if (!same) throw new Error(`[${actual}] instead of [${wanted}]`);
}

// Cheap, since it runs millions of times.
function assertSame(actual: unknown, wanted: unknown): void {
  if (actual !== wanted) throw new Error(`${actual} instead of ${wanted}`);
}

/** The number of code points of a text. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
