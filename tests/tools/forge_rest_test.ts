import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createForgeRead,
  memoryFs,
  openWorkspace,
  respond,
} from "../../mod.ts";

const LINES = Array.from({ length: 9 }, (_, at) => `line ${at + 1}\n`);

const NOTE = /^more lines follow; continue with (\{.*\})$/;

describe("Read, whose limit or head leaves out lines", () => {
  const cases = [
    [{ limit: 4 }, LINES],
    [{ head: 2 }, LINES],
    [{ start_line: 3, limit: 2 }, LINES.slice(2)],
    [{ start_line: 2, end_line: 7, limit: 4 }, LINES.slice(1, 7)],
    [{ end_line: 5, limit: 5 }, LINES.slice(0, 5)],
    [{ head: 9 }, LINES],
    [{ start_line: 2, end_line: 4 }, LINES.slice(1, 4)],
  ] as const;
  for (const [args, expected] of cases) {
    it(`names the call that goes on: ${JSON.stringify(args)}`, async () => {
      const fs = memoryFs({ "/ws/a.txt": LINES.join("") });
      const tool = createForgeRead(await openWorkspace("/ws", { fs }));
      let shown = "";
      let next: unknown = { ...args, show_line_numbers: false, path: "a.txt" };
      while (next !== undefined) {
        const { ok, content, notes = [] } = await respond(tool, next);
        assertEquals(ok, true);
        shown += content;
        const [call] = notes.flatMap((note) => NOTE.exec(note)?.[1] ?? []);
        assertEquals(notes.length, call === undefined ? 0 : 1);
        next = call;
      }
      assertEquals(shown, expected.join(""));
    });
  }
  it("says nothing of lines after an explicit end, or after a tail", async () => {
    const fs = memoryFs({ "/ws/a.txt": LINES.join("") });
    const tool = createForgeRead(await openWorkspace("/ws", { fs }));
    for (const args of [{ start_line: 1, end_line: 3 }, { tail: 2 }]) {
      const { notes } = await respond(tool, { ...args, path: "a.txt" });
      assertEquals(notes, undefined);
    }
  });
  it("takes a path of blanks for an empty one", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({}) });
    const { content } = await respond(createForgeRead(workspace), {
      path: " \t ",
    });
    assertEquals(content.split("\n")[0], "path must not be empty");
  });
});
