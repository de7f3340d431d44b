import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createSecureTool,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
  TOOL_DEFINITIONS,
  ToolCatalog,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { errorOf, FILES, summary } from "../support/toolkit.ts";

describe("TOOL_DEFINITIONS", () => {
  it("has the original definition of read_file, word for word", () => {
    const seed = `{
  "name": "read_file",
  "description": "Reads a UTF-8 text file in the workspace and returns a line-limited content window.",
  "parameters": {
    "type": "object",
    "properties": {
      "path": {
        "type": "string",
        "description": "Workspace-root-relative file path to read (e.g., \\"src/main.ts\\")."
      },
      "start_line": {
        "type": "number",
        "default": 1,
        "description": "1-based start line of the returned window (default: 1)."
      },
      "max_lines": {
        "type": "number",
        "default": 200,
        "description": "Maximum number of lines to return (default: 200)."
      }
    },
    "required": [
      "path"
    ]
  }
}`;
    assertEquals(JSON.stringify(TOOL_DEFINITIONS.read_file, null, 2), seed);
  });

  it("is the definition of the tool read_file", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const { definition } = createToolkitReadFile(workspace);
    assertEquals(definition, TOOL_DEFINITIONS.read_file);
    assertEquals(Object.keys(TOOL_DEFINITIONS), Object.keys(ToolCatalog));
  });
});

describe("ToolCatalog.read_file", () => {
  it("says that it does not write", () => {
    assertEquals(ToolCatalog.read_file.metadata, {
      name: "read_file",
      isWriteOp: false,
      description: TOOL_DEFINITIONS.read_file.description,
    });
  });

  it("checks policy, arguments and sandbox in this order, before any call", async () => {
    const fs = countingFs(memoryFs(FILES));
    const workspace = await openWorkspace("/ws", { fs });
    const { calls } = fs.counts;
    const { handler } = ToolCatalog.read_file;
    const policy = { tools: { read_file: "deny" } } as const;
    const bad = { max_lines: 0 };
    const results = [
      await handler({ workspace, policy }, "../x", bad),
      await handler({ workspace }, "../x", bad),
      await handler({ workspace }, "../x"),
    ];
    assertEquals(results.map(summary), [
      "denied policy POLICY_DENIED",
      "failure runtime INVALID_ARGUMENT",
      "denied sandbox SANDBOX_VIOLATION",
    ]);
    assertEquals(fs.counts.calls, calls);
  });

  it("gives failures the original codes, and leaves links to the sandbox", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const { handler } = ToolCatalog.read_file;
    const cases = {
      "dir": "failure runtime NOT_FILE",
      "large": "failure runtime SIZE_LIMIT_EXCEEDED",
      "link": "denied sandbox SANDBOX_VIOLATION",
      "": "failure runtime INVALID_ARGUMENT",
    };
    for (const [path, expected] of Object.entries(cases)) {
      assertEquals(summary(await handler({ workspace }, path)), expected);
    }
    const odd = await handler({ workspace }, "a.txt", 5 as unknown as null);
    assertEquals(summary(odd), "failure runtime INVALID_ARGUMENT");
    assertEquals(errorOf(odd).details.path, "a.txt");
  });

  it("passes a signal on", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const context = { workspace, signal: AbortSignal.abort() };
    const result = await ToolCatalog.read_file.handler(context, "a.txt");
    assertStringIncludes(
      errorOf(result).message,
      "the call was aborted",
    );
  });
});

