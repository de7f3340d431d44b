// Repeated reads of a conversation: the same window, a price, a recheck, a delta.
import { join } from "node:path";
import { memoryFs, openWorkspace } from "../../mod.ts";
import type { Check, Row } from "../check.ts";
import { countedWorkspace } from "../counted.ts";
import { NO_CACHE } from "../no_cache.ts";
import { race } from "../stats.ts";
import { untilAtRest } from "./page.ts";

const WINDOW = { start: 21, count: 50 };
const PAGE = { start: 4001, end: 4200 };

/** 20,000 lines, about 1 MiB. */
const LINES = Array.from(
  { length: 20_000 },
  (_, at) => `${at + 1}: ${"the same words in each line ".repeat(2)}\n`,
);

export const AGAIN: Row = {
  name: "again",
  title: "what was read before",
  about:
    "50 lines of an 8 KiB file read again, from the cache and without it; 200 lines of 20,000 priced, rechecked, and read since one of them was edited.",
  async measure({ data: { root, small }, quick }) {
    await untilAtRest(join(root, small));
    const counted = await countedWorkspace(root, {});
    await counted.workspace.read(small, WINDOW);
    const before = counted.bytes();
    await counted.workspace.read(small, WINDOW);
    const bytes = counted.bytes() - before;

    const cached = await openWorkspace(root);
    const uncached = await openWorkspace(root, NO_CACHE);
    const open = (lines: readonly string[]) =>
      openWorkspace("/", {
        ...NO_CACHE,
        fs: memoryFs({ "/a": { content: lines.join(""), mtimeMs: 1 } }),
      });
    const first = await open(LINES);
    const edited = await open(LINES.with(4099, "new\n"));
    const moved = await open(["new\n", ...LINES]);
    const page = await first.read("a", PAGE);
    const { receipt } = page;
    const delta = await edited.read("a", { since: receipt });
    const told = JSON.stringify([
      await first.recheck("a", receipt),
      await moved.recheck("a", receipt),
      await edited.recheck("a", receipt),
      delta.lines.length,
    ]);
    if (told !== '[{"same":true},{"moved":1},{"changed":[[4100,4100]]},1]') {
      throw new Error(`Wrong answer: ${told}`);
    }
    const times = await race([
      { name: "cached", run: () => cached.read(small, WINDOW) },
      { name: "uncached", run: () => uncached.read(small, WINDOW) },
      { name: "page", run: async () => (await first.read("a", PAGE)).receipt },
      { name: "text", run: async () => (await first.read("a", PAGE)).lines },
      { name: "quote", run: () => first.quote("a", PAGE) },
      { name: "same", run: () => first.recheck("a", receipt) },
      { name: "moved", run: () => moved.recheck("a", receipt) },
      { name: "since", run: () => edited.read("a", { since: receipt }) },
    ], { rounds: quick ? 5 : 21, calls: 20, warm: 20 });
    const ratio = (
      subject: string,
      name: string,
      base: string,
      against: string,
    ): Check => ({
      ...{ subject, against, unit: "×", limit: null },
      value: times.ratio(name, base),
      medians: [times.median(name), times.median(base)],
    });
    return [
      {
        subject: "Workspace.read, the same 50 lines again",
        against: "bytes read",
        value: bytes / 1024,
        unit: "KiB",
        limit: 0,
      },
      ratio(
        "Workspace.read, the same 50 lines again",
        "cached",
        "uncached",
        "the same without a cache",
      ),
      {
        subject: "lines of a page since one of 200 was edited",
        against: "lines of the page",
        value: delta.lines.length / page.lines.length,
        unit: "×",
        limit: 10 / 200,
      },
      ratio(
        "Workspace.quote of 200 lines",
        "quote",
        "text",
        "read of 200 lines",
      ),
      ratio("Workspace.recheck, the same", "same", "page", "read of 200 lines"),
      ratio("Workspace.recheck, moved", "moved", "page", "read of 200 lines"),
      ratio(
        "Workspace.read since one line was edited",
        "since",
        "page",
        "read of 200 lines",
      ),
    ];
  },
};
