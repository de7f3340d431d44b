// Counts all lines of the log.
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { contender, EMPTY, runProcess } from "../processes.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

export const COUNT: Row = {
  name: "count",
  title: "count all lines of the log (1 GiB)",
  about: "`workspace.read` with `countLines`, in a new workspace each time.",
  async measure({ data: { root, log }, quick }) {
    const path = join(root, log.path);
    const count = async () => {
      // A new workspace has no index of earlier rounds.
      const workspace = await openWorkspace(root, NO_CACHE);
      const first = { start: 1, count: 1, countLines: true };
      return (await workspace.read(log.path, first)).totalLines;
    };
    const theirs = Number.parseInt(runProcess(["wc", "-l", path]));
    const ours = await count();
    if (ours !== theirs || ours !== log.lines) {
      throw new Error(`Wrong answer: ${ours} lines, where wc finds ${theirs}`);
    }
    const wc = contender("wc -l", ["wc", "-l", path]);
    const times = await race(
      [{ name: "ours", run: count }, wc, EMPTY],
      { rounds: quick ? 5 : 9, calls: 1 },
    );
    const own = times.median("ours");
    const bare = times.difference(wc.name, EMPTY.name);
    return [
      {
        subject: "workspace.read, countLines",
        against: "wc -l",
        value: times.ratio("ours", wc.name),
        unit: "×",
        limit: 1.3,
        inReadme: true,
        medians: [own, times.median(wc.name)],
      },
      {
        subject: "workspace.read, countLines",
        against: "wc -l, less an empty process",
        value: own / bare,
        unit: "×",
        limit: null,
        medians: [own, bare],
      },
    ];
  },
};
