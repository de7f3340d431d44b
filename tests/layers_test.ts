import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path/posix";
import { describe, it } from "node:test";
import { HOME, runChild } from "./support/child.ts";
import { RUNTIME } from "./support/disk.ts";

/** The largest number of lines of code in a file; comments, examples and blank lines do not count. */
const MAX_CODE_LINES = 250;

/** The required first line of a file in `src`. */
const HEADER =
  /^\/\/ (Runtime-agnostic|(Deno and Bun|Deno, Bun and Node\.js)(: [^.]+)?)\.$/;

/** A package of this repository. */
interface Package {
  readonly folder: string;
  /**
   * Its folders, from the lowest layer to the highest. A file imports from its own
   * folder and from lower ones.
   */
  readonly layers: readonly string[];
  /** The layers whose files run in every runtime. */
  readonly everywhere: RegExp;
  /** The packages that its files may import. */
  readonly imports: RegExp;
}

const PACKAGES: readonly Package[] = [
  {
    folder: ".",
    layers: [
      "src/core/base",
      "src/core/unicode",
      "src/core/guard",
      "src/core/lines",
      "src/core/encodings",
      "src/core/media",
      "src/core/find",
      "src/core/help",
      "src/core/pages",
      "src/core",
      "src/views",
      "src/fs",
      "src/fs/http",
      "src/fs/layers",
      "src/tools",
      "src",
      "src/cli",
      ".",
    ],
    everywhere: /^src(\/core|\/tools|\/views|$)/,
    imports: /^@std\/(path|streams|toml)(\/[a-z-]+)*$/,
  },
  {
    folder: "mcp",
    layers: ["src", "."],
    everywhere: /^$/,
    imports: /^@agent-tools\/read-file$/,
  },
  {
    folder: "detect",
    layers: ["src", "."],
    everywhere: /^src/,
    imports: /^(@agent-tools\/read-file|jschardet)$/,
  },
  {
    folder: "highlight",
    layers: ["src", "."],
    everywhere: /^src/,
    imports: /^(@agent-tools\/read-file|highlight\.js\/lib\/common)$/,
  },
  {
    folder: "pdf",
    layers: ["src", "."],
    everywhere: /^src/,
    imports: /^(@agent-tools\/read-file|unpdf)$/,
  },
  {
    folder: "testing",
    layers: ["src", "."],
    everywhere: /^src/,
    imports: /^@agent-tools\/read-file$/,
  },
];

function textOf(folder: string, file: string): string {
  return readFileSync(join(HOME, folder, file), "utf8");
}

/** The code without comments and without the content of strings. */
function codeOf(text: string): string {
  return text.replace(
    /"(?:[^"\\\n]|\\.)*"|\/\*[^]*?\*\/|\/\/.*/g,
    (found) => found.startsWith('"') ? '""' : "",
  );
}

/** The number of lines that contain code. */
function codeLinesOf(text: string): number {
  const comments = /^\s*(?:\/\/|\/\*|\*)/;
  return text.split("\n")
    .filter((line) => line.trim() !== "" && !comments.test(line)).length;
}

/** The modules that a file imports or exports from, statically or dynamically. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!)
    .filter((path) => !path.endsWith(".json"));
}

/** The files of the same package whose values a file imports when it is loaded. */
function valuesOf(file: string, text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const statement = /^(?:import|export)\s+(\{[^}]*\})\s+from\s+"(\.[^"]+)";/gm;
  return Array.from(code.matchAll(statement))
    .filter(([, names = ""]) => /[{,]\s*(?!type\s|\})\w/.test(names))
    .map(([, , path = ""]) => normalize(join(dirname(file), path)));
}

/** A cycle of imports that begins at a file; `undefined` if there is none. */
function cycleFrom(
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  before: readonly string[] = [],
  done: Set<string> = new Set(),
): readonly string[] | undefined {
  if (before.includes(file)) return [...before, file];
  if (done.has(file)) return undefined;
  for (const next of imports.get(file) ?? []) {
    const cycle = cycleFrom(next, imports, [...before, file], done);
    if (cycle !== undefined) return cycle;
  }
  done.add(file);
  return undefined;
}

/** Whether a file of a package may import `path`. */
function mayImport(
  { layers, imports }: Package,
  file: string,
  path: string,
  text = "",
): boolean {
  // A file that does not run everywhere may import modules of its runtimes.
  if (path.startsWith("node:")) return !text.startsWith("// Runtime-agnostic.");
  if (!path.startsWith(".")) return imports.test(path);
  const rank = layers.indexOf(normalize(dirname(join(dirname(file), path))));
  return rank >= 0 && rank <= layers.indexOf(dirname(file));
}

