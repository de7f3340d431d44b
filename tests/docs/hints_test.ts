/** No refusal is a dead end: what a hint says is done here, and works. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createReadImage,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  readerTools,
  type ReadFileError,
  type ReadFileErrorCode,
  respond,
  type ToolMaker,
} from "../../mod.ts";
import { png } from "../support/images.ts";
import { ERROR_CASES } from "./error_cases.ts";

const open = (files: Parameters<typeof memoryFs>[0]) =>
  openWorkspace("/repo", { fs: memoryFs(files) });

/** The part of a hint that a pattern finds. */
function partOf(hint: string, pattern: RegExp): string {
  const [, part] = pattern.exec(hint) ?? [];
  assert(part !== undefined, hint);
  return part;
}

/** Does what each hint of docs/errors.md says, with the files of its example; fails if that fails. */
const FOLLOWED: {
  readonly [Code in ReadFileErrorCode]:
    | ((hint: string, error: ReadFileError) => Promise<unknown>)
    | "no hint";
} = {
  // The message itself says what is needed.
  async INVALID_ARGUMENT(_, { message }) {
    const start = Number(partOf(message, /whole number from (\d+) on/));
    const workspace = await open({ "/repo/a.txt": "one\n" });
    await workspace.read("a.txt", { start });
  },
  async OUTSIDE_WORKSPACE(hint) {
    assertMatch(hint, /^name a file below the workspace's root$/);
    const workspace = await open({ "/repo/a.txt": "one\n" });
    await workspace.read("a.txt");
  },
  async POLICY_DENIED(hint) {
    assertMatch(hint, /use another file, or ask the user to change the rule/);
    const files = { "/repo/key.pem": "KEY", "/repo/a.txt": "" };
    await (await open(files)).read("key.pem");
    const fs = memoryFs(files);
    const denying = await openWorkspace("/repo", { fs, deny: ["**/*.pem"] });
    await denying.read("a.txt");
  },
  async NOT_FOUND(hint) {
    const path = partOf(hint, /^did you mean "(.*)"\?$/);
    const workspace = await open({ "/repo/src/main.ts": "" });
    await workspace.read(path);
  },
  async NOT_A_FILE(hint) {
    const name = partOf(hint, /^name a file in it; it holds "(.*)"$/);
    const workspace = await open({ "/repo/src/main.ts": "" });
    await workspace.read(`src/${name}`);
  },
  async PERMISSION_DENIED(hint) {
    assertMatch(hint, /^read another file, or have its permissions changed$/);
    await (await open({ "/repo/a.txt": "one\n" })).read("a.txt");
  },
  async SYMLINK_LOOP(hint) {
    assertMatch(hint, /^name the file they should lead to$/);
    const links = { "/repo/a": { link: "b" }, "/repo/b": { link: "a" } };
    await (await open({ ...links, "/repo/c": "" })).read("c");
  },
  async TOO_LARGE(hint, error) {
    assertMatch(hint, /^read it with a larger maxFileBytes$/);
    assert(error.is("TOO_LARGE"));
    const { size: maxFileBytes } = error.details;
    const workspace = await open({ "/repo/a.txt": "one\ntwo\n" });
    await workspace.read("a.txt", { maxFileBytes });
  },
  async BINARY(hint) {
    const options = JSON.parse(`{${partOf(hint, /^read it with (.*)$/)}}`);
    const bytes = Uint8Array.of(0x89, 0x50, 0x00);
    const workspace = await open({ "/repo/a.png": bytes });
    const page = await workspace.read("a.png", options);
    assertEquals(page.bytes(), bytes);
  },
  async UNREADABLE(hint) {
    assertMatch(hint, /^read it as text, or name an image$/);
    const files = { "/repo/a.png": Uint8Array.of(0x89, 0x50, 0x00) };
    const workspace = await open({ ...files, "/repo/b.png": png(1, 1) });
    await workspace.read("a.png");
    await workspace.readImage("b.png");
  },
  async RANGE_OUT_OF_BOUNDS(hint) {
    const start_line = Number(partOf(hint, /lines from (\d+) to/));
    const end_line = Number(partOf(hint, /to (\d+), the first/));
    const workspace = await open({ "/repo/a.txt": "one\ntwo\n" });
    const lines = { file_path: "a.txt", start_line, end_line };
    await createOpenFile(workspace).call(lines);
  },
  async SCAN_LIMIT(hint) {
    const count = Number(partOf(hint, /its first (\d+) lines/));
    assertMatch(hint, /or for a larger maxScanBytes$/);
    const workspace = await open({ "/repo/a.txt": "one\ntwo\nthree\n" });
    await workspace.read("a.txt", { start: count, count: 1, maxScanBytes: 8 });
    await workspace.read("a.txt", { start: 3, maxScanBytes: 14 });
  },
  async CHANGED(hint) {
    assertMatch(hint, /^read it again from the beginning$/);
    const after = await open({ "/repo/a.txt": "ONE\nTWO\n" });
    await after.read("a.txt");
  },
  ABORTED: "no hint",
  async IO(hint) {
    assertMatch(hint, /^try again$/);
    await (await open({ "/repo/a.txt": "one\n" })).read("a.txt");
  },
};

describe("the hints of docs/errors.md", () => {
  for (const [code, { run }] of Object.entries(ERROR_CASES)) {
    it(`are followed: ${code}`, async () => {
      const error: ReadFileError = await run();
      const follow = FOLLOWED[code as ReadFileErrorCode];
      if (follow === "no hint") assertEquals(error.hint, undefined);
      else await follow(error.hint ?? "", error);
    });
  }
});

const FILES = {
  "/repo/dir/big.txt": "a line\n".repeat(200_000),
  "/repo/small.bin": Uint8Array.of(1, 0xff, 0, 2),
  "/repo/utf16.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0a, 0),
  "/repo/a.png": png(3, 2),
};

describe("a refusal of a toolkit's tool", () => {
  const kits: readonly (readonly [string, readonly ToolMaker[], string[]])[] = [
    ["codex", [createOpenFile, (at) => createCodexReadFile(at)], ["big"]],
    [
      "Forge",
      [createOpenFile, (at) => createForgeRead(at)],
      ["big", "bin"],
    ],
    ["the reader's", [createOpenFile, (at) => readerTools(at)], [
      "big",
      "png",
      "utf16",
    ]],
    ["read_image", [createOpenFile, (at) => createReadImage(at)], ["png"]],
  ];
  const PATHS = {
    big: "dir/big.txt",
    bin: "small.bin",
    png: "a.png",
    utf16: "utf16.txt",
  };
  for (const [name, tools, kinds] of kits) {
    it(`names the call of another one that reads the file: ${name}`, async () => {
      const workspace = await open(FILES);
      const kit = await createAgentToolkit({ workspace, tools });
      for (const kind of kinds) {
        const file_path = PATHS[kind as keyof typeof PATHS];
        const refused = await kit.respond("open_file", { file_path });
        const [, tool = "", args] = /\ncall (\w+) (\{.*\})$/
          .exec(refused.text) ?? [];
        assert(!refused.ok && args !== undefined, refused.text);
        const { ok, text } = await kit.respond(tool, args);
        assert(ok && text !== "", text);
      }
    });
  }
  it("hands on the lines that were asked for", async () => {
    const workspace = await open(FILES);
    const lines = { start_line: 7, end_line: 9 };
    for (
      const [tool, args] of [
        [(at) => createCodexReadFile(at), {
          file_path: "/repo/dir/big.txt",
          offset: 7,
          limit: 3,
        }],
        [(at) => createForgeRead(at), {
          path: "dir/big.txt",
          start_line: 7,
          limit: 3,
        }],
        [(at) => readerTools(at), { path: "dir/big.txt", start: 7, count: 3 }],
      ] satisfies readonly (readonly [ToolMaker, object])[]
    ) {
      const tools: readonly ToolMaker[] = [createOpenFile, tool];
      const kit = await createAgentToolkit({ workspace, tools });
      const file_path = "dir/big.txt";
      const { text } = await kit.respond("open_file", { file_path, ...lines });
      const [, name = "", call = text] = /\ncall (\w+) (\{.*\})$/.exec(text) ??
        [];
      assertEquals(JSON.parse(call), args);
      assert((await kit.respond(name, call)).ok);
    }
  });
  it("names only what the policy allows", async () => {
    const workspace = await open(FILES);
    const kit = await createAgentToolkit({
      workspace,
      tools: [createOpenFile, createForgeRead],
      policy: { tools: { Read: "deny" } },
    });
    const args = { file_path: "dir/big.txt" };
    const { text } = await kit.respond("open_file", args);
    assert(!text.includes("call Read"), text);
  });
  it("says what the host can change, if no tool at hand reads the file", async () => {
    const workspace = await open(FILES);
    const path = "dir/big.txt";
    const window = await respond(createToolkitReadFile(workspace), { path });
    assertMatch(window.text, /ask the user .* read_file of readerTools$/);
    const opened = await respond(createOpenFile(workspace), {
      file_path: path,
    });
    assertMatch(opened.text, /readerTools, or for a larger maxFileBytes$/);
    const [readFile] = readerTools(workspace);
    assert((await respond(readFile, { path })).ok);
    const larger = createOpenFile(workspace, { maxFileBytes: 2_000_000 });
    assert((await respond(larger, { file_path: path })).ok);
    const small = { path: "small.bin" };
    const binary = await respond(createToolkitReadFile(workspace), small);
    assertMatch(binary.text, /ask the user .* Read of createForgeRead$/);
    assert((await respond(createForgeRead(workspace), small)).ok);
  });
});
