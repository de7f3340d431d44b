import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  definitions,
  memoryFs,
  openWorkspace,
  parseForgeConfig,
  readerTools,
  respond,
  type Tool,
} from "../../mod.ts";
import { FILES, run } from "./run.ts";

const workspace = await openWorkspace("/ws", { fs: FILES });

const [readFile, readFiles, listDirectory] = readerTools(workspace, {
  etags: "full",
});

const TOOLS: Readonly<Record<string, Tool>> = {
  read_file: readFile,
  read_files: readFiles,
  list_directory: listDirectory,
  codex: createCodexReadFile(workspace),
  toolkit: createToolkitReadFile(workspace),
  forge: createForgeRead(workspace),
  open: createOpenFile(workspace),
};

const ARGS: Readonly<Record<string, string>> = {
  read_file: '{"path": "ten.txt", "count": 2}',
  read_files: '{"files": ["a.txt", "none"]}',
  list_directory: '{"limit": 2}',
  codex: '{"file_path": "/ws/a.txt", "offset": 2}',
  toolkit: '{"path": "a.txt", "max_lines": 2}',
  forge: '{"path": "bell.txt"}',
  open: '{"file_path": "a.txt", "start_line": 2}',
};

describe("--tool", () => {
  for (const [name, tool] of Object.entries(TOOLS)) {
    for (const args of [ARGS[name]!, '{"path": 7}', "no JSON"]) {
      it(`${name} ${args} gives the very words that a model gets`, async () => {
        const { ok, content: output, notes = [] } = await respond(tool, args);
        const said = await run(["--tool", name, "--args", args]);
        const errors = notes.map((note) => `${note}\n`).join("");
        assertEquals(said, { output, errors, code: ok ? 0 : 1 });
      });
    }
  }

  it("prints notes on standard error, such as lines that were left out", async () => {
    const args = '{"file_path": "/ws/a.txt", "limit": 1}';
    const { content, notes } = await respond(TOOLS.codex!, args);
    assertStringIncludes(notes!.join(), "more lines follow");
    const said = await run(["--tool=codex", "--args", args]);
    const errors = notes!.map((note) => `${note}\n`).join("");
    assertEquals(said, { output: content, errors, code: 0 });
  });

  it("goes on in another process, by the next call of the answer", async () => {
    const ask = async (args: string) =>
      (await run(["--tool=read_file", "--args", args])).output;
    const first = await ask(ARGS.read_file!);
    const second = await ask(first.slice(first.lastIndexOf("{")));
    assertStringIncludes(second, '"ten.txt": lines 3-4 of 10.');
  });

  it("shows hidden characters on a terminal, and ends the line", async () => {
    const args = ["--tool=forge", "--args", '{"path": "bell.txt"}'];
    const { output } = await run(args, { isTerminal: true, styles: true });
    assertEquals(
      output,
      "1| \\u{1B}[31mred\\u{7}\\u{9B}\\u{7F}\\u{202E}\tend\n",
    );
  });

  it("forge takes its limits from a file of the workspace", async () => {
    const text = "[tools.read_file]\nmax_file_read_bytes = 4\n";
    const tool = createForgeRead(workspace, parseForgeConfig(text));
    const args = '{"path": "ten.txt", "head": 9}';
    const { content: output } = await respond(tool, args);
    const line = ["--tool=forge", "--config=forge.toml", "--args", args];
    assertEquals(await run(line), { output, errors: "", code: 0 });
    assertStringIncludes(output, "[truncated: ");
  });

  for (
    const [words, message] of [
      [["--config=../else/b.txt"], "it leads out of the workspace"],
      [["--config=none.toml"], 'Cannot read "none.toml": nothing is there'],
      [["--config=broken.toml"], 'mend "broken.toml"'],
      [["--config=forge.toml", "--deny=*.toml"], 'the rule "*.toml"'],
    ] as const
  ) {
    it(`says with 1 why it cannot take ${words.join(" ")}`, async () => {
      const line = ["--tool=forge", "--args={}", ...words];
      const { output, errors, code } = await run(line);
      assertStringIncludes(errors, message);
      assertEquals([output, code], ["", 1]);
    });
  }

  it("reads nothing that is denied", async () => {
    const line = ["--tool=open", "--args", ARGS["open"]!, "--deny=a.txt"];
    const { output, code } = await run(line);
    assertStringIncludes(output, "a.txt");
    assertEquals(code, 1);
  });
});

