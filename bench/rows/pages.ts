// Pages of whole files: read and rendered.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, renderPage, type Workspace } from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import { decodeRaw } from "../raw.ts";
import { race, type Times } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";
import { floorsOf, partsOf } from "../port_calls.ts";

const MIB = 1024 * 1024;

/** Lines of other characters, which are repeated to fill a file. */
const CONTENTS = {
  NULs: "\0".repeat(63) + "\n",
  emoji: "👩‍💻🇫🇷".repeat(3) + "\n",
  "hidden characters": "a\u200bb\u202e".repeat(8) + "\n",
} as const;

export const PAGES: Row = {
  name: "pages",
  title: "a page of a whole file, made and rendered",
  about:
    "Files of 8 KiB and of 1 MiB of ASCII, read by `workspace.read` and rendered by `renderPage`; `renderPage` of the larger page alone. Then both for 1 MiB of NULs, of emoji and of hidden characters.",
  async measure({ data: { root, small, whole }, quick }) {
    const workspace = await openWorkspace(root, NO_CACHE);
    const rounds = quick ? 5 : 21;
    const little = await timesOf(workspace, root, small, rounds, 50);
    const much = await timesOf(workspace, root, whole, rounds, 2);
    return [
      read("a page of 8 KiB, read and rendered", little, 2.5),
      ...floorsOf(
        "a page of 8 KiB, read and rendered",
        "raw read + TextDecoder",
        little,
      ),
      read("a page of 1 MiB, read and rendered", much, 4),
      step("renderPage of 1 MiB", "render", much, 2),
      ...await oddContents(workspace, root, whole, quick ? 3 : 7),
    ];
  },
};

/** The times of both steps, and of the raw read with decoding. */
async function timesOf(
  workspace: Workspace,
  root: string,
  path: string,
  rounds: number,
  calls: number,
): Promise<Times> {
  const page = await workspace.read(path);
  mustShow(renderPage(page), page.lines.at(-1)?.text ?? "");
  return await race([
    { name: "raw", run: () => decodeRaw(join(root, path)) },
    { name: "read", run: () => readAndRender(workspace, path) },
    ...await partsOf(root, (other) => () => readAndRender(other, path)),
    { name: "render", run: () => renderPage(page) },
  ], { rounds, calls, warm: 5 });
}

/** What a model is shown of a whole file. */
async function readAndRender(workspace: Workspace, path: string) {
  return renderPage(await workspace.read(path));
}

/** Throws if a rendering lacks the last line: a wrong answer must not be timed. */
function mustShow(text: string, line: string): void {
  if (text.split("\n").at(-2)?.endsWith(`\t${line}`)) return;
  throw new Error("Wrong answer: the rendering lacks the last line");
}

function read(subject: string, times: Times, limit: number): Check {
  return {
    subject,
    against: "raw read + TextDecoder",
    value: times.ratio("read", "raw"),
    unit: "×",
    limit,
    medians: [times.median("read"), times.median("raw")],
  };
}

function step(
  subject: string,
  name: string,
  times: Times,
  limit: number,
): Check {
  const micros = times.median(name);
  return {
    subject,
    against: "a call",
    value: micros / 1000,
    unit: "ms",
    limit,
    medians: [micros, times.median("raw")],
  };
}

async function oddContents(
  workspace: Workspace,
  root: string,
  ascii: string,
  rounds: number,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [what, line] of Object.entries(CONTENTS)) {
    const path = "src/odd.txt";
    const bytes = new TextEncoder().encode(line).length;
    writeFileSync(join(root, path), line.repeat(Math.floor(MIB / bytes)));
    const times = await race([
      { name: "ascii", run: () => readAndRender(workspace, ascii) },
      { name: "odd", run: () => readAndRender(workspace, path) },
    ], { rounds, calls: 1, warm: 2 });
    checks.push({
      subject: `both of 1 MiB of ${what}`,
      against: "both of 1 MiB of ASCII",
      value: times.ratio("odd", "ascii"),
      unit: "×",
      limit: 10,
      medians: [times.median("odd"), times.median("ascii")],
    });
  }
  return checks;
}