describe("this test", () => {
  it("distinguishes imports, code and comments", () => {
    const text = [
      "// Deno",
      ' * import { x } from "node:doc";',
      'import { y } from "./y.ts";',
      'import data from "./data.json" with { type: "json" };',
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
    assertEquals(codeLinesOf(text), 9);
  });
  it("finds cycles of values, not of types", () => {
    const files = {
      "a.ts": 'import { b, type C } from "./b.ts";\n',
      "b.ts":
        'import type { D } from "./a.ts";\nimport { type E } from "./a.ts";\n',
    };
    const importsIn = (all: Readonly<Record<string, string>>) =>
      new Map(
        Object.entries(all).map(([file, text]) => [file, valuesOf(file, text)]),
      );
    assertEquals(importsIn(files).get("a.ts"), ["b.ts"]);
    assertEquals(cycleFrom("a.ts", importsIn(files)), undefined);
    const back = {
      ...files,
      "b.ts": 'import {\n  type E,\n  a,\n} from "./a.ts";\n',
    };
    assertEquals(cycleFrom("a.ts", importsIn(back)), ["a.ts", "b.ts", "a.ts"]);
  });
  it("refuses imports from higher layers", () => {
    const [library, server] = PACKAGES as readonly [Package, Package];
    assert(mayImport(library, "src/core/pages/a.ts", "../lines/b.ts"));
    assert(!mayImport(library, "src/core/lines/b.ts", "../pages/a.ts"));
    assert(!mayImport(library, "src/core/lines/b.ts", "../read.ts"));
    assert(!mayImport(library, "src/core/lines/b.ts", "../../../mcp/mod.ts"));
    assert(mayImport(library, "mod.ts", "./src/host.ts"));
    assert(!mayImport(server, "src/a.ts", "../../src/core/read.ts"));
    assert(!mayImport(server, "src/a.ts", "../mod.ts"));
  });
  it("refuses modules of a runtime in a file that runs everywhere", () => {
    const [library] = PACKAGES as readonly [Package];
    const file = "src/fs/a.ts";
    assert(mayImport(library, file, "node:fs", "// Deno and Bun.\n"));
    assert(!mayImport(library, file, "node:fs", "// Runtime-agnostic.\n"));
  });
});

for (const one of PACKAGES) {
  const { folder, layers, everywhere } = one;
  const sources = readdirSync(join(HOME, folder, "src"), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith(".ts"))
    .sort();
  const name = folder === "." ? "the library" : `${folder}/`;

  describe(`the layers of ${name}`, () => {
    it("are the folders", () => {
      const folders = new Set(["mod.ts", ...sources].map(dirname));
      assertEquals([...folders].sort(), [...layers].sort());
    });
  });

  describe(`the imports of ${name}`, () => {
    it("have no cycle of values", () => {
      const files = ["mod.ts", ...sources];
      const imports = new Map(
        files.map((file) => [file, valuesOf(file, textOf(folder, file))]),
      );
      for (const file of files) {
        assertEquals(cycleFrom(file, imports), undefined);
      }
    });
  });

  describe(`the files of ${name}`, () => {
    for (const file of ["mod.ts", ...sources]) {
      const text = textOf(folder, file);
      it(`${file} imports only from its own and lower layers`, () => {
        const high = importsOf(text)
          .filter((path) => !mayImport(one, file, path, text));
        assertEquals(high, []);
      });
      it(`${file} has at most ${MAX_CODE_LINES} lines of code`, () => {
        const lines = codeLinesOf(text);
        assert(lines <= MAX_CODE_LINES, `${lines} lines`);
      });
    }
    for (const file of sources) {
      const text = textOf(folder, file);
      const [first = ""] = text.split("\n");
      it(`${file} says in its first line where it runs`, () => {
        assertMatch(first, HEADER);
        if (everywhere.test(dirname(file))) {
          assertEquals(first, "// Runtime-agnostic.");
        }
      });
      if (first !== "// Runtime-agnostic.") continue;
      it(`${file} runs everywhere and names no runtime`, () => {
        assertEquals(codeOf(text).match(/\b(Deno|Bun)\b/g), null);
      });
    }
  });

  describe(`the dependencies of ${name}`, () => {
    it("are @std for the library; the library, unpdf, jschardet and highlight.js for the others", () => {
      const { imports } = JSON.parse(textOf(folder, "deno.json"));
      for (const [name, source] of Object.entries<string>(imports)) {
        const expected = folder === "."
          ? /^jsr:@std\//
          : name === "@agent-tools/read-file"
          ? /^jsr:@agent-tools\/read-file@\^/
          : name === "unpdf"
          ? /^npm:unpdf@\^/
          : name === "jschardet"
          ? /^npm:jschardet@\^/
          : /^npm:highlight\.js@\^/;
        assertMatch(source, expected);
      }
    });
  });
}

describe("the files of testing/", () => {
  it("import only types of the library", () => {
    const types = /^import type \{[^;]*\} from "@agent-tools\/read-file";$/gm;
    for (const name of readdirSync(join(HOME, "testing/src"))) {
      const code = textOf("testing", `src/${name}`)
        .replace(/^\s*(\/\/|\/?\*).*\n/gm, "");
      const rest = code.replace(types, "");
      assert(!rest.includes('"@agent-tools/read-file"'), name);
    }
  });
});

describe("mod.ts", () => {
  it("loads without output", () => {
    const { code, stdout, stderr } = runChild("tests/children/load.ts", []);
    assertEquals([code, stdout, stderr], [0, "true\n", ""]);
  });
  if (RUNTIME === "Deno") {
    it("requests no permission while it loads", () => {
      const folder = mkdtempSync(join(tmpdir(), "read-file-"));
      // Deno logs every permission that a program requests.
      const audit = join(folder, "audit.jsonl");
      const environment = { DENO_AUDIT_PERMISSIONS: audit };
      const wanted = (file: string, ...args: string[]) => {
        const { code, stderr } = runChild(file, args, { environment });
        const text = existsSync(audit) ? readFileSync(audit, "utf8") : "";
        return { code, stderr, text };
      };
      const quiet = wanted("tests/children/load.ts");
      assertEquals(quiet, { code: 0, stderr: "", text: "" });
      // The control: the request of a program that needs a permission is logged.
      assertMatch(
        wanted("tests/children/root.ts", "src", "x").text,
        /"read"/,
      );
      rmSync(folder, { recursive: true });
    });
  }
});
