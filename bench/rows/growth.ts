// How time grows with the depth of a path, the number of rules, and the size of a directory.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostFs, openWorkspace, SECRET_FILES } from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";
import { untilAtRest } from "./page.ts";

/** The largest ratio of times for twice the work; quadratic work would take four times as long. */
const TWICE = 2 ** 1.2;

export const GROWTH: Row = {
  name: "growth",
  title: "how work grows",
  about:
    "A first read at twice the depth, without rules and with `SECRET_FILES`; a first read with twice as many rules; and a wrong name in a directory of 100,000 files at rest, with the suggestion of the right name.",
  async measure({ data: { root }, quick }) {
    const folder = join(root, "growth");
    const rounds = quick ? 5 : 21;
    mkdirSync(folder);
    try {
      return [
        await depths(folder, "no rules", [], rounds),
        await walks(folder, rounds),
        await depths(folder, "SECRET_FILES", SECRET_FILES, rounds),
        await rules(folder, rounds),
        await missing(folder, quick ? 1_000 : 100_000, rounds),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function depths(
  root: string,
  what: string,
  deny: readonly string[],
  rounds: number,
): Promise<Check> {
  const at = (depth: number) => {
    const path = `${"d/".repeat(depth)}a.txt`;
    mkdirSync(join(root, "d/".repeat(depth)), { recursive: true });
    writeFileSync(join(root, path), "text\n");
    return { name: `${depth}`, run: () => readFirst(root, path, deny) };
  };
  return ratio(
    `first read at depth 200, ${what}`,
    "at depth 100",
    await race([at(100), at(200)], { rounds, calls: 5, warm: 5 }),
    ["200", "100"],
  );
}

/** The lower bound: the system resolves the whole path again for each of its directories. */
async function walks(root: string, rounds: number): Promise<Check> {
  const disk = hostFs();
  const walk = (depth: number) => ({
    name: `${depth}`,
    run: () => {
      let path = root;
      for (let left = depth; left > 0; left--) disk.lstat(path += "/d", "way");
      disk.lstat(`${path}/a.txt`, "last");
    },
  });
  const times = await race([walk(100), walk(200)], {
    rounds,
    calls: 5,
    warm: 5,
  });
  const subject = "lstat of each directory on the way, at depth 200, alone";
  const check = ratio(subject, "at depth 100", times, ["200", "100"]);
  return { ...check, limit: null, isInTable: true };
}

async function rules(root: string, rounds: number): Promise<Check> {
  writeFileSync(join(root, "a.txt"), "text\n");
  const under = (count: number) => {
    const deny = Array.from(
      { length: count },
      (_, at) => `**/secret${at}*/**/*.key`,
    );
    return { name: `${count}`, run: () => readFirst(root, "a.txt", deny) };
  };
  return ratio(
    "first read under 1,000 rules",
    "under 500",
    await race([under(500), under(1_000)], { rounds, calls: 5, warm: 5 }),
    ["1000", "500"],
  );
}

/** Opens a new workspace and reads from it. */
async function readFirst(
  root: string,
  path: string,
  deny: readonly string[],
): Promise<void> {
  const workspace = await openWorkspace(root, { deny, ...NO_CACHE });
  await workspace.read(path);
}

function ratio(
  subject: string,
  against: string,
  times: Awaited<ReturnType<typeof race>>,
  [large, small]: readonly [string, string],
): Check {
  return {
    subject,
    against,
    value: times.ratio(large, small),
    unit: "×",
    limit: Number(TWICE.toFixed(1)),
    medians: [times.median(large), times.median(small)],
  };
}

async function missing(
  root: string,
  count: number,
  rounds: number,
): Promise<Check> {
  const folder = join(root, "many");
  mkdirSync(folder);
  for (let at = 0; at < count; at++) {
    writeFileSync(join(folder, `file${at}.txt`), "");
  }
  // A directory that changed just now is listed several times, to prove the list.
  await untilAtRest(folder);
  const workspace = await openWorkspace(folder, NO_CACHE);
  const wrong = () =>
    workspace.read("flie1.txt").then(() => {
      throw new Error("Wrong answer: a file that is not there was read");
    }, () => {});
  const times = await race([{ name: "wrong", run: wrong }], {
    rounds,
    calls: 1,
    warm: 3,
  });
  return {
    subject: "NOT_FOUND beside 100,000 files",
    against: "a call",
    value: times.median("wrong") / 1000,
    unit: "ms",
    limit: 10,
  };
}
