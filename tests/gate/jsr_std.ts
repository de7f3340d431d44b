// Checks and tests the packages with JSR's @std, which users get; the gate uses npm's copy.
import library from "../../deno.json" with { type: "json" };
import copies from "../npm_std.json" with { type: "json" };

/** The import map of the tests, with @std on JSR. */
function mapToJsr(): Record<string, string> {
  const own = new Map<string, string>(Object.entries(library.imports));
  const home = new URL("..", import.meta.url);
  return Object.fromEntries(
    Object.entries(copies.imports).map(([name, copy]) => {
      const [std = ""] = /^@std\/[^/]+/.exec(name) ?? [];
      const source = own.get(std);
      // This map is in another folder, so make paths absolute.
      const place = copy.startsWith(".") ? new URL(copy, home).href : copy;
      return [name, source === undefined ? place : name.replace(std, source)];
    }),
  );
}

async function run(args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
  }).spawn().status;
  if (code !== 0) Deno.exit(code);
}

const map = ".gate/jsr_std.json";
await Deno.mkdir(".gate", { recursive: true });
await Deno.writeTextFile(map, JSON.stringify({ imports: mapToJsr() }));
// Types: with deno.json alone, without an import map.
await run([
  "check",
  "mod.ts",
  "detect/mod.ts",
  "highlight/mod.ts",
  "pdf/mod.ts",
  "testing/mod.ts",
]);
// Behavior: all tests, or the named ones.
await run([
  ...["test", "--no-check", "--no-prompt", "--allow-all"],
  ...[`--import-map=${map}`, ...Deno.args],
]);
