/**
 * Fuzzes one subject for a time, and measures each case: the longest time in which
 * nothing else could run, and the memory over that of the start.
 *
 * Usage: `child.ts SUBJECT SEED SECONDS`. Each case has a seed of its own, counted
 * on from SEED. Prints faults and, at the end, the figures, as JSON.
 */
import process from "node:process";
import { setImmediate } from "node:timers";
import { Random } from "../support/random.ts";
import { answers, begin, lastInput, SUBJECTS } from "./subjects.ts";

const [name = "", seed = "", seconds = ""] = process.argv.slice(2);
const subject = SUBJECTS[name]!;

/** The longest that a case may keep the event loop, and the most memory that it may take over the start. */
const MAX_BLOCK_MS = 50;
const MAX_MIB = 64;

/** A case counts as slow or large only if it is so each time: the machine, and what the runtime keeps, differ. */
const TRIES = 5;

/** How often it looks for memory that is left behind. */
const LEAK_MS = 15_000;

/** Of so many cases, one has an answer that is not a failure. */
const ENOUGH = 200;

/** Cases before the first measure, in which the runtime compiles. */
const WARM_UP = name === "control" ? 0 : 20;

/** Its parser is not ours, and does not yield. */
const IS_TIMED: Readonly<Record<string, boolean>> = { tomls: false };

/** What a case took. */
interface Figures {
  readonly blockMs: number;
  readonly mib: number;
  readonly error: unknown;
}

interface Collector {
  readonly Bun?: { gc(now: boolean): void };
  readonly gc?: () => void;
}

/** Frees what is not used; runtimes give memory back a little later. */
async function collect(): Promise<void> {
  const { Bun, gc } = globalThis as Collector;
  for (let round = 0; round < 2; round++) {
    if (Bun !== undefined) Bun.gc(true);
    else gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const mibNow = () => process.memoryUsage().rss / 2 ** 20;

/** What the program holds, without what the runtime keeps free. */
function heldMib(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** The processor's time of this thread in milliseconds: on a busy machine, the clock also counts what others do, and that of the process what its workers do. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The numbers of a case. Neighbours would begin with the same ones without a mix. */
function randomOf(caseSeed: number): Random {
  const random = new Random(Math.imul(caseSeed + 1, 0x9e3779b1));
  for (let left = 8; left > 0; left--) random.below(1);
  return random;
}

let tick = () => {};
let isWatching = true;
(function turn() {
  tick();
  if (isWatching) setImmediate(turn);
})();

/** Runs a case; `base` is the memory to compare with. */
async function measure(caseSeed: number, base: number): Promise<Figures> {
  let before = Math.min(base, mibNow());
  let [clock, busy, blockMs, most] = [performance.now(), busyMs(), 0, before];
  let turns = 0;
  begin.measure = () => {
    [clock, busy, blockMs] = [performance.now(), busyMs(), 0];
    // A large input is not the library's.
    most = before = Math.max(before, mibNow());
  };
  const look = () => {
    const [clockNow, busyNow] = [performance.now(), busyMs()];
    blockMs = Math.max(blockMs, Math.min(clockNow - clock, busyNow - busy));
    [clock, busy] = [clockNow, busyNow];
    // Asking for the memory takes longer than for the time.
    if (turns++ % 16 === 0) most = Math.max(most, mibNow());
  };
  tick = look;
  let error: unknown;
  try {
    await subject(randomOf(caseSeed));
  } catch (thrown) {
    error = thrown ?? new Error("It threw nothing");
  }
  look();
  tick = () => {};
  return { blockMs, mib: Math.max(most, mibNow()) - before, error };
}

function fault(caseSeed: number, what: string): void {
  const shown = JSON.stringify(lastInput)?.slice(0, 300);
  console.log(JSON.stringify({ fault: what, seed: caseSeed, input: shown }));
}

for (const event of ["unhandledRejection", "uncaughtException"]) {
  process.on(event, (error: unknown) => {
    fault(caseSeed, `${event}: ${(error as Error)?.stack ?? error}`);
  });
}

let caseSeed = Number(seed);
const end = performance.now() + Number(seconds) * 1000;
let cases = 0;
let [worstMs, worstMib] = [0, 0];
for (let at = 0; at < WARM_UP; at++) await measure(caseSeed - 1 - at, Infinity);
await collect();
const start = mibNow();
const heldAtStart = heldMib();
let [looked, mostHeld, mostLeft] = [performance.now(), 0, MAX_MIB];
answers.count = 0;

/** Looks whether cases leave memory behind, however little each of them. */
async function lookForLeaks(): Promise<void> {
  await collect();
  looked = performance.now();
  const held = heldMib() - heldAtStart;
  mostHeld = Math.max(mostHeld, held);
  if (held <= mostLeft) return;
  fault(caseSeed, `the cases left ${Math.round(held)} MiB`);
  // It is not said each time that they still hold it.
  mostLeft = 2 * held;
}
let peak = start;
do {
  console.log(JSON.stringify({ seed: caseSeed }));
  const first = await measure(caseSeed, start);
  if (first.error !== undefined) {
    const { stack } = first.error as Error;
    fault(caseSeed, `untyped: ${stack ?? first.error}`);
  }
  let { blockMs, mib } = first;
  const isOver = () =>
    blockMs > MAX_BLOCK_MS && IS_TIMED[name] !== false || mib > MAX_MIB;
  for (let tries = 1; isOver() && tries < TRIES; tries++) {
    await collect();
    // A line says that it is at work.
    console.log(JSON.stringify({ seed: caseSeed }));
    const again = await measure(caseSeed, Infinity);
    blockMs = Math.min(blockMs, again.blockMs);
    mib = Math.min(mib, again.mib);
  }
  if (blockMs > MAX_BLOCK_MS && IS_TIMED[name] !== false) {
    fault(caseSeed, `keeps the event loop for ${Math.round(blockMs)} ms`);
  }
  if (mib > MAX_MIB) fault(caseSeed, `takes ${Math.round(mib)} MiB`);
  worstMs = Math.max(worstMs, blockMs);
  worstMib = Math.max(worstMib, mib);
  peak = Math.max(peak, mibNow());
  cases++;
  caseSeed++;
  if (performance.now() - looked > LEAK_MS) await lookForLeaks();
} while (performance.now() < end);
await lookForLeaks();
// Else the inputs are refused before they reach what is fuzzed.
if (cases >= ENOUGH && answers.count === 0) {
  fault(caseSeed, `no input of ${cases} was answered`);
}
isWatching = false;
const round = (value: number) => Math.round(value * 10) / 10;
console.log(JSON.stringify({
  cases,
  ms: round(worstMs),
  mib: round(worstMib),
  grown: round(peak - start),
  left: round(mostHeld),
  answered: answers.count,
}));
process.exit(0);
