import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  ToolkitReadFileError,
} from "../../mod.ts";
import { TOOLKIT_MAX_FILE_BYTES } from "../../src/tools/toolkit_read_file.ts";
import { countingFs } from "../support/counting_fs.ts";
import { changingFs, toolFor, toolOn } from "../support/toolkit.ts";
import { replyOf } from "../support/replies.ts";

describe("the toolkit's read_file", () => {
  it("checks the arguments before any call", async () => {
    const fs = countingFs(memoryFs({ "/ws/a.txt": "" }));
    const tool = await toolOn(fs);
    const { calls } = fs.counts;
    const call = () => tool.call({ path: "../b.txt", max_lines: 0 });
    const error = await assertRejects(call, ToolkitReadFileError);
    assertEquals(error.code, "INVALID_ARGUMENT");
    assertEquals(fs.counts.calls, calls);
  });

  it("checks the kind, then the size, before it reads a byte", async () => {
    const content = "\0".repeat(TOOLKIT_MAX_FILE_BYTES + 1);
    const fs = countingFs(memoryFs({ "/ws/a.txt": content }));
    const tool = await toolOn(fs);
    const call = () => tool.call({ path: "a.txt" });
    const error = await assertRejects(call, ToolkitReadFileError);
    assertEquals(error.code, "TOO_LARGE");
    assertEquals(fs.counts.bytes, 0);
    assertEquals(fs.counts.open, 0);
  });

  it("returns the path relative to the root, normalized, and a link's own path", async () => {
    const fs = memoryFs({
      "/ws/src/a.ts": "hello",
      "/ws/link": { link: "src/a.ts" },
      "/ws/dir": { link: "src" },
    });
    const tool = await toolOn(fs);
    const paths = {
      "./src//a.ts": "src/a.ts",
      "src/../src/a.ts": "src/a.ts",
      "/ws/src/a.ts": "src/a.ts",
      "link": "link",
      "dir/a.ts": "dir/a.ts",
    };
    for (const [path, told] of Object.entries(paths)) {
      const output = await tool.call({ path });
      assertEquals(output.path, told);
      assertEquals(output.content, "hello");
    }
  });

  it("gives the same answer to the same call", async () => {
    const tool = await toolFor({ content: "a\r\nb", mtimeMs: 5 });
    const first = await tool.call({ path: "a.txt" });
    assertEquals(await tool.call({ path: "a.txt" }), first);
  });

  it("answers for a growing file with its size when opened", async () => {
    const fs = changingFs(memoryFs({ "/ws/a.txt": "a\nb" }), { size: 99 });
    const output = await (await toolOn(fs)).call({ path: "a.txt" });
    assertEquals(output.content, "a\nb");
    assertEquals(output.meta.byte_length, 3);
  });

  it("refuses a file that shrinks, or is overwritten, as CHANGED", async () => {
    for (const change of [{ size: 2 }, { mtimeMs: 7 }]) {
      const fs = changingFs(memoryFs({ "/ws/a.txt": "a\nb" }), change);
      const tool = await toolOn(fs);
      const call = () => tool.call({ path: "a.txt" });
      const error = await assertRejects(call, ToolkitReadFileError);
      assertEquals([error.code, error.toolkitCode], ["CHANGED", "INTERNAL"]);
    }
  });

  it("ends with ABORTED once the caller aborts", async () => {
    const tool = await toolFor("hello");
    const signal = AbortSignal.abort();
    const call = () => tool.call({ path: "a.txt" }, { signal });
    const error = await assertRejects(call, ToolkitReadFileError);
    assertEquals([error.code, error.toolkitCode], ["ABORTED", "INTERNAL"]);
  });

  it("rethrows an error that is not a failure of reading", async () => {
    const fs = memoryFs({ "/ws/a.txt": "" });
    const workspace = await openWorkspace("/ws", { fs });
    const tool = createToolkitReadFile(workspace);
    const args = { path: "a.txt", line: 1 };
    const note = () => {
      throw new SyntaxError("not ours");
    };
    const call = () => tool.call(args as { path: string }, { note });
    await assertRejects(call, SyntaxError, "not ours");
  });

  it("responds with the answer as JSON, or the message of a failure", async () => {
    const tool = await toolFor("hello");
    const output = await tool.call({ path: "a.txt" });
    const reply = await respond(tool, '{"path": "a.txt"}');
    assertEquals(reply, replyOf({ ok: true, content: JSON.stringify(output) }));
    assertEquals(
      await respond(tool, { path: "a.txt", max_lines: 0 }),
      replyOf({
        ok: false,
        content:
          "max_lines must be an integer between 1 and 500\nleave max_lines out for 200 lines",
      }),
    );
  });

  it("keeps the core's message, details and cause in its own error", () => {
    const cause = new Error("why");
    const details = { errno: "EIO", passing: true };
    const options = { cause, hint: "wait" };
    const core = new ReadFileError("IO", "a.txt", details, options);
    const error = new ToolkitReadFileError(core);
    assertEquals(error.toolkitCode, "INTERNAL");
    assertEquals(error.message, core.message);
    assertEquals([error.details, error.hint], [details, "wait"]);
    assertEquals(error.cause, cause);
    assert(error instanceof ReadFileError);
  });
});
