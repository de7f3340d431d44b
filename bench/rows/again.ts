// Repeated reads of a conversation: the same window, and what has changed.
import { join } from "node:path";
import { changesBetween, memoryFs, openWorkspace } from "../../mod.ts";
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
    "50 lines of an 8 KiB file read again, from the cache and without it; 200 lines of 20,000 compared with the same lines after an edit.",
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
    const page = await first.read("a", PAGE);
    const after = await edited.read("a", PAGE);
    const told = changesBetween(page, after).hunks.map(({ kind }) => kind);
    if (told.join() !== "same,changed,same") {
      throw new Error(`Wrong answer: ${told}`);
    }
    const times = await race([
      { name: "cached", run: () => cached.read(small, WINDOW) },
      { name: "uncached", run: () => uncached.read(small, WINDOW) },
      { name: "text", run: async () => (await first.read("a", PAGE)).lines },
      { name: "changes", run: () => changesBetween(page, after) },
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
      ratio(
        "changesBetween, one of 200 lines edited",
        "changes",
        "text",
        "read of 200 lines",
      ),
    ];
  },
};
