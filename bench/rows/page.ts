// Twenty lines deep in the log: a first read, and later ones.
import { statSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../../mod.ts";
import { CLOCK_GRAIN_MS } from "../../src/core/base/limits.ts";
import type { Bench, Check, Row } from "../check.ts";
import { countedWorkspace } from "../counted.ts";
import type { Command } from "../host.ts";
import { contender, EMPTY, runProcess } from "../processes.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

const LINES = 20;
const AGAIN_LIMIT = 0.03;
/** How many pages are read again, or follow each other. */
const PAGES = 10;

export const PAGE: Row = {
  name: "page",
  title: "20 lines at line 8,000,000 of the log",
  about:
    "A read deep in the log: in a new workspace, again in the same workspace, and the ten pages that follow.",
  async measure({ data, quick }) {
    const { root, log, deep } = data;
    const page = (workspace: Workspace, start: number) =>
      workspace.read(log.path, { start, count: LINES });
    await untilAtRest(join(root, log.path));
    await checkAnswers(data, page);

    let workspace = await openWorkspace(root, NO_CACHE);
    let line = deep;
    const renew = async () => workspace = await openWorkspace(root, NO_CACHE);
    const readFirst = async () => {
      line = deep;
      await renew();
      await page(workspace, line);
    };
    const sed = contender("sed -n", sedCommand(data, deep));
    const times = await race([
      { name: "first", prepare: renew, run: () => page(workspace, deep) },
      sed,
      EMPTY,
      {
        name: "again",
        prepare: readFirst,
        run: () => page(workspace, deep),
        calls: PAGES,
      },
      {
        name: "next",
        prepare: readFirst,
        run: () => page(workspace, line += LINES),
        calls: PAGES,
      },
    ], { rounds: quick ? 5 : 7, calls: 1 });
    const first = times.median("first");
    const bare = times.difference(sed.name, EMPTY.name);
    const repeated = (name: string, subject: string): Check => ({
      subject,
      against: "the first time",
      value: times.ratio(name, "first"),
      unit: "×",
      limit: AGAIN_LIMIT,
      medians: [times.median(name), first],
    });
    return [
      {
        subject: "workspace.read, first time",
        against: "sed -n",
        value: times.ratio("first", sed.name),
        unit: "×",
        limit: 0.35,
        inReadme: true,
        medians: [first, times.median(sed.name)],
      },
      {
        subject: "workspace.read, first time",
        against: "sed -n, less an empty process",
        value: first / bare,
        unit: "×",
        limit: null,
        medians: [first, bare],
      },
      repeated("again", "workspace.read, again"),
      repeated("next", "workspace.read, next page"),
      ...await countBytes(data, page),
    ];
  },
};

/** Waits until the file is at rest; before that, each read scans it. */
export async function untilAtRest(path: string): Promise<void> {
  const { mtimeMs, ctimeMs } = statSync(path);
  const changed = Math.max(mtimeMs, ctimeMs);
  const left = changed + CLOCK_GRAIN_MS + 100 - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)));
}

type ReadPage = (
  workspace: Workspace,
  start: number,
) => Promise<{ readonly text: string }>;

function sedCommand({ root, log }: Bench["data"], start: number): Command {
  const end = start + LINES - 1;
  return ["sed", "-n", `${start},${end}p;${end}q`, join(root, log.path)];
}

async function checkAnswers(
  data: Bench["data"],
  page: ReadPage,
): Promise<void> {
  const workspace = await openWorkspace(data.root, NO_CACHE);
  for (const start of [data.deep, data.deep, data.deep + LINES]) {
    const { text } = await page(workspace, start);
    if (text === runProcess(sedCommand(data, start))) continue;
    throw new Error(`Wrong answer: sed finds other lines at ${start}`);
  }
}

async function countBytes(
  { root, deep }: Bench["data"],
  page: ReadPage,
): Promise<Check[]> {
  const { workspace, bytes } = await countedWorkspace(root);
  await page(workspace, deep);
  const checks: Check[] = [];
  for (
    const [name, start] of [["again", deep], [
      "next page",
      deep + LINES,
    ]] as const
  ) {
    const before = bytes();
    await page(workspace, start);
    checks.push({
      subject: `workspace.read, ${name}`,
      against: "bytes read",
      value: (bytes() - before) / 1024,
      unit: "KiB",
      limit: 1024,
    });
  }
  return checks;
}
