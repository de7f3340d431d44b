// Not at the edge: timers there belong to a request.
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../mod.ts";
import { SLICE_MS } from "../../src/core/base/limits.ts";
import { withClock } from "../support/clock.ts";

const MIB = 1024 ** 2;
const TIB = 1024 ** 4;

/** A file of `size` bytes without line feeds, which is read synchronously. */
function hugeFs(size: number): FsPort {
  const fs = memoryFs({ "/ws/a.txt": "" });
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      return {
        ...handle,
        stat: async () => ({ ...await handle.stat(), size }),
        read(buffer) {
          buffer.fill(0x61);
          return buffer.length;
        },
      };
    },
  };
}

// These tests end only if the timer that aborts the read can run.
describe("a long read yields to the event loop", () => {
  const reads: readonly (readonly [string, ReadOptions])[] = [
    ["looks for a line", { start: 2, count: 1 }],
    ["looks for the last line", { tail: 1 }],
    ["looks for its first line", { tail: 2, numbered: false }],
    ["counts the lines", { count: 1, maxBytes: 9, countLines: true }],
    ["clips a line", { count: 1, maxLineBytes: 5 }],
    ["looks for UTF-8", { maxLineBytes: 5, binary: "refuse-invalid" }],
    ["looks for a text", { match: "b" }],
  ];
  for (const [what, options] of reads) {
    it(`while it ${what}`, async () => {
      const workspace = await openWorkspace("/ws", { fs: hugeFs(TIB) });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      const { signal } = controller;
      const error = await assertRejects(
        () => workspace.read("a.txt", options, { signal }),
        ReadFileError,
      );
      assertEquals(error.code, "ABORTED");
    });
  }
  it("while it copies", async () => {
    const workspace = await openWorkspace("/ws", { fs: hugeFs(16 * MIB) });
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await withClock(SLICE_MS, () => workspace.read("a.txt"));
    clearInterval(timer);
    assert(turns > 0);
  });
});

describe("a listing", () => {
  it("looks at the clock after each entry that it describes", async () => {
    const names = Array.from({ length: 9 }, (_, at) => `f${at}`);
    const disk = memoryFs(
      Object.fromEntries(names.map((name) => [`/ws/d/${name}`, ""])),
    );
    let looks = 0;
    const seen: number[] = [];
    const fs: FsPort = {
      ...disk,
      lstat(path) {
        if (path.startsWith("/ws/d/")) seen.push(looks);
        return disk.lstat(path);
      },
    };
    const workspace = await openWorkspace("/ws", { fs });
    const clock = () => {
      looks++;
      return 0;
    };
    await withClock(clock, () => workspace.list("d"));
    assertEquals(seen.length, names.length);
    // Each time later than before: no two of them are in one step.
    assertEquals([...new Set(seen)], seen);
  });
});

describe("a read from a synchronous disk ends in the same turn of the event loop", () => {
  const lines = "one\n".repeat(2_000);
  const request = { path: "/ws/b/c.txt", start: 101, end: 150 };
  const { path: file_path, start: start_line, end: end_line } = request;
  const count = end_line - start_line + 1;

  it("by read(), and by each tool", async () => {
    const fs = memoryFs({ "/ws/b/c.txt": lines, "/ws/b/d.txt": lines });
    const workspace = await openWorkspace("/ws", { fs });
    const openFile = createOpenFile(workspace);
    const toolkit = createToolkitReadFile(workspace);
    const forge = createForgeRead(workspace);
    const codex = createCodexReadFile(workspace);
    const range = { path: file_path, start_line, end_line };
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      all: () => workspace.read(file_path),
      tail: () => workspace.read(file_path, { tail: 3 }),
      openFile: () => openFile.call({ file_path, start_line, end_line }),
      toolkit: () =>
        toolkit.call({ path: "b/c.txt", start_line, max_lines: count }),
      forge: () => forge.call(range),
      codex: () => codex.call({ file_path, offset: start_line, limit: count }),
    };
    for (const [what, work] of Object.entries(works)) {
      // Wait for an idle gap, so that earlier calls have used none of the slice.
      await new Promise((resolve) => setTimeout(resolve, 2 * SLICE_MS));
      let isLate = false;
      const timer = setTimeout(() => isLate = true, 0);
      await withClock(0, work);
      clearTimeout(timer);
      assert(!isLate, `${what} came after a timer`);
    }
  });
});
