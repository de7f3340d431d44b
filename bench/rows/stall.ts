// How long a scan of the log keeps the event loop from everyone else.
import { openWorkspace, readFile } from "../../mod.ts";
import type { Row } from "../check.ts";
import { median } from "../stats.ts";

export const STALL: Row = {
  name: "stall",
  title: "longest stall of the event loop, scanning the log",
  async measure({ data: { root, log }, quick }) {
    const scan = async () => {
      const first = { kind: "lines", start: 1, count: 1 } as const;
      const workspace = await openWorkspace(root);
      await readFile(workspace, log.path, first, { countAll: true });
    };
    await scan();
    const began = performance.now();
    await scan();
    const lasted = performance.now() - began;
    const idle = () => new Promise((resolve) => setTimeout(resolve, lasted));
    const stalls: number[] = [];
    const idles: number[] = [];
    for (let round = 0; round < (quick ? 5 : 15); round++) {
      stalls.push(await longestStall(scan));
      idles.push(await longestStall(idle));
    }
    const check = (against: string, value: number, limit: number | null) =>
      ({
        subject: "readFile, countAll",
        against,
        value,
        unit: "ms",
        limit,
      }) as const;
    return [
      check("longest stall, median of the scans", median(stalls), 20),
      check("longest stall of all scans", Math.max(...stalls), null),
      check("longest stall of an idle loop as long", median(idles), null),
    ];
  },
};

/** The longest time between two turns of a timer while `work` goes on. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