describe("--definitions", () => {
  for (const vendor of ["openai", "anthropic", "mcp"] as const) {
    it(`${vendor} gives the tools as that API takes them`, async () => {
      const tools = [readFile, readFiles, listDirectory];
      const all = await run(["--definitions", vendor]);
      assertEquals<unknown>(JSON.parse(all.output), definitions(vendor, tools));
      const one = await run(["--definitions", vendor, "--tool=codex"]);
      const codex = definitions(vendor, [TOOLS["codex"]!]);
      assertEquals<unknown>(JSON.parse(one.output), codex);
      assertEquals([all.errors, one.errors, all.code], ["", "", 0]);
    });
  }

  it("ends with 2 if two tools have the same name", async () => {
    const line = ["--definitions=mcp", "--tool=codex", "--tool=toolkit"];
    const { output, errors, code } = await run(line);
    assertStringIncludes(errors, "two of them are called read_file");
    assertEquals([output, code], ["", 2]);
  });
});

describe("--json", () => {
  /** The pages that were printed, each on a line of its own. */
  const pages = (output: string) =>
    output.trimEnd().split("\n").map((line) => JSON.parse(line));

  for (
    const [line, options] of [
      ["a.txt", {}],
      ["a.txt:2", { start: 2, end: 2 }],
      ["ten.txt:2-", { start: 2 }],
      ["ten.txt:-3", { tail: 3 }],
      ["ten.txt:5+2", { around: 5, before: 2, after: 2 }],
      ["ten.txt --head=4", { end: 4 }],
      ["ten.txt --max-bytes=5", { maxBytes: 5 }],
      ["a.txt:2 --column=2", { start: 2, end: 2, column: 2 }],
      ["a.txt:9", { start: 9, end: 9 }],
      ["code.py --indent=4", { around: 4, block: { levels: 0 } }],
      ["code.py --indent=99", { around: 99, block: { levels: 0 } }],
      ["bell.txt", {}],
      ["empty", {}],
    ] as const
  ) {
    it(`gives ${line} as the page that read() gives`, async () => {
      const { output, code } = await run([...line.split(" "), "--json"]);
      const [path = ""] = line.split(/[: ]/);
      const limits = { maxBytes: 1 << 20, ...options };
      const page = await workspace.read(path, limits);
      const facts = JSON.parse(JSON.stringify(page));
      assertEquals(pages(output), [{ ...facts, base64: null }]);
      assertEquals(code, 0);
    });
  }

  it("gives the bytes beside a text that is not exact", async () => {
    const [page] = pages(
      (await run(["latin", "--json", "--encoding=utf-8"])).output,
    );
    assertEquals([page.exact, page.lines[0].text], [false, "a\uFFFD"]);
    assertEquals(page.base64, btoa("a\xe9\n"));
  });

  it("writes hidden characters as escapes", async () => {
    const { output } = await run(["bell.txt", "--json"]);
    assertStringIncludes(
      output,
      '"\\u001b[31mred\\u0007\\u009b\\u007f\\u202e\\tend"',
    );
  });

  it("gives a large file page by page, each where the last one ended", async () => {
    const text = "0123456789abcde\n".repeat(150_000);
    const fs = memoryFs({ "/ws/big": text });
    const { output, errors } = await run(["big", "--json"], { fs });
    const all = pages(output);
    assertEquals(all.length, 3);
    const lines = all.flatMap((page) => page.lines);
    const back = lines.map(({ text, ending }) => text + ending).join("");
    assertEquals([back === text, errors], [true, ""]);
    assertEquals(all.map((page) => page.next?.start ?? null), [
      all[1].lines[0].number,
      all[2].lines[0].number,
      null,
    ]);
  });

  it("gives a block, and pages of several files", async () => {
    const line = ["code.py", "--indent=4", "--levels=1", "--json"];
    const [page] = pages((await run(line)).output);
    assertEquals([page.lines[0].number, page.lines.length], [3, 3]);
    const both = await run(["a.txt", "none", "ten.txt", "--json"]);
    assertEquals(pages(both.output).map(({ path }) => path), [
      "a.txt",
      "ten.txt",
    ]);
    assertEquals(both.code, 1);
  });
});
