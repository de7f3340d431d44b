/**
 * The victim: reads one file over and over, first in peace, then under attack.
 *
 * Usage: `victim.ts MODE ROOT FILE COUNT SECONDS READERS`. For each reader it
 * prints a tally, as JSON in one line; then waits for a line, and does it again.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { type Answer, makeReader, type Reader } from "./reader.ts";
import { type Mode, PUBLIC, SECRET } from "./stage.ts";

/** How the reads of one reader went. */
export interface Tally {
  /** Reads that were begun. */
  reads: number;
  /** Reads that told of something outside. */
  leaks: number;
  /** Reads that gave the file in the workspace. */
  ok: number;
  /** Reads that were refused for a reason that an attack explains, by reason. */
  readonly refused: Record<string, number>;
  /** Whatever else came: each is a fault. */
  readonly other: Record<string, number>;
  /** Reads that did not end. */
  hangs: number;
  /** Microseconds that a read took, on average. */
  micros: number;
}

/** The refusals that an attack explains. */
const EXPLAINED = ["CHANGED", "OUTSIDE_WORKSPACE", "NOT_FOUND", "NOT_A_FILE"];
const HANG_MS = 5000;

const [mode, root, file, count, seconds, names] = process.argv.slice(2) as [
  Mode,
  ...[string, string, string, string, string],
];
const outside = root.replace(/[^/]+$/, "outside");
const readers: Reader[] = [];
for (const name of names.split(",")) {
  readers.push(await makeReader(name, mode, root, file));
}

console.log(JSON.stringify(await tallyAll()));
for await (const _go of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await tallyAll()));
  break;
}
// A read that hangs must not keep the process.
process.exit(0);

async function tallyAll(): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const reader of readers) tallies.push(await tally(reader));
  return tallies;
}

async function tally(reader: Reader): Promise<Tally> {
  const sum: Tally = {
    reads: 0,
    leaks: 0,
    ok: 0,
    refused: {},
    other: {},
    hangs: 0,
    micros: 0,
  };
  const began = performance.now();
  const end = began + Number(seconds) * 1000;
  while (sum.reads < Number(count) && performance.now() < end) {
    sum.reads++;
    const answer = await within(HANG_MS, reader());
    if (answer === undefined) {
      sum.hangs++;
      break;
    }
    add(sum, answer);
  }
  sum.micros = Math.round((performance.now() - began) * 1000 / sum.reads);
  return sum;
}

function add(sum: Tally, { refusal, text }: Answer): void {
  if (text.includes(SECRET) || text.includes(outside)) sum.leaks++;
  else if (refusal === undefined && text.includes(PUBLIC)) sum.ok++;
  else {
    const what = refusal ?? `read ${JSON.stringify(text)}`;
    const kind = EXPLAINED.includes(what) ? sum.refused : sum.other;
    kind[what] = (kind[what] ?? 0) + 1;
  }
}

/** What a promise gives, or `undefined` if that takes too long. */
async function within<T>(
  ms: number,
  promise: Promise<T>,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
