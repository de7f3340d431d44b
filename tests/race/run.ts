/**
 * Races every mode in every setting, at both paces, and prints a table.
 *
 * Usage: `run.ts [READS [MODE [READER...]]]`; the default is 20000 reads of all
 * readers in all modes, but for `search`, which takes too long for so many. The
 * control always runs. `MODE:PACE` selects one pace. A search counts as so many reads
 * as it opens files.
 */
import process from "node:process";
import { type Outcome, PACES, type Plan, race, SETTINGS } from "./race.ts";
import { CONTROL, LAYERED, READERS, WAITING } from "./reader.ts";
import { MODES } from "./stage.ts";
import { faultsOf, wasAttacked } from "./verdict.ts";

const MAX_SECONDS = 1800;
const COLUMNS = [
  "chances",
  "reads",
  "LEAKS",
  "ok",
  "refused",
  "other",
  "hangs",
  "µs",
];

const [reads = "20000", chosenMode, ...chosen] = process.argv.slice(2);
const [only, pace] = chosenMode?.split(":") ?? [];
const paces = PACES.filter((one) => pace === undefined || one === pace);
const modes = MODES.filter((mode) => only === undefined || mode === only);
const ours = chosen.length > 0 ? chosen : [...READERS, WAITING, LAYERED];
const names = [...ours, CONTROL];
let faults = 0;
if (modes.length === 0 || paces.length === 0) {
  const known = `${MODES.join(", ")}; ${PACES.join(", ")}`;
  throw new Error(`Unknown mode ${chosenMode}; the modes are ${known}`);
}

console.log(row("mode", "setting", "reader", COLUMNS, "in peace", "swaps/s"));
const attacks = modes.flatMap((mode) => paces.map((pace) => ({ mode, pace })));
for (const { mode, pace } of attacks) {
  for (const setting of SETTINGS) {
    const bounds = { count: Number(reads), seconds: MAX_SECONDS };
    const plan = { mode, pace, setting, readers: names, ...bounds };
    const outcome = await race(plan);
    print(plan, outcome);
    const found = faultsOf(plan, outcome);
    if (!wasAttacked(plan, outcome)) found.push("the control did not leak");
    if (outcome.attacked.some((tally) => tally.chances < plan.count)) {
      found.push("the time was up too early");
    }
    for (const fault of found) console.log(`FAULT: ${fault}`);
    faults += found.length;
  }
}
console.log(`\n${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;

function print({ mode, pace, setting, readers }: Plan, outcome: Outcome): void {
  for (const [at, reader] of readers.entries()) {
    const { refused, other, ...tally } = outcome.attacked[at]!;
    const { chances, reads, leaks, ok, hangs, micros } = tally;
    const refusals = sum(refused);
    const others = sum(other);
    const counts = [chances, reads, leaks, ok, refusals, others, hangs, micros];
    const calm = `${outcome.calm[at]!.ok} ok`;
    const swaps = String(outcome.swaps);
    console.log(row(`${mode}:${pace}`, setting, reader, counts, calm, swaps));
  }
}

function row(
  mode: string,
  setting: string,
  reader: string,
  counts: readonly (number | string)[],
  calm: string,
  swaps: string,
): string {
  return [
    mode.padEnd(14),
    setting.padEnd(20),
    reader.padEnd(27),
    ...counts.map((count) => String(count).padStart(7)),
    calm.padStart(10),
    swaps.padStart(7),
  ].join("  ");
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
