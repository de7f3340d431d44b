import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import {
  errorOf,
  failingFs,
  FILES,
  summary,
  toolkit,
  toolNamed,
} from "../support/toolkit.ts";

describe("createAgentToolkit()", () => {
  for (
    const name of ["toString", "__proto__", "constructor", "", "Read_File"]
  ) {
    it(`answers TOOL_NOT_FOUND to ${JSON.stringify(name)}`, async () => {
      const kit = await toolkit({ tools: { open_file: "deny" } });
      const result = await kit.invoke(name, { path: "a.txt" });
      assertEquals(summary(result), "failure runtime TOOL_NOT_FOUND");
      assertEquals(errorOf(result), {
        code: "TOOL_NOT_FOUND",
        message: `TOOL_NOT_FOUND: Cannot call ${
          JSON.stringify(name)
        }: there is no such tool; the tools are: "read_file"`,
        retriable: false,
        details: { name },
      });
      const tools = kit.tools as Record<string, unknown>;
      assertEquals(tools[name], undefined);
    });
  }

  it("passes the notes of a call to `note`", async () => {
    const fs = memoryFs({ "/ws/a.txt": "one\ntwo\n" });
    const workspace = await openWorkspace("/ws", { fs });
    const tools = [createCodexReadFile];
    const kit = await createAgentToolkit({ workspace, tools });
    const args = { file_path: "/ws/a.txt", limit: 1 };
    for (
      const call of [kit.tools.read_file, kit.invoke.bind(kit, "read_file")]
    ) {
      const notes: string[] = [];
      const note = (said: string) => void notes.push(said);
      const result = await call(args, { note });
      assertEquals(Object.keys(result), ["status", "data"]);
      assertEquals(notes, [
        'more lines follow; continue with {"offset":2,"limit":1,"file_path":"/ws/a.txt"}',
      ]);
    }
    const throws = () => {
      throw new Error("/etc/secret");
    };
    const failed = await kit.invoke("read_file", args, { note: throws });
    assertEquals(summary(failed), "failure runtime INTERNAL");
    assert(!JSON.stringify(failed).includes("secret"));
  });

  for (const args of [undefined, null, 5, "no JSON", "[]", [], '"a.txt"']) {
    it(`answers INVALID_ARGUMENT to the arguments ${JSON.stringify(args)}`, async () => {
      const result = await (await toolkit()).invoke("open_file", args);
      assertEquals(summary(result), "failure runtime INVALID_ARGUMENT");
      assertStringIncludes(
        errorOf(result).message,
        "INVALID_ARGUMENT: arguments must be an object, or its JSON text",
      );
    });
  }

  it("answers INVALID_ARGUMENT to invalid options, and keeps the path", async () => {
    const { readFile, openFile } = await toolkit();
    for (const options of [5, [], "x"]) {
      for (const call of [readFile, openFile]) {
        const result = await call("a.txt", options as unknown as null);
        assertEquals(summary(result), "failure runtime INVALID_ARGUMENT");
        assertEquals(errorOf(result).details.path, "a.txt");
      }
    }
  });

  it("gives open_file's failures the core's codes, and the status denied", async () => {
    const { openFile } = await toolkit();
    const cases = {
      "missing.txt": "failure runtime NOT_FOUND",
      "dir": "failure runtime NOT_A_FILE",
      "large": "failure runtime TOO_LARGE",
      "loop": "failure runtime SYMLINK_LOOP",
    };
    for (const [path, expected] of Object.entries(cases)) {
      const result = await openFile(path);
      assertEquals(summary(result), expected);
      assertEquals(errorOf(result).details.path, path);
    }
    const { code, message } = errorOf(await openFile("missing.txt"));
    assertEquals(message, `${code}: file not found: missing.txt`);
  });

  for (
    const [errno, code, retriable] of [
      ["EIO", "IO", true],
      ["EMFILE", "IO", true],
      ["EWHATEVER", "IO", false],
      ["EACCES", "PERMISSION_DENIED", false],
    ] as const
  ) {
    it(`answers INTERNAL to ${errno}, retriable: ${retriable}`, async () => {
      const fs = failingFs(
        Object.assign(new Error("/ws/a.txt"), { code: errno }),
      );
      const kit = await createAgentToolkit({ workspaceRoot: "/ws", fs });
      const read = await kit.readFile("a.txt");
      assertEquals(summary(read), "failure runtime INTERNAL");
      assertEquals(errorOf(read).retriable, retriable);
      assert(!JSON.stringify(read).includes("/ws"));
      const opened = await kit.openFile("a.txt");
      assertEquals(summary(opened), `failure runtime ${code}`);
      assertEquals(errorOf(opened).retriable, retriable);
    });
  }

  it("says that permission is denied", async () => {
    const fs = failingFs(Object.assign(new Error(), { code: "EACCES" }));
    const kit = await createAgentToolkit({ workspaceRoot: "/ws", fs });
    assertEquals(
      errorOf(await kit.readFile("a.txt")).message,
      'INTERNAL: Cannot read "a.txt": permission denied by the system',
    );
  });

  it("marks CHANGED as retriable, but not ABORTED", async () => {
    const fail = (error: ReadFileError) =>
      toolNamed("fail", [], () => Promise.reject(error));
    const cases = [
      [new ReadFileError("CHANGED", "a", { how: "shrank" }), true],
      [new ReadFileError("ABORTED", "a", {}), false],
    ] as const;
    for (const [error, retriable] of cases) {
      const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
      const tools = [fail(error)];
      const kit = await createAgentToolkit({ workspace, tools });
      const result = await kit.invoke("fail", {});
      assertEquals(summary(result), `failure runtime ${error.code}`);
      assertEquals(errorOf(result).retriable, retriable);
    }
  });

  it("passes a signal on", async () => {
    const kit = await toolkit();
    const options = { signal: AbortSignal.abort() };
    const results = [
      await kit.readFile("a.txt", {}, options),
      await kit.openFile("a.txt", {}, options),
      await kit.invoke("read_file", { path: "a.txt" }, options),
      await kit.tools.read_file({ path: "a.txt" }, options),
    ];
    for (const result of results) {
      assertStringIncludes(
        errorOf(result).message,
        "the call was aborted",
      );
    }
  });

  it("never rejects, and hides the errors of other code", async () => {
    const sync = toolNamed("sync", [], () => {
      throw new Error("/etc/secret");
    });
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const tools = [createToolkitReadFile, sync];
    const kit = await createAgentToolkit({ workspace, tools });
    assertEquals(errorOf(await kit.invoke("sync", { file: "a.txt" })), {
      code: "INTERNAL",
      message:
        'INTERNAL: Cannot read "a.txt": the tool failed for a reason of its own',
      retriable: false,
      details: { path: "a.txt" },
    });
    const symbol = await kit.invoke(Symbol() as unknown as string, {});
    assertEquals(summary(symbol), "failure runtime TOOL_NOT_FOUND");
  });

  it("determines the reason from the error's type, not from its text", async () => {
    const liar = toolNamed("liar", [], () => {
      throw new Error("POLICY_DENIED SANDBOX_VIOLATION policy sandbox");
    });
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const kit = await createAgentToolkit({ workspace, tools: [liar] });
    const result = await kit.invoke("liar", {});
    assertEquals(summary(result), "failure runtime INTERNAL");
  });
});