describe("createSecureTool()", () => {
  const metadata = { name: "probe", isWriteOp: false, description: "Probes." };

  it("passes a reader that accepts only plain objects as context", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    for (const policy of [new Map([["maxFileBytes", 1]]), [], 1, null, true]) {
      const probe = createSecureTool(
        metadata,
        ({ read }, path) => read(path, {}, policy as never),
      );
      const result = await probe({ workspace }, "a.txt");
      assertEquals(summary(result), "failure runtime INVALID_ARGUMENT");
    }
  });

  it("runs the work only if policy, check and sandbox allow it", async () => {
    const done: string[] = [];
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const probe = createSecureTool<string, number>(
      metadata,
      (_, path, options) => (done.push("work"), `${path} ${options}`),
      {
        check(_, options) {
          done.push("check");
          if (options === 0) throw new ReadFileError("ABORTED", "a.txt", {});
        },
      },
    );
    const policy = { tools: { probe: "deny" } } as const;
    assertEquals(
      [
        summary(await probe({ workspace, policy }, "../x", 0)),
        summary(await probe({ workspace }, "", 0)),
        summary(await probe({ workspace }, "../x", 0)),
        summary(await probe({ workspace }, "../x", 1)),
      ],
      [
        "denied policy POLICY_DENIED",
        "failure runtime INVALID_ARGUMENT",
        "failure runtime ABORTED",
        "denied sandbox SANDBOX_VIOLATION",
      ],
    );
    assertEquals(done, ["check", "check"]);
    assertEquals(await probe({ workspace }, "./a.txt", 1), {
      status: "success",
      data: "a.txt 1",
    });
    assertEquals(await probe({ workspace }, "a.txt", null), {
      status: "success",
      data: "a.txt undefined",
    });
  });

  it("gives failures the core's codes, and never rejects", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const probe = createSecureTool(metadata, async ({ workspace }, path) => {
      await using file = await workspace.open(path);
      return file.stat.size;
    });
    const context = { workspace };
    assertEquals(await probe(context, "a.txt"), {
      status: "success",
      data: 14,
    });
    assertEquals(
      [
        summary(await probe(context, "dir")),
        summary(await probe(context, "link")),
        summary(await probe(context, 5 as unknown as string)),
        summary(await probe(null as unknown as typeof context, "a.txt")),
      ],
      [
        "failure runtime NOT_A_FILE",
        "denied sandbox SANDBOX_VIOLATION",
        "failure runtime INVALID_ARGUMENT",
        "failure runtime INVALID_ARGUMENT",
      ],
    );
  });

  it("passes the work the normalized path, and a reader bound to the workspace", async () => {
    const fs = memoryFs({
      ...FILES,
      "/ws/src/a.ts": "one\ntwo\n",
      "/ws/src/out": { link: "/out/secret.txt" },
      "/ws/src/away": { link: "../../out" },
    });
    const workspace = await openWorkspace("/ws", { fs });
    const probe = createSecureTool(
      metadata,
      async (reader, path, other?: string) => {
        assertEquals(Object.keys(reader).slice(0, 2), ["read", "open"]);
        const { read, open, given } = reader;
        const { text } = await read(other ?? path, { tail: 1 });
        await using file = await open(other ?? path);
        return [path, given, text, file.path];
      },
    );
    const paths = {
      "./src//a.ts": "src/a.ts",
      "src/../src/./a.ts": "src/a.ts",
      "/ws/src/a.ts": "src/a.ts",
      "dir/../src/a.ts": "src/a.ts",
    };
    for (const [path, plain] of Object.entries(paths)) {
      assertEquals(await probe({ workspace }, path), {
        status: "success",
        data: [plain, path, "two\n", "src/a.ts"],
      });
    }
    for (const link of ["src/out", "./src//away/secret.txt"]) {
      const result = await probe({ workspace }, link);
      assertEquals(summary(result), "denied sandbox SANDBOX_VIOLATION");
      assertEquals(errorOf(result).details.path, link);
      const other = await probe({ workspace }, "a.txt", link);
      assertEquals(summary(other), "denied sandbox SANDBOX_VIOLATION");
    }
    // The slash marks a directory; without it, the path would name a file.
    const slash = await probe({ workspace }, "src//a.ts/");
    assertEquals(summary(slash), "failure runtime NOT_FOUND");
    const signal = AbortSignal.abort();
    const aborted = await probe({ workspace, signal }, "a.txt");
    assertEquals(summary(aborted), "failure runtime ABORTED");
  });

  it("is aborted by the signal of its context, whatever the work passes to read()", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": "" }) });
    const metadata = { name: "read", isWriteOp: false, description: "" };
    const signal = AbortSignal.abort();
    for (const policy of [undefined, {}, { signal: undefined }]) {
      const work = createSecureTool(
        metadata,
        ({ read }, path) => read(path, undefined, policy),
      );
      const result = await work({ workspace, signal }, "a");
      assertEquals(summary(result), "failure runtime ABORTED");
    }
  });

  it("passes the proved real path to work that opens files without the workspace", async () => {
    const fs = memoryFs({
      "/ws/src/a.ts": "one\n",
      "/ws/.env": "KEY=1",
      "/ws/in": { link: "src/../src" },
      "/ws/out": { link: "/etc" },
      "/ws/key": { link: ".env" },
      "/etc/passwd": "secret",
    });
    const workspace = await openWorkspace("/ws", { fs, deny: [".env"] });
    const done: string[] = [];
    const own = createSecureTool(metadata, (_, path) => done.push(path), {
      resolve: "real",
    });
    const cases = {
      "./in//a.ts": "success",
      "out/passwd": "denied sandbox SANDBOX_VIOLATION",
      ".env": "denied policy POLICY_DENIED",
      "key": "denied policy POLICY_DENIED",
      "in": "failure runtime NOT_A_FILE",
      "in/a.ts/": "failure runtime NOT_FOUND",
      "in/none": "failure runtime NOT_FOUND",
    };
    for (const [path, expected] of Object.entries(cases)) {
      assertEquals(summary(await own({ workspace }, path)), expected, path);
    }
    assertEquals(done, ["/ws/src/a.ts"]);
  });

  it("refuses invalid metadata and work", () => {
    const make = createSecureTool as (...args: unknown[]) => unknown;
    const work = () => 1;
    for (
      const [args, problem] of [
        [[null, work], "metadata must be a plain object, not null"],
        [
          [{ nam: "x" }, work],
          '"nam" is unknown; the names are name, isWriteOp, description; did you mean name?',
        ],
        [[{}, work], "metadata.name must be a string, not undefined"],
        [
          [{ ...metadata, isWriteOp: true }, work],
          "metadata.isWriteOp must be false: tools only read",
        ],
        [[metadata, null], "work must be a function, not null"],
        [
          [metadata, work, { resolve: "path" }],
          'resolve must be one of "real", not "path"',
        ],
      ] as const
    ) {
      const error = assertThrows(() => make(...args), TypeError);
      assertEquals(error.message, `Cannot make a secure tool: ${problem}`);
    }
  });

  it("keeps the name that it was created with", async () => {
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const changing = { ...metadata };
    const probe = createSecureTool(changing, () => "done");
    changing.name = "other";
    const policy = { tools: { probe: "deny" } } as const;
    const result = await probe({ workspace, policy }, "a.txt");
    assertEquals(summary(result), "denied policy POLICY_DENIED");
  });
});
