/** No refusal is a dead end: what a hint says is done here, and works. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import {
  createAgentToolkit,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createReadImage,
  createToolkitReadFile,
  gunzipView,
  memoryFs,
  notebookView,
  openWorkspace,
  readerTools,
  type ReadFileError,
  type ReadFileErrorCode,
  respond,
  type ToolMaker,
  type View,
} from "../../mod.ts";
import { png } from "../support/images.ts";
import { SAMPLE } from "../support/notebooks.ts";
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
    const image = png(1, 1);
    const workspace = await open({
      "/repo/a.png": Uint8Array.of(0x89, 0x50, 0x00),
      "/repo/b.png": image,
      "/repo/cut.png": image.subarray(0, 30),
    });
    await workspace.read("a.png");
    await workspace.readImage("b.png");
    // What the page says of all of them.
    const page = await workspace.read("cut.png", { view: "raw" });
    assertMatch(page.text, /PNG/);
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

/** Files that refuse something. */
const HOSTILE = {
  "/repo/a.txt": "one\ntwo\nthree\n",
  "/repo/src/main.ts": "x\n",
  "/repo/a.gz": gzipSync("packed\n"),
  "/repo/cut.gz": gzipSync("x\n".repeat(999)).subarray(0, 15),
  "/repo/a.ipynb": SAMPLE,
  "/repo/cut.ipynb": SAMPLE.slice(0, 30),
  "/repo/a.pdf": "%PDF-1.4\n\0 x\n",
  "/repo/a.png": png(3, 2),
  "/repo/cut.png": png(3, 2).subarray(0, 30),
  "/repo/nul.bin": Uint8Array.of(1, 0xff, 0, 2),
  "/repo/nul16.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0, 0),
  "/repo/key.pem": "KEY",
  "/repo/loop": { link: "loop" },
  "/repo/out": { link: "/etc" },
};

/** The hints that no call follows: only the user, or another file, helps. */
const FINAL =
  /damaged|no tool here shows|another (?:file|path)|has a view that shows it|name the file they should lead to|below "\/repo"/;

/** The call that a refusal of one of the reader's tools names. */
function callIn(
  text: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): readonly [tool: string, args: object] | undefined {
  const [, named, json] = /(read_files?|list_directory) (\{.*?\})(?= |$)/
    .exec(text) ?? [];
  if (json !== undefined) return [named!, JSON.parse(json)];
  const [, path] = /did you mean ("(?:[^"\\]|\\.)*")\?/.exec(text) ?? [];
  if (path !== undefined) return [tool, { ...args, path: JSON.parse(path) }];
  if (!/leave view out/.test(text)) return undefined;
  const { view: _, ...others } = args;
  return [tool, others];
}

describe("a refusal of the reader's tools, of a file or its place", () => {
  const paths = [
    ...Object.keys(HOSTILE).map((path) => path.slice("/repo/".length)),
    ...["src", "none", "A.txt", "a.txt/x", "src/mian.ts", "../x", "", "a\0"],
    ...["a.txt:1..2", "a.txt:/tw", "A.txt:2", "file:///repo/A.txt", "~/a.txt"],
  ];
  const views: readonly View[] = [notebookView(), gunzipView()];
  for (const [name, given] of [["none", []], ["usual", views]] as const) {
    it(`names a call that works, or that the user is needed (views: ${name})`, async () => {
      const deny = ["*.pem"];
      const fs = memoryFs(HOSTILE);
      const workspace = await openWorkspace("/repo", {
        ...{ fs, deny, views: given },
      });
      const tools = readerTools(workspace);
      const ask = async (name: string, args: object) => {
        const tool = tools.find(({ definition }) => definition.name === name);
        assert(tool !== undefined, name);
        return await respond(tool, args);
      };
      let followed = 0;
      for (const path of paths) {
        const calls: readonly (readonly [string, object])[] = [
          ["list_directory", { path }],
          ["read_file", { path }],
          ...["raw", "cells", "gunzip"]
            .map((view) => ["read_file", { path, view }] as const),
        ];
        for (const [tool, args] of calls) {
          let { ok, text } = await ask(tool, args);
          let call = ok ? undefined : callIn(text, tool, { ...args });
          for (let at = 0; call !== undefined && at < 3; at++) {
            followed++;
            ({ ok, text } = await ask(...call));
            const [next, sent] = call;
            call = ok ? undefined : callIn(text, next, { ...sent });
          }
          const isPacked = path === "cut.gz" && /decompresses it/.test(text);
          assert(
            ok || isPacked || FINAL.test(text),
            `${JSON.stringify(args)}: ${text}`,
          );
        }
      }
      assert(followed > 40, `${followed} hints were followed`);
    });
  }
});
