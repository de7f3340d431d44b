/** Compares changesSince() with `git diff -U0`, cut to the same lines. */
import { assert, assertEquals } from "@std/assert";
import { type ChangesSince, changesSince } from "../../../mod.ts";
import {
  changedCount,
  checkApplied,
  versionsOf,
} from "../../suites/changes_since.ts";
import { scriptOf } from "../../support/edits.ts";
import { Random } from "../../support/random.ts";
import { git, gitText } from "./git.ts";

/** The sums of a comparison. */
export interface ComparedChanges {
  /** How many pairs of texts. */
  readonly pairs: number;
  /** How many ranges of lines. */
  ranges: number;
  /** The ranges for which git shows more lines. */
  fewer: number;
  /** The ranges for which it shows as many. */
  equal: number;
  /** The ranges for which it shows fewer. */
  more: number;
}

/** A hunk of `git diff -U0`. */
interface Hunk {
  readonly gone: number;
  readonly start: number;
  readonly count: number;
}

const RANGES = 5;

/** Compares random edits of small texts, and the versions of files in a history. */
export async function compareChanges(
  folder: string,
  count: number,
  seed: number,
): Promise<Readonly<Record<string, ComparedChanges>>> {
  const random = new Random(seed);
  const edits = { pairs: count, ranges: 0, fewer: 0, equal: 0, more: 0 };
  for (let run = 0; run < count; run++) {
    const { before, after } = scriptOf(random, 60);
    await comparePair(folder, before.join(""), after.join(""), random, edits);
  }
  assertEquals(edits.more, 0, "git shows fewer lines of a range");
  const commits = (await gitText(folder, ["log", "--format=%H", "-n400"]))
    .split("\n");
  const history = { pairs: count, ranges: 0, fewer: 0, equal: 0, more: 0 };
  for (let run = 0; run < count;) {
    const [one, two] = [random.pick(commits), random.pick(commits)];
    const paths = (await gitText(folder, [
      ...["diff", "--name-only", "--diff-filter=M", one, two, "--", "*.ts"],
    ])).split("\n").filter((path) => path !== "");
    if (paths.length === 0) continue;
    run++;
    const path = random.pick(paths);
    const [before, after] = await Promise.all(
      [one, two].map(async (commit) =>
        new TextDecoder().decode(
          await git(folder, ["cat-file", "blob", `${commit}:${path}`]),
        )
      ),
    );
    await comparePair(folder, before!, after!, random, history);
  }
  return { edits, history };
}

async function comparePair(
  folder: string,
  before: string,
  after: string,
  random: Random,
  sums: ComparedChanges,
): Promise<void> {
  const workspace = await versionsOf(after, { old: before });
  const hunks = await hunksOf(folder, before, after);
  const total = linesIn(after).length;
  const script = { before: linesIn(before), after: linesIn(after) };
  const compare = async (start: number, end: number) => {
    const changes = await changesSince(workspace, "a", "old", { start, end });
    checkApplied(changes, script);
    const own = changedCount(changes);
    const others = countIn(hunks, changes, total);
    sums.ranges++;
    sums[own < others ? "fewer" : own === others ? "equal" : "more"]++;
    return [own, others] as const;
  };
  const [own, others] = await compare(1, Math.max(1, total));
  assert(own <= others, `${own} lines, and ${others} in git`);
  for (let range = 0; range < RANGES && total > 0; range++) {
    const start = 1 + random.below(total);
    await compare(start, start + random.below(total - start + 1));
  }
}

function linesIn(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

async function hunksOf(
  folder: string,
  before: string,
  after: string,
): Promise<Hunk[]> {
  const [one, two] = await Promise.all([before, after].map(async (text) => {
    const bytes = new TextEncoder().encode(text);
    const oid = await git(folder, ["hash-object", "-w", "--stdin"], bytes);
    return new TextDecoder().decode(oid).trim();
  }));
  if (one === two) return [];
  // Where a run of changes could slide, git would look at indentation.
  const out = await gitText(folder, [
    ...["-c", "diff.indentHeuristic=false", "diff", "-U0", one!, two!],
  ]);
  const found = out.matchAll(/^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
  return Array.from(found, ([, gone = "1", start, count = "1"]) => ({
    gone: Number(gone),
    start: Number(start),
    count: Number(count),
  }));
}

/** How many lines git shows, cut to a range: a hunk's new lines in it, and all that are gone from it. */
function countIn(
  hunks: readonly Hunk[],
  { start, end }: ChangesSince,
  total: number,
): number {
  let sum = 0;
  for (const hunk of hunks) {
    const first = hunk.count > 0 ? hunk.start : Math.min(hunk.start + 1, total);
    const last = hunk.count > 0 ? first + hunk.count - 1 : first;
    const within = Math.min(last, end) - Math.max(first, start) + 1;
    const isIn = within > 0 || total === 0;
    if (isIn) sum += hunk.gone + (hunk.count > 0 ? within : 0);
  }
  return sum;
}
