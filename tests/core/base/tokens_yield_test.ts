// Not at the edge: the clock does not advance while a worker runs.
import { assert } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";

const LINES = 240_000;
const TEXT = Array.from(
  { length: LINES / 4 },
  (_, at) => `line ${at} \u{1f600}\n`,
)
  .join("");
const LINE = "\u{1f600}".repeat(LINES);

/** How often a timer ran during some work. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await work();
  clearInterval(timer);
  return turns;
}

describe("counting the tokens of a large page yields", () => {
  const fs = memoryFs({ "/a": TEXT, "/b": LINE });
  const all = { maxBytes: 1_000_000 };
  for (const path of ["a", "b"]) {
    // The file is cached, so reading takes no turns.
    const before = async () => {
      const workspace = await openWorkspace("/", { fs });
      const turns = await turnsOf(() => workspace.read(path, all));
      return { workspace, turns };
    };
    it(`in a page with a limit: ${path}`, async () => {
      const { workspace, turns } = await before();
      const some = { ...all, maxTokens: 100_000 };
      const page = await turnsOf(() => workspace.read(path, some));
      assert(page > turns + 2, `${page} turns, and ${turns} without`);
    });
  }
});
