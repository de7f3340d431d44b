/** The criteria of JSR's score that can be tested locally, and more. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { toFileUrl } from "@std/path";
import { describe, it } from "node:test";
import { runWell } from "./command.ts";
import { worldHere } from "./world.ts";

const world = worldHere();

/** A symbol in the output of `deno doc --json`. */
interface DocSymbol {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: {
      readonly doc?: string;
      readonly tags?: readonly {
        readonly kind: string;
        readonly doc?: string;
      }[];
    };
    readonly def?: { readonly hasBody?: boolean };
  }[];
}

/** An entry point of a package. */
interface DocModule {
  readonly module_doc?: { readonly doc?: string };
  readonly symbols: readonly DocSymbol[];
}

interface Docs {
  readonly nodes: Readonly<Record<string, DocModule>>;
}

/** A class under another name: a constant with a prototype. */
function isClass({ kind, def }: Declaration): boolean {
  return kind === "class" ||
    kind === "variable" && namesIn(def).includes("prototype");
}

/** Declarations that exist only for the compiler. */
const TYPES: readonly string[] = ["interface", "typeAlias"];

/** The largest length of a description on JSR. */
const MAX_DESCRIPTION = 250;

const { nodes } = JSON.parse(
  await runWell(Deno.execPath(), [
    "doc",
    "--json",
    "--import-map=tests/typed_std.json",
    "mod.ts",
    "mcp/mod.ts",
    "detect/mod.ts",
    "git/mod.ts",
    "highlight/mod.ts",
    "layers/mod.ts",
    "pdf/mod.ts",
    "testing/mod.ts",
  ], { cwd: world.home, env: { DENO_DIR: `${world.folder}/score` } }),
) as Docs;

function docsOf(entry: string): DocModule {
  const docs = nodes[toFileUrl(`${world.home}/${entry}`).href];
  assert(docs !== undefined, entry);
  return docs;
}

const { symbols, module_doc: moduleDoc } = docsOf("mod.ts");

/** What each package exports. */
const PACKAGES: Readonly<Record<string, readonly DocSymbol[]>> = {
  "@agent-tools/read-file": symbols,
  "@agent-tools/read-file-mcp": docsOf("mcp/mod.ts").symbols,
  "@agent-tools/read-file-detect": docsOf("detect/mod.ts").symbols,
  "@agent-tools/read-file-git": docsOf("git/mod.ts").symbols,
  "@agent-tools/read-file-highlight": docsOf("highlight/mod.ts").symbols,
  "@agent-tools/read-file-layers": docsOf("layers/mod.ts").symbols,
  "@agent-tools/read-file-pdf": docsOf("pdf/mod.ts").symbols,
  "@agent-tools/read-file-testing": docsOf("testing/mod.ts").symbols,
};

type Declaration = DocSymbol["declarations"][number];

/** The declarations that documentation shows: of an overloaded function, not its implementation. */
function shown({ declarations }: DocSymbol): readonly Declaration[] {
  return declarations.length === 1
    ? declarations
    : declarations.filter(({ def }) => def?.hasBody !== true);
}

/** The code of the examples of a declaration; `deno test --doc` runs all of them. */
function examplesOf({ jsDoc }: Declaration): string[] {
  return (jsDoc?.tags ?? []).filter(({ kind }) => kind === "example")
    .flatMap(({ doc = "" }) =>
      doc.match(/```ts( no-assert)?\n[^]+?\n```/g) ?? []
    );
}

function isType({ declarations }: DocSymbol): boolean {
  return declarations.every(({ kind }) => TYPES.includes(kind));
}

/** Every name in a definition. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

/** The symbols that parameters and results refer to. */
function reachedFrom(some: readonly DocSymbol[]): Set<string> {
  const byName = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  const reached = new Set(some.map(({ name }) => name));
  for (const name of reached) {
    const { declarations = [] } = byName.get(name) ?? {};
    for (const other of namesIn(declarations.map(({ def }) => def))) {
      if (byName.has(other)) reached.add(other);
    }
  }
  return reached;
}

function namesOf(some: readonly DocSymbol[]): string[] {
  return some.map(({ name }) => name);
}

describe("the documentation", () => {
  it("begins with a description of the package and an example", () => {
    assertMatch(moduleDoc?.doc ?? "", /^Reads files for [^]*```ts\n/);
  });
  it("has a description for JSR in its first sentence", async () => {
    const [sentence = ""] = moduleDoc?.doc?.split("\n\n") ?? [];
    assert(sentence.length <= MAX_DESCRIPTION, `${sentence.length} letters`);
    const readme = await Deno.readTextFile(`${world.home}/README.md`);
    assertEquals(readme.split("\n\n")[1], sentence);
    assertMatch(readme, /```ts\n/);
  });
  it("describes every export", () => {
    assert(symbols.length > 100);
    const silent = symbols.filter((symbol) =>
      shown(symbol).some(({ jsDoc }) => !jsDoc?.doc)
    );
    assertEquals(namesOf(silent), []);
  });
  for (const [name, exports] of Object.entries(PACKAGES)) {
    it(`has an example of every function and class of ${name}, and of each overload`, () => {
      const isCode = (one: Declaration) =>
        one.kind === "function" || isClass(one);
      const needed = exports.filter((symbol) => shown(symbol).some(isCode));
      assertNotEquals(needed, []);
      const bare = needed.filter((symbol) =>
        shown(symbol).some((one) => isCode(one) && examplesOf(one).length === 0)
      );
      assertEquals(namesOf(bare), []);
    });
    it(`has complete examples of ${name} with assertions`, () => {
      for (const symbol of exports) {
        for (const example of shown(symbol).flatMap(examplesOf)) {
          assert(example.includes(`from "${name}"`), symbol.name);
          assertMatch(example, /\bassert\w*\(|```ts no-assert/, symbol.name);
        }
      }
    });
  }
  it("has different examples, each of which uses the documented export", () => {
    const all = Object.values(PACKAGES).flat().flatMap((symbol) =>
      shown(symbol).flatMap(examplesOf).map((code) => ({ ...symbol, code }))
    );
    const strange = all.filter(({ name, code }) =>
      !new RegExp(`\\b${name}\\b`).test(code)
    );
    assertEquals(namesOf(strange), []);
    assertEquals(new Set(all.map(({ code }) => code)).size, all.length);
  });
  it("exports only types that parameters and results need", () => {
    const reached = reachedFrom(symbols.filter((symbol) => !isType(symbol)));
    const others = symbols.filter(({ name }) => !reached.has(name));
    assertEquals(namesOf(others), []);
  });
});

describe("the package", () => {
  it("has no slow types", async () => {
    const main = await Deno.readTextFile(
      `${world.home}/tests/consumers/main.ts`,
    );
    assertEquals(main.includes("allow-slow-types"), false);
    assert(world.published.length > 0);
  });
  it("shows how to write a port in forty lines, imports included", async () => {
    const text = await Deno.readTextFile(`${world.home}/docs/ports.md`);
    assertMatch(text, /\bin 40 lines\b/);
    const [, port = ""] =
      /```ts\n((?:(?!```)[^])*?)\n\n\/\/ That is all\b/.exec(text) ??
        [];
    const lines = port.split("\n").filter((line) => line !== "");
    assertMatch(port, /^import [^]*\): FsPort \{\n/);
    assert(lines.length <= 40, `${lines.length} lines`);
  });
});
