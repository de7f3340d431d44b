import type { FileBytes } from "../base/port.ts";
import { codecOf, endOfLine } from "../encodings/codecs.ts";
import { graphemeAt } from "../lines/columns.ts";
import { placeOf, unitsOf } from "../lines/text_size.ts";
import { afterRun, bytesOf, type Run } from "../lines/run.ts";
import { MAX_CHAR_BYTES, utf8Length } from "../lines/utf8.ts";
import { hitsIn } from "./hits.ts";
import { changed, optionsOf, readingOf, rowBytes } from "./page.ts";
import type { Gap, HitPlace, Page, Reading } from "./page.ts";
import { CUT_CHARACTER } from "./page_lines.ts";

/** Which part of a run, or of a page, to keep: lines `[from, to)`, or only `units` UTF-16 code units of the first of them: its beginning, or what is around a hit. */
export interface Kept {
  readonly from: number;
  readonly to: number;
  readonly units?: number | undefined;
  readonly hit?: HitPlace | undefined;
}

/** A shorter page: some rows of this one, or a part of its first row. Nothing is read again; `next` and `etag` are made anew. */
export function shorten(page: Page, kept: Kept): Page {
  const reading = readingOf(page);
  const { encoding: { label }, stat: { size } } = reading;
  const runs: Run[] = [];
  let row = 0;
  for (const run of reading.runs) {
    const from = Math.max(0, kept.from - row);
    const to = Math.min(run.lines, kept.to - row);
    row += run.lines;
    if (from >= to) continue;
    const isWhole = from === 0 && to === run.lines && kept.units === undefined;
    const { units } = kept;
    const hit = units === undefined || run.line === null
      ? undefined
      : reading.places?.find(({ line, at }) =>
        line === run.line! + from && at >= run.start
      );
    const part = { from, to, units, hit };
    runs.push(isWhole ? run : partBetween(reading.whole, run, part, label));
  }
  const last = runs.at(-1)!;
  const next = afterRun(last, size) ?? reading.next;
  // A page that ended at the end of the file knew the total by that.
  const total = page.totalLines;
  if (reading.hits === undefined) {
    return changed(page, { ...reading, runs, next, total });
  }
  const first = runs[0]!.line!;
  const lines = reading.hits.lines.filter((line) =>
    line >= first && line < last.line! + last.lines
  );
  const around = gapsAround(page, kept, lines);
  const { places = [], ends = [], next: until } = reading;
  const hits = hitsIn(runs, {
    ...{ ...reading.hits, lines, around, places, ends },
    until: until?.line,
  });
  // After the last hit, only lines around it may be missing.
  const isLast = lines.at(-1) === reading.hits.lines.at(-1) &&
    (last.endColumn === 1 || hasNoMoreHits(page, last, lines));
  const after = isLast && reading.next === null ? null : next;
  return changed(page, { ...reading, runs, next: after, total, hits });
}

/** Whether a run is the last part to show of a line that is too long. */
function hasNoMoreHits(
  page: Page,
  { line: first, lines, end: last }: Run,
  hits: readonly number[],
): boolean {
  const { whole = [], places = [] } = readingOf(page);
  const line = first! + lines - 1;
  // It may only be near a hit.
  if (!hits.includes(line)) return true;
  return (whole.at(-1) ?? 0) <= last &&
    places.some((place) => place.line === line && place.isPart);
}

/** The lines around the hits of a shortened page that are not shown, and will not be. */
function gapsAround(
  page: Page,
  { from, to }: Kept,
  hits: readonly number[],
): Gap[] {
  const { before = 0, after = 0, block } = optionsOf(page);
  const numbers = numbersOf(page);
  const [least, most] = block
    ? [0, Infinity]
    : [hits[0]! - before, hits.at(-1)! + after];
  const nextHit = page.hits!.lines.find((line) => line > hits.at(-1)!);
  let first = from;
  while (
    first > 0 && numbers[first - 1]! === numbers[first]! - 1 &&
    numbers[first - 1]! >= least
  ) first--;
  let end = to;
  while (
    end < numbers.length && numbers[end] === numbers[end - 1]! + 1 &&
    numbers[end]! <= most && numbers[end] !== nextHit
  ) end++;
  const sizes = rowBytes(page);
  const { gaps } = page.hits!;
  // The page itself may lack lines around its first or last hit.
  const above = first > 0
    ? undefined
    : gaps.find((gap) => gap.end < numbers[0]!);
  const below = gaps.find(({ start }) =>
    start === numbers[end - 1]! + 1 && start <= most
  );
  const bytesIn = (first: number, end: number) =>
    sizes.slice(first, end).reduce((sum, size) => sum + size, 0);
  return [
    {
      start: above?.start ?? numbers[first]!,
      end: numbers[from]! - 1,
      bytes: bytesIn(first, from) + (above?.bytes ?? 0),
    },
    {
      start: numbers[to - 1]! + 1,
      end: below?.end ?? numbers[end - 1]!,
      bytes: bytesIn(to, end) + (below?.bytes ?? 0),
    },
  ].filter(({ start, end }) => start <= end);
}

