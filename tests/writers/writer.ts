/**
 * The writer, in Bun: replaces a file, version after version, until standard input
 * ends. Before and after each version it says so in the file `log`.
 *
 * Usage: `writer.ts FOLDER KIND`. It prints `ready`, and at the end the number of
 * versions, and how many times a number of an inode was used again.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { contentOf, type Kind, SIZE } from "./content.ts";

/** The used part of `bun:ffi`, for which Deno has no types. */
interface Ffi {
  ptr(bytes: Uint8Array): number;
  dlopen(library: string, symbols: Record<string, unknown>): {
    readonly symbols: Readonly<
      Record<string, (...args: readonly number[]) => number>
    >;
  };
}

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
const PARTS = 6;
const VERSIONS_AT_A_TIME = 50;
/** The longest pause between two versions, and between two parts. */
const PAUSE_MS = 2;
const PART_PAUSE_MS = 0.2;
/** The modification time of every version. */
const TIME = 1_700_000_000;

const [folder = "", kind] = process.argv.slice(2) as [string, Kind];
const file = join(folder, "a.txt");
const other = join(folder, "other");
const { dlopen, ptr } = await import(["bun", "ffi"].join(":")) as Ffi;
const { symbols: { renameat2 } } = dlopen("libc.so.6", {
  renameat2: { args: ["i32", "ptr", "i32", "ptr", "u32"], returns: "i32" },
});
const [one, two] = [file, other].map((path) =>
  new TextEncoder().encode(`${path}\0`)
);

const log = openSync(join(folder, "log"), "r+");
const word = new Int32Array(1);

/** Says that a version is begun (at 0) or whole (at 4). */
function say(at: 0 | 4, version: number): void {
  word[0] = version;
  writeSync(log, word, 0, 4, at);
}

function pause(most: number): void {
  const end = performance.now() + Math.random() * most;
  while (performance.now() < end);
}

function writeFile(path: string, flags: string, version: number): number {
  const opened = openSync(path, flags);
  writeSync(opened, contentOf(version), 0, SIZE, 0);
  futimesSync(opened, TIME, TIME);
  const { ino } = fstatSync(opened);
  closeSync(opened);
  return ino;
}

let last = 0;
let again = 0;

const WRITE: Readonly<Record<Kind, (version: number) => void>> = {
  rename(version) {
    writeFile(other, "w", version);
    renameSync(other, file);
  },
  exchange(version) {
    writeFile(other, "w", version);
    const failed = renameat2!(
      AT_FDCWD,
      ptr(one!),
      AT_FDCWD,
      ptr(two!),
      RENAME_EXCHANGE,
    );
    if (failed) throw new Error("Cannot exchange the files");
  },
  "one write"(version) {
    writeFile(file, "r+", version);
  },
  parts(version) {
    const opened = openSync(file, "r+");
    const content = contentOf(version);
    const step = SIZE / PARTS;
    for (let at = 0; at < SIZE; at += step) {
      writeSync(opened, content, at, step, at);
      futimesSync(opened, TIME, TIME);
      pause(PART_PAUSE_MS);
    }
    closeSync(opened);
  },
  "number again"(version) {
    unlinkSync(file);
    const ino = writeFile(file, "wx", version);
    if (ino === last) again++;
    last = ino;
  },
  truncate(version) {
    const opened = openSync(file, "r+");
    ftruncateSync(opened, 0);
    pause(PART_PAUSE_MS);
    writeSync(opened, contentOf(version), 0, SIZE, 0);
    futimesSync(opened, TIME, TIME);
    closeSync(opened);
  },
};

let isOver = false;
process.stdin.on("end", () => isOver = true).resume();
writeFile(file, "w", 1);
say(0, 1);
say(4, 1);
console.log("ready");
let version = 1;
while (!isOver) {
  for (let count = 0; count < VERSIONS_AT_A_TIME; count++) {
    say(0, ++version);
    WRITE[kind](version);
    say(4, version);
    if (Math.random() < 0.5) pause(PAUSE_MS);
  }
  // Standard input is read only between turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(JSON.stringify({ versions: version, again }));
process.exit(0);
