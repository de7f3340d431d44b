import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  respond,
  ToolkitReadFileError,
} from "../../mod.ts";

const text = Array.from(
  { length: 50 },
  (_, at) => at % 10 === 4 ? `TODO ${at + 1}\n` : `line ${at + 1}\n`,
).join("");
const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": text }) });
const tool = createToolkitReadFile(workspace, { find: true });

describe("createToolkitReadFile() with find", () => {
  it("is exactly the original tool without the option, or without match", async () => {
    const plain = createToolkitReadFile(workspace);
    const names = Object.keys(plain.definition.parameters.properties ?? {});
    assertEquals(names, ["path", "start_line", "max_lines"]);
    const args = { path: "a", start_line: 3, max_lines: 4 };
    assertEquals(await tool.call(args), await plain.call(args));
  });

  it("shows every hit once, by following next_start_line", async () => {
    const found: string[] = [];
    let start: number | null = 1;
    while (start !== null) {
      const args = { path: "a", match: "TODO", after: 1, max_lines: 4 };
      const asked = { ...args, start_line: start };
      const output = await tool.call(asked as never);
      assert(output.meta.returned_line_count <= 4);
      assertEquals(output.meta.line_count, 50);
      found.push(...output.content.split("\n"));
      start = output.next_start_line;
    }
    assertEquals(found.filter((line) => line.includes("TODO")), [
      ...["5\tTODO 5", "15\tTODO 15", "25\tTODO 25"],
      ...["35\tTODO 35", "45\tTODO 45"],
    ]);
    assertEquals(found.length, 10);
  });

  it("notes bytes that are not UTF-8, and another encoding", async () => {
    const fs = memoryFs({
      "/ws/a": Uint8Array.of(0x61, 0x0a, 0x62, 0xe9, 0x0a),
    });
    const workspace = await openWorkspace("/ws", { fs });
    const notesOf = async (encoding?: string) => {
      const tool = createToolkitReadFile(workspace, {
        find: true,
        ...(encoding !== undefined && { encoding }),
      });
      return (await respond(tool, { path: "a", match: "b" })).notes;
    };
    assertEquals(await notesOf(), [
      "bytes that are not UTF-8 are shown as U+FFFD from line 2 on",
    ]);
    assertEquals(await notesOf("windows-1252"), [
      "the file was read as windows-1252 (asked)",
    ]);
  });
  it("notes that no line matches", async () => {
    const none = { path: "a", match: "needle" };
    const { ok, notes } = await respond(tool, none);
    assertEquals([ok, notes], [true, [
      "no line from line 1 on contains the match; the file has 50 lines",
    ]]);
    const last = { path: "a", match: "TODO", start_line: 46 };
    assertEquals((await respond(tool, last)).notes, [
      "no line from line 46 on contains the match; the file has 50 lines",
    ]);
  });
  it("explains wrong arguments", async () => {
    for (
      const [args, problem] of [
        [{ match: 7 }, "match must be a string"],
        [{ match: "" }, "match must not be empty"],
        [{ match: "a", before: -1 }, "before must be an integer >= 0"],
        [{ match: "a", before: 9, max_lines: 5 }, "max_lines is 5"],
      ] as const
    ) {
      const error = await assertRejects(
        () => tool.call({ path: "a", ...args } as never),
        ToolkitReadFileError,
      );
      assertEquals(error.toolkitCode, "INVALID_ARGUMENT");
      assert(error.message.includes(problem), error.message);
    }
  });
});

describe("a match in a long line, of the toolkit's read_file", () => {
  it("shows the line whole, since the next call names no column", async () => {
    const long = `${"a".repeat(3000)} hit ${"b".repeat(3000)}`;
    const fs = memoryFs({ "/ws/a.txt": `${long}\n${long}\nhit\n` });
    const workspace = await openWorkspace("/ws", { fs });
    const tool = createToolkitReadFile(workspace, { find: true });
    const first = { path: "a.txt", match: "hit", max_lines: 1 };
    const shown: string[] = [];
    for (let start: number | null = 1; start !== null;) {
      const output = await tool.call({ ...first, start_line: start });
      shown.push(output.content);
      start = output.next_start_line;
    }
    assertEquals(shown, [`1\t${long}`, `2\t${long}`, "3\thit"]);
  });
});