/** The number of each row. */
function numbersOf(page: Page): number[] {
  return readingOf(page).runs.flatMap(({ line, lines }) =>
    Array.from({ length: lines }, (_, row) => line! + row)
  );
}

/** The most bytes of a hit in a giant line that is shown whole, even over a limit: the next page could not show its rest. */
const MOST_WHOLE_HIT = 200;

/** A part of a run that does not end inside a hit, unless the hit alone is too long. */
function partBetween(
  whole: Reading["whole"],
  run: Run,
  kept: Kept,
  label: string,
): Run {
  let part = partOfRun(run, kept, label);
  const { units, hit: place } = kept;
  if (units === undefined) return part;
  if (
    place?.isPart && place.length > units && place.length <= MOST_WHOLE_HIT &&
    part.end < place.at + place.length
  ) part = partOfRun(run, { ...kept, units: place.length }, label);
  const hit = startOfCut(whole ?? [], part.end);
  if (hit === undefined || hit <= part.start) return part;
  let shorter = part;
  for (let count = part.text.length; shorter.end > hit;) {
    // A code unit has at most four bytes.
    count -= Math.max(1, Math.floor((shorter.end - hit) / 4));
    if (count < 1) return part;
    shorter = partOfRun(part, { from: 0, to: 1, units: count }, label);
  }
  return shorter;
}

/** Where the bytes begin that a page which ends at `end` would divide. */
function startOfCut(
  whole: readonly number[],
  end: number,
): number | undefined {
  for (let at = 0; at < whole.length; at += 2) {
    if (whole[at]! < end && end < whole[at + 1]!) return whole[at];
  }
  return undefined;
}

/** A part of a run: some of its lines, or a part of one. Nothing is read again. */
function partOfRun(run: Run, kept: Kept, label: string): Run {
  const { from, to, units, hit } = kept;
  const { text, clips } = run;
  const bytes = bytesOf(run);
  /** How many bytes were left out of the first lines. */
  const leftIn = (lines: number) =>
    clips.reduce((sum, { index, left }) => index < lines ? sum + left : sum, 0);
  const passed = (count: number, at: readonly [number, number]) => {
    let [chars, place] = at;
    for (; count > 0; count--) {
      chars = text.indexOf("\n", chars) + 1 || text.length;
      place = endOfLine(bytes, place, label) || bytes.length;
    }
    return [chars, place] as const;
  };
  const first = passed(from, [0, 0]);
  const start = run.start + first[1] + leftIn(from);
  const column = from === 0 ? run.column : 1;
  const line = run.line === null ? null : run.line + from;
  const same = { start, column, line };
  if (units === undefined) {
    const last = passed(to - from, first);
    return {
      ...same,
      end: run.start + last[1] + leftIn(to),
      lines: to - from,
      endColumn: last[1] === bytes.length ? run.endColumn : 1,
      text: text.slice(first[0], last[0]),
      bytes: bytes.subarray(first[1], last[1]),
      clips: clips.filter(({ index }) => index >= from && index < to)
        .map((clip) => ({ ...clip, index: clip.index - from })),
    };
  }
  const row = passed(1, first);
  const own = {
    text: text.slice(first[0], row[0]),
    bytes: bytes.subarray(first[1], row[1]),
  };
  const left = hit === undefined
    ? 0
    : leftBefore(hit, start, own, units, label);
  const skipped = left === 0
    ? { text: "", bytes: own.bytes.subarray(0, 0) }
    : beginningOf(own.text, own.bytes, left, label);
  const shown = beginningOf(
    own.text.slice(skipped.text.length),
    own.bytes.subarray(skipped.bytes.length),
    units,
    label,
  );
  const end = skipped.bytes.length + shown.bytes.length;
  const clip = clips.find(({ index }) => index === from);
  const isAll = first[1] + end === bytes.length;
  if (clip !== undefined && isWholeClip(own.text, skipped.text + shown.text)) {
    return partOfRun(run, { from, to: from + 1 }, label);
  }
  const firstColumn = column + countCodePoints(skipped.text);
  return {
    line,
    start: start + skipped.bytes.length,
    column: firstColumn,
    end: start + end,
    lines: 1,
    endColumn: isAll
      ? run.endColumn
      : firstColumn + countCodePoints(shown.text),
    ...shown,
    clips: [],
  };
}

