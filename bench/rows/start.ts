// The cost of starting, compared with an empty script, with warm caches of the runtime.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check, Row } from "../check.ts";
import { childCommand, limitFor } from "../host.ts";
import { writeHollow } from "../hollow.ts";
import { contender, runProcess } from "../processes.ts";
import { race } from "../stats.ts";
import { mustHold } from "../tools.ts";

/** The lower bound of an import: as many modules without content. */
const HOLLOW = "import of as many empty modules";

export const START: Row = {
  name: "start",
  title: "starting, warm, over an empty script",
  about:
    "A process that imports `mod.ts`, one that also makes a first tool call, and the command line with `FILE:1-20`, each less a process that runs an empty script. The same number of modules with only their imports shows the cost of finding and linking them.",
  async measure({ data: { root, small }, quick }) {
    const hollow = mkdtempSync(join(tmpdir(), "read-file-hollow-"));
    const commands = {
      "an empty script": childCommand("empty.ts"),
      [HOLLOW]: childCommand(writeHollow(hollow)),
      "import of mod.ts": childCommand("import.ts"),
      "import and a first open_file": [
        ...childCommand("first.ts"),
        root,
        small,
      ],
      "the command line, FILE:1-20": [
        ...childCommand("../../mod.ts"),
        `${join(root, small)}:1-20`,
        "--workspace",
        root,
      ],
    } as const;
    mustHold(runProcess(commands["import and a first open_file"]), "20 lorem");
    mustHold(runProcess(commands["the command line, FILE:1-20"]), "20 lorem");
    const times = await race(
      Object.entries(commands).map(([name, command]) =>
        contender(name, command)
      ),
      { rounds: quick ? 11 : 41, calls: 1 },
    );
    rmSync(hollow, { recursive: true });
    const empty = "an empty script";
    const check = (
      subject: keyof typeof commands,
      limit: number | null,
    ): Check => ({
      subject,
      against: empty,
      value: times.difference(subject, empty) / 1000,
      unit: "ms",
      limit,
      medians: [times.median(subject), times.median(empty)],
    });
    const first = limitFor({ Deno: 32, Bun: 22 });
    return [
      check("import of mod.ts", limitFor({ Deno: 15, Bun: null })),
      {
        subject: HOLLOW,
        against: "import of mod.ts, both less an empty script",
        value: times.difference(HOLLOW, empty) /
          times.difference("import of mod.ts", empty),
        unit: "×",
        limit: null,
        isInTable: true,
        medians: [times.median(HOLLOW), times.median("import of mod.ts")],
      },
      {
        ...check("import and a first open_file", first),
      },
      check("the command line, FILE:1-20", limitFor({ Deno: 40, Bun: 25 })),
    ];
  },
};
