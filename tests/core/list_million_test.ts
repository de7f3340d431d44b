// Not at the edge: the clock does not advance there, so calls never yield.
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { SLICE_MS } from "../../src/core/base/limits.ts";
import { withClock } from "../support/clock.ts";
import { follow, pathsOf } from "../support/listings.ts";
import { batchesIn } from "../../src/core/guard/lister.ts";

describe("Workspace.list() of a million entries", () => {
  const COUNT = 1_000_000;
  // Unsorted.
  const BATCHES = Array.from(
    { length: COUNT / 1000 },
    (_, batch) =>
      Array.from({ length: 1000 }, (_, at) => ({
        name: String(((1000 * batch + at) * 7919) % COUNT).padStart(6, "0"),
        kind: "file" as const,
      })),
  );
  const base = memoryFs({ "/ws/all/x": "" });
  let batches = 0;
  let onBatch = () => {};
  const fs: FsPort = {
    ...base,
    lstat: (path) => {
      const stat = base.lstat("/ws/all/x") as ReturnType<typeof JSON.parse>;
      return /\/\d+$/.test(path) ? { ...stat, id: path } : base.lstat(path);
    },
    async *list() {
      for (const batch of BATCHES) {
        batches++;
        onBatch();
        yield batch;
      }
    },
  };

  it("returns the first ones, and yields to timers", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    // Each read of the clock advances it by a fraction of a time slice.
    const { entries, next } = await withClock(
      SLICE_MS / 5000,
      () => workspace.list("all", { limit: 3 }),
    );
    clearInterval(timer);
    assertEquals(entries.map(({ path }) => path), [
      "000000",
      "000001",
      "000002",
    ]);
    assertEquals(next, { limit: 3, after: "000002" });
    assert(turns > 2, `${turns}`);
    const last = await workspace.list("all", { after: "999998" });
    assertEquals([pathsOf(last), last.next], [["999999"], null]);
  });
  it("ends early when it is aborted", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    const controller = new AbortController();
    const { signal } = controller;
    batches = 0;
    onBatch = () => batches === 3 && controller.abort();
    const error = await assertRejects(
      () => workspace.list("all", {}, { signal }),
      ReadFileError,
    );
    onBatch = () => {};
    assertEquals([error.code, batches], ["ABORTED", 3]);
  });
  it("ends a page of too many directories, and continues", async () => {
    const inner: FsPort = {
      ...fs,
      lstat: (path) =>
        /\/d\d+$/.test(path)
          ? { ...(base.lstat("/ws") as object), id: path } as never
          : fs.lstat(path),
      async *list(path) {
        if (path === "/ws") {
          yield ["d1", "d2", "d3"].map((name) => ({ name, kind: "directory" }));
        } else yield* batchesIn(fs, path, Infinity);
      },
    };
    const workspace = await openWorkspace("/ws", { fs: inner });
    const options = { depth: 2, glob: "000001" };
    const { found, calls } = await follow(workspace, ".", options);
    assertEquals(found, ["d1/000001", "d2/000001", "d3/000001"]);
    assert(calls > 1, `${calls}`);
  });
});
