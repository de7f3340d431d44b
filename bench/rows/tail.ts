// The last twenty lines of the log.
import { statSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, readFile, type Workspace } from "../../mod.ts";
import type { Row } from "../check.ts";
import { countedWorkspace } from "../counted.ts";
import { contender, EMPTY, runProcess } from "../processes.ts";
import { readRawEnd } from "../raw.ts";
import { race } from "../stats.ts";

const LINES = 20;
const WARM = 50;

export const TAIL: Row = {
  name: "tail",
  title: "last 20 lines of the log",
  async measure({ data: { root, log }, quick }) {
    const path = join(root, log.path);
    const { size } = statSync(path);
    const last = (workspace: Workspace) =>
      readFile(workspace, log.path, { kind: "tail", count: LINES });

    const counted = await countedWorkspace(root);
    const { text } = await last(counted.workspace);
    const bytes = counted.bytes();
    if (text !== runProcess(["tail", "-n", `${LINES}`, path])) {
      throw new Error("Wrong answer: tail finds other lines");
    }
    const workspace = await openWorkspace(root);
    const ours = { name: "ours", run: () => last(workspace) };
    const buffers = [
      { name: "raw", bytes },
      { name: "raw block", bytes: 8 * 1024 },
    ];
    const raw = buffers.map(({ name, bytes }) => {
      const buffer = new Uint8Array(bytes);
      return { name, run: () => readRawEnd(path, size, buffer) };
    });
    const micro = await race([ours, ...raw], {
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
        subject: "readFile, tail",
        against: "bytes read",
        value: bytes / 1024,
        unit: "KiB",
        limit: 128,
      },
      {
        subject: "readFile, tail",
        against: "raw open + one read of the same bytes + close",
        value: micro.ratio("ours", "raw"),
        unit: "×",
        limit: 3,
        medians: [own, micro.median("raw")],
      },
      {
        subject: "readFile, tail",
        against: "raw open + one read of 8 KiB + close",
        value: micro.ratio("ours", "raw block"),
        unit: "×",
        limit: null,
        medians: [own, micro.median("raw block")],
      },
      {
        subject: "readFile, tail",
        against: tail.name,
        value: macro.ratio("ours", tail.name),
        unit: "×",
        limit: null,
        medians: [macro.median("ours"), macro.median(tail.name)],
      },
      {
        subject: "readFile, tail",
        against: EMPTY.name,
        value: macro.ratio("ours", EMPTY.name),
        unit: "×",
        limit: null,
        medians: [macro.median("ours"), macro.median(EMPTY.name)],
      },
    ];
  },
};
