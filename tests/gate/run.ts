// The gate: runs all steps or the quick ones, shows failures, and counts the tests.
import { endGroups } from "./group.ts";
import { type Outcome, runStep, type Step } from "./step.ts";

/** The step that all other steps need. */
const INSTALL: Step = { task: "install" };

/** The tasks of deno.json that must pass; the slow ones come first. */
const STEPS: readonly Step[] = [
  { task: "test:deno", report: ".gate/deno.xml" },
  { task: "test:bun", report: ".gate/bun.xml" },
  { task: "test:edge", report: ".gate/edge.json" },
  { task: "test:consumers", report: ".gate/consumers.xml" },
  { task: "publish" },
  { task: "check" },
  { task: "doc" },
  { task: "lint" },
  { task: "fmt" },
];

/** The quick steps for daily work: they take a minute and find most mistakes. */
const QUICK: readonly Step[] = [
  { task: "test:fast", report: ".gate/fast.xml" },
  { task: "check" },
  { task: "lint" },
  { task: "fmt" },
];

/** The steps that mostly wait for clocks and servers. */
const WAITING: readonly Step[] = [
  { task: "test:http", report: ".gate/http.xml" },
  { task: "test:http:bun", report: ".gate/http-bun.xml" },
];

/** How many other steps run at a time: CI has two cores. */
const LANES = 2;

// Each step leads its own process group, which signals of a terminal do not reach.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => {
    endGroups();
    Deno.exit(130);
  });
}

// Remove reports of earlier runs.
await Deno.remove(".gate", { recursive: true }).catch(() => {});
await Deno.mkdir(".gate");

const install = await show(INSTALL);
const isQuick = Deno.args.includes("quick");
const outcomes = install.failed > 0 ? [install] : [
  install,
  ...(await Promise.all([
    showAll(isQuick ? QUICK : STEPS, LANES),
    showAll(isQuick ? [] : WAITING, 1),
  ])).flat(),
];

console.log("step            result  seconds  passed  failed");
for (const { task, seconds, passed, failed } of outcomes) {
  console.log([
    task.padEnd(14),
    (failed === 0 ? "ok" : "FAILED").padEnd(6),
    seconds.toFixed(1).padStart(7),
    String(passed).padStart(6),
    String(failed).padStart(6),
  ].join("  "));
}

const passed = sum(outcomes.map((outcome) => outcome.passed));
const failed = sum(outcomes.map((outcome) => outcome.failed));
console.log(`\n${passed} passed, ${failed} failed`);
for (const { task, stoodAt } of outcomes) {
  if (stoodAt === undefined) continue;
  console.log(
    `${task} printed nothing for ten minutes; it stood at: ${stoodAt}`,
  );
}
Deno.exitCode = failed === 0 ? 0 : 1;

/** Runs all steps, a few at a time; returns the outcomes in the order of the steps. */
async function showAll(
  steps: readonly Step[],
  lanes: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = steps.entries();
  const lane = async () => {
    for (const [at, step] of queue) outcomes[at] = await show(step);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return outcomes;
}

/** Runs a step; if it fails, prints its output. */
async function show(step: Step): Promise<Outcome> {
  const outcome = await runStep(step);
  if (outcome.failed > 0) {
    console.log(`=== ${step.task} ===\n${outcome.output}`);
  }
  return outcome;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
