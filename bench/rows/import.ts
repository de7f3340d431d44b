// What importing mod.ts adds to a script, once the runtime's caches are warm.
import type { Row } from "../check.ts";
import { childCommand, RUNTIME } from "../host.ts";
import { contender } from "../processes.ts";
import { race } from "../stats.ts";

export const IMPORT: Row = {
  name: "import",
  title: "import of mod.ts, warm, over an empty script",
  async measure({ quick }) {
    const [empty, ours] = ["empty.ts", "import.ts"] as const;
    const times = await race(
      [empty, ours].map((script) => contender(script, childCommand(script))),
      { rounds: quick ? 11 : 41, calls: 1 },
    );
    return [{
      subject: "import of mod.ts",
      against: "an empty script",
      value: times.difference(ours, empty) / 1000,
      unit: "ms",
      limit: RUNTIME === "Deno" ? 15 : null,
      medians: [times.median(ours), times.median(empty)],
    }];
  },
};
