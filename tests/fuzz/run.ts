/**
 * Fuzzes each subject in two runtimes: patterns, globs, messages of MCP, notebooks,
 * gzip, PDF, encodings, etags, places and TOML. No case may keep the event loop for
 * 50 ms, take 64 MiB over the start, or end in an error without a type.
 *
 * Usage: `run.ts [MINUTES [SUBJECT [SEED]]]`; the default is 60 minutes for all
 * subjects together, from a seed that is drawn. The seed of each fault is printed:
 * `run.ts 0 SUBJECT SEED` runs that case alone.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";

const SUBJECTS = [
  ...["patterns", "globs", "messages", "notebooks", "gzips", "pdfs"],
  ...["encodings", "etags", "places", "tomls"],
];

const [minutes = "60", only, given] = process.argv.slice(2);
const subjects = SUBJECTS.filter((name) => only === undefined || name === only);
if (subjects.length === 0) {
  throw new Error(
    `Unknown subject ${only}; the subjects are ${SUBJECTS.join(", ")}`,
  );
}
const seed = given ?? String(Math.floor(Math.random() * 2 ** 31));
const here = (path: string) => new URL(path, import.meta.url).pathname;
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  deno: [
    ...["deno", "run", "--quiet", "--no-prompt", "--no-check", "--no-config"],
    ...["--node-modules-dir=manual", "--v8-flags=--expose-gc", "--allow-all"],
    `--import-map=${here("../npm_std.json")}`,
  ],
  bun: ["bun", "--preload", here("../support/bun_std.ts")],
};
const names = Object.keys(RUNTIMES);
const seconds = Number(minutes) * 60 / subjects.length / names.length;

/** A case that takes this long counts as endless, also on a machine that gives it a twentieth of its time. */
const ENDLESS_MS = 600_000;

let faults = 0;
console.log(`from seed ${seed}, ${Math.round(seconds)} s each`);
console.log(
  ["subject", "runtime", "cases", "answered", "longest ms", "most MiB"]
    .concat("grown MiB", "left MiB").join("\t"),
);
for (const runtime of names) await fuzz("control", runtime, 0);
if (faults !== 4 * names.length) {
  throw new Error("The control does not show each fault");
}
faults = 0;
for (const subject of subjects) {
  for (const runtime of names) await fuzz(subject, runtime, seconds);
}
console.log(`\n${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

async function fuzz(
  subject: string,
  runtime: string,
  seconds: number,
): Promise<void> {
  const [command, ...args] = [
    ...RUNTIMES[runtime]!,
    here("./child.ts"),
    ...[subject, seed, String(seconds)],
  ];
  const child = spawn(command!, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
  });
  let caseSeed = seed;
  let isOver = false;
  const report = (what: string, input = "") => {
    faults++;
    const isMeant = subject === "control" ? "as meant" : "FAULT";
    console.log(`${isMeant}: ${subject} ${runtime} seed ${caseSeed}: ${what}`);
    if (input !== "") console.log(`  ${input}`);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill(9), ENDLESS_MS);
  };
  wait();
  for await (const line of createInterface({ input: child.stdout })) {
    wait();
    const said = JSON.parse(line);
    if (said.cases !== undefined) {
      isOver = true;
      const { cases, answered, ms, mib, grown, left } = said;
      const row = [subject, runtime, cases, answered, ms, mib, grown, left];
      console.log(row.join("\t"));
    } else {
      caseSeed = said.seed;
      if (said.fault !== undefined) report(said.fault, said.input);
    }
  }
  clearTimeout(timer);
  await ended;
  if (!isOver) report("it is endless, or ended the process");
}
