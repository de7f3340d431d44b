import { assertEquals, assertStringIncludes } from "@std/assert";
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
  it("holds read_file word for word as the seed has it", () => {
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

  it("is what the tool read_file shows", async () => {
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

  it("asks policy, arguments and sandbox in this order, and touches no file", async () => {
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

  it("gives failures the seed's codes, and links out to the sandbox", async () => {
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

  it("hands a signal on", async () => {
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

  it("does the work only where policy, check and sandbox allow it", async () => {
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
      data: "./a.txt 1",
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
        "failure runtime INTERNAL",
      ],
    );
  });
});
