// A whole file of 1 MiB.
import { join } from "node:path";
import {
  createOpenFile,
  createToolkitReadFile,
  openWorkspace,
} from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import { decodeRaw } from "../raw.ts";
import { race } from "../stats.ts";
import { mustHold } from "../tools.ts";
import { NO_CACHE } from "../no_cache.ts";

export const WHOLE: Row = {
  name: "whole",
  title: "whole-file read of 1 MiB",
  about: "A tool call that shows all 480 lines of a file.",
  async measure({ data: { root, whole: path }, quick }) {
    const workspace = await openWorkspace(root, NO_CACHE);
    const openFile = createOpenFile(workspace);
    const toolkit = createToolkitReadFile(workspace);
    const ours = [
      { name: "open_file", run: () => openFile.call({ file_path: path }) },
      {
        name: "toolkit_read_file",
        run: () => toolkit.call({ path, max_lines: 500 }),
      },
    ];
    const raw = { name: "raw", run: () => decodeRaw(join(root, path)) };
    const text = raw.run();
    for (const { run } of ours) {
      mustHold(await run(), JSON.stringify(text.slice(-2000, -2)).slice(1, -1));
    }
    const times = await race([raw, ...ours], {
      rounds: quick ? 21 : 41,
      calls: 20,
      warm: 10,
    });
    return ours.map(({ name }): Check => ({
      subject: name,
      against: "raw read + TextDecoder",
      value: times.ratio(name, raw.name),
      unit: "×",
      limit: 1.5,
      medians: [times.median(name), times.median(raw.name)],
    }));
  },
};
