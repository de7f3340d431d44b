/** Files of unusual size. */
import {
  closeSync,
  openSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { TOOLKIT_MAX_FILE_BYTES } from "../../src/tools/toolkit_read_file.ts";

/** A file of ordinary size. */
export const SMALL = "small.txt";

/** A file of one line. */
export const LINE = "line.txt";
const LINE_BYTES = 50_000_000;
/** A file of lines of one byte each. */
export const MILLION = "million.txt";
export const LINES = 1_000_000;
/** The largest number of one-byte lines that the toolkit reads. */
export const FULL = "full.txt";
export const FULL_LINES = TOOLKIT_MAX_FILE_BYTES / 2;
/** The time of its last change. */
export const MTIME_SECONDS = 1_000_000_000;
/** A file of 10 GiB: a few lines, a long line of NULs, and two more lines. */
export const SPARSE = "sparse.txt";
export const SPARSE_BYTES = 10 * 2 ** 30;
export const HEAD_LINES = 4000;
const TAIL = "\nlast but one\nlast\n";

/** Writes the files; the file of 10 GiB is sparse. */
export function writeLarge(folder: string): void {
  write(folder, SMALL, "small\n");
  write(folder, LINE, `${"x".repeat(LINE_BYTES - 1)}\n`);
  write(folder, MILLION, "a\n".repeat(LINES));
  write(folder, FULL, "a\n".repeat(FULL_LINES));
  utimesSync(join(folder, FULL), MTIME_SECONDS, MTIME_SECONDS);
  write(folder, SPARSE, "head\n".repeat(HEAD_LINES));
  truncateSync(join(folder, SPARSE), SPARSE_BYTES);
  write(folder, SPARSE, TAIL, SPARSE_BYTES - TAIL.length);
}

function write(folder: string, file: string, text: string, at = 0): void {
  const fd = openSync(join(folder, file), at === 0 ? "w" : "r+");
  const bytes = new TextEncoder().encode(text);
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
  }
  closeSync(fd);
}
