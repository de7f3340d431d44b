// Finds the tests that run at the edge, and writes the module that imports them: find.ts OUTPUT.
import { dirname, join, relative } from "node:path/posix";

/** The first line of a test that could run at the edge and does not, and why. */
const NOT_HERE = /^\/\/ Not at the edge: .+\.\n/;

/** What the edge has a module for. */
const KNOWN = new Set(
  Object.keys(
    JSON.parse(Deno.readTextFileSync("tests/edge/import_map.json")).imports,
  ),
);

/** The modules that a file loads, as they are spelt: types are erased. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "")
    .replace(/^import type [^;]*;/gm, "");
  const spelt = /\b(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g;
  return Array.from(code.matchAll(spelt), ([, path]) => path!);
}

/** Whether a file, and every file of ours that it imports, needs only what the edge has. */
function runsAtTheEdge(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || file.endsWith(".json")) return true;
  seen.add(file);
  const text = Deno.readTextFileSync(file);
  if (/\b(?:Deno|Bun)\./.test(text)) return false;
  return importsOf(text).every((path) => {
    if (!path.startsWith(".")) return KNOWN.has(path);
    const target = join(dirname(file), path);
    // The ports of disks name `node:fs` only when they are called.
    const loads = /^(?:src\/(?!cli\/)|mod\.ts$)/.test(target);
    return loads ||
      (/^(?:src\/cli|testing|tests)\//.test(target) &&
        runsAtTheEdge(target, seen));
  });
}

/** All files below a folder whose names end as those of tests do. */
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
Deno.writeTextFileSync(
  output,
  found.map((file) => `import "${relative(here, file)}";\n`).join("") +
    `export { default } from "${relative(here, "tests/edge/worker.ts")}";\n`,
);
