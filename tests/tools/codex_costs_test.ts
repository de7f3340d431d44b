import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  type FileHandle,
  type FsPort,
  memoryFs,
  openWorkspace,
} from "../../mod.ts";
import { rangeOf, sketch } from "../support/codex.ts";
import { countingFs } from "../support/counting_fs.ts";

const A = (count: number) => "a".repeat(count);

describe("codex read_file costs", () => {
  it("keeps only the shown part of a line of 50 MB", async () => {
    const { fs, largest } = longLine(50_000_000);
    const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
    const { content } = await tool.call({ file_path: "/ws/a" });
    assertEquals(content, `L1: ${A(500)}`);
    assert(largest() <= 1 << 20, `asked for ${largest()} bytes at once`);
  });

  it("keeps only the shown part of a line of 50 MB in a block", async () => {
    const { fs, largest } = longLine(50_000_000);
    const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
    const block = { file_path: "/ws/a", mode: "indentation" } as const;
    assertEquals((await tool.call(block)).content, `L1: ${A(500)}`);
    assert(largest() <= 1 << 20, `asked for ${largest()} bytes at once`);
  });

  it("reads a large file only up to the end of the block", async () => {
    const block = sketch("0 4 8 4 0");
    const rest = "0123456789\n".repeat(1_000_000);
    const fs = countingFs(memoryFs({ "/ws/a": block + rest }));
    const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
    const indentation = { anchor_line: 3, max_levels: 1 };
    const args = {
      file_path: "/ws/a",
      mode: "indentation",
      indentation,
    } as const;
    assertEquals(rangeOf((await tool.call(args)).content), "2-4");
    assert(fs.counts.bytes <= 256 * 1024, `${fs.counts.bytes} bytes were read`);
    assertEquals(fs.counts.open, 0);
  });

  for (const line of ["\n", "    some code here\n", `${"y".repeat(9000)}\n`]) {
    for (const [where, share] of [["end", 1], ["middle", 0.5]] as const) {
      it(`reads each byte a few times, from the ${where} of lines of ${line.length}`, async () => {
        const count = Math.floor(4_000_000 / (line.length + 3));
        const content = `x\n${line.repeat(count)}    y\n`;
        const fs = countingFs(memoryFs({ "/ws/a": content }));
        const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
        const args = {
          file_path: "/ws/a",
          limit: 1e10,
          mode: "indentation" as const,
          indentation: { anchor_line: 2 + Math.floor(count * share) },
        };
        const { content: shown } = await tool.call(args);
        assertEquals(shown.split("\n").length, count + 2);
        const times = fs.counts.bytes / content.length;
        assert(times < 16, `each byte was read ${times} times`);
      });
    }
  }
});

/** A port with one file `/ws/a` of one long line, and the size of its largest read. */
function longLine(size: number) {
  let largest = 0;
  const statOf = (path: string) => {
    const kind = path === "/ws/a" ? "file" as const : "directory" as const;
    return { kind, size, mtimeMs: 0, ctimeMs: 0, id: path };
  };
  const handle: FileHandle = {
    stat: () => statOf("/ws/a"),
    path: () => "/ws/a",
    close: () => {},
    read(buffer, position) {
      largest = Math.max(largest, buffer.length);
      const count = Math.min(buffer.length, size - position);
      buffer.fill(0x61, 0, count);
      return count;
    },
  };
  const fs: FsPort = {
    realPath: (path) => path,
    lstat: statOf,
    readLink: () => "",
    open: () => handle,
  };
  return { fs, largest: () => largest };
}
