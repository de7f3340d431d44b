import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  CODEX_FILES as FILES,
  codexOn,
  failureOf,
  PROFILES,
  sentenceOf,
} from "../support/codex.ts";

describe("codex read_file paths", () => {
  const outside = "file_path must be inside the workspace";

  for (
    const path of [
      "a.txt",
      "./a.txt",
      "",
      "~",
      "~/a.txt",
      "file:///ws/a.txt",
      " /ws/a.txt",
    ]
  ) {
    it(`must be absolute: ${JSON.stringify(path)}`, async () => {
      const error = await failureOf(await codexOn(FILES), { file_path: path });
      assertEquals(error.message, "file_path must be an absolute path");
      assertEquals(error.path, path);
    });
  }

  for (
    const path of [
      "/etc/passwd",
      "/etc/none",
      "/",
      "/wsx/a.txt",
      "/ws/../etc/passwd",
      "/ws/dir/../../etc/passwd",
      "/ws/..",
      "/ws/../ws/a.txt",
      "/ws/dir/../../ws/a.txt",
      "/../ws2",
    ]
  ) {
    for (const [name, options] of PROFILES) {
      it(`must be inside: ${path}${name}`, async () => {
        const tool = await codexOn(FILES, options);
        const error = await failureOf(tool, { file_path: path });
        assertEquals(error.message, outside);
        assertEquals(error.code, "OUTSIDE_WORKSPACE");
        assertEquals(error.path, path);
        const hint = 'name a file below "/ws"';
        assertEquals(error.hint, options.original ? undefined : hint);
      });
    }
  }

  for (
    const path of [
      "/ws/out",
      "/ws/nowhere",
      "/ws/folder-out/passwd",
      "/ws/folder-out/none",
    ]
  ) {
    it(`must not lead outside through a link: ${path}`, async () => {
      const tool = await codexOn(FILES);
      const error = await failureOf(tool, { file_path: path });
      assertEquals(error.message, outside);
      assertEquals(error.path, path);
    });

    it(`are resolved only after the checks of the arguments: ${path}`, async () => {
      const tool = await codexOn(FILES);
      const call = {
        file_path: path,
        mode: "indentation",
        indentation: { anchor_line: 0 },
      };
      const sentence = "anchor_line must be a 1-indexed line number";
      assertEquals(await sentenceOf(tool, call), sentence);
    });
  }

  for (
    const path of [
      "/ws/a.txt",
      "/ws/./a.txt",
      "//ws//a.txt",
      "/ws/dir/../a.txt",
      "/wsx/../ws/a.txt",
      "/ws/dir/link",
    ]
  ) {
    it(`may name a file inside in any spelling: ${path}`, async () => {
      const { content } = await (await codexOn(FILES)).call({
        file_path: path,
      });
      assertEquals(content, "L1: line 1\nL2: line 2\nL3: line 3");
    });
  }

  for (const path of ["/ws/...", "/ws/..a"]) {
    it(`may contain names that begin with dots: ${path}`, async () => {
      const { content } = await (await codexOn(FILES)).call({
        file_path: path,
      });
      assertEquals(content, "L1: dots");
    });
  }

  const unusable: readonly [string, string, string][] = [
    ["a NUL", "/ws/a\0.txt", "path holds a NUL character"],
    ["half a surrogate pair", "/ws/\ud800", "path holds half a surrogate pair"],
    [
      "4,097 bytes",
      `/ws/${"a/".repeat(2046)}a`,
      "path is longer than 4096 bytes",
    ],
    [
      "a name of 256 bytes",
      `/ws/${"a".repeat(256)}`,
      "path has a name longer than 255 bytes",
    ],
  ];
  for (const [claim, path, reason] of unusable) {
    for (const [name, options] of PROFILES) {
      it(`cannot be read if they contain ${claim}${name}`, async () => {
        const tool = await codexOn(FILES, options);
        const error = await failureOf(tool, { file_path: path });
        assertEquals(error.message, `failed to read file: ${reason}`);
        assertEquals(error.code, "INVALID_ARGUMENT");
      });
    }

    it(`are checked only after the arguments: ${claim}`, async () => {
      const tool = await codexOn(FILES);
      const call = {
        file_path: path,
        mode: "indentation",
        indentation: { max_lines: 0 },
      };
      assertEquals(
        await sentenceOf(tool, call),
        "max_lines must be greater than zero",
      );
    });
  }
});
