/** Checks receipts against an oracle: the lines before and after random edits. */
import { assert, assertEquals } from "@std/assert";
import {
  applyDelta,
  openWorkspace,
  type Page,
  type PageOptions,
  parsePage,
  renderPage,
} from "../../mod.ts";
import { type Script, scriptOf, standsAt } from "../support/edits.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { Random, SEED } from "../support/random.ts";

const encoder = new TextEncoder();
const MOST_LINES = 30;

/** Compares `recheck()` with the oracle for random scripts. */
export async function checkScripts(count: number, seed = SEED): Promise<void> {
  const random = new Random(seed);
  const fs = oneFileFs();
  fs.mtimeMs = 1;
  const workspace = await openWorkspace("/ws", { fs });
  const told = { same: 0, moved: 0, changed: 0 };
  for (let run = 0; run < count; run++) {
    const script = scriptOf(random, MOST_LINES);
    const { before, after } = script;
    const start = random.from(1, before.length);
    const options: PageOptions = { start, count: random.from(1, 12) };
    fs.content = encoder.encode(before.join(""));
    fs.mtimeMs++;
    const { receipt, lines } = await workspace.read("a", options);
    fs.content = encoder.encode(after.join(""));
    fs.mtimeMs++;
    const answer = await workspace.recheck("a", receipt);
    const shown = before.slice(start - 1, start - 1 + lines.length);
    const delta = await workspace.read("a", { since: receipt });
    checkDelta(shown, after, JSON.parse(JSON.stringify(delta)));
    const what = JSON.stringify({ run, start, shown, after, answer });
    const places = after.map((_, at) => at)
      .filter((at) => standsAt(shown, after, at))
      .map((at) => at - (start - 1));
    if ("same" in answer) {
      told.same++;
      assert(places.includes(0), what);
    } else if ("moved" in answer) {
      told.moved++;
      const nearest = Math.min(...places.map(Math.abs));
      assert(places.includes(answer.moved) && answer.moved !== 0, what);
      assertEquals(Math.abs(answer.moved), nearest, what);
    } else {
      told.changed++;
      assert("changed" in answer && places.length === 0, what);
      checkChanged(script, start, lines.length, answer.changed, what);
    }
  }
  // Each kind of answer must occur.
  for (const number of Object.values(told)) assert(number > count / 20);
}

/** The lines that are not reported as changed must exist, in order. */
function checkChanged(
  { before, after }: Script,
  start: number,
  count: number,
  changed: readonly (readonly [number, number])[],
  what: string,
): void {
  assert(changed.length > 0, what);
  let previous = 0;
  for (const [from, to] of changed) {
    assert(from > previous && to >= from, what);
    assert(from >= start && to < start + count, what);
    previous = to;
  }
  let place = 0;
  for (let line = start; line < start + count; line++) {
    if (changed.some(([from, to]) => from <= line && line <= to)) continue;
    place = after.indexOf(before[line - 1]!, place) + 1;
    assert(place > 0, what);
  }
}

/** A delta must turn the shown lines into the current ones, and must contain no line twice. */
function checkDelta(
  shown: readonly string[],
  after: readonly string[],
  delta: Page,
): void {
  const made = applyDelta(shown.join(""), delta);
  const hunks = delta.hunks!;
  const start = hunks[0]?.start ?? 1;
  const count = made.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
  const today = after.slice(start - 1, start - 1 + count);
  assertEquals(made, today.join(""));
  // Parsing the rendered delta gives the same delta.
  const parsed = parsePage(renderPage(delta));
  assertEquals(applyDelta(shown.join(""), parsed), made);
  // It keeps at least the longest unchanged run of lines.
  const fresh = delta.lines.map(({ text, ending }) => text + ending);
  const kept = count - fresh.length;
  if (made === shown.join("")) assertEquals(kept, count);
  assert(kept <= shown.length);
}
