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

/** A package of this repository. */
interface Package {
  readonly folder: string;
  /**
   * Its folders, from the lowest layer to the highest, and files that are a layer
   * of their own. A file imports from its own layer and from lower ones.
   */
  readonly layers: readonly string[];
  /** The files that know Deno, Bun and Node.js; all others run everywhere. */
  readonly ofRuntimes: readonly string[];
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
      "src/core/encodings/labels.ts",
      "src/core/read_options.ts",
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
      "src/tools",
      "src/tools/reader",
      "src",
      "src/cli",
      ".",
    ],
    ofRuntimes: [
      "src/cli/main.ts",
      "src/cli/packages.ts",
      "src/fs/disk.ts",
      "src/fs/host.ts",
      "src/fs/runtime.ts",
    ],
    imports: /^@std\/(path|streams|toml)(\/[a-z-]+)*$/,
  },
  {
    folder: "mcp",
    layers: ["src", "."],
    ofRuntimes: [
      "mod.ts",
      "src/command_line.ts",
      "src/main.ts",
      "src/output.ts",
      "src/stdio.ts",
    ],
    imports: /^@agent-tools\/read-file$/,
  },
  {
    folder: "detect",
    layers: ["src", "."],
    ofRuntimes: [],
    imports: /^(@agent-tools\/read-file|jschardet)$/,
  },
  {
    folder: "git",
    layers: ["src", "."],
    ofRuntimes: ["src/hash.ts", "src/inflate.ts"],
    imports: /^@agent-tools\/read-file$/,
  },
  {
    folder: "highlight",
    layers: ["src", "."],
    ofRuntimes: [],
    imports: /^(@agent-tools\/read-file|highlight\.js\/lib\/common)$/,
  },
  {
    folder: "layers",
    layers: ["src", "."],
    ofRuntimes: [],
    imports: /^@agent-tools\/read-file$/,
  },
  {
    folder: "pdf",
    layers: ["src", "."],
    ofRuntimes: [],
    imports: /^(@agent-tools\/read-file|unpdf)$/,
  },
  {
    folder: "testing",
    layers: ["src", "."],
    ofRuntimes: [],
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
  { layers, imports, ofRuntimes }: Package,
  file: string,
  path: string,
): boolean {
  if (path.startsWith("node:")) return ofRuntimes.includes(file);
  if (!path.startsWith(".")) return imports.test(path);
  const rankOf = (one: string) =>
    layers.indexOf(layers.includes(one) ? one : dirname(one));
  const rank = rankOf(normalize(join(dirname(file), path)));
  return rank >= 0 && rank <= rankOf(file);
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
    assert(mayImport(library, "src/core/lines/b.ts", "../read_options.ts"));
    assert(!mayImport(library, "src/core/read_options.ts", "./lines/b.ts"));
    assert(!mayImport(library, "src/core/read_options.ts", "./read.ts"));
    assert(!mayImport(library, "src/core/lines/b.ts", "../../../mcp/mod.ts"));
    assert(mayImport(library, "mod.ts", "./src/open_workspace.ts"));
    assert(!mayImport(server, "src/a.ts", "../../src/core/read.ts"));
    assert(!mayImport(server, "src/a.ts", "../mod.ts"));
  });
  it("refuses modules of a runtime in a file that runs everywhere", () => {
    const [library] = PACKAGES as readonly [Package];
    assert(mayImport(library, "src/fs/disk.ts", "node:fs"));
    assert(!mayImport(library, "src/fs/memory.ts", "node:fs"));
  });
});

for (const one of PACKAGES) {
  const { folder, layers, ofRuntimes } = one;
  const sources = readdirSync(join(HOME, folder, "src"), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith(".ts"))
    .sort();
  const name = folder === "." ? "the library" : `${folder}/`;

  describe(`the layers of ${name}`, () => {
    it("are the folders, and files", () => {
      const folders = new Set(["mod.ts", ...sources].map(dirname));
      const files = sources.filter((file) => layers.includes(file));
      assertEquals([...folders, ...files].sort(), [...layers].sort());
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
          .filter((path) => !mayImport(one, file, path));
        assertEquals(high, []);
      });
    }
    it("run everywhere, but for those of runtimes", () => {
      const named = sources.filter((file) => {
        const code = codeOf(textOf(folder, file));
        return /\b(Deno|Bun)\b/.test(code) && !ofRuntimes.includes(file);
      });
      assertEquals(named, []);
      const all = ["mod.ts", ...sources];
      assertEquals(ofRuntimes.filter((file) => !all.includes(file)), []);
    });
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
