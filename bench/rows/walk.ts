// The whole log, page by page.
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { countedWorkspace } from "../counted.ts";
import { contender } from "../processes.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

const MIB = 1024 * 1024;

export const WALK: Row = {
  name: "walk",
  title: "all pages of the log (1 GiB), 1 MiB each",
  about:
    "`workspace.pages` from the first line to the last, in a new workspace each time.",
  async measure({ data: { root, log }, quick }) {
    const walk = async (workspace = openWorkspace(root, NO_CACHE)) => {
      let lines = 0;
      const options = { maxBytes: MIB };
      for await (const page of (await workspace).pages(log.path, options)) {
        lines += page.lines.length;
      }
      // A line that is divided between two pages counts twice.
      if (lines < log.lines || lines > log.lines * 1.01) {
        throw new Error(`Wrong answer: ${lines} lines of ${log.lines}`);
      }
    };
    const { workspace, bytes } = await countedWorkspace(root);
    await walk(Promise.resolve(workspace));
    // Through a pipe: `cat` skips the copy to /dev/null.
    const path = join(root, log.path);
    const cat = contender("cat", ["sh", "-c", 'cat "$0" | tail -c 1', path]);
    const times = await race([{ name: "ours", run: () => walk() }, cat], {
      rounds: quick ? 3 : 5,
      calls: 1,
    });
    return [
      {
        subject: "Workspace.pages",
        against: "cat",
        value: times.ratio("ours", cat.name),
        unit: "×",
        limit: 12,
        inReadme: false,
        medians: [times.median("ours"), times.median(cat.name)],
      },
      {
        subject: "bytes read by Workspace.pages",
        against: "bytes of the log",
        value: bytes() / (quick ? 64 * MIB : 1024 * MIB),
        unit: "×",
        limit: 1.1,
      },
    ];
  },
};
