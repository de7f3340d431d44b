// Pages of whole files: read, rendered, and parsed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  openWorkspace,
  type Page,
  parsePage,
  renderPage,
  type Workspace,
} from "../../mod.ts";
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
  title: "a page of a whole file, made, rendered and parsed",
  about:
    "`workspace.read` of 8 KiB and of 1 MiB of ASCII; `renderPage` of the larger page, and `parsePage` of that text. Then the same for 1 MiB of NULs, of emoji and of hidden characters.",
  async measure({ data: { root, small, whole }, quick }) {
    const workspace = await openWorkspace(root, NO_CACHE);
    const rounds = quick ? 5 : 21;
    const little = await timesOf(workspace, root, small, rounds, 50);
    const much = await timesOf(workspace, root, whole, rounds, 2);
    return [
      read("workspace.read of 8 KiB", little, 2.5),
      ...floorsOf("workspace.read of 8 KiB", "raw read + TextDecoder", little),
      { ...read("workspace.read of 1 MiB", much, 4), inReadme: true },
      step("renderPage of 1 MiB", "render", much, 2),
      step("parsePage of 1 MiB", "parse", much, 6),
      ...await oddContents(workspace, root, whole, quick ? 3 : 7),
    ];
  },
};

/** The times of the three steps, and of the raw read with decoding. */
async function timesOf(
  workspace: Workspace,
  root: string,
  path: string,
  rounds: number,
  calls: number,
): Promise<Times> {
  const page = await workspace.read(path);
  const text = renderPage(page);
  mustAgree(page, text);
  return await race([
    { name: "raw", run: () => decodeRaw(join(root, path)) },
    { name: "read", run: () => workspace.read(path) },
    ...await partsOf(root, (other) => () => other.read(path)),
    { name: "render", run: () => renderPage(page) },
    { name: "parse", run: () => parsePage(text) },
  ], { rounds, calls, warm: 5 });
}

/** Throws if the parsed page has other bytes: a wrong answer must not be timed. */
function mustAgree(page: Page, text: string): void {
  const bytes = page.bytes();
  const parsed = parsePage(text).bytes();
  const isSame = parsed === null || parsed.length === bytes.length &&
      parsed.every((byte, at) => byte === bytes[at]);
  if (!isSame) throw new Error("Wrong answer: the parsed page is another one");
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
    const all = (path: string) => async () => {
      const page = await workspace.read(path);
      parsePage(renderPage(page));
    };
    const times = await race([
      { name: "ascii", run: all(ascii) },
      { name: "odd", run: all(path) },
    ], { rounds, calls: 1, warm: 2 });
    checks.push({
      subject: `all three of 1 MiB of ${what}`,
      against: "all three of 1 MiB of ASCII",
      value: times.ratio("odd", "ascii"),
      unit: "×",
      limit: 10,
      medians: [times.median("odd"), times.median("ascii")],
    });
  }
  return checks;
}
