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

/** Reads a report; if it is missing or empty, that is a fault, and the tests are counted in the output. */
export async function readReport(
  path: string,
  output: string,
): Promise<Report> {
  const text = await Deno.readTextFile(path).catch(() => "");
  const tests = path.endsWith(".xml") ? readJUnit(text) : readEdge(text);
  if (tests.length === 0) {
    return { passed: countPrinted(output), faults: [`no tests in ${path}`] };
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

/** How a test ends in the output of Deno's reporter "pretty", and of Bun. */
const ENDED = /^(?: *)(?:\(pass\) .*|\S.* \.\.\. ok \(.*\))$/;
/** How a block (`describe`) begins in Deno's output. */
const BEGUN = /^( *\S.* \.\.\.)$/;
/** Marks what a test prints itself. */
const OWN_OUTPUT = /^-+ (?:post-test )?output -+$/;

/** The number of passed tests in the output of a runner that was ended before it wrote its report. */
export function countPrinted(output: string): number {
  const lines = output.split("\n");
  /** The blocks that have begun and not ended, by how their line ends. */
  const blocks = new Set<string>();
  let count = 0;
  for (const [at, line] of lines.entries()) {
    const [begun] = BEGUN.exec(line) ?? [];
    // A test that prints something begins like a block.
    const isBlock = begun !== undefined &&
      !OWN_OUTPUT.test(lines[at + 1] ?? "");
    if (isBlock) blocks.add(begun);
    if (!ENDED.test(line)) continue;
    const name = line.replace(/ ok \([^(]*\)$/, "");
    if (!blocks.delete(name)) count++;
  }
  return count;
}

/** The last line of an output that is not empty. */
export function lastLine(output: string): string {
  return output.trimEnd().split("\n").at(-1)!.trim();
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
