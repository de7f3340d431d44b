// The bench: how fast reads are, as ratios to alternatives.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { drawChart } from "./chart.ts";
import { type Bench, type Result, type Row, verdict } from "./check.ts";
import { type Data, makeData } from "./data.ts";
import { DENO, RUNTIME, VERSION } from "./host.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { findPeers } from "./peers.ts";
import { runProcess } from "./processes.ts";
import { type Results, runOther, sumUp, writeResults } from "./results.ts";
import { AGAIN } from "./rows/again.ts";
import { BLOCK } from "./rows/block.ts";
import { BUNDLE } from "./rows/bundle.ts";
import { COLUMN } from "./rows/column.ts";
import { COUNT } from "./rows/count.ts";
import { FENCED } from "./rows/fenced.ts";
import { ENCODINGS } from "./rows/encodings.ts";
import { FIND } from "./rows/find.ts";
import { GROWTH } from "./rows/growth.ts";
import { MEMORY } from "./rows/memory.ts";
import { PAGE } from "./rows/page.ts";
import { PAGES } from "./rows/pages.ts";
import { PEERS } from "./rows/peers.ts";
import { SMALL } from "./rows/small.ts";
import { STALL } from "./rows/stall.ts";
import { START } from "./rows/start.ts";
import { TAIL } from "./rows/tail.ts";
import { WALK } from "./rows/walk.ts";
import { WHOLE } from "./rows/whole.ts";
import {
  aboutRows,
  shortSourceOf,
  tableOf,
  writeBetweenMarks,
} from "./table.ts";
import { rowText } from "./text.ts";

/** The rows in the order of the targets; the peers come last, since loading them changes the process. */
const ROWS: readonly Row[] = [
  COUNT,
  FIND,
  ENCODINGS,
  PAGE,
  AGAIN,
  TAIL,
  SMALL,
  FENCED,
  WHOLE,
  PAGES,
  WALK,
  COLUMN,
  BLOCK,
  MEMORY,
  STALL,
  GROWTH,
  START,
  BUNDLE,
  PEERS,
];

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(USAGE);
else await run(options);
// Exit, since some peers leave timers behind.
process.exit();

async function run(options: Options): Promise<void> {
  const { quick, json, write } = options;
  const { found: peers, missing } = findPeers(options.peers);
  console.log(
    `${RUNTIME} ${VERSION}; peers: ${
      peers.map(({ name, version }) => `${name} ${version}`).join(", ") ||
      "none"
    }`,
  );
  if (missing.length > 0) {
    console.log(
      `Missing peers: ${missing.join(", ")}; install: deno task bench:install`,
    );
  }
  if (quick) console.log("A quick run: the log has 64 MiB, not 1 GiB.");
  console.log(
    "Ratios are medians of rounds, ours : theirs; lower is better.\n",
  );
  const began = performance.now();
  const runs: Results[] = [];
  await onData(options, async (data) => {
    const bench: Bench = { data, peers, quick };
    const rows = await measureAll(chosen(options.rows), bench);
    runs.push(sumUp(rows, peers, quick));
    if (!write) return;
    const folder = options.peers === undefined
      ? []
      : [`--peers=${options.peers}`];
    runs.push(runOther([`--data=${data.root}`, ...folder]));
  });
  const rows = runs.flatMap((run) => run.rows);
  const misses = rows.flatMap(({ checks }) => checks)
    .filter((check) => verdict(check) === "miss");
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `${tableOf(runs)}\n\n${misses.length} targets missed; ${minutes} minutes`,
  );
  if (json !== undefined) writeResults(runs[0]!, json);
  if (write) writeDocuments(runs);
  if (rows.some(({ reason }) => reason?.startsWith("error"))) {
    process.exitCode = 1;
  }
}

/** Creates the data, or reuses kept data; removes it unless `keep` is set. */
async function onData(
  { quick, data: kept, keep }: Options,
  work: (data: Data) => Promise<void>,
): Promise<void> {
  const data = makeData(quick, kept);
  const leave = keep || kept !== undefined;
  if (leave) console.log(`The data stays in ${data.root}\n`);
  try {
    await work(data);
  } finally {
    if (!leave) data.remove();
  }
}

function chosen(names: readonly string[]): readonly Row[] {
  if (names.length === 0) return ROWS;
  return names.map((name) => {
    const row = ROWS.find((row) => row.name === name);
    if (row !== undefined) return row;
    const known = ROWS.map(({ name }) => name).join(", ");
    throw new TypeError(`Unknown row "${name}"; the rows are ${known}`);
  });
}

/** Measures one row after the other; a row that fails does not stop the others. */
async function measureAll(
  rows: readonly Row[],
  bench: Bench,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { measure, ...row } of rows) {
    const found = await measure(bench).catch((error: unknown) =>
      `error: ${error instanceof Error ? error.message : error}`
    );
    const result: Result = typeof found === "string"
      ? { ...row, checks: [], reason: found }
      : { ...row, checks: found };
    console.log(rowText(result));
    results.push(result);
  }
  return results;
}

function writeDocuments(runs: readonly Results[]): void {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const [chart, readme] = [here("../docs/bench.svg"), here("../README.md")];
  const page = here("./README.md");
  writeFileSync(chart, drawChart(runs));
  writeBetweenMarks(
    readme,
    tableOf(runs, ({ inReadme }) => inReadme, shortSourceOf),
  );
  writeBetweenMarks(page, `${aboutRows(runs)}\n\n${tableOf(runs)}`);
  runProcess([DENO, "fmt", "--quiet", chart, readme, page]);
}
