import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  type ReadFileError,
} from "../../mod.ts";

const OLD = "old line\n".repeat(20_000);
const NEW = "new line\n".repeat(20_000);

/**
 * A file that is overwritten in place by as many bytes while it is read, with its
 * times set back: the first `torn` reads see what the writer has written by then,
 * and later ones see the new content.
 */
function tornFs(mtimeMs: number, torn: number): FsPort {
  const port = memoryFs({ "/a.txt": { content: NEW, mtimeMs } });
  const half = OLD.length / 2;
  let reads = 0;
  return {
    ...port,
    async open(path) {
      const handle = await port.open(path);
      return {
        ...handle,
        stat: () => handle.stat(),
        path: () => handle.path(),
        close: () => handle.close(),
        async read(buffer, position) {
          // The writer has passed the first half, and not the second one.
          const isTorn = reads++ < torn;
          const most = isTorn && position < half
            ? buffer.subarray(0, half - position)
            : buffer;
          const count = await handle.read(most, position);
          if (isTorn && position >= half) {
            const old = new TextEncoder().encode(
              OLD.slice(position, position + count),
            );
            buffer.set(old);
          }
          return count;
        },
      };
    },
  };
}

describe("a write in place during a read, with its times set back", () => {
  const cases = [
    {},
    { start: 9_990, count: 20 },
    { match: "line", limit: 15_000 },
    { tail: 10_005 },
    { start: 9_990, count: 20, maxLineBytes: 3 },
  ];
  for (const options of cases) {
    it(`is CHANGED if the file was just written: ${JSON.stringify(options)}`, async () => {
      const fs = tornFs(Date.now(), Infinity);
      const torn = await openWorkspace("/", { fs });
      const { text } = await torn.read("a.txt", options);
      // The control: such a read does see both versions.
      assertEquals([text.includes("old"), text.includes("new")], [true, true]);
      let noticed = 0;
      for (let most = 1; most <= 40; most++) {
        const port = tornFs(Date.now(), most);
        const workspace = await openWorkspace("/", { fs: port });
        try {
          const page = await workspace.read("a.txt", options);
          const seen = [page.text.includes("old"), page.text.includes("new")];
          // Both versions are only seen if the writer stands still during all reads.
          if (seen[0] && seen[1]) break;
        } catch (error) {
          assertEquals((error as ReadFileError).code, "CHANGED");
          noticed++;
        }
      }
      assertEquals(noticed > 0, true);
    });
  }

  it("shows in the times of a file at rest, whose bytes are read once", async () => {
    let reads = 0;
    const hour = 3_600_000;
    const port = memoryFs({
      "/a.txt": { content: "one\n", mtimeMs: Date.now() - hour },
    });
    const fs: FsPort = {
      ...port,
      async open(path) {
        const handle = await port.open(path);
        return {
          ...handle,
          read: (buffer, position) => (reads++, handle.read(buffer, position)),
        };
      },
    };
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a.txt")).text, "one\n");
    assertEquals(reads, 1);
  });
});

describe("a file that is written elsewhere, and then moved to its path", () => {
  /** The file has other sizes when it is looked at, in turn; at last its own. */
  const workspaceOn = async (...sizes: number[]) => {
    const content = { content: NEW, mtimeMs: Date.now() };
    const port = memoryFs({ "/a.txt": content });
    const open: FsPort["open"] = async (path) => {
      const handle = await port.open(path);
      return {
        ...handle,
        path: () => handle.path(),
        close: () => handle.close(),
        read: (buffer, position) => handle.read(buffer, position),
        stat: async () => {
          const stat = await handle.stat();
          return { ...stat, size: sizes.shift() ?? stat.size };
        },
      };
    };
    return await openWorkspace("/", { fs: { ...port, open } });
  };
  it("is read whole, though a part of it was there when it was opened", async () => {
    const workspace = await workspaceOn(NEW.length / 2);
    const page = await workspace.read("a.txt");
    assertEquals(page.size, NEW.length);
    assertEquals(page.totalLines, 20_000);
  });
  it("is opened anew if it was cut off meanwhile", async () => {
    const workspace = await workspaceOn(NEW.length, NEW.length / 2);
    assertEquals((await workspace.read("a.txt")).size, NEW.length);
  });
});
