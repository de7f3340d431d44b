/** Calls on files of unusual size, and their expected answers. */
import { TOOLKIT_MAX_FILE_BYTES } from "../../src/tools/toolkit_read_file.ts";
import {
  FULL,
  FULL_LINES,
  HEAD_LINES,
  LINE,
  LINES,
  MILLION,
  MTIME_SECONDS,
  SPARSE,
  SPARSE_BYTES,
} from "./large_files.ts";

/** One call. */
export interface Ask {
  /** One of the four tools, `read` for a page, or `pages`. */
  readonly reader: string;
  readonly file: string;
  /** The arguments of a tool without the path, or the options of a page. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The options of a tool. */
  readonly options?: object;
}

/** A call, and its expected answer: a text or an error code. */
export interface Case extends Ask {
  readonly answer: () => string;
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Lines `1` to `count`, each with its number as a prefix. */
function numbered(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");
}

const tail = { tail: 2, keepEnd: true, numbered: false };
const all = { start: 1, count: MOST };
const tooLarge = () => "TOO_LARGE";
/** All lines around the middle one, which form one block: all have the same indentation. */
const block = (anchor: number) => ({
  mode: "indentation",
  limit: MOST,
  indentation: { anchor_line: anchor },
});
/** Limits that allow large files. */
const openFile = { maxFileBytes: 2 * SPARSE_BYTES };
const forge = { max_file_read_bytes: 1 << 27, max_scan_bytes: SPARSE_BYTES };

/** The cases that are fast enough for the gate. */
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
  {
    reader: "CodexReadFile",
    file: LINE,
    args: block(1),
    answer: () => `L1: ${"x".repeat(500)}`,
  },
  {
    reader: "CodexReadFile",
    file: MILLION,
    args: block(LINES / 2),
    answer: () => numbered(LINES, (number) => `L${number}: a`),
  },
  {
    reader: "CodexReadFile",
    file: SPARSE,
    args: { ...block(HEAD_LINES - 1), limit: 3 },
    answer: () =>
      [-2, -1, 0].map((at) => `L${HEAD_LINES + at}: head`).join("\n"),
  },
  ...[LINE, MILLION, SPARSE].flatMap((file) => [
    { reader: "OpenFile", file, args: {}, answer: tooLarge },
    { reader: "ToolkitReadFile", file, args: {}, answer: tooLarge },
    { reader: "ForgeRead", file, args: {}, answer: tooLarge },
  ]),
  {
    reader: "OpenFile",
    file: MILLION,
    options: openFile,
    args: {},
    answer: () => "a\n".repeat(LINES),
  },
  {
    reader: "OpenFile",
    file: MILLION,
    options: openFile,
    args: { start_line: LINES, end_line: MOST },
    answer: () => "RANGE_OUT_OF_BOUNDS",
  },
  {
    reader: "OpenFile",
    file: SPARSE,
    options: openFile,
    args: { start_line: 2, end_line: 3 },
    answer: () => "head\nhead\n",
  },
  {
    reader: "ToolkitReadFile",
    file: FULL,
    args: { start_line: FULL_LINES - 1, max_lines: 500 },
    answer: () =>
      JSON.stringify({
        path: FULL,
        content: "a\na\n",
        truncated: false,
        next_start_line: null,
        meta: {
          byte_length: TOOLKIT_MAX_FILE_BYTES,
          line_count: FULL_LINES,
          returned_line_count: 2,
          mtime_ms: MTIME_SECONDS * 1000,
        },
      }),
  },
  {
    reader: "ForgeRead",
    file: MILLION,
    options: forge,
    args: { limit: MOST },
    answer: () =>
      `${numbered(LINES, (at) => `${String(at).padStart(7)}| a`)}\n`,
  },
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
      `\n[truncated: continue with {"start_line":${
        HEAD_LINES + 1
      },"path":"${SPARSE}"}]`,
  },
  ...[all, tail].map((lines) => ({
    reader: "read",
    file: LINE,
    args: { ...lines, maxLineBytes: 100 },
    answer: () => `1 1 null\n${"x".repeat(100)}\n`,
  })),
  // A page has an object for each line, so a million lines are read page by page.
  ...[all, { tail: MOST }].map((lines) => ({
    reader: "pages",
    file: MILLION,
    args: { ...lines, maxBytes: 1 << 17 },
    answer: () => "a\n".repeat(LINES),
  })),
  {
    reader: "read",
    file: SPARSE,
    args: tail,
    answer: () => "-2 2 null\nlast but one\nlast\n",
  },
  {
    reader: "read",
    file: SPARSE,
    args: { start: 2, count: 1 },
    answer: () => "2 1 3\nhead\n",
  },
  {
    reader: "read",
    file: SPARSE,
    args: { start: HEAD_LINES + 1, count: 1, maxBytes: 1 << 20 },
    answer: () =>
      `${HEAD_LINES + 1} 1 ${HEAD_LINES + 1}\n${"\0".repeat(1 << 20)}`,
  },
];

/** The cases that scan all 10 GiB. */
export const LONG_CASES: readonly Case[] = [
  {
    reader: "read",
    file: SPARSE,
    args: { ...tail, numbered: true },
    answer: () => `${HEAD_LINES + 2} 2 null\nlast but one\nlast\n`,
  },
  {
    reader: "read",
    file: SPARSE,
    args: { start: HEAD_LINES + 3, count: 1 },
    answer: () => `${HEAD_LINES + 3} 1 null\nlast\n`,
  },
  ...[{ limit: MOST }, block(HEAD_LINES)].map((args) => ({
    reader: "CodexReadFile",
    file: SPARSE,
    args,
    answer: () =>
      [
        numbered(HEAD_LINES, (number) => `L${number}: head`),
        `L${HEAD_LINES + 1}: ${"\0".repeat(500)}`,
        `L${HEAD_LINES + 2}: last but one`,
        `L${HEAD_LINES + 3}: last`,
      ].join("\n"),
  })),
  {
    reader: "OpenFile",
    file: SPARSE,
    options: openFile,
    args: { start_line: HEAD_LINES + 2 },
    answer: () => "last but one\nlast\n",
  },
  {
    reader: "ForgeRead",
    file: SPARSE,
    options: forge,
    args: { start_line: HEAD_LINES + 2 },
    answer: () => "4002| last but one\n4003| last\n",
  },
];
