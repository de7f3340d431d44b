// The last twenty lines of the log.
import { statSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { countedWorkspace } from "../counted.ts";
import { limitFor } from "../host.ts";
import { contender, EMPTY, runProcess } from "../processes.ts";
import { floorsOf, partsOf } from "../port_calls.ts";
import { readRawEnd } from "../raw.ts";
import { race } from "../stats.ts";
import { NO_CACHE } from "../no_cache.ts";
import { untilAtRest } from "./page.ts";

const LINES = 20;
const WARM = 50;

/** How many bytes the raw read reads: a fixed number, so that reading fewer is faster. */
const RAW_BYTES = 64 * 1024;

export const TAIL: Row = {
  name: "tail",
  title: "last 20 lines of the log",
  about:
    "`workspace.read` with a `tail` of 20 that is not `numbered`, so that only the end of the file is read.",
  async measure({ data: { root, log }, quick }) {
    const path = join(root, log.path);
    const { size } = statSync(path);
    const last = (workspace: Workspace) =>
      workspace.read(log.path, { tail: LINES, numbered: false });

    await untilAtRest(path);
    const counted = await countedWorkspace(root);
    const { text } = await last(counted.workspace);
    const bytes = counted.bytes();
    if (text !== runProcess(["tail", "-n", `${LINES}`, path])) {
      throw new Error("Wrong answer: tail finds other lines");
    }
    const workspace = await openWorkspace(root, NO_CACHE);
    const ours = { name: "ours", run: () => last(workspace) };
    const buffer = new Uint8Array(RAW_BYTES);
    const raw = { name: "raw", run: () => readRawEnd(path, size, buffer) };
    const parts = await partsOf(root, (workspace) => () => last(workspace));
    const micro = await race([ours, raw, ...parts], {
      rounds: quick ? 11 : 41,
      calls: 200,
      warm: WARM,
    });
    const tail = contender("tail -n 20", ["tail", "-n", `${LINES}`, path]);
    const macro = await race([ours, tail, EMPTY], {
      rounds: quick ? 11 : 41,
      calls: 1,
    });
    const own = micro.median("ours");
    return [
      {
        subject: "workspace.read, tail",
        against: "bytes read",
        value: bytes / 1024,
        unit: "KiB",
        limit: 128,
      },
      {
        subject: "workspace.read, tail",
        against: "raw open + one read of 64 KiB + close",
        value: micro.ratio("ours", "raw"),
        unit: "×",
        limit: limitFor({ Deno: 3.5, Bun: 2.8 }),
        inReadme: true,
        medians: [own, micro.median("raw")],
      },
      ...floorsOf("tail", "raw open + one read of 64 KiB + close", micro),
      {
        subject: "workspace.read, tail",
        against: tail.name,
        value: macro.ratio("ours", tail.name),
        unit: "×",
        limit: null,
        medians: [macro.median("ours"), macro.median(tail.name)],
      },
      {
        subject: "workspace.read, tail",
        against: EMPTY.name,
        value: macro.ratio("ours", EMPTY.name),
        unit: "×",
        limit: null,
        medians: [macro.median("ours"), macro.median(EMPTY.name)],
      },
    ];
  },
};
