import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileHandle,
  type FileStat,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Workspace,
} from "../../../mod.ts";
import { MAX_UNSIZED_BYTES } from "../../../src/core/base/limits.ts";

/** A workspace with one file; consecutive calls of `stat` return `sizes`, and `times`. */
async function workspaceOf(
  content: Uint8Array,
  sizes: readonly number[],
  times: readonly Partial<FileStat>[] = [],
): Promise<{ readonly workspace: Workspace; readonly handles: () => number }> {
  const fs = memoryFs({ "/ws/a": "" });
  let open = 0;
  const port: FsPort = {
    ...fs,
    async open(path): Promise<FileHandle> {
      const handle = await fs.open(path);
      const first = await handle.stat();
      let looks = 0;
      open++;
      return {
        ...handle,
        stat: () => ({
          ...first,
          mtimeMs: 1_000,
          ...times[Math.min(looks, times.length - 1)],
          size: sizes[Math.min(looks++, sizes.length - 1)]!,
        }),
        // Reads give a few bytes at a time, as from `/proc`.
        read(buffer, position) {
          const part = content.subarray(position, position + 1_000)
            .subarray(0, buffer.length);
          buffer.set(part);
          return part.length;
        },
        close: () => void open--,
      };
    },
  };
  const workspace = await openWorkspace("/ws", { fs: port });
  return { workspace, handles: () => open };
}

describe("a file of size 0 that has content", () => {
  const content = "name\tvalue\n".repeat(1_000);

  it("is read to its end", async () => {
    const bytes = new TextEncoder().encode(content);
    const { workspace, handles } = await workspaceOf(bytes, [0]);
    const all = await workspace.read("a");
    assertEquals(all.text, content);
    const { lines } = await workspace.read("a", { tail: 1 });
    const last = { number: 1_000, column: 1, text: "name\tvalue" };
    assertEquals(lines, [{ ...last, ending: "\n" }]);
    assertEquals(handles(), 0);
  });
  it("has several pages", async () => {
    const bytes = new TextEncoder().encode(content);
    const { workspace } = await workspaceOf(bytes, [0]);
    let text = "";
    for await (const page of workspace.pages("a", { count: 99 })) {
      text += new TextDecoder().decode(page.bytes());
    }
    assertEquals(text, content);
  });
  for (const times of [{ mtimeMs: 2_000 }, { ctimeMs: 2_000 }]) {
    it(`was written and emptied again if it has other times: ${Object.keys(times)}`, async () => {
      const bytes = new TextEncoder().encode(content);
      const before = { mtimeMs: 1_000, ctimeMs: 1_000 };
      const after = { ...before, ...times };
      const { workspace, handles } = await workspaceOf(bytes, [0], [
        before,
        after,
      ]);
      const { code } = await assertRejects(
        () => workspace.read("a"),
        ReadFileError,
      );
      assertEquals([code, handles()], ["CHANGED", 0]);
    });
  }
  it("is another version if its content changed, even with equal times", async () => {
    const bytes = new TextEncoder().encode(content);
    const { workspace } = await workspaceOf(bytes, [0]);
    const page = await workspace.read("a", { count: 9 });
    bytes.fill(0x61, 0, 4);
    const { code } = await assertRejects(
      () => workspace.read("a", page.next!),
      ReadFileError,
    );
    assertEquals(code, "CHANGED");
  });
  it("is TOO_LARGE if it does not end", async () => {
    const full = new Uint8Array(MAX_UNSIZED_BYTES).fill(0x61);
    const most = await workspaceOf(full, [0]);
    assertEquals((await most.workspace.read("a")).bytes(), full);
    const longer = new Uint8Array(MAX_UNSIZED_BYTES * 3).fill(0x61);
    const { workspace, handles } = await workspaceOf(longer, [0]);
    const { code } = await assertRejects(
      () => workspace.read("a"),
      ReadFileError,
    );
    assertEquals([code, handles()], ["TOO_LARGE", 0]);
  });
  it("obeys the limits of the call", async () => {
    const bytes = new TextEncoder().encode(content);
    const { workspace } = await workspaceOf(bytes, [0]);
    const { code } = await assertRejects(
      () => workspace.read("a", { maxFileBytes: 99 }),
      ReadFileError,
    );
    assertEquals(code, "TOO_LARGE");
  });
});

describe("an empty file", () => {
  it("is empty although it grows while it is read", async () => {
    const bytes = new TextEncoder().encode("new\n");
    // A file that is not at rest is looked at twice when it is opened.
    const { workspace } = await workspaceOf(bytes, [0, 0, 4]);
    assertEquals((await workspace.read("a")).text, "");
  });
});
