// Writes a module that imports the tests that run at the edge. Usage: find.ts OUTPUT.
import { dirname, join, relative } from "node:path/posix";

/** The first line of a test that does not run at the edge; it gives the reason. */
const NOT_HERE = /^\/\/ Not at the edge: .+\.\n/;

/** The modules that the edge provides. */
const KNOWN = new Set(
  Object.keys(
    JSON.parse(Deno.readTextFileSync("tests/edge/import_map.json")).imports,
  ),
);

/** The modules that a file imports, except types. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "")
    .replace(/^import type [^;]*;/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!);
}

/** Whether a file, and every file that it imports, needs only modules that the edge provides. */
function runsAtTheEdge(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || file.endsWith(".json")) return true;
  seen.add(file);
  const text = Deno.readTextFileSync(file);
  if (/\b(?:Deno|Bun)\./.test(text)) return false;
  return importsOf(text).every((path) => {
    if (!path.startsWith(".")) return KNOWN.has(path);
    const target = join(dirname(file), path);
    // Disk ports use `node:fs` only when they are called.
    const loads = /^(?:src\/(?!cli\/)|mod\.ts$)/.test(target);
    return loads ||
      (/^(?:src\/cli|layers|testing|tests)\//.test(target) &&
        runsAtTheEdge(target, seen));
  });
}

/** All tests in a folder. */
function* testsIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* testsIn(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

const output = Deno.args[0]!;
const found = [...testsIn("tests")].sort().filter((file) =>
  !NOT_HERE.test(Deno.readTextFileSync(file)) && runsAtTheEdge(file)
);
if (found.length === 0) throw new Error("No test runs at the edge");
const here = dirname(output);
Deno.mkdirSync(here, { recursive: true });
Deno.writeTextFileSync(
  output,
  found.map((file) => `import "${relative(here, file)}";\n`).join("") +
    `export { default } from "${relative(here, "tests/edge/worker.ts")}";\n`,
);
