// Tests mutants of the guard: each must fail a test, or have an explanation in explained.json.
import { cp } from "node:fs/promises";
import { basename, dirname } from "node:path";
import explained from "./explained.json" with { type: "json" };
import { type Mutant, mutantsOf } from "./mutants.ts";

/** The reason why a surviving mutant is harmless. */
interface Explanation {
  readonly file: string;
  readonly was: string;
  readonly is: string;
  readonly why: string;
}

const explanations: readonly Explanation[] = explained;

/** The folder that contains the mutated files, and those beside it that decide which names are safe. */
const FOLDER = "src/core/guard";
const BESIDE = ["src/core/base/windows_paths.ts", "src/fs/win32.ts"];

/** How many mutants are tested, spread evenly over all. */
const COUNT = Number(Deno.args[0] ?? 160);

/** If given, only files with this name are mutated. */
const ONLY = Deno.args[1];

/** How many mutants are tested at a time. */
const LANES = 2;

/** A mutant counts as hung if its tests take this many times as long as without a mutant. */
const PATIENCE = 3;

/** The time limit of the tests without a mutant. */
let limitMs = 600_000;

/** The tests that kill most mutants. A run ends at the first failure. */
const NEAR = /^tests\/core\/(guard\/\w+|narrow\w*|workspace\w*)_test\.ts$/;

/** Tests for mutants that survive the first tests. */
const WIDE = /^tests\/(core\/(help\/)?\w+|fs\/(layers\/)?\w+)_test\.ts$/;

/** Slow tests that kill few mutants. */
const SLOW =
  /\/(hidden_paths|random_paths|windows_random|windows_trees|simulated_races|race|moved|glob_costs|faults\w*|list_disk|differential|load|permissions)_test/;

/** Tests for mutants that only a race, or many paths, kill. */
const LAST = [
  "moved",
  "race",
  "random_paths",
  "windows_random",
  "windows_trees",
  "simulated_races",
]
  .map((name) => `tests/core/guard/${name}_test.ts`);

const home = Deno.cwd();
const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const mutants = await chooseMutants();
  const lived: Mutant[] = [];
  const queue = mutants.values();
  const near = await testFiles(NEAR);
  const wide = (await testFiles(WIDE)).filter((file) => !near.includes(file));
  const copies = Array.from(
    { length: LANES },
    (_, number) => `${base}/${number}`,
  );
  await Promise.all(copies.map(copyHome));
  // The tests must pass without a mutant.
  let longest = 0;
  for (const files of [near, wide, LAST]) {
    const began = performance.now();
    if (!await passes(copies[0]!, files)) {
      throw new Error(`A test fails without a mutant: ${files.join(" ")}`);
    }
    longest = Math.max(longest, performance.now() - began);
  }
  limitMs = PATIENCE * longest;
  const lane = async (copy: string) => {
    for (const mutant of queue) {
      const path = `${copy}/${mutant.path}`;
      const whole = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, mutant.text);
      const isKilled = !(await passes(copy, near)) ||
        !(await passes(copy, wide)) || !(await passes(copy, LAST));
      await Deno.writeTextFile(path, whole);
      if (!isKilled) lived.push(mutant);
      const { path: file, line, was, is } = mutant;
      console.log(
        `${isKilled ? "killed" : "LIVED "} ${file}:${line}: ${was}  =>  ${is}`,
      );
    }
  };
  await Promise.all(copies.map(lane));
  const open = lived.filter((mutant) => explanationOf(mutant) === undefined);
  console.log(
    `\n${mutants.length} mutants: ${mutants.length - lived.length} killed, ${
      lived.length - open.length
    } explained, ${open.length} neither`,
  );
  for (const { path, line, was, is } of open) {
    console.log(
      JSON.stringify({ file: basename(path), was, is, why: "" }),
      line,
    );
  }
  Deno.exitCode = open.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(base, { recursive: true });
}

async function chooseMutants(): Promise<readonly Mutant[]> {
  const all: Mutant[] = [];
  const paths = (await Array.fromAsync(Deno.readDir(FOLDER)))
    .map(({ name }) => `${FOLDER}/${name}`).sort();
  for (const path of [...paths, ...BESIDE]) {
    if (ONLY !== undefined && !basename(path).startsWith(ONLY)) continue;
    all.push(...mutantsOf(path, await Deno.readTextFile(path)));
  }
  const step = Math.max(1, all.length / COUNT);
  console.log(`${all.length} mutants, of which ${COUNT} at most are tried`);
  return all.filter((_, at) =>
    Math.floor(at / step) !== Math.floor((at - 1) / step)
  );
}

function explanationOf({ path, was, is }: Mutant): string | undefined {
  return explanations.find((one) =>
    one.file === basename(path) && one.was === was && one.is === is
  )?.why;
}

async function testFiles(wanted: RegExp): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = ["core", "core/guard", "core/help", "fs", "layers"];
  for (const folder of folders) {
    for await (const { name } of Deno.readDir(`tests/${folder}`)) {
      const path = `tests/${folder}/${name}`;
      if (wanted.test(path) && !SLOW.test(path)) found.push(path);
    }
  }
  return found.sort();
}

async function copyHome(folder: string): Promise<void> {
  const left = [".git", ".gate", "node_modules", "bench"];
  await cp(".", folder, {
    recursive: true,
    filter: (source) => dirname(source) !== "." || !left.includes(source),
  });
  await Deno.symlink(`${home}/node_modules`, `${folder}/node_modules`);
}

async function passes(cwd: string, files: readonly string[]): Promise<boolean> {
  const signal = AbortSignal.timeout(Math.ceil(limitMs));
  // Bun loads tests in a fraction of Deno's time.
  const { success } = await new Deno.Command("node_modules/.bin/bun", {
    args: [
      "test",
      "--bail",
      "--timeout=60000",
      ...files.map((file) => `./${file}`),
    ],
    ...{ cwd, signal, stdin: "null", stdout: "null", stderr: "null" },
  }).output();
  return success;
}
