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
import { begin, lastInput, SUBJECTS } from "./subjects.ts";

const [name = "", seed = "", seconds = ""] = process.argv.slice(2);
const subject = SUBJECTS[name]!;

/** The longest that a case may keep the event loop, and the most memory that it may take over the start. */
const MAX_BLOCK_MS = 50;
const MAX_MIB = 64;

/** A case counts as slow or large only if it is so each time: the machine, and what the runtime keeps, differ. */
const TRIES = 5;

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

/** The processor's time of this process in milliseconds: on a busy machine, the clock also counts what others do. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
    await subject(new Random(caseSeed));
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
for (let at = 0; at < WARM_UP; at++) await measure(caseSeed + at, Infinity);
await collect();
const start = mibNow();
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
} while (performance.now() < end);
isWatching = false;
const round = (value: number) => Math.round(value * 10) / 10;
console.log(JSON.stringify({
  cases,
  ms: round(worstMs),
  mib: round(worstMib),
  grown: round(peak - start),
}));
process.exit(0);
