/** Files of unusual size, and what has to come of asking for them. */
import { closeSync, openSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";

/** One call. */
export interface Ask {
  /** One of the four tools, or `readFile`. */
  readonly reader: string;
  readonly file: string;
  /** Of a tool: what it takes beside the path. Of `readFile`: `selection`, and the policy. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** One call, and the answer it must have: a text, or a code. */
export interface Case extends Ask {
  readonly answer: () => string;
}

/** A file that is not large. */
export const SMALL = "small.txt";

const LINE = "line.txt";
const LINE_BYTES = 50_000_000;
const MILLION = "million.txt";
const LINES = 1_000_000;
const SPARSE = "sparse.txt";
const SPARSE_BYTES = 10 * 2 ** 30;
const HEAD_LINES = 4000;
const TAIL = "\nlast but one\nlast\n";
const MOST = Number.MAX_SAFE_INTEGER;

/** Writes the files; the 10 GiB of one of them take no room. */
export function writeLarge(folder: string): void {
  write(folder, SMALL, "small\n");
  write(folder, LINE, `${"x".repeat(LINE_BYTES - 1)}\n`);
  write(folder, MILLION, "a\n".repeat(LINES));
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

/** Lines `1` to `count`, each with its number before it. */
function numbered(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");
}

const tail = { kind: "tail", count: 2 };
const all = { kind: "lines", start: 1, count: MOST };
const tooLarge = () => "TOO_LARGE";

/** The cases that a gate can bear. */
export const CASES: readonly Case[] = [
  {
    reader: "CodexReadFile",
    file: LINE,
    args: { limit: MOST },
    answer: () => `L1: ${"x".repeat(500)}`,
  },
  {
    reader: "CodexReadFile",
    file: MILLION,
    args: { limit: MOST },
    answer: () => numbered(LINES, (number) => `L${number}: a`),
  },
  {
    reader: "CodexReadFile",
    file: SPARSE,
    args: { offset: 3, limit: 2 },
    answer: () => "L3: head\nL4: head",
  },
  ...[LINE, MILLION, SPARSE].flatMap((file) => [
    { reader: "OpenFile", file, args: {}, answer: tooLarge },
    { reader: "ToolkitReadFile", file, args: {}, answer: tooLarge },
    { reader: "ForgeRead", file, args: {}, answer: tooLarge },
  ]),
  {
    reader: "ForgeRead",
    file: LINE,
    args: { tail: 1 },
    answer: tooLarge,
  },
  {
    reader: "ForgeRead",
    file: MILLION,
    args: { tail: 2 },
    answer: () => " 999999| a\n1000000| a\n",
  },
  {
    reader: "ForgeRead",
    file: SPARSE,
    args: { tail: 2 },
    answer: () => "last but one\nlast\n",
  },
  {
    reader: "ForgeRead",
    file: SPARSE,
    args: { limit: MOST },
    answer: () =>
      numbered(HEAD_LINES, (line) => `${String(line).padStart(4)}| head`) +
      `\n[truncated: continue with start_line=${HEAD_LINES + 1}]`,
  },
  {
    reader: "readFile",
    file: LINE,
    args: { selection: all, maxLineBytes: 100 },
    answer: () => `1 1 null\n${"x".repeat(100)}\n`,
  },
  {
    reader: "readFile",
    file: LINE,
    args: { selection: tail, maxLineBytes: 100 },
    answer: () => `1 1 null\n${"x".repeat(100)}\n`,
  },
  {
    reader: "readFile",
    file: MILLION,
    args: { selection: all },
    answer: () => `1 ${LINES} null\n${"a\n".repeat(LINES)}`,
  },
  {
    reader: "readFile",
    file: MILLION,
    args: { selection: { kind: "tail", count: MOST } },
    answer: () => `1 ${LINES} null\n${"a\n".repeat(LINES)}`,
  },
  {
    reader: "readFile",
    file: SPARSE,
    args: { selection: tail },
    answer: () => "null 2 null\nlast but one\nlast\n",
  },
  {
    reader: "readFile",
    file: SPARSE,
    args: { selection: { kind: "lines", start: 2, count: 1 } },
    answer: () => "2 1 3\nhead\n",
  },
  {
    reader: "readFile",
    file: SPARSE,
    args: {
      selection: { kind: "lines", start: HEAD_LINES + 1, count: 1 },
      maxWindowBytes: 1 << 20,
    },
    answer: tooLarge,
  },
];

/** The cases that look through all of the 10 GiB. */
export const LONG_CASES: readonly Case[] = [
  {
    reader: "readFile",
    file: SPARSE,
    args: { selection: tail, countAll: true },
    answer: () => `${HEAD_LINES + 2} 2 null\nlast but one\nlast\n`,
  },
  {
    reader: "readFile",
    file: SPARSE,
    args: { selection: { kind: "lines", start: HEAD_LINES + 3, count: 1 } },
    answer: () => `${HEAD_LINES + 3} 1 null\nlast\n`,
  },
  {
    reader: "CodexReadFile",
    file: SPARSE,
    args: { limit: MOST },
    answer: () =>
      [
        numbered(HEAD_LINES, (number) => `L${number}: head`),
        `L${HEAD_LINES + 1}: ${"\0".repeat(500)}`,
        `L${HEAD_LINES + 2}: last but one`,
        `L${HEAD_LINES + 3}: last`,
      ].join("\n"),
  },
];
