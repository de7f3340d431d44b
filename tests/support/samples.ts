/** Files of every kind on the disk, and the output of sed, head and tail for them. */
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../../mod.ts";
import { onDisk } from "./disk.ts";
import { Random, SEED } from "./random.ts";
import { draws } from "./share.ts";

/** The number of files. */
export const FILES = 210;
/** The number of random windows, and their seed. */
export const { numRuns: WINDOWS, seed: WINDOWS_SEED } = draws(2_100, 2_100);
/** The number of windows at the beginning or at the end. */
export const ENDS = 210;

/** How to draw the lines of a file. */
interface Recipe {
  readonly parts: readonly string[];
  readonly endings: readonly string[];
  readonly longest: number;
  readonly lines: number;
  /** The text after the last line ending. */
  readonly rest?: string;
}

/** The kinds of files; each character is one byte. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  "LF": { parts: ["a", "b "], endings: ["\n"], longest: 20, lines: 30 },
  "CRLF": { parts: ["a", "b "], endings: ["\r\n"], longest: 20, lines: 30 },
  "mixed": { parts: ["a"], endings: ["\n", "\r\n"], longest: 9, lines: 30 },
  "open end": {
    parts: ["a"],
    endings: ["\n"],
    longest: 9,
    lines: 9,
    rest: "z",
  },
  "open CR": {
    parts: ["a"],
    endings: ["\r\n"],
    longest: 9,
    lines: 9,
    rest: "\r",
  },
  "empty": { parts: [], endings: [], longest: 0, lines: 0 },
  "long": {
    parts: ["abcdefghijklmno"],
    endings: ["\n"],
    longest: 8_000,
    lines: 6,
  },
  "multibyte": {
    parts: ["\xc3\xa9", "\xe6\xbc\xa2", "\xf0\x9f\x98\x80", "\xef\xbb\xbf"],
    endings: ["\n", "\r\n"],
    longest: 9,
    lines: 30,
  },
  "NUL": { parts: ["a", "\0"], endings: ["\n"], longest: 9, lines: 30 },
  "no UTF-8": {
    parts: ["a", "\xff", "\xc3", "\xe6\xbc"],
    endings: ["\n", "\r\n"],
    longest: 9,
    lines: 30,
  },
  "lone CR": {
    parts: ["a", "\r"],
    endings: ["\n", "\r\n", "\r\r\n"],
    longest: 9,
    lines: 30,
  },
  "blank": {
    parts: ["a"],
    endings: ["\n", "\n\n\n", "\r\n"],
    longest: 1,
    lines: 60,
  },
  "one line": { parts: ["a"], endings: [], longest: 0, lines: 0, rest: "one" },
  "many": { parts: ["abcdefgh"], endings: ["\n"], longest: 20, lines: 5_000 },
};

function makeFile(random: Random, recipe: Recipe): Uint8Array {
  const { parts, endings, longest, lines, rest = "" } = recipe;
  let text = "";
  for (let left = random.from(lines >> 1, lines); left > 0; left--) {
    for (let more = random.from(0, longest); more > 0; more--) {
      text += random.pick(parts);
    }
    text += random.pick(endings);
  }
  return Buffer.from(text + rest, "latin1");
}

/** A file on the disk, and the number of its lines according to sed. */
export interface Sample {
  readonly name: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly total: number;
}

/** Files on the disk, and the output of commands for them. */
export interface Samples extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly samples: readonly Sample[];
  /** Runs commands in the folder of the files; each writes to numbered output files. */
  run(commands: readonly string[]): void;
  /** The content of an output file. */
  answer(place: number): Buffer;
}

/** The path of an output file, for a command. */
export function to(place: number): string {
  return `../answers/${place}`;
}

function makeFiles(): readonly Uint8Array[] {
  const random = new Random(SEED);
  const kinds = Object.values(RECIPES);
  return Array.from(
    { length: FILES },
    (_, index) => makeFile(random, kinds[index % kinds.length]!),
  );
}

/** The files and their numbers of lines; made once, for all tests. */
let known: { readonly files: readonly Uint8Array[]; totals: readonly number[] };

/** Writes the files to the disk. */
export async function makeSamples(): Promise<Samples> {
  const place = await onDisk([]);
  const { fs, root, base } = place;
  mkdirSync(join(base, "answers"));
  function run(commands: readonly string[]): void {
    const script = join(base, "script.sh");
    const lines = ["set -e", "export LC_ALL=C", ...commands];
    writeFileSync(script, lines.join("\n"));
    execFileSync("sh", [script], { cwd: root });
  }
  function answer(place: number): Buffer {
    return readFileSync(join(root, to(place)));
  }
  known ??= { files: makeFiles(), totals: [] };
  const { files } = known;
  const nameOf = (index: number) => `${index}.txt`;
  files.forEach((bytes, index) =>
    writeFileSync(join(root, nameOf(index)), bytes)
  );
  if (known.totals.length === 0) {
    const filled = files.flatMap((bytes, index) => bytes.length ? [index] : []);
    // sed prints one number for each file; an empty file gets none, so it is left out.
    run([`sed -s -n '$=' ${filled.map(nameOf).join(" ")} >${to(0)}`]);
    const told = `${answer(0)}`.trim().split("\n").map(Number);
    known.totals = files.map((_, index) => told[filled.indexOf(index)] ?? 0);
  }
  const kinds = Object.keys(RECIPES);
  const samples = files.map((bytes, index) => ({
    name: nameOf(index),
    kind: kinds[index % kinds.length]!,
    bytes,
    total: known.totals[index]!,
  }));
  const workspace = await openWorkspace(root, { fs });
  const dispose = () => place[Symbol.asyncDispose]();
  return { workspace, samples, run, answer, [Symbol.asyncDispose]: dispose };
}

/** A random window, and the number of the file with the expected output. */
export interface Draw extends Sample {
  readonly place: number;
  readonly start: number;
  readonly count: number;
}

/** Draws windows; every file gets about the same number. */
export function drawWindows(
  samples: readonly Sample[],
  windows: number,
): readonly Draw[] {
  const random = new Random(WINDOWS_SEED + windows);
  return Array.from({ length: windows }, (_, place) => {
    const sample = samples[place % samples.length]!;
    const start = random.from(1, sample.total + 2);
    const most = random.pick([1, 3, sample.total + 2]);
    return { ...sample, place, start, count: random.from(1, most) };
  });
}

/** For each file, one `sed` command that writes each window to an output file. */
export function sedCommands(draws: readonly Draw[]): readonly string[] {
  const commands = new Map<string, string>();
  for (const { name, place, start, count } of draws) {
    const command = commands.get(name) ?? "sed -n";
    const script = `${start},${start + count - 1}w ${to(place)}`;
    commands.set(name, `${command} -e '${script}'`);
  }
  return [...commands].map(([name, command]) => `${command} ${name}`);
}
