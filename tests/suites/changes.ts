/** Checks changes against an oracle: the hunks turn the lines before random edits into those after. */
import { assert, assertEquals } from "@std/assert";
import {
  type Changes,
  changesBetween,
  type Page,
  type PageLine,
} from "../../mod.ts";
import { scriptOf } from "../support/edits.ts";
import { Random, SEED } from "../support/random.ts";

const MOST_LINES = 30;

/** The lines of a page, numbered from `first` on. */
export function pageOf(
  texts: readonly string[],
  first = 1,
): { lines: PageLine[] } {
  return {
    lines: texts.map((line, at) => {
      const ending = line.endsWith("\r\n")
        ? "\r\n"
        : line.endsWith("\n")
        ? "\n"
        : "";
      const text = line.slice(0, line.length - ending.length);
      return { number: first + at, text, ending, column: 1 };
    }),
  };
}

/** Applies hunks to lines; each hunk must fit to the lines, and to its own numbers. */
export function applied(
  before: Pick<Page, "lines">,
  { hunks }: Changes,
): PageLine[] {
  const made: PageLine[] = [];
  let at = 0;
  for (const hunk of hunks) {
    if ("count" in hunk) {
      assert(hunk.count > 0);
      assertEquals(hunk.kind === "same", hunk.before === hunk.after);
      for (let index = 0; index < hunk.count; index++) {
        const line = before.lines[at++]!;
        assertEquals(line.number, hunk.before + index);
        made.push({ ...line, number: hunk.after + index });
      }
      continue;
    }
    const { kind, gone, lines } = hunk;
    assertEquals(gone, before.lines.slice(at, at + gone.length));
    assertEquals(
      [gone.length > 0, lines.length > 0],
      [kind !== "added", kind !== "removed"],
    );
    if (gone.length > 0) assertEquals(hunk.before, gone[0]!.number);
    else if (at > 0) assertEquals(hunk.before, before.lines[at - 1]!.number);
    if (lines.length > 0) assertEquals(hunk.after, lines[0]!.number);
    else if (made.length > 0) assertEquals(hunk.after, made.at(-1)!.number);
    at += gone.length;
    made.push(...lines);
  }
  assertEquals(at, before.lines.length);
  return made;
}

/** How many lines the changes remove and add. */
export function sizeOf({ hunks }: Changes): number {
  let size = 0;
  for (const hunk of hunks) {
    if ("gone" in hunk) size += hunk.gone.length + hunk.lines.length;
  }
  return size;
}

/** The fewest lines that any difference removes and adds, by a table of all pairs of lines. */
export function leastSize(before: readonly string[], after: readonly string[]) {
  let row = Array.from({ length: after.length + 1 }, (_, at) => at);
  for (const [index, line] of before.entries()) {
    const next = [index + 1];
    for (const [at, other] of after.entries()) {
      next.push(
        line === other ? row[at]! : 1 + Math.min(row[at + 1]!, next[at]!),
      );
    }
    row = next;
  }
  return row.at(-1)!;
}

/** Compares the texts of random edit scripts; returns how many hunks of each kind there were. */
export function checkChanges(count: number, seed = SEED) {
  const random = new Random(seed);
  const seen = { same: 0, moved: 0, changed: 0, added: 0, removed: 0 };
  for (let run = 0; run < count; run++) {
    const { before, after } = scriptOf(random, MOST_LINES);
    const first = random.pick([1, 1, 100, -MOST_LINES]);
    const from = pageOf(before, first);
    const to = pageOf(after, random.below(2) === 0 ? first : 7);
    const changes = changesBetween(from, to);
    assertEquals(applied(from, changes), to.lines, `run ${run}`);
    assertEquals(sizeOf(changes), leastSize(before, after), `run ${run}`);
    assert(changes.minimal);
    for (const { kind } of changes.hunks) seen[kind]++;
  }
  // Each kind of hunk must occur.
  for (const number of Object.values(seen)) assert(number > count / 20);
  return seen;
}
