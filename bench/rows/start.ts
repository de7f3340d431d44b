// The cost of starting, over an empty script, with warm caches of the runtime.
import { join } from "node:path";
import type { Check, Row } from "../check.ts";
import { childCommand, limitFor } from "../host.ts";
import { contender, runProcess } from "../processes.ts";
import { race } from "../stats.ts";
import { mustHold } from "../tools.ts";

export const START: Row = {
  name: "start",
  title: "starting, warm, over an empty script",
  about:
    "A process that imports `mod.ts`, one that makes a first tool call as well, and the command line with `FILE:1-20`, each less a process that runs an empty script.",
  async measure({ data: { root, small }, quick }) {
    const commands = {
      "an empty script": childCommand("empty.ts"),
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
        ...check("import and a first open_file", first),
        inReadme: true,
      },
      check("the command line, FILE:1-20", limitFor({ Deno: 40, Bun: 25 })),
    ];
  },
};
