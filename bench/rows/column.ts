// A column deep in a line that is as long as its file.
import { closeSync, ftruncateSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { contender } from "../processes.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";

const MIB = 1024 * 1024;
const WIDTH = 80;

export const COLUMN: Row = {
  name: "column",
  title: "column 1,000,000,000 of a line of 1 GiB",
  about:
    "`workspace.read` of 80 columns in a sparse file of NULs, compared with reading the whole file and counting its bytes.",
  async measure({ data: { root }, quick }) {
    const path = "line.txt";
    const file = join(root, path);
    const fd = openSync(file, "w");
    ftruncateSync(fd, (quick ? 64 : 1024) * MIB);
    closeSync(fd);
    const column = quick ? 60_000_000 : 1_000_000_000;
    try {
      const read = async () => {
        const workspace = await openWorkspace(root, NO_CACHE);
        return await workspace.read(path, { start: 1, column, width: WIDTH });
      };
      const [line] = (await read()).lines;
      if (line?.column !== column || line.text.length !== WIDTH) {
        throw new Error(`Wrong answer: ${JSON.stringify(line).slice(0, 200)}`);
      }
      const count = ["sh", "-c", 'cat "$0" | wc -c', file] as const;
      const wc = contender("cat to wc -c", count);
      const times = await race([{ name: "ours", run: read }, wc], {
        rounds: quick ? 3 : 5,
        calls: 1,
      });
      return [{
        subject: "workspace.read",
        against: wc.name,
        value: times.ratio("ours", wc.name),
        unit: "×",
        limit: 3,
        medians: [times.median("ours"), times.median(wc.name)],
      }];
    } finally {
      rmSync(file);
    }
  },
};
