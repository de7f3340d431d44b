/** Files of every kind on the disk, and the output of sed, head and tail. */
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../../mod.ts";
import { onDisk } from "./disk.ts";
import { Random, SEED } from "./random.ts";

/** How many files there are. */
export const FILES = 210;
/** How many windows are drawn. */
export const WINDOWS = 2_100;
/** How many windows lie at the beginning or at the end. */
export const ENDS = 210;

/** The characters of the lines of a file, their endings and lengths. */
interface Recipe {
  readonly parts: readonly string[];
  readonly endings: readonly string[];
  readonly longest: number;
  readonly lines: number;
  /** The text after the last ending. */
  readonly rest?: string;
}

/** Every kind of file; each character is one byte. */
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

/** A file on the disk, and its lines as the system counts them. */
export interface Sample {
  readonly name: string;
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly total: number;
}

/** Files on the disk, and the programs that describe them. */
export interface Samples extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly samples: readonly Sample[];
  /** Runs commands in the folder of the files; each writes to the places it names. */
  run(commands: readonly string[]): void;
  /** What was written to a place. */
  answer(place: number): Buffer;
}

/** A place that a command can write to. */
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

/** The same files for every test, and their totals; made once. */
let known: { readonly files: readonly Uint8Array[]; totals: readonly number[] };

/** Puts the files on the disk. */
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
    // One number for each file; there is none for an empty file.
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

/** A random window, and where the output of the system's tool is. */
export interface Draw extends Sample {
  readonly place: number;
  readonly start: number;
  readonly count: number;
}

/** `windows` of them, the same number in every file. */
export function drawWindows(
  samples: readonly Sample[],
  windows: number,
): readonly Draw[] {
  const random = new Random(SEED + windows);
  return Array.from({ length: windows }, (_, place) => {
    const sample = samples[place % samples.length]!;
    const start = random.from(1, sample.total + 2);
    const most = random.pick([1, 3, sample.total + 2]);
    return { ...sample, place, start, count: random.from(1, most) };
  });
}

/** For each file, one `sed` that writes each of its windows to its own file. */
export function sedCommands(draws: readonly Draw[]): readonly string[] {
  const commands = new Map<string, string>();
  for (const { name, place, start, count } of draws) {
    const command = commands.get(name) ?? "sed -n";
    const script = `${start},${start + count - 1}w ${to(place)}`;
    commands.set(name, `${command} -e '${script}'`);
  }
  return [...commands].map(([name, command]) => `${command} ${name}`);
}
