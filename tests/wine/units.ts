/** The unit tests of guard and fs, in Bun, Deno and Node.js 24 for Windows. */
import type { Wine } from "./wine.ts";

const FOLDERS = ["tests/core/guard", "tests/fs"];

/** What these tests import from npm. */
const PACKAGES = ["deno-std", "fast-check", "pure-rand"];

/** The commands that run a file of tests, and write a report for JUnit. */
const COMMANDS: Readonly<
  Record<string, (report: string) => readonly string[]>
> = {
  "Bun": (report) => [
    "test",
    "--timeout=300000",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ],
  "Deno": (report) => [
    "test",
    "--no-check",
    "--no-prompt",
    "--import-map=tests/npm_std.json",
    "--allow-all",
    `--junit-path=${report}`,
  ],
  "Node.js 24": (report) => [
    "--no-warnings",
    "--import=./tests/wine/node_hooks.mjs",
    "--test-reporter=junit",
    `--test-reporter-destination=${report}`,
  ],
};

const LINKS = "wine makes no links";
const PLANTED = "they plant links, FIFOs and modes of Linux";
const LIMITS = "they limit a process by ulimit";

/** Files that cannot run there, and why. The probes ask the same of the disk of Windows. */
const SKIPPED: Readonly<Record<string, string>> = {
  "tests/core/guard/hidden_paths_disk_test.ts":
    "thousands of calls, each of which asks wine some 100 questions",
  "tests/core/guard/moved_test.ts": "commands of sh move the files",
  "tests/core/guard/random_paths_test.ts": PLANTED,
  "tests/core/guard/race_test.ts": "another process swaps links",
  "tests/fs/disk_test.ts": PLANTED,
  "tests/fs/kinds_test.ts": "FIFOs, sockets and devices of Linux",
  "tests/fs/load_test.ts": LIMITS,
  "tests/fs/many_open_test.ts": LIMITS,
  "tests/fs/permissions_test.ts": PLANTED,
  "tests/fs/windows_test.ts": "it pretends that Linux is Windows or macOS",
};

/** Tests that must fail there, by a part of their names, and why, in all runtimes or in one; one that passes is to be taken from here. */
const FAILING: Readonly<
  Record<
    string,
    readonly (readonly [test: RegExp, why: string, runtime?: string])[]
  >
> = {
  "tests/core/guard/exchanged_disk_test.ts": [[/^is denied once/, LINKS]],
  "tests/fs/disk_answers_test.ts": [[/^returns (?:values|only)/, LINKS]],
  "tests/fs/fd_links_test.ts": [
    [
      /^links to the files/,
      "wine shows Linux's /proc, and numbers processes anew",
      "Bun",
    ],
  ],
};

/** Runs the tests whose paths include `part`, in all runtimes at a time; returns what is wrong. */
export async function runUnits(wine: Wine, part = ""): Promise<string[]> {
  await copyRepository(`${wine.shared}/repository`);
  const files = (await Promise.all(FOLDERS.map(testsIn))).flat().sort();
  const named = [...Object.keys(SKIPPED), ...Object.keys(FAILING)];
  const wrong = named.filter((name) => !files.includes(name))
    .map((name) => `${name} does not exist`);
  const chosen = files.filter((file) => file.includes(part));
  for (const file of chosen) {
    if (file in SKIPPED) console.log(`Skipped ${file}: ${SKIPPED[file]}`);
  }
  const run = chosen.filter((file) => !(file in SKIPPED));
  const runs = Object.keys(COMMANDS).map((name) => runIn(wine, name, run));
  return [...wrong, ...(await Promise.all(runs)).flat()];
}

/** Runs files of tests one by one, since one that hangs must not stop the others. */
async function runIn(
  wine: Wine,
  runtime: string,
  files: readonly string[],
): Promise<string[]> {
  const wrong: string[] = [];
  let passed = 0;
  let failed = 0;
  for (const file of files) {
    const name = `${runtime.toLowerCase().replaceAll(/\W+/g, "_")}.xml`;
    const report = `${wine.shared}/${name}`;
    await Deno.remove(report).catch(() => {});
    const failure = await wine.run(runtime, [
      ...COMMANDS[runtime]!(wine.windowsPath(name)),
      `./${file}`,
    ], "repository");
    const cases = casesOf(await Deno.readTextFile(report).catch(() => ""));
    passed += cases.filter(({ hasFailed }) => !hasFailed).length;
    const failures = cases.filter(({ hasFailed }) => hasFailed);
    const known = (FAILING[file] ?? [])
      .filter(([, , only = runtime]) => only === runtime);
    for (const [test, why] of known) {
      const ours = failures.filter(({ name }) => test.test(name));
      failed += ours.length;
      if (ours.length > 0) {
        console.log(`${runtime}: fail in ${file}: ${ours.length}: ${why}`);
      } else wrong.push(`${runtime}: ${file}: ${test} no longer fails`);
    }
    const unknown = failures.filter(({ name }) =>
      !known.some(([test]) => test.test(name))
    );
    for (const { name } of unknown) {
      wrong.push(`${runtime}: ${file}: ${name} fails`);
    }
    const isBroken = failure !== "" && failures.length === 0;
    if (isBroken || cases.length === 0) {
      wrong.push(`${runtime}: ${file}: ${failure}`);
    }
  }
  console.log(
    `${runtime}: ${passed} unit tests of ${files.length} files pass, ${failed} fail as they must`,
  );
  return wrong;
}

async function testsIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.filter(({ name }) => name.endsWith("_test.ts"))
    .map(({ name }) => `${folder}/${name}`);
}

/** The tests in a report of JUnit. Deno also reports each group of them, whose name begins those of its tests. */
function casesOf(xml: string) {
  const cases = Array.from(
    xml.matchAll(/<testcase name="([^"]*)"([^>]*?)(\/?)>(?=\s*<(\w+)|)/g),
    ([, name = "", , isEmpty, inner]) => ({
      name: unescaped(name),
      hasFailed: isEmpty === "" && inner === "failure",
    }),
  );
  return cases
    .filter(({ name }) =>
      !cases.some((other) => other.name.startsWith(`${name} > `))
    )
    .map((one) => ({ ...one, name: one.name.replace(/^.* > /, "") }));
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&apos;", "'")
    .replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

/** Copies what is tested: a mount of it would be removed with the folder, by mistake. */
async function copyRepository(home: string): Promise<void> {
  await Deno.remove(home, { recursive: true }).catch(() => {});
  await Deno.mkdir(`${home}/node_modules`, { recursive: true });
  const script = `git ls-files -z | xargs -0 cp --parents -t "$1" &&
    cd node_modules && cp -rL ${PACKAGES.join(" ")} "$1/node_modules"`;
  const { success } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", home],
  }).spawn().status;
  if (!success) throw new Error("Cannot copy the repository");
}
