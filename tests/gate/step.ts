// One step of the gate: a task of deno.json and, if it runs tests, their report.
import { delimiter, dirname } from "node:path";
import { type Patience, runGroup } from "./group.ts";
import { lastLine, readReport } from "./report.ts";

/** A step. */
export interface Step {
  /** Its name in deno.json. */
  readonly task: string;
  /** The path of its test report, if it runs tests. */
  readonly report?: string;
}

/** The result of the step. */
export interface Outcome {
  readonly task: string;
  readonly seconds: number;
  /** The number of passed tests. */
  readonly passed: number;
  /** The number of failed tests; 1 if the step failed in another way. */
  readonly failed: number;
  /** The part of its output about the failure, or its last lines, and then the fault. */
  readonly output: string;
  /** Where it stood, if the gate ended it. */
  readonly stoodAt?: string;
}

/** A step that prints nothing for ten minutes counts as hung: each test prints a line. */
const PATIENCE: Patience = { everyMs: 1_000, looks: 600 };

/** How many last lines of the output are shown if it does not mention the failure. */
const LAST_LINES = 100;

/** Runs a step to its end. */
export async function runStep(
  { task, report }: Step,
  patience: Patience = PATIENCE,
): Promise<Outcome> {
  const start = performance.now();
  const { code, stdout, stderr, isStalled } = await runGroup(
    Deno.execPath(),
    ["task", "--quiet", task],
    { NO_COLOR: "1", PATH: pathToDeno() },
    patience,
  );
  const seconds = (performance.now() - start) / 1000;

  const { passed, faults } = report === undefined
    ? { passed: 0, faults: [] }
    : await readReport(report, stdout + stderr);
  // A runner can fail without a failed test, for example if a file does not load.
  const wrong = code !== 0 && faults.length === 0
    ? [`exit code ${code}`]
    : [...faults];
  const output = [...[stdout, stderr].map(worthReading), ...wrong, ""]
    .join("\n");
  const outcome = { task, seconds, passed, failed: wrong.length, output };
  if (!isStalled) return outcome;
  // Bun writes its tests to stderr, Deno to stdout.
  const stoodAt = [stderr, stdout].map(lastLine).find((line) => line !== "");
  return { ...outcome, stoodAt: stoodAt ?? "no output" };
}

/** A search path on which tests find this `deno` first. */
function pathToDeno(): string {
  const path = Deno.env.get("PATH") ?? "";
  return [dirname(Deno.execPath()), path].join(delimiter);
}

/** The part of a step's output about the failure. */
function worthReading(output: string): string {
  const errors = output.lastIndexOf("\n ERRORS \n");
  // Bun prints failures between the tests that passed.
  return errors === -1
    ? output.split("\n").filter((line) => !line.startsWith("(pass) "))
      .slice(-LAST_LINES).join("\n")
    : output.slice(errors);
}
