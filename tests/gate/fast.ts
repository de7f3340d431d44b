// Runs the fast tests in Bun, which loads 150 test files in a fraction of Deno's time.

/** Slow tests and folders of them, which only the gate runs. */
const SLOW = [
  ..."mcp cli bench testing fs/http".split(" ").map((name) => `${name}/`),
  ..."differential faults faults_changes faults_versions list_disk list narrow_chains read_many_random"
    .split(" ").map((name) => `core/${name}_test.ts`),
  ..."semaphore time_slice time_slice_disk".split(" ")
    .map((name) => `core/base/${name}_test.ts`),
  ..."hidden_paths hidden_paths_disk moved oracles race random_paths simulated_races stalls windows_random windows_trees"
    .split(" ")
    .map((name) => `core/guard/${name}_test.ts`),
  ..."columns kernels line_index_disk".split(" ")
    .map((name) => `core/lines/${name}_test.ts`),
  ..."fit pages_yield pages_exhaustive pages_random"
    .split(" ").map((name) => `core/pages/${name}_test.ts`),
  "core/encodings/reconstruction_test.ts",
  "layers/mount_disk_test.ts",
  ..."bad_input definitions_vendors lenient words".split(" ")
    .map((name) => `tools/${name}_test.ts`),
  ..."disk list_disk load permissions".split(" ")
    .map((name) => `fs/${name}_test.ts`),
].map((path) => `tests/${path}`);

async function* testsIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testsIn(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

const all = await Array.fromAsync(testsIn("tests"));
for (const slow of SLOW) {
  if (all.some((path) => path.startsWith(slow))) continue;
  throw new Error(`${slow} of tests/gate/fast.ts does not exist`);
}
const files = all.filter((path) =>
  !SLOW.some((slow) => path === slow || path.startsWith(slow))
);
const { code } = await new Deno.Command("node_modules/.bin/bun", {
  args: [
    ...["test", "--timeout=120000", "--reporter=junit"],
    "--reporter-outfile=.gate/fast.xml",
    ...files.sort().map((path) => `./${path}`),
  ],
}).spawn().status;
Deno.exitCode = code;
