/**
 * Reads a file while a writer replaces it, and judges each answer.
 *
 * Usage: `reader.ts FOLDER KIND COUNT`. Prints the tallies, as JSON.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bunFs, denoFs, openWorkspace, type ReadOptions } from "../../mod.ts";
import { judge, type Kind, SIZE, type Verdict } from "./content.ts";

/** How many answers had each verdict, and how many calls were refused, by code. */
export interface Tally {
  readonly reader: string;
  reads: number;
  readonly verdicts: Record<Verdict, number>;
  readonly refused: Record<string, number>;
  micros: number;
}

/** Some bytes of the file, from `start` on. */
interface Answer {
  readonly bytes: Uint8Array;
  readonly start: number;
}

/** What the control may read until it shows both faults. */
const MOST_CONTROL_READS = 500_000;

const [folder = "", kind, count] = process.argv.slice(2) as [
  string,
  Kind,
  string,
];
const log = openSync(join(folder, "log"), "r");
const word = new Int32Array(1);

function said(at: 0 | 4): number {
  readSync(log, word, 0, 4, at);
  return word[0]!;
}

const file = join(folder, "a.txt");

/** Reads two halves, each from the file that has the name by then. */
function readHalves(): Answer {
  const bytes = new Uint8Array(SIZE);
  let length = 0;
  for (const at of [0, SIZE / 2]) {
    const opened = openSync(file, "r");
    length += readSync(opened, bytes, at, SIZE / 2, at);
    closeSync(opened);
  }
  return { bytes: bytes.subarray(0, length), start: 0 };
}

/** Reads again only if the size or the modification time is another. */
let cached: { readonly key: string; readonly answer: Answer } | undefined;
function readCached(): Answer {
  const { size, mtimeMs } = statSync(file);
  const key = `${size} ${mtimeMs}`;
  if (cached?.key !== key) cached = { key, answer: readHalves() };
  return cached.answer;
}

const isBun = "Bun" in globalThis;
const portOf = isBun ? bunFs : denoFs;

async function readerOf(options: ReadOptions, nonBlocking: boolean) {
  const fs = portOf({ nonBlocking });
  const workspace = await openWorkspace(folder, { fs });
  return async (): Promise<Answer> => {
    const page = await workspace.read("a.txt", options);
    return { bytes: page.bytes(), start: page.shown.start };
  };
}

const READERS: Readonly<
  Record<string, () => Awaited<Answer> | Promise<Answer>>
> = {
  "whole": await readerOf({ maxBytes: 1e6 }, false),
  "whole, nonBlocking": await readerOf({ maxBytes: 1e6 }, true),
  "lines": await readerOf({ start: 700, count: 300 }, false),
  "tail": await readerOf({ tail: 400, numbered: false }, false),
  "hits": await readerOf({ match: "0000", limit: 50 }, false),
  "control: halves": readHalves,
  "control: cached": readCached,
};

async function tally(reader: string): Promise<Tally> {
  const read = READERS[reader]!;
  const verdicts = { held: 0, mixed: 0, old: 0 };
  const sum: Tally = { reader, reads: 0, verdicts, refused: {}, micros: 0 };
  const isControl = reader.startsWith("control");
  const most = isControl ? MOST_CONTROL_READS : Number(count);
  const began = performance.now();
  while (sum.reads < most) {
    const { mixed, old } = verdicts;
    const isShown = (reader.includes("cached") ? old : mixed) > 0;
    if (isControl && isShown && sum.reads >= Number(count) / 20) break;
    sum.reads++;
    const least = said(4);
    try {
      const { bytes, start } = await read();
      verdicts[judge(kind, bytes, start, { least, most: said(0) })]++;
    } catch (error) {
      const { code = String(error) } = error as { readonly code?: string };
      sum.refused[code] = (sum.refused[code] ?? 0) + 1;
    }
  }
  sum.micros = Math.round((performance.now() - began) * 1000 / sum.reads);
  return sum;
}

for (const reader of Object.keys(READERS)) {
  console.log(JSON.stringify(await tally(reader)));
}
process.exit(0);
