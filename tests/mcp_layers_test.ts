import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HOME } from "./support/child.ts";

/** A file is one noun. */
const MAX_LINES = 250;

/** What the server stands on: the library by its name, the SDK, and what runs a program. */
const GROUND = [
  /^@agent-tools\/read-file$/,
  /^@modelcontextprotocol\/server(\/stdio)?$/,
  /^\.\.?\//,
];

/** The only files that may name a runtime's modules. */
const OF_A_RUNTIME = /^(mod|src\/(main|command_line|line_transport))\.ts$/;

const FILES = [
  "mod.ts",
  ...readdirSync(join(HOME, "mcp/src")).map((name) => `src/${name}`),
];

const textOf = (path: string) => readFileSync(join(HOME, path), "utf8");

/** What a text imports. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!);
}

describe("the files of the MCP server", () => {
  for (const file of FILES) {
    it(`${file} is short, says where it runs, and imports only what it may`, () => {
      const text = textOf(`mcp/${file}`);
      assert(text.split("\n").length - 1 <= MAX_LINES);
      if (file !== "mod.ts") {
        assertMatch(
          text,
          /^\/\/ (Runtime-agnostic|Deno and Bun(: [^.]+)?)\.\n/,
        );
      }
      const high = importsOf(text).filter((path) =>
        !GROUND.some((rule) => rule.test(path)) &&
        !(OF_A_RUNTIME.test(file) && path.startsWith("node:"))
      );
      assertEquals(high, []);
      assert(
        !importsOf(text).some((path) => path.startsWith("../../")),
        "it leaves the package",
      );
    });
  }
});

describe("the library", () => {
  it("has no part of the MCP server, and none of the SDK", () => {
    const sources = readdirSync(join(HOME, "src"), { recursive: true })
      .map(String).filter((path) => path.endsWith(".ts"));
    assert(sources.length > 50);
    for (const path of ["mod.ts", ...sources.map((path) => `src/${path}`)]) {
      const found = importsOf(textOf(path))
        .filter((name) =>
          /modelcontextprotocol|read-file-mcp|\/mcp\//.test(name)
        );
      assertEquals(found, [], path);
    }
  });

  it("needs nothing of npm, and the server the SDK alone", () => {
    const importsIn = (path: string): Readonly<Record<string, string>> =>
      JSON.parse(textOf(path)).imports;
    for (const source of Object.values(importsIn("deno.json"))) {
      assertMatch(source, /^jsr:@std\//);
    }
    for (const [name, source] of Object.entries(importsIn("mcp/deno.json"))) {
      const isLibrary = name === "@agent-tools/read-file";
      assertMatch(
        source,
        isLibrary
          ? /^jsr:@agent-tools\/read-file@\^/
          : /^npm:@modelcontextprotocol\/server@\^/,
      );
    }
  });
});
