/** Checks changes of ranges against the texts: they apply, and show no line twice. */
import { assert, assertEquals } from "@std/assert";
import {
  type ChangesSince,
  changesSince,
  memoryFs,
  openWorkspace,
} from "../../mod.ts";
import { type Script, scriptOf } from "../support/edits.ts";
import { Random, SEED } from "../support/random.ts";
import { leastSize } from "./changes.ts";

const MOST_LINES = 30;

/** A workspace with the file `a`, and with the texts that it had at revisions; `undefined` where it was not there. */
export async function versionsOf(
  now: string,
  before: Readonly<Record<string, string | undefined>>,
) {
  return await openWorkspace("/ws", {
    fs: memoryFs({ "/ws/a": now }),
    revisions: {
      open(rev) {
        const text = before[rev];
        return memoryFs(
          text === undefined ? { "/ws/b": "" } : { "/ws/a": text },
        );
      },
    },
  });
}

/** How many lines are new or gone. */
export function changedCount({ lines }: ChangesSince): number {
  return lines.filter(({ kind }) => kind !== "same" && kind !== "moved").length;
}

/** Fails if changes do not turn the lines before into those after. */
export function checkApplied(
  { start, end, lines, totalLines, totalBefore, endingBefore }: ChangesSince,
  { before, after }: Script,
): void {
  assertEquals([totalBefore, totalLines], [before.length, after.length]);
  const old = lines.filter((line) => line.before !== null);
  const [{ before: first = 1 } = {}] = old;
  const fresh = lines.filter(({ kind }) => kind !== "gone");
  for (const [at, line] of old.entries()) {
    assertEquals(line.before, first! + at);
    const text = line.text + line.ending;
    const had = before[line.before! - 1]!;
    // Endings that differ everywhere are not compared.
    const isOther = endingBefore !== null && line.kind !== "gone";
    assertEquals(
      isOther ? text.trimEnd() : text,
      isOther ? had.trimEnd() : had,
    );
  }
  for (const [at, line] of fresh.entries()) {
    assertEquals(line.after, start + at);
    assertEquals(line.text + line.ending, after[line.after - 1]);
  }
  assertEquals(fresh.length, Math.max(0, end - start + 1));
  let last = 0;
  for (const { kind, before, after } of lines) {
    assertEquals(kind === "same", before === after && kind !== "gone");
    if (kind === "gone") assert(after >= Math.min(start, totalLines));
    if (kind === "added" || kind === "changed") assertEquals(before, null);
    if (kind !== "gone") assert(after > last);
    last = kind === "gone" ? last : after;
  }
}

/** Compares random edits, whole and in parts; returns how many lines of each kind there were. */
export async function checkRanges(count: number, seed = SEED) {
  const random = new Random(seed);
  const seen = { same: 0, moved: 0, changed: 0, added: 0, gone: 0 };
  for (let run = 0; run < count; run++) {
    const script = scriptOf(random, MOST_LINES);
    const { before, after } = script;
    const now = after.join("");
    const workspace = await versionsOf(now, { old: before.join("") });
    const of = (options: object) =>
      changesSince(workspace, "a", "old", options);
    const whole = await of({});
    checkApplied(whole, script);
    if (whole.endingBefore === null) {
      assertEquals(changedCount(whole), leastSize(before, after), `run ${run}`);
    }
    for (const { kind } of whole.lines) seen[kind]++;
    // Ranges side by side show what the whole shows, each line once.
    const cuts = [
      ...new Set([
        1,
        1 + random.below(after.length + 1),
        1 + random.below(after.length + 1),
        after.length + 1,
      ]),
    ]
      .sort((one, other) => one - other);
    let size = 0;
    for (const [at, start] of cuts.slice(0, -1).entries()) {
      const part = await of({ start, end: cuts[at + 1]! - 1 });
      checkApplied(part, script);
      size += changedCount(part);
    }
    if (after.length > 0) assertEquals(size, changedCount(whole), `run ${run}`);
  }
  for (const number of Object.values(seen)) assert(number > count / 20);
  return seen;
}
