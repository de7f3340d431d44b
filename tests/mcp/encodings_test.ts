/** Files in other encodings, through the MCP server. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import { readCommandLine, UsageError } from "../../mcp/src/command_line.ts";
import { lazyDetector } from "../../mcp/src/main.ts";
import { onDisk } from "../support/disk.ts";
import { encodedIn, utf16Of } from "../support/encoded.ts";
import { connect } from "../support/mcp.ts";
import { parseWords } from "../support/rendered.ts";

const JAPANESE = [
  "このプログラムはファイルを読み、頼まれた行だけを正確に表示します。",
  "読んでいる間にファイルが変わった場合は、最初からもう一度読み直します。",
  "",
].join("\r\n");

/** A server on files, which may load the detector. */
async function serve(
  files: Readonly<Record<string, Uint8Array>>,
  flags: readonly string[] = [],
) {
  const place = await onDisk([]);
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(place.root, name), bytes);
  }
  const code = ["detect", "node_modules/jschardet"];
  const folders = [place.root, ...code.map((path) => join(HOME, path))];
  const server = await connect(folders, { args: [...flags, place.root] });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

describe("a dialect over MCP", () => {
  for (
    const [dialect, tool, field] of [
      ["toolkit", "read_file", "path"],
      ["forge", "Read", "path"],
      ["open", "open_file", "file_path"],
    ] as const
  ) {
    it(`reads files in the encoding of the command line: ${dialect}`, async () => {
      const files = { "a.txt": encodedIn(JAPANESE, "shift_jis") };
      const flags = ["--encoding=shift_jis", `--dialect=${dialect}`];
      await using server = await serve(files, flags);
      const { text } = await server.call({ [field]: "a.txt" }, tool);
      assertMatch(text, /頼まれた行だけを正確に/);
    });
  }
  it("is not codex if an encoding is named, since codex reads UTF-8", () => {
    const args = ["--encoding=shift_jis", "--dialect=codex", "."];
    assertThrows(
      () => readCommandLine(args),
      UsageError,
      "Cannot serve: --encoding means nothing with --dialect codex; leave one of them out",
    );
    readCommandLine(["--encoding=auto", "--dialect=codex", "."]);
  });
});

describe("read_file over MCP", () => {
  it("shows UTF-16 as text, and each page goes on in it", async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} é上`);
    const text = `\uFEFF${lines.join("\r\n")}\r\n`;
    await using server = await serve({ "a.log": utf16Of(text) });
    let all = "";
    let next: Record<string, unknown> | null = { path: "a.log" };
    while (next !== null) {
      const { ok, text } = await server.call(next);
      assert(ok, text);
      const encoding = next.encoding === undefined
        ? "utf-16le (byte order mark)"
        : "utf-16le (as on the page before)";
      assert(text.split("\n")[0]!.includes(`In ${encoding}.`), text);
      for (const [, line] of text.matchAll(/^\d+\t(.*)$/gm)) {
        all += `${line}\r\n`;
      }
      next = parseWords(text).next;
    }
    assertEquals(all, text);
  });
  it("finds text in it, and each page goes on in it", async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} 上`);
    const text = `\uFEFF${lines.join("\r\n")}\r\n`;
    await using server = await serve({
      "a.log": utf16Of(text),
      "b.txt": encodedIn(JAPANESE, "shift_jis"),
    });
    const found: string[] = [];
    let next: Record<string, unknown> | null = {
      path: "a.log",
      match: "7 上",
      maxChars: 1500,
    };
    while (next !== null) {
      const { ok, text } = await server.call(next);
      assert(ok, text);
      for (const [, line] of text.matchAll(/^\d+\t(.*)$/gm)) found.push(line!);
      next = parseWords(text).next;
    }
    assertEquals(found, lines.filter((line) => line.includes("7 上")));
    const legacy = await server.call({ path: "b.txt", match: "間に" });
    assertMatch(legacy.text, /^2\t読んでいる間に/m);
  });
  it("detects a legacy encoding by statistics, and says so", async () => {
    await using server = await serve({
      "a.txt": encodedIn(JAPANESE, "shift_jis"),
    });
    const { text } = await server.call({ path: "a.txt" });
    assertMatch(text, /^"a\.txt": lines 1-2 of 2\. In shift_jis \(statistics/);
    assert(text.includes("1\tこのプログラムは"), text);
    const asked = await server.call({ path: "a.txt", encoding: "euc-jp" });
    assertMatch(asked.text, /In euc-jp \(asked\)\..* Lines marked undecodable/);
    const wrong = await server.call({ path: "a.txt", encoding: "shift_jsi" });
    assertEquals(wrong.code, "INVALID_ARGUMENT");
    assertMatch(wrong.text, /did you mean shift_jis\?/);
  });
  it("reads all files in the encoding of --encoding", async () => {
    await using server = await serve(
      { "a.txt": encodedIn("é\n", "windows-1252") },
      ["--encoding", "latin1"],
    );
    const { text } = await server.call({ path: "a.txt" });
    assert(text.includes("1\té"), text);
  });
});

describe("the detector of the MCP server", () => {
  it("detects nothing if it cannot be loaded, and says so once", async () => {
    const said: string[] = [];
    const fail = () => Promise.reject(new Error("x could not be loaded"));
    const detect = lazyDetector(fail, (message) => void said.push(message));
    for (let call = 0; call < 2; call++) {
      assertEquals(await detect(new Uint8Array(1)), []);
    }
    assertEquals(said, [
      "legacy encodings are not detected: x could not be loaded",
    ]);
  });
});
