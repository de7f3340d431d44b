import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { HOME } from "./support/child.ts";

/** The most lines of code of a file; comments and examples are not counted. */
const MAX_LINES = 250;

/** A package beside the library. */
interface Package {
  readonly folder: string;
  /** What its files may import besides each other. */
  readonly imports: readonly RegExp[];
  /** The files that may import modules of a runtime. */
  readonly ofRuntime?: RegExp;
}

const PACKAGES: readonly Package[] = [
  {
    folder: "mcp",
    imports: [
      /^@agent-tools\/read-file$/,
      /^@modelcontextprotocol\/server(\/stdio)?$/,
    ],
    ofRuntime: /^(mod|src\/(main|command_line|line_transport))\.ts$/,
  },
  { folder: "testing", imports: [/^@agent-tools\/read-file$/] },
];

const textOf = (path: string) => readFileSync(join(HOME, path), "utf8");

/** Removes what is documentation: lines that are comments. */
const withoutComments = (text: string) =>
  text.replace(/^\s*(\/\/|\/?\*).*\n/gm, "");

/** What a text imports. */
function importsOf(text: string): string[] {
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(withoutComments(text).matchAll(spelt), ([, path]) => path!);
}

for (const { folder, imports, ofRuntime } of PACKAGES) {
  const files = [
    "mod.ts",
    ...readdirSync(join(HOME, folder, "src")).map((name) => `src/${name}`),
  ];
  describe(`the files of ${folder}/`, () => {
    for (const file of files) {
      it(`${file} is short, says where it runs, and imports only what it may`, () => {
        const text = textOf(`${folder}/${file}`);
        const lines = withoutComments(text).split("\n").length - 1;
        assert(lines <= MAX_LINES, `${lines} lines`);
        if (file !== "mod.ts") {
          assertMatch(
            text,
            /^\/\/ (Runtime-agnostic|Deno and Bun(: [^.]+)?)\.\n/,
          );
        }
        const found = importsOf(text);
        const high = found.filter((path) =>
          ![/^\.\.?\//, ...imports].some((rule) => rule.test(path)) &&
          !(ofRuntime?.test(file) && path.startsWith("node:"))
        );
        assertEquals(high, []);
        assert(
          !found.some((path) => path.startsWith("../../")),
          "it leaves the package",
        );
      });
    }
  });
}

describe("the files of testing/", () => {
  it("import only types of the library", () => {
    const library = '"@agent-tools/read-file"';
    for (const name of readdirSync(join(HOME, "testing/src"))) {
      const text = withoutComments(textOf(`testing/src/${name}`));
      const types = /^import type \{[^;]*\} from "@agent-tools\/read-file";$/gm;
      assert(!text.replace(types, "").includes(library), name);
    }
  });
});

describe("the library", () => {
  it("imports nothing of the other packages or the MCP SDK", () => {
    const sources = readdirSync(join(HOME, "src"), { recursive: true })
      .map(String).filter((path) => path.endsWith(".ts"));
    assert(sources.length > 50);
    for (const path of ["mod.ts", ...sources.map((path) => `src/${path}`)]) {
      const found = importsOf(textOf(path))
        .filter((name) =>
          /modelcontextprotocol|read-file-(mcp|testing)|\/(mcp|testing)\//.test(
            name,
          )
        );
      assertEquals(found, [], path);
    }
  });

  it("imports nothing of npm, and the other packages only the SDK", () => {
    const importsIn = (path: string): Readonly<Record<string, string>> =>
      JSON.parse(textOf(path)).imports;
    for (const source of Object.values(importsIn("deno.json"))) {
      assertMatch(source, /^jsr:@std\//);
    }
    for (const { folder } of PACKAGES) {
      for (
        const [name, source] of Object.entries(importsIn(`${folder}/deno.json`))
      ) {
        const isLibrary = name === "@agent-tools/read-file";
        assertMatch(
          source,
          isLibrary
            ? /^jsr:@agent-tools\/read-file@\^/
            : /^npm:@modelcontextprotocol\/server@\^/,
        );
      }
    }
  });
});
