// The same fifty lines in a Deno that may only read the workspace.
import type { Check, Row } from "../check.ts";
import { childCommand, RUNTIME } from "../host.ts";
import { runProcess } from "../processes.ts";
import { median } from "../stats.ts";

/** Microseconds per call, as the child prints them. */
interface Parts {
  /** A first call: the workspace has not read the file before. */
  readonly first: number;
  /** A later call. */
  readonly again: number;
  /** Only the system calls, in the same child. */
  readonly raw: number;
  /** Only the calls of the port in a later call. */
  readonly port: number;
  /** A later call with recorded answers of the port. */
  readonly work: number;
}

export const FENCED: Row = {
  name: "fenced",
  title: "the same under --allow-read=<workspace>",
  about:
    "`open_file` in a Deno that cannot see the paths of open files: the first read of a file proves by challenges that the file is inside, and later reads rely on this proof.",
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
        medians: [of("again"), of("raw")],
      },
      part("what it asks of the disk, alone", "port"),
      part("open_file, again, with a disk that takes no time", "work"),
    ];
  },
};
