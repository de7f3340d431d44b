// Mutants of the guard: each must fail a test, or have its explanation in explained.json.
import { cp } from "node:fs/promises";
import { basename, dirname } from "node:path";
import explained from "./explained.json" with { type: "json" };
import { type Mutant, mutantsOf } from "./mutants.ts";

/** Why a mutant that lives does no harm. */
interface Explanation {
  readonly file: string;
  readonly was: string;
  readonly is: string;
  readonly why: string;
}

const explanations: readonly Explanation[] = explained;

/** What is mutated. */
const FOLDER = "src/core/guard";

/** How many mutants are tried, spread evenly over all. */
const COUNT = Number(Deno.args[0] ?? 160);

/** Only files of this name, if one is given. */
const ONLY = Deno.args[1];

/** How many run at a time. */
const LANES = 2;

/** Past this a mutant hangs, which a test would notice. */
const LIMIT_MS = 90_000;

/** Tests that take longer than most mutants do; the first failure ends a run. */
const SLOW = /(hidden_paths|random_paths|race|moved|glob_costs)_test\.ts$/;

const home = Deno.cwd();
const base = await Deno.realPath(await Deno.makeTempDir());
try {
  const mutants = await chooseMutants();
  const lived: Mutant[] = [];
  const queue = mutants.values();
  const tests = await testFiles();
  const copies = Array.from(
    { length: LANES },
    (_, number) => `${base}/${number}`,
  );
  await Promise.all(copies.map(copyHome));
  // A mutant is told from a test that fails without one.
  if (!(await passes(copies[0]!, tests))) {
    throw new Error("The tests of the guard fail without a mutant");
  }
  const lane = async (copy: string) => {
    for (const mutant of queue) {
      const path = `${copy}/${mutant.path}`;
      const whole = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, mutant.text);
      const isKilled = !(await passes(copy, tests));
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
  const names = (await Array.fromAsync(Deno.readDir(FOLDER)))
    .map(({ name }) => name).sort();
  for (const name of names) {
    if (ONLY !== undefined && !name.startsWith(ONLY)) continue;
    const path = `${FOLDER}/${name}`;
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

/** The tests of the guard, and of workspaces, which are made of it. */
async function testFiles(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of ["tests/core/guard", "tests/core"]) {
    for await (const { name } of Deno.readDir(folder)) {
      const isMeant = folder.endsWith("guard")
        ? name.endsWith("_test.ts")
        : /^(narrow|workspace)\w*_test\.ts$/.test(name);
      if (isMeant && !SLOW.test(name)) found.push(`./${folder}/${name}`);
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
  const signal = AbortSignal.timeout(LIMIT_MS);
  // Bun loads tests in a fraction of Deno's time.
  const { success } = await new Deno.Command("node_modules/.bin/bun", {
    args: ["test", "--bail", "--timeout=60000", ...files],
    ...{ cwd, signal, stdin: "null", stdout: "null", stderr: "null" },
  }).output();
  return success;
}
