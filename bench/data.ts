// The files that the rows read, created in a temporary folder.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MIB = 1024 * 1024;

/** A workspace of files with known content. */
export interface Data {
  /** The workspace; all paths are relative to it. */
  readonly root: string;
  /** A long log, and the number of its lines. */
  readonly log: { readonly path: string; readonly lines: number };
  /** A line deep in the log. */
  readonly deep: number;
  /** A file of 8 KiB. */
  readonly small: string;
  /** A file of 1 MiB with so few lines that every tool shows all of it. */
  readonly whole: string;
  /** A file of 2 MiB with 50,000 lines of nested blocks. */
  readonly code: { readonly path: string; readonly lines: number };
  /** Removes the files. */
  remove(): void;
}

/** Creates the files, or reuses those in `kept`. */
export function makeData(quick: boolean, kept: string | undefined): Data {
  const blocks = quick ? 64 : 1024;
  if (kept === undefined) refuseFullDisk(blocks * MIB);
  const made = kept ?? mkdtempSync(join(tmpdir(), "read-file-bench-"));
  const root = realpathSync(made);
  const data = describe(root, blocks);
  if (kept === undefined) write(data, blocks);
  else checkKept(data, blocks);
  return data;
}

function describe(root: string, blocks: number): Data {
  const lines = blocks * LOG_LINES;
  return {
    root,
    log: { path: "big.log", lines },
    // Line 8,000,000 of 10.9 million.
    deep: Math.floor(lines * 8 / 10.9),
    small: "src/small.txt",
    whole: "src/whole.txt",
    code: { path: "src/code.txt", lines: CODE_LINES },
    remove: () => rmSync(root, { recursive: true }),
  };
}

function write(data: Data, blocks: number): void {
  const { root, log, small, whole, code } = data;
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, small), evenLines(8 * 1024, 256));
  writeFileSync(join(root, whole), evenLines(MIB, 480));
  writeFileSync(join(root, code.path), nestedBlocks());
  const block = logBlock();
  const fd = openSync(join(root, log.path), "wx");
  for (let at = 0; at < blocks; at++) {
    block.write(String(at).padStart(8, "0"), 0, "latin1");
    writeSync(fd, block);
  }
  closeSync(fd);
}

function checkKept({ root, log }: Data, blocks: number): void {
  if (statSync(join(root, log.path)).size === blocks * MIB) return;
  throw new TypeError(
    "Cannot use the data that was kept: it is of another size",
  );
}

function refuseFullDisk(bytes: number): void {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize > 2 * bytes) return;
  throw new TypeError(
    `Cannot make the data: the temporary folder has no ${
      2 * bytes
    } bytes free; set TMPDIR`,
  );
}

/** The lines per MiB: 10.9 million lines in 1 GiB. */
const LOG_LINES = 10_645;

/** One MiB of log lines with many different lengths, so that positions cannot be guessed. */
function logBlock(): Buffer {
  const lines: string[] = [];
  let left = MIB;
  let seed = 1;
  for (let after = LOG_LINES - 1; after >= 0; after--) {
    seed = (seed * 48_271) % 0x7fffffff;
    const mean = left / (after + 1);
    const length = after === 0
      ? left
      : Math.round(mean * (0.5 + seed % 101 / 100));
    const text = `00000000 ${LOG_LINES - after} INFO request ${seed} `;
    lines.push(text.padEnd(length - 1, "served ").slice(0, length - 1));
    left -= length;
  }
  return Buffer.from(lines.join("\n") + "\n", "latin1");
}

/** `count` lines of equal length, `bytes` in total. */
function evenLines(bytes: number, count: number): string {
  const length = Math.floor(bytes / count);
  const line = (at: number) =>
    `${at} `.padEnd(
      at === count ? bytes - length * (count - 1) - 1 : length - 1,
      "lorem ipsum ",
    ) +
    "\n";
  return Array.from({ length: count }, (_, at) => line(at + 1)).join("");
}

const CODE_LINES = 50_000;

/** Functions of forty lines, nested three levels deep. */
function nestedBlocks(): string {
  const length = Math.floor(2 * MIB / CODE_LINES);
  const line = (at: number) => {
    const place = at % 40;
    const level = Math.min(place, 39 - place, 3);
    return `${"    ".repeat(level)}step(${at});`.padEnd(length - 1, " //") +
      "\n";
  };
  return Array.from({ length: CODE_LINES }, (_, at) => line(at)).join("");
}
