import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ToolCatalog } from "../../mod.ts";
import { errorOf, FILES, summary, toolkit } from "../support/toolkit.ts";

describe("createAgentToolkit()", () => {
  it("gives content and meta of a file", async () => {
    assertEquals(await (await toolkit()).readFile("a.txt"), {
      status: "success",
      data: {
        path: "a.txt",
        content: "one\ntwo\nthree\n",
        truncated: false,
        next_start_line: null,
        meta: {
          byte_length: 14,
          line_count: 3,
          returned_line_count: 3,
          mtime_ms: 0,
        },
      },
    });
  });

  it("gives the same result by every way to call read_file", async () => {
    const { readFile, tools, invoke } = await toolkit();
    const result = await readFile("a.txt", { start_line: 2, max_lines: 1 });
    assert(result.status === "success");
    assertEquals(result.data.content, "two");
    const args = { path: "a.txt", start_line: 2, max_lines: 1 };
    assertEquals(await tools.read_file(args), result);
    assertEquals(await tools.read_file(JSON.stringify(args)), result);
    assertEquals(await invoke("read_file", args), result);
    assertEquals(await invoke("read_file", JSON.stringify(args)), result);
    const workspace = await openWorkspace("/ws", { fs: memoryFs(FILES) });
    const handled = await ToolCatalog.read_file.handler(
      { workspace },
      "a.txt",
      { start_line: 2, max_lines: 1 },
    );
    assertEquals(handled, result);
  });

  it("case 9: accepts null as no options", async () => {
    const { readFile, openFile } = await toolkit();
    assertEquals(await readFile("a.txt", null), await readFile("a.txt"));
    assertEquals(await openFile("a.txt", null), await openFile("a.txt"));
  });

  for (
    const [what, range, problem] of [
      [
        "readFile",
        { start_line: 2, end_line: 3 },
        '"end_line" is unknown; the names are start_line, max_lines',
      ],
      [
        "readFile",
        { start: 2 },
        '"start" is unknown; the names are start_line, max_lines; did you mean start_line?',
      ],
      [
        "readFile",
        { path: "dir/b.txt" },
        '"path" is unknown; the names are start_line, max_lines',
      ],
      [
        "openFile",
        { start_line: 2, end_line: 3 },
        '"start_line" is unknown; the names are start, end; did you mean start?',
      ],
      [
        "openFile",
        { start: 2, end_line: 3 },
        '"end_line" is unknown; the names are start, end; did you mean end?',
      ],
      ["openFile", [2, 3], "range must be a plain object, not an array"],
      [
        "readFile",
        '{"start_line": 2}',
        "range must be a plain object, not a string",
      ],
    ] as const
  ) {
    it(`refuses options of ${what}() that would show other lines: ${JSON.stringify(range)}`, async () => {
      const kit = await toolkit();
      const result = await kit[what]("a.txt", range as never);
      const { code, message, details } = errorOf(result);
      assertEquals(
        [code, message, details.path],
        ["INVALID_ARGUMENT", `INVALID_ARGUMENT: ${problem}`, "a.txt"],
      );
    });
  }

  it("opens a range of lines by start and end", async () => {
    const { openFile } = await toolkit();
    const cases = [
      [{ start: 2, end: 3 }, "two\nthree\n"],
      [{ start: 3 }, "three\n"],
      [{ end: 1 }, "one\n"],
      [{}, "one\ntwo\nthree\n"],
      [undefined, "one\ntwo\nthree\n"],
    ] as const;
    for (const [range, data] of cases) {
      const result = await openFile("a.txt", range);
      assertEquals(result, { status: "success", data });
    }
  });

  it("case 5: names the code of a failure", async () => {
    const { readFile } = await toolkit();
    const cases = {
      "missing.txt": "NOT_FOUND",
      "a.txt/b": "NOT_FOUND",
      "dir": "NOT_FILE",
      "large": "SIZE_LIMIT_EXCEEDED",
      "binary": "BINARY_NOT_SUPPORTED",
      "loop": "INTERNAL",
    };
    for (const [path, code] of Object.entries(cases)) {
      const result = await readFile(path);
      assertEquals(summary(result), `failure runtime ${code}`);
      const { message, retriable, details } = errorOf(result);
      assertStringIncludes(message, `${code}: Cannot read "${path}": `);
      assertEquals(retriable, false);
      assertEquals(details.path, path);
    }
  });

  const outside = [
    "../outside.txt",
    "/etc/passwd",
    "/ws/../out/secret.txt",
    "link",
    "absolute",
    "away/secret.txt",
    "away/missing.txt",
  ];
  for (const path of outside) {
    it(`case 6: ${path} is denied by the sandbox`, async () => {
      const { readFile, openFile } = await toolkit();
      const result = await readFile(path);
      assertEquals(summary(result), "denied sandbox SANDBOX_VIOLATION");
      assertEquals(errorOf(result), {
        code: "SANDBOX_VIOLATION",
        message:
          `SANDBOX_VIOLATION: Cannot read "${path}": it leads out of the workspace`,
        retriable: false,
        details: {
          path,
          hint: `name a file below the workspace's root${
            path.startsWith("/")
              ? ", by its path from there, without a slash"
              : ""
          }`,
        },
      });
      const opened = await openFile(path);
      assertEquals(summary(opened), "denied sandbox SANDBOX_VIOLATION");
    });
  }

  it("case 7: names the invalid argument, with the path in the details", async () => {
    const { readFile } = await toolkit();
    const bad = await readFile("a.txt", { max_lines: 501 });
    assertEquals(summary(bad), "failure runtime INVALID_ARGUMENT");
    const { message, details } = errorOf(bad);
    assertEquals(
      message,
      "INVALID_ARGUMENT: max_lines must be an integer between 1 and 500",
    );
    assertEquals(details, {
      path: "a.txt",
      argument: "max_lines",
      problem: "must be an integer between 1 and 500",
      hint: "read on with start_line set to the next_start_line you got",
    });
    assertEquals(
      errorOf(await readFile("")).message,
      "INVALID_ARGUMENT: path must be a non-empty string",
    );
    assertEquals(
      errorOf(await readFile("a.txt", { start_line: 0 })).message,
      "INVALID_ARGUMENT: start_line must be an integer >= 1",
    );
  });
});
