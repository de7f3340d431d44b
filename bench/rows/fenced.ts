// The same fifty lines in a Deno that may read only the workspace.
import type { Check, Row } from "../check.ts";
import { childCommand, RUNTIME } from "../host.ts";
import { runProcess } from "../processes.ts";
import { median } from "../stats.ts";

/** Microseconds per call, as the child prints them. */
interface Parts {
  /** A call on a workspace that has not read the file before. */
  readonly first: number;
  /** A call on one that has. */
  readonly again: number;
  /** The raw calls, in the same child. */
  readonly raw: number;
  /** What a repeated call asks of the disk, alone. */
  readonly port: number;
  /** A repeated call whose disk takes no time. */
  readonly work: number;
}

export const FENCED: Row = {
  name: "fenced",
  title: "the same under --allow-read=<workspace>",
  about:
    "`open_file` where Deno does not let the process see the names of open files: the first read of a file proves by questions that it lies inside, and later ones rely on that.",
  async measure({ data: { root, small }, quick }) {
    if (RUNTIME === "Bun") return "Bun has no permissions";
    const command = childCommand("fenced.ts", [`--allow-read=${root}`]);
    const runs = Array.from(
      { length: quick ? 3 : 9 },
      (): Parts => JSON.parse(runProcess([...command, root, small])),
    );
    const of = (part: keyof Parts) => median(runs.map((run) => run[part]));
    const part = (subject: string, name: keyof Parts): Check => ({
      subject,
      against: "raw real path + open + stat + read + close",
      value: median(runs.map((run) => run[name] / run.raw)),
      unit: "×",
      limit: null,
      isInTable: true,
      medians: [of(name), of("raw")],
    });
    return await [
      {
        subject: "open_file, first read of a file",
        against: "a call",
        value: of("first"),
        unit: "µs",
        limit: 260,
      },
      {
        subject: "open_file, again",
        against: "raw real path + open + stat + read + close",
        value: median(runs.map(({ again, raw }) => again / raw)),
        unit: "×",
        limit: 1.8,
        inReadme: true,
        medians: [of("again"), of("raw")],
      },
      part("what it asks of the disk, alone", "port"),
      part("open_file, again, with a disk that takes no time", "work"),
    ];
  },
};
