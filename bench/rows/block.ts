// A block selected by indentation, in the middle of 50,000 lines.
import { join } from "node:path";
import { createCodexReadFile, openWorkspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { decodeRaw } from "../raw.ts";
import { race } from "../stats.ts";
import { mustHold } from "../tools.ts";
import { NO_CACHE } from "../no_cache.ts";

export const BLOCK: Row = {
  name: "block",
  title: "codex indentation on 2 MiB, 50,000 lines",
  about:
    "The block around a line in the middle of a file of nested blocks, by `codex_read_file`.",
  async measure({ data: { root, code }, quick }) {
    const tool = createCodexReadFile(await openWorkspace(root, NO_CACHE));
    const path = join(root, code.path);
    const anchor = code.lines / 2 + 20;
    const request = {
      file_path: path,
      offset: anchor,
      mode: "indentation" as const,
      indentation: { anchor_line: anchor, max_levels: 2 },
    };
    mustHold(await tool.call(request), `L${anchor}: `, `step(${anchor - 1})`);
    const times = await race([
      { name: "ours", run: () => tool.call(request) },
      { name: "raw", run: () => decodeRaw(path) },
    ], { rounds: quick ? 11 : 41, calls: 10, warm: 10 });
    return [{
      subject: "codex_read_file",
      against: "raw read + TextDecoder",
      value: times.ratio("ours", "raw"),
      unit: "×",
      limit: 3,
      medians: [times.median("ours"), times.median("raw")],
    }];
  },
};
