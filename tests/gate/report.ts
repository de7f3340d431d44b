// Reads the report of a test runner: JUnit XML, or the JSON of tests/edge.
import type { Outcome } from "../edge/collector.ts";

/** The results of one test runner. */
export interface Report {
  readonly passed: number;
  /** One line for each failed or skipped test: skipping is not allowed. */
  readonly faults: readonly string[];
}

interface Test {
  readonly name: string;
  readonly result: "passed" | "failed" | "skipped";
}

/** Reads a report; a missing or empty one counts as a fault. */
export async function readReport(path: string): Promise<Report> {
  const text = await Deno.readTextFile(path).catch(() => "");
  const tests = path.endsWith(".xml") ? readJUnit(text) : readEdge(text);
  if (tests.length === 0) {
    return { passed: 0, faults: [`no tests in ${path}`] };
  }
  const others = tests.filter(({ result }) => result !== "passed");
  return {
    passed: tests.length - others.length,
    faults: others.map(({ name, result }) => `${result}: ${name}`),
  };
}

function readEdge(json: string): Test[] {
  // An interrupted run leaves no list, or an incomplete one.
  if (!json.endsWith("]")) return [];
  return (JSON.parse(json) as Outcome[]).map(({ name, error }) => ({
    name,
    result: error === null ? "passed" : "failed",
  }));
}

/** Finds tags by their brackets: Deno and Bun escape `<`, `>` and `"` in text. */
const TESTCASE = /<testcase name="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs;

function readJUnit(xml: string): Test[] {
  const tests = Array.from(
    xml.matchAll(TESTCASE),
    ([, name = "", body = ""]): Test => ({ name, result: resultOf(body) }),
  );
  // Deno lists a block (`describe`) next to its tests; only the tests count.
  const blocks = new Set(tests.flatMap(({ name }) => blocksOf(name)));
  return tests.filter(({ name }) => !blocks.has(name));
}

function resultOf(body: string): Test["result"] {
  if (body.includes("<skipped")) return "skipped";
  return body.trim() === "" ? "passed" : "failed";
}

/** The blocks that contain a test: `a` and `a > b` for `a > b > c`. */
function blocksOf(name: string): string[] {
  const parts = name.split(" &gt; ");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join(" &gt; "));
}
