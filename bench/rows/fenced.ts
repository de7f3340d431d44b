// The same fifty lines in a Deno that may read the workspace and nothing else.
import type { Check, Row } from "../check.ts";
import { childCommand, RUNTIME } from "../host.ts";
import { runProcess } from "../processes.ts";
import { median } from "../stats.ts";

/** Microseconds a call, as the child prints them. */
interface Parts {
  /** The whole tool call. */
  readonly call: number;
  /** The floor, in the same child. */
  readonly raw: number;
  /** The questions that prove where the open file is, when it is proved for the first time. */
  readonly challenge: number;
  /** One question of a challenge. */
  readonly question: number;
  /** What the challenges leave of the call. */
  readonly rest: number;
}

export const FENCED: Row = {
  name: "fenced",
  title: "the same under --allow-read=<workspace>",
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
      against: "the whole call",
      value: median(runs.map((run) => run[name] / run.call)),
      unit: "×",
      limit: null,
      medians: [of(name), of("call")],
    });
    return await [
      {
        subject: "open_file",
        against: "a whole call",
        value: of("call"),
        unit: "µs",
        limit: 400,
      },
      part("part of it: the challenges", "challenge"),
      part("part of it: one question of a challenge", "question"),
      part("part of it: all else", "rest"),
      {
        subject: "open_file",
        against: "raw real path + open + stat + read + close",
        value: median(runs.map(({ call, raw }) => call / raw)),
        unit: "×",
        limit: null,
        medians: [of("call"), of("raw")],
      },
    ];
  },
};
