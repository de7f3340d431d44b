/**
 * The victim: reads one file repeatedly, first without an attack, then during one.
 *
 * Usage: `victim.ts MODE ROOT COUNT SECONDS READERS`. For each reader it
 * prints a tally, as JSON in one line; then waits for a line, and does it again.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { type Answer, CONTROL, makeReader, type Reader } from "./reader.ts";
import type { Mode } from "./stage.ts";
import { AT_WORK, type Tally } from "./tally.ts";
import { judge, type Phase } from "./verdict.ts";

/** On a busy machine, a read that repeats itself takes seconds. */
const HANG_MS = 60_000;

/**
 * How many reads the control may make until it leaks. On a busy machine, most of
 * its reads do not leak.
 */
const MOST_CONTROL_READS = 500_000;
const READS_A_WORD = 5000;

/** The share of reads before the attack: a few are enough, since all end in the same way. */
const CALM_PART = 1 / 5;

const [mode, root, count, seconds, names] = process.argv.slice(2) as [
  Mode,
  ...[string, string, string, string, string],
];
const readers = new Map<string, Reader>();
for (const name of names.split(",")) {
  readers.set(name, await makeReader(name, mode, root));
}

console.log(JSON.stringify(await tallyAll("in peace")));
for await (const _go of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await tallyAll("under attack")));
  break;
}
// Exit, even if a read hangs.
process.exit(0);

async function tallyAll(when: Phase): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const [name, reader] of readers) {
    // A limit on reads, not on time, since machines may be slow.
    const goesOn = name === CONTROL && when === "under attack"
      ? ({ leaks, reads }: Tally) => leaks === 0 && reads < MOST_CONTROL_READS
      : () => false;
    tallies.push(await tally(reader, when, goesOn));
    console.log(AT_WORK);
  }
  return tallies;
}

/** Makes the requested number of reads, and more as long as `goesOn` returns true. */
async function tally(
  reader: Reader,
  when: Phase,
  goesOn: (sum: Tally) => boolean,
): Promise<Tally> {
  const sum: Tally = {
    reads: 0,
    chances: 0,
    leaks: 0,
    ok: 0,
    refused: {},
    other: {},
    hangs: 0,
    micros: 0,
  };
  const began = performance.now();
  const end = began + Number(seconds) * 1000;
  const most = Number(count) * (when === "in peace" ? CALM_PART : 1);
  while (
    (sum.chances < most && performance.now() < end) || goesOn(sum)
  ) {
    sum.reads++;
    if (sum.reads % READS_A_WORD === 0) console.log(AT_WORK);
    const answer = await within(HANG_MS, reader());
    if (answer === undefined) {
      sum.hangs++;
      break;
    }
    add(sum, when, answer);
  }
  sum.micros = Math.round((performance.now() - began) * 1000 / sum.reads);
  return sum;
}

function add(sum: Tally, when: Phase, answer: Answer): void {
  sum.chances += answer.chances ?? 1;
  const verdict = judge(mode, when, answer);
  if (verdict === "leak") sum.leaks++;
  else if (verdict === "ok") sum.ok++;
  else {
    const { refusal, text } = answer;
    const what = refusal ?? `read ${JSON.stringify(text)}`;
    sum[verdict][what] = (sum[verdict][what] ?? 0) + 1;
  }
}

/** The value of a promise; `undefined` if it takes too long. */
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
