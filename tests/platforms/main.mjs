/** Runs the programs of this folder that belong to this system, in a runtime: `node main.mjs node|deno|bun`. For CI. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";

const [, , runtime = "node"] = process.argv;
const COMMANDS = {
  node: [process.execPath],
  deno: ["deno", "run", "--quiet", "--no-prompt", "-A"],
  // From package.json; npm gives it this name on every system.
  bun: [join("node_modules", "bun", "bin", "bun.exe")],
};
const PROGRAMS = { win32: ["probe", "windows"], darwin: ["macos"] };
const map = JSON.parse(readFileSync("tests/npm_std.json", "utf8"));
const alias = Object.fromEntries(
  Object.entries(map.imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([name, to]) => [name, to.replace(/^npm:(deno-std)@[^/]+/, "$1")]),
);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
let wrong = 0;
for (const program of PROGRAMS[process.platform] ?? []) {
  const outfile = join(folder, `${program}.mjs`);
  await build({
    entryPoints: [`tests/platforms/${program}.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    external: ["@agent-tools/*"],
    alias,
    outfile,
  });
  const out = join(folder, `${program}.json`);
  const [command, ...args] = COMMANDS[runtime];
  execFileSync(command, [...args, outfile, out], {
    stdio: "inherit",
    // npm's `deno` is a script of cmd.
    shell: process.platform === "win32" && command === "deno",
  });
  const { answers = [], leaks = [], failures = [], notes = [] } = JSON.parse(
    readFileSync(out, "utf8"),
  );
  const differing = answers.filter(({ told, wanted }) => told !== wanted)
    .map(({ asked, told, wanted }) => `${asked} is ${told}, not ${wanted}`);
  const all = [...leaks, ...failures, ...differing];
  for (const note of notes) console.log(`${program}: ${note}`);
  for (const failure of all) console.error(`${program}: FAILED ${failure}`);
  wrong += all.length;
  console.log(`${program} in ${runtime}: ${all.length} wrong`);
}
process.exitCode = wrong === 0 ? 0 : 1;
