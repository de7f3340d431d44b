import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path/posix";
import { describe, it } from "node:test";
import { HOME, runChild } from "./support/child.ts";
import { RUNTIME } from "./support/disk.ts";

/**
 * The folders, the lowest first. A file imports from its own folder and from
 * those before it in this list, and never from one after it.
 */
const LAYERS = [
  "src/core/base",
  "src/core/unicode",
  "src/core/guard",
  "src/core/lines",
  "src/core/help",
  "src/core/pages",
  "src/core",
  "src/fs",
  "src/fs/http",
  "src/fs/layers",
  "src/tools",
  "src",
  "src/cli",
  ".",
] as const;

/** The most lines of code in a file; comments, examples and blank lines are free. */
const MAX_CODE_LINES = 250;

/** What comes from elsewhere, and the folders that may use it. */
const FROM_ELSEWHERE: readonly (readonly [RegExp, RegExp])[] = [
  [/^@std\/(path|streams|toml)(\/[a-z-]+)*$/, /^src\//],
  [/^node:(util|process)$/, /^src\/cli$/],
];

/** The folders whose files may say what a runtime is called. */
const OF_A_RUNTIME = /^src\/(fs|cli)\b/;

/** What the first line of a file in `src` says. */
const HEADER =
  /^\/\/ (Runtime-agnostic|Deno only|Bun only|Deno and Bun(: [^.]+)?)\.$/;

const FILES: readonly string[] = [
  "mod.ts",
  ...readdirSync(join(HOME, "src"), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith(".ts"))
    .sort(),
];

function textOf(file: string): string {
  return readFileSync(join(HOME, file), "utf8");
}

/** The code alone: without comments, and without what strings say. */
function codeOf(text: string): string {
  return text.replace(
    /"(?:[^"\\\n]|\\.)*"|\/\*[^]*?\*\/|\/\/.*/g,
    (found) => found.startsWith('"') ? '""' : "",
  );
}

/** The lines that hold code. */
function codeLinesOf(text: string): number {
  const comments = /^\s*(?:\/\/|\/\*|\*)/;
  return text.split("\n")
    .filter((line) => line.trim() !== "" && !comments.test(line)).length;
}

/** What a file imports or exports from, however it is spelt. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!);
}

/** The place of a folder in the list; -1 if it has none. */
function rankOf(folder: string): number {
  return LAYERS.findIndex((layer) => layer === folder);
}

/** Whether a file may import what it names by `path`. */
function mayImport(file: string, path: string): boolean {
  const folder = dirname(file);
  if (!path.startsWith(".")) {
    return FROM_ELSEWHERE.some(([what, where]) =>
      what.test(path) && where.test(folder)
    );
  }
  const target = join(folder, path);
  if (target === "deno.json") return true;
  const rank = rankOf(dirname(target));
  return rank >= 0 && rank <= rankOf(folder);
}

describe("the layers", () => {
  it("are all there to be looked at", () => {
    const folders = new Set(FILES.map((file) => dirname(file)));
    assertEquals([...folders].sort(), [...LAYERS].sort());
  });
  it("are read right by this test", () => {
    const text = [
      "// Deno",
      ' * import { x } from "node:doc";',
      'import { y } from "./y.ts";',
      'export { z } from "./z.ts";',
      'import "./side.ts";',
      "const later = () => import(",
      '  "node:fs"',
      ");",
      'const s = "Bun // not a comment"; // Bun',
      "const { Deno } = globalThis;",
    ].join("\n");
    assertEquals(importsOf(text), ["./y.ts", "./z.ts", "./side.ts", "node:fs"]);
    assertEquals(codeOf(text).match(/\b(Deno|Bun)\b/g), ["Deno"]);
    assertEquals(codeLinesOf(text), 8);
    assert(mayImport("src/core/pages/a.ts", "../lines/b.ts"));
    assert(!mayImport("src/core/lines/b.ts", "../pages/a.ts"));
    assert(!mayImport("src/core/lines/b.ts", "../read.ts"));
    assert(!mayImport("src/core/read.ts", "node:fs"));
  });
  for (const file of FILES) {
    it(`${file} imports only from its folder and those below`, () => {
      const high = importsOf(textOf(file))
        .filter((path) => !mayImport(file, path));
      assertEquals(high, []);
    });
    it(`${file} has at most ${MAX_CODE_LINES} lines of code`, () => {
      const lines = codeLinesOf(textOf(file));
      assert(lines <= MAX_CODE_LINES, `${lines} lines`);
    });
    if (file === "mod.ts") continue;
    it(`${file} says first where it runs`, () => {
      const [first = ""] = textOf(file).split("\n");
      assertMatch(first, HEADER);
      if (/^src\/(core|tools)\//.test(file)) {
        assertEquals(first, "// Runtime-agnostic.");
      }
    });
    if (OF_A_RUNTIME.test(dirname(file))) continue;
    it(`${file} names no runtime`, () => {
      assertEquals(codeOf(textOf(file)).match(/\b(Deno|Bun)\b/g), null);
    });
  }
});

describe("mod.ts", () => {
  it("loads, and says nothing", () => {
    const { code, stdout, stderr } = runChild(
      "tests/children/load.ts",
      [],
    );
    assertEquals([code, stdout, stderr], [0, "true\n", ""]);
  });
  if (RUNTIME === "Deno") {
    it("asks for no permission while it loads", () => {
      const folder = mkdtempSync(join(tmpdir(), "read-file-"));
      // Deno writes down here whatever a program wants, granted or not.
      const audit = join(folder, "audit.jsonl");
      const environment = { DENO_AUDIT_PERMISSIONS: audit };
      const wanted = (file: string, ...args: string[]) => {
        const { code, stderr } = runChild(file, args, { environment });
        const text = existsSync(audit) ? readFileSync(audit, "utf8") : "";
        return { code, stderr, text };
      };
      const quiet = wanted("tests/children/load.ts");
      assertEquals(quiet, { code: 0, stderr: "", text: "" });
      // The same of a program that wants something: it is seen.
      assertMatch(
        wanted("tests/children/root.ts", "src", "x").text,
        /"read"/,
      );
      rmSync(folder, { recursive: true });
    });
  }
});
