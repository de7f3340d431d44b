import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  memoryFs,
  openFile,
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

describe("highlight, for open_file", () => {
  const fs = memoryFs({ "/ws/a.ts": "a\r\n\x1b[2Jb\nc" });
  /** Marks what it gets, with the path. */
  const highlight = (lines: readonly string[], path: string) =>
    lines.map((line) => `<${path}:${line}>`);

  it("colors the lines for a person, hidden characters escaped before", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    const ask = (args: object, options: object = { highlight }) =>
      createOpenFile(workspace, options).call({ file_path: "a.ts", ...args });
    assertEquals(
      await ask({}),
      "<a.ts:a>\r\n<a.ts:\\u{1B}[2Jb>\n<a.ts:c>",
    );
    assertEquals(
      await ask({ start_line: 3 }, { highlight, lineNumbers: true }),
      "3\t<a.ts:c>",
    );
    const later = (...given: Parameters<typeof highlight>) =>
      Promise.resolve(highlight(...given));
    assertEquals(
      await openFile(workspace, "a.ts", { start: 3 }, { highlight: later }),
      "<a.ts:c>",
    );
    // Without it, the lines are exactly those of the file.
    assertEquals(await ask({}, {}), "a\r\n\x1b[2Jb\nc");
    const old = await versionsOf("b\n", { HEAD: "a\n" });
    const both = createOpenFile(old, { highlight });
    assertEquals(
      await both.call({ file_path: "a", changes: "HEAD" }),
      "-<a:a>\n+<a:b>\n",
    );
  });

  it("must give as many lines as it gets", async () => {
    const workspace = await openWorkspace("/ws", { fs });
    for (const wrong of [() => [], () => "x", () => [1, 2, 3]]) {
      const tool = createOpenFile(workspace, { highlight: wrong as never });
      await assertRejects(
        () => tool.call({ file_path: "a.ts" }),
        TypeError,
        "as many strings",
      );
    }
  });
});
