// Checks and tests the packages with JSR's @std, which users get; the gate uses npm's copy.
import { mapToJsr } from "./jsr_map.ts";

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
  "git/mod.ts",
  "highlight/mod.ts",
  "layers/mod.ts",
  "pdf/mod.ts",
  "testing/mod.ts",
]);
// Behavior: all tests, or the named ones.
await run([
  ...["test", "--no-check", "--no-prompt", "--allow-all"],
  ...[`--import-map=${map}`, ...Deno.args],
]);
