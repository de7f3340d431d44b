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

/** A file is one noun. */
const MAX_LINES = 250;

/** What all of core stands on. */
const GROUND =
  /^src\/core\/(awaitable|call|change|error_details|errors|file_stat|limits|nearest|policy|port|quote|recent_set|selection|turnstile|unknown_option)\.ts$/;

/** What each room may import: files of the package by their path in it, others by name. */
const ROOMS: readonly {
  readonly path: RegExp;
  readonly imports: readonly RegExp[];
}[] = [
  { path: GROUND, imports: [GROUND] },
  {
    path: /^src\/core\/guard\//,
    imports: [
      GROUND,
      /^src\/core\/guard\//,
      /^@std\/path\/posix(\/[a-z-]+)?$/,
    ],
  },
  {
    path: /^src\/core\/help\//,
    imports: [GROUND, /^src\/core\/(help|guard)\//],
  },
  {
    path: /^src\/core\/lines\//,
    imports: [
      GROUND,
      /^src\/core\/lines\//,
      /^src\/core\/guard\/opened_file\.ts$/,
    ],
  },
  {
    path: /^src\/core\/pages\//,
    imports: [GROUND, /^src\/core\/(pages|lines)\//],
  },
  { path: /^src\/core\//, imports: [/^src\/core\//] },
  {
    path: /^src\/fs\/suite\//,
    imports: [/^src\/fs\/suite\//, /^src\/core\/port\.ts$/],
  },
  {
    path: /^src\/fs\/http\//,
    imports: [
      /^src\/fs\/(http\/)?[a-z_]+\.ts$/,
      /^src\/core\/(port|unknown_option)\.ts$/,
      /^@std\/streams\/[a-z-]+$/,
    ],
  },
  {
    path: /^src\/fs\/layers\//,
    imports: [
      /^src\/fs\/(layers\/)?[a-z_]+\.ts$/,
      /^src\/core\/(port|awaitable|unknown_option)\.ts$/,
    ],
  },
  {
    // A disk offers the reader a faster way to scan, and to leave a turn.
    path: /^src\/fs\/node_api\.ts$/,
    imports: [
      /^src\/fs\//,
      /^src\/core\/(call|port|unknown_option)\.ts$/,
      /^src\/core\/lines\/scan(_wasm)?\.ts$/,
    ],
  },
  {
    path: /^src\/fs\//,
    imports: [
      /^src\/fs\//,
      /^src\/core\/(port|errors|unknown_option)\.ts$/,
      /^@std\/streams\/[a-z-]+$/,
    ],
  },
  {
    path: /^src\/tools\//,
    imports: [/^src\/(tools|core)\//, /^@std\/toml$/],
  },
  {
    path: /^src\/cli\//,
    imports: [
      /^src\/(cli|tools|fs|core)\//,
      /^src\/host\.ts$/,
      /^deno\.json$/,
    ],
  },
  { path: /^src\/host\.ts$/, imports: [/^src\/(tools|fs|core)\//] },
  { path: /^mod\.ts$/, imports: [/^src\//] },
];

/** The only files that may say what a runtime is called. */
const OF_A_RUNTIME = /^src\/(fs|cli)\//;

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

/** What a file imports or offers on, however it is spelt. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!);
}

describe("the layers", () => {
  it("are all there to be looked at", () => {
    for (
      const file of ["src/core/read.ts", "src/fs/memory.ts", "src/host.ts"]
    ) {
      assert(FILES.includes(file), file);
    }
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
  });
  for (const file of FILES) {
    it(`${file} imports only from below`, () => {
      const room = ROOMS.find(({ path }) => path.test(file));
      assert(room !== undefined, "it stands in no room");
      const high = importsOf(textOf(file))
        .map((path) => path.startsWith(".") ? join(dirname(file), path) : path)
        .filter((path) => !room.imports.some((rule) => rule.test(path)));
      assertEquals(high, []);
    });
    it(`${file} is one noun, of at most ${MAX_LINES} lines`, () => {
      const lines = textOf(file).split("\n").length - 1;
      assert(lines <= MAX_LINES, `${lines} lines`);
    });
    if (file === "mod.ts") continue;
    it(`${file} says first where it runs`, () => {
      const [first = ""] = textOf(file).split("\n");
      assertMatch(first, HEADER);
      if (/^src\/(core|tools)\//.test(file)) {
        assertEquals(first, "// Runtime-agnostic.");
      }
    });
    if (OF_A_RUNTIME.test(file)) continue;
    it(`${file} names no runtime`, () => {
      assertEquals(codeOf(textOf(file)).match(/\b(Deno|Bun)\b/g), null);
    });
  }
});

describe("mod.ts", () => {
  it("loads, and says nothing", () => {
    const { code, stdout, stderr } = runChild(
      "tests/support/load_child.ts",
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
      const quiet = wanted("tests/support/load_child.ts");
      assertEquals(quiet, { code: 0, stderr: "", text: "" });
      // The same of a program that wants something: it is seen.
      assertMatch(
        wanted("tests/support/root_child.ts", "src", "x").text,
        /"read"/,
      );
      rmSync(folder, { recursive: true });
    });
  }
});
