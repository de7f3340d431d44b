import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  memoryFs,
  openFile,
  OpenFileError,
  openWorkspace,
  ReadFileError,
  respond,
} from "../../mod.ts";

const fs = memoryFs({
  "/ws/a.txt": "1\r\n2\n3\n4\n5",
  "/ws/a b%.txt": "odd",
  "/x": "out",
});
const workspace = await openWorkspace("/ws", { fs });

describe("createOpenFile() with context and numbers", () => {
  const range = { file_path: "a.txt", start_line: 2, end_line: 3 };

  it("is exactly the original tool without them", async () => {
    const { parameters } = createOpenFile(workspace).definition;
    const names = Object.keys(parameters.properties ?? {});
    assertEquals(names, ["file_path", "start_line", "end_line"]);
    const tool = createOpenFile(workspace);
    assertEquals(await tool.call(range), "2\n3\n");
    const asked = { ...range, context: 1 };
    const { ok, content } = await respond(tool, asked);
    assert(!ok);
    assert(content.includes("context"), content);
  });

  it("shows the existing lines around a range", async () => {
    const tool = createOpenFile(workspace, { context: 1 });
    assertEquals(await tool.call(range), "1\r\n2\n3\n4\n");
    const { call } = createOpenFile(workspace, { context: 0 });
    assertEquals(await call(range), "2\n3\n");
    assertEquals(await call({ ...range, context: 9 }), "1\r\n2\n3\n4\n5");
    assertEquals(
      await call({ file_path: "a.txt", start_line: 5, context: 1 }),
      "4\n5",
    );
    const first = { file_path: "a.txt", end_line: 1, context: 1 };
    assertEquals(await call(first), "1\r\n2\n");
    await assertRejects(() => call({ ...range, context: -1 }), OpenFileError);
  });

  it("checks the range as strictly", async () => {
    const tool = createOpenFile(workspace, { context: 9 });
    for (const [start_line, end_line] of [[6, 6], [4, 6], [3, 2], [0, 2]]) {
      const error = await assertRejects(
        () => tool.call({ file_path: "a.txt", start_line, end_line }),
        OpenFileError,
      );
      assertEquals(error.variant, "InvalidLineRange");
      assertEquals(
        error.message,
        `invalid line range ${start_line}..=${end_line} for a file with 5 lines`,
      );
    }
  });

  it("numbers lines if the option or the model requests it", async () => {
    const tool = createOpenFile(workspace, { lineNumbers: true });
    assertEquals(await tool.call(range), "2\t2\n3\t3\n");
    const plain = { ...range, show_line_numbers: false };
    assertEquals(await tool.call(plain), "2\n3\n");
    const { call } = createOpenFile(workspace, { lineNumbers: false });
    const all = { file_path: "a.txt", show_line_numbers: true };
    assertEquals(await call(all), "1\t1\r\n2\t2\n3\t3\n4\t4\n5\t5");
    assertThrows(
      () => createOpenFile(workspace, { context: -1 }),
      RangeError,
      "context",
    );
  });
});

describe("openFile()", () => {
  it("gives the same results as the tool", async () => {
    const tool = createOpenFile(workspace);
    const args = { file_path: "a.txt", start_line: 2, end_line: 3 };
    const range = { start: 2, end: 3 };
    const text = await openFile(workspace, "a.txt", range);
    assertEquals(text, await tool.call(args));
    assertEquals(await openFile(workspace, "a.txt"), "1\r\n2\n3\n4\n5");
    const wide = await openFile(workspace, "a.txt", range, {
      context: 1,
      lineNumbers: true,
    });
    assertEquals(wide, "1\t1\r\n2\t2\n3\t3\n4\t4\n");
  });

  it("accepts file: URLs, and no others", async () => {
    const url = new URL("file:///ws/a%20b%25.txt");
    assertEquals(await openFile(workspace, url), "odd");
    for (
      const wrong of [
        new URL("https://host/ws/a.txt"),
        new URL("file://host/ws/a.txt"),
        new URL("file:///ws/a%2Ftxt"),
        new URL("file:///ws/%ff"),
        new URL("file:///ws/a.txt?x"),
      ]
    ) {
      await assertRejects(() => openFile(workspace, wrong), Error, "file: URL");
    }
    const error = await assertRejects(
      () => openFile(workspace, new URL("file:///x")),
      OpenFileError,
    );
    assertEquals(error.variant, "PermissionDenied");
  });

  it("fail with INVALID_ARGUMENT for each wrong option of openFile()", async () => {
    for (const wrong of [{ maxFileBytes: -1 }, { context: "1" }, { x: 1 }]) {
      const error = await assertRejects(
        () => openFile(workspace, "a.txt", {}, wrong as never),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
  });
});
