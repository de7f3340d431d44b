/** Files of unusual size or encoding for views and a detector, with the expected answers. */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { SENTENCES } from "../detect/texts.ts";
import { encodedIn } from "../support/encoded.ts";
import { gzip, joined } from "../support/gzip.ts";
import { runtimeCommand } from "../support/runtime.ts";
import { pdf } from "../support/pdfs.ts";
import { MOST_MIB } from "./size.ts";
import type { ViewTold } from "./view_child.ts";

/** The sizes of the files. */
export interface ViewSizes {
  readonly cells: number;
  readonly bombMib: number;
  readonly logLines: number;
}

/** A page, and its expected first line or error code. */
export interface ViewCase {
  readonly file: string;
  readonly small: string;
  readonly options: object;
  readonly answer: string;
}

/** The cases for files of a size. The cells of a notebook of a million cells would not fit into a string. */
export function viewCases({ cells, logLines }: ViewSizes): readonly ViewCase[] {
  const [book, log] = ["small.ipynb", "small.gz"];
  const isLarge = cells >= 1_000_000;
  const last = isLarge ? "TOO_LARGE" : `cells: x = ${cells - 1}`;
  const end = `gunzip: line ${logLines}`;
  const chinese = SENTENCES["simplified Chinese"]!.at(-1);
  return [
    {
      file: "chinese.txt",
      small: "small_chinese.txt",
      options: { tail: 1 },
      answer: `null: ${chinese}`,
    },
    { file: "large.ipynb", small: book, options: { tail: 1 }, answer: last },
    {
      file: "large_cell.ipynb",
      small: book,
      options: { start: 4 },
      answer: "cells: --- cell 1 output",
    },
    {
      file: "large.pdf",
      small: "small.pdf",
      options: { pages: "2951-3000" },
      answer: "pdf: --- page 2951 of 3000",
    },
    { file: "large.pdf", small: "small.pdf", options: {}, answer: "TOO_LARGE" },
    { file: "bomb.gz", small: log, options: {}, answer: "TOO_LARGE" },
    { file: "large.gz", small: log, options: { tail: 1 }, answer: end },
    {
      file: "tiny_members.gz",
      small: log,
      options: {},
      answer: "TOO_LARGE",
    },
  ];
}

/** The number of lines in the output of one cell: 30 MB of JSON. */
const CELL_LINES = 1_700_000;

/** Writes the files of all cases. */
export async function writeViewed(
  folder: string,
  { cells, bombMib, logLines }: ViewSizes,
): Promise<void> {
  writeNotebook(join(folder, "small.ipynb"), 2000);
  writeNotebook(join(folder, "large.ipynb"), cells);
  const text = Array.from(logOf(CELL_LINES).matchAll(/.*\n/g), String);
  const output = { output_type: "stream", name: "stdout", text };
  const cell = { cell_type: "code", source: "x", outputs: [output] };
  writeFileSync(
    join(folder, "large_cell.ipynb"),
    JSON.stringify({ nbformat: 4, cells: [cell] }),
  );
  const put = (name: string, bytes: Uint8Array) =>
    writeFileSync(join(folder, name), bytes);
  const page = Array.from(
    { length: 10 },
    (_, at) => `line ${at} of a page, about as long as a line usually is`,
  );
  writeFileSync(join(folder, "small.pdf"), pdf(Array(3).fill(page)));
  writeFileSync(join(folder, "large.pdf"), pdf(Array(3000).fill(page)));
  // The detector's library alone takes 55 MiB when it is loaded, so both files need it.
  const chinese = `${SENTENCES["simplified Chinese"]!.join("\n")}\n`;
  put("small_chinese.txt", encodedIn(chinese.repeat(200), "gbk"));
  put("chinese.txt", encodedIn(chinese.repeat(40_000), "gbk"));
  put("small.gz", await gzip(logOf(20_000)));
  // With many members, like the files of `bgzip`.
  const parts: Uint8Array[] = [];
  for (let at = 0; at < logLines; at += 10_000) {
    parts.push(await gzip(logOf(Math.min(10_000, logLines - at), at)));
  }
  put("large.gz", joined(parts));
  const tiny = await gzip(logOf(1));
  put("tiny_members.gz", joined(Array(20_000).fill(tiny)));
  put("bomb.gz", await gzip("a\n".repeat(bombMib << 19)));
}

function logOf(count: number, before = 0): string {
  const lineOf = (_: unknown, at: number) => `line ${before + at + 1}\n`;
  return Array.from({ length: count }, lineOf).join("");
}

function writeNotebook(path: string, cells: number): void {
  const fd = openSync(path, "w");
  let text = '{"nbformat":4,"metadata":{},"cells":[\n';
  for (let at = 0; at < cells; at++) {
    text +=
      `{"cell_type":"code","metadata":{},"source":["x = ${at}"],"outputs":[]}`;
    text += at === cells - 1 ? "]}\n" : ",\n";
    if (text.length > 1_000_000) {
      writeSync(fd, text);
      text = "";
    }
  }
  writeSync(fd, text);
  closeSync(fd);
}

const CHILD = new URL("./view_child.ts", import.meta.url).pathname;

/** How often memory is measured. The least value counts: garbage may be collected late on a busy machine. */
const MOST_TRIES = 3;

/** Reads in a separate process; checks the answer and the memory. */
export function holdViewTo(
  { file, small, options, answer }: ViewCase,
  folder: string,
): ViewTold {
  const [command, ...words] = runtimeCommand(["-A"], CHILD);
  const args = [...words, folder, file, small, JSON.stringify(options)];
  let least: ViewTold | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const limits = { timeout: 180_000, killSignal: "SIGKILL" } as const;
    const { stdout, stderr } = spawnSync(command!, args, {
      encoding: "utf8",
      ...limits,
    });
    assertEquals(stderr, "");
    const told: ViewTold = JSON.parse(stdout);
    assertEquals(told.answer, answer);
    if (least === undefined || told.grownMib < least.grownMib) least = told;
    if (least.grownMib <= MOST_MIB) return least;
  }
  assertLessOrEqual(least!.grownMib, MOST_MIB, "it took too much memory");
  return least!;
}
