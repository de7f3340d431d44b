import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  memoryFs,
  OpenFileError,
  openWorkspace,
} from "../../mod.ts";
import { versionsOf } from "../suites/changes_since.ts";

describe("changes, for open_file", () => {
  it("marks the lines of the range as a diff does", async () => {
    const workspace = await versionsOf("one\r\n2\nthree\nfour", {
      HEAD: "one\r\ntwo\nthree\n",
    });
    const tool = createOpenFile(workspace);
    const ask = (args: object) =>
      tool.call({ file_path: "a", changes: "HEAD", ...args });
    assertEquals(
      await ask({}),
      " one\r\n-two\n+2\n three\n+four\n\\ No newline at end of file\n",
    );
    assertEquals(await ask({ start_line: 2, end_line: 2 }), "-two\n+2\n");
    assertEquals(
      await ask({ start_line: 3 }),
      " three\n+four\n\\ No newline at end of file\n",
    );
    const more = createOpenFile(workspace, { context: 1, lineNumbers: true });
    assertEquals(
      await more.call({
        file_path: "a",
        start_line: 2,
        end_line: 2,
        changes: "HEAD",
      }),
      " 1\tone\r\n-2\ttwo\n+2\t2\n 3\tthree\n",
    );
  });

  it("is in the schema only if there are revisions, and changes no other answer", async () => {
    const fs = memoryFs({ "/ws/a": "one\ntwo\n" });
    const plain = createOpenFile(await openWorkspace("/ws", { fs }));
    const own = createOpenFile(await versionsOf("one\ntwo\n", {}));
    assert(!JSON.stringify(plain.definition).includes("changes"));
    assert(JSON.stringify(own.definition).includes('"changes"'));
    assertEquals(
      await own.call({ file_path: "a" }),
      await plain.call({ file_path: "a" }),
    );
    const call = () => plain.call({ file_path: "a", changes: "HEAD" });
    await assertRejects(call, OpenFileError, 'hold "changes"');
  });

  it("fails in the words of the tool", async () => {
    const tool = createOpenFile(
      await openWorkspace("/ws", {
        fs: memoryFs({
          "/ws/a": "one\ntwo\n",
          "/ws/b": Uint8Array.of(255, 10),
        }),
        revisions: {
          open(rev) {
            if (rev !== "HEAD") {
              throw Object.assign(new Error(), { code: "ENOENT" });
            }
            return memoryFs({ "/ws/a": "" });
          },
        },
      }),
    );
    const failed = async (args: object) => {
      const call = () =>
        tool.call({ file_path: "a", changes: "HEAD", ...args });
      const { variant, message, hint } = await assertRejects(
        call,
        OpenFileError,
      );
      return [variant, message, hint];
    };
    assertEquals(await failed({ start_line: 2, end_line: 3 }), [
      "InvalidLineRange",
      "invalid line range 2..=3 for a file with 2 lines",
      "ask for lines from 1 to 2, the first not after the last",
    ]);
    assertEquals(
      (await failed({ file_path: "b" }))[0],
      "BinaryFileNotSupported",
    );
    assertEquals((await failed({ file_path: "c" }))[0], "FileNotFound");
    assertEquals(await failed({ changes: "none" }), [
      "Io",
      'changes cannot be used: Cannot read "none": nothing is there',
      "name another revision",
    ]);
    assertEquals(
      (await failed({ changes: 1 }))[1],
      'changes must be a revision, such as "HEAD"',
    );
    assertEquals((await failed({ changes: "" }))[0], "Io");
    const small = createOpenFile(
      await versionsOf("one\n", { HEAD: "too long\n" }),
      { maxFileBytes: 5 },
    );
    const { variant } = await assertRejects(
      () => small.call({ file_path: "a", changes: "HEAD" }),
      OpenFileError,
    );
    assertEquals(variant, "FileTooLarge");
  });
});
