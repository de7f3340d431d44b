// Runs the fast tests in Bun, which loads 150 test files in a fraction of Deno's time.

/** Folders and files of tests that take long; the gate runs them. */
const SLOW = [
  ..."mcp cli bench testing fs/http".split(" ").map((name) => `${name}/`),
  ..."differential faults faults_changes list_disk list narrow_chains read_many_random"
    .split(" ").map((name) => `core/${name}_test.ts`),
  ..."hidden_paths moved race random_paths".split(" ")
    .map((name) => `core/guard/${name}_test.ts`),
  ..."kernels line_index_disk".split(" ")
    .map((name) => `core/lines/${name}_test.ts`),
  ..."frame frame_disk pages_breath pages_exhaustive pages_random".split(" ")
    .map((name) => `core/pages/${name}_test.ts`),
  "core/base/semaphore_test.ts",
  "tools/definitions_vendors_test.ts",
  "tools/bad_input_test.ts",
  "tools/words_test.ts",
  "fs/layers/mount_disk_test.ts",
].map((path) => `tests/${path}`);

async function* testsIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testsIn(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

const all = await Array.fromAsync(testsIn("tests"));
const files = all.filter((path) =>
  !SLOW.some((slow) => path === slow || path.startsWith(slow))
);
const { code } = await new Deno.Command("node_modules/.bin/bun", {
  args: [
    ...["test", "--timeout=120000", "--only-failures", "--reporter=junit"],
    "--reporter-outfile=.gate/fast.xml",
    ...files.sort().map((path) => `./${path}`),
  ],
}).spawn().status;
Deno.exitCode = code;