/** Whether all whole characters of a clipped line are shown; no page can begin after them. */
function isWholeClip(line: string, shown: string): boolean {
  const whole = line.replace(/\r?\n$/, "").replace(CUT_CHARACTER, "");
  return shown.length >= whole.length;
}

/** How many UTF-16 code units of a line to leave out before its hit, so that so many around it are shown. */
function leftBefore(
  { at, length }: HitPlace,
  start: number,
  { text, bytes }: { readonly text: string; readonly bytes: FileBytes },
  units: number,
  label: string,
): number {
  const codec = codecOf(label);
  const unitsTo = (end: number) => {
    const before = bytes.subarray(0, Math.max(0, end));
    return (codec?.decode(before) ?? utf8.decode(before)).length;
  };
  const from = unitsTo(at - start);
  const hit = unitsTo(at - start + length) - from;
  const before = length === 0
    // The hit ends there.
    ? Math.ceil(units * 3 / 4)
    : Math.max(0, Math.floor((units - hit) / 2));
  const most = text.replace(/\r?\n$/, "").length - units;
  return Math.max(0, Math.min(from - before, most));
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The first characters of a text and their bytes: at most so many UTF-16 code units, but at least one character. It ends between two graphemes if possible. */
function beginningOf(
  text: string,
  bytes: FileBytes,
  units: number,
  label: string,
): { readonly text: string; readonly bytes: FileBytes } {
  const most = divideText(text, units);
  const codec = codecOf(label);
  if (codec !== undefined) {
    const { place: fits } = placeOf(codec, bytes, most, unitsOf);
    // At least one character, even if it has more code units.
    const end = fits > 0 ? fits : codec.divide(bytes, 0, 1);
    const shown = bytes.subarray(0, end);
    return { text: codec.decode(shown), bytes: shown };
  }
  if (!text.slice(0, most).includes("\uFFFD")) {
    const shown = text.slice(0, most);
    return { text: shown, bytes: new TextEncoder().encode(shown) };
  }
  let at = 0;
  let passed = 0;
  while (passed < most) {
    const length = utf8Length(bytes, at);
    const own = length === MAX_CHAR_BYTES ? 2 : 1;
    if (passed > 0 && passed + own > most) break;
    at += length;
    passed += own;
  }
  return { text: text.slice(0, passed), bytes: bytes.subarray(0, at) };
}

/** How far before and after a place to divide a text graphemes are looked for. */
const BEFORE_UNITS = 256;
const MOST_BEFORE_UNITS = 64 * 1024;
const AFTER_UNITS = 64;

/** The last place up to `units` between two graphemes of a text, or else between two characters, after at least one character. */
function divideText(text: string, units: number): number {
  if (units >= text.length) return text.length;
  for (let before = BEFORE_UNITS; before <= MOST_BEFORE_UNITS; before *= 4) {
    const begin = Math.max(0, units - before);
    const near = text.slice(begin, units + AFTER_UNITS);
    const { start, isSure } = graphemeAt(near, units - begin);
    if (begin > 0 && !isSure) continue;
    if (start > 0) return begin + start;
    break;
  }
  const isLow = (at: number) => text.codePointAt(at - 1)! > 0xffff;
  return Math.max(isLow(1) ? 2 : 1, isLow(units) ? units - 1 : units);
}
