import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  type MemoryFiles,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";

/** A port in memory that records the paths it opens, and counts its reads. */
function notingFs(files: MemoryFiles) {
  const fs = memoryFs(files);
  const opened: string[] = [];
  const noted = { reads: 0 };
  const port: FsPort = {
    ...fs,
    async open(path, ...rest) {
      opened.push(path);
      const handle = await fs.open(path, ...rest);
      return {
        ...handle,
        stat: () => handle.stat(),
        path: handle.path && (() => handle.path!()),
        close: () => handle.close(),
        read(buffer, position) {
          noted.reads++;
          return handle.read(buffer, position);
        },
      };
    },
  };
  return { port, opened, noted };
}

describe("an opened file", () => {
  it("is opened by its real path each time, also through a link", async () => {
    const files = { "/ws/real/a": "text", "/ws/link": { link: "real" } };
    const { port, opened } = notingFs(files);
    const workspace = await openWorkspace("/ws", { fs: port });
    for (let times = 0; times < 3; times++) {
      await (await workspace.open("link/a")).close();
    }
    assertEquals(opened, ["/ws/real/a", "/ws/real/a", "/ws/real/a"]);
  });
  it("is not read again after an abort", async () => {
    const { port, noted } = notingFs({ "/ws/a": "text" });
    const workspace = await openWorkspace("/ws", { fs: port });
    const controller = new AbortController();
    const { signal } = controller;
    const file = await workspace.open("a", { signal });
    const before = noted.reads;
    controller.abort();
    const error = await assertRejects(
      async () => await file.read(new Uint8Array(4), 0),
      ReadFileError,
    );
    assertEquals([error.code, noted.reads - before], ["ABORTED", 0]);
    await file.close();
  });
});
