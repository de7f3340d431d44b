/** What each agent is made to read, and how much of it the model came to see. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRow, type Row } from "../support/mcp_words.ts";
import type { Seen, ToolCall } from "./model/play.ts";

/** A thing to read. */
export interface Cell {
  readonly name: string;
  /** The files of it, and their lines. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly first: ToolCall;
}

/** What a model came to see of a cell. */
export interface Judged {
  readonly calls: number;
  /** The lines that it never saw whole. */
  readonly missing: number;
  /** The characters shown to it, over those of the files. */
  readonly ratio: number;
}

const lines = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at));

function oneFile(name: string, path: string, text: readonly string[]): Cell {
  const first = { name: "read_file", args: { path } };
  return { name, files: new Map([[path, text]]), first };
}

const TEN = new Map(
  lines(10, (at) => `ten/${at}.txt`).map((path, at) => [
    path,
    lines(40 * (at + 1), (line) => `file ${at}, line ${line + 1}: ${path}`),
  ]),
);

/** The files that the issue names, and ten at once. */
export const CELLS: readonly Cell[] = [
  oneFile(
    "12,000 short lines",
    "short.txt",
    lines(12_000, (at) => `line ${at + 1}`),
  ),
  oneFile(
    "1,500 lines of code",
    "code.ts",
    lines(
      1500,
      (at) =>
        `  const path${at} = "C:\\\\dir\\\\${at}" + 'it\\'s' + \`\${x}\\n\`; // "${at}"`,
    ),
  ),
  oneFile(
    "20 lines of 30,000",
    "long.txt",
    lines(
      20,
      (at) => `${at} ${"0123456789 abcdef, ".repeat(1600)}`.slice(0, 30_000),
    ),
  ),
  oneFile(
    "CJK and emoji",
    "cjk.txt",
    lines(
      1200,
      (at) =>
        `${at} 読み取り専用のファイルです。👩‍💻🇯🇵 中文字符 ${
          "漢字🎉".repeat(at % 9)
        }`,
    ),
  ),
  {
    name: "ten files at once",
    files: TEN,
    first: {
      name: "read_files",
      args: { files: [...TEN.keys()].map((path) => ({ path })) },
    },
  },
];

/** Writes the files of all cells. */
export async function plantCells(folder: string): Promise<void> {
  await mkdir(join(folder, "ten"), { recursive: true });
  for (const { files } of CELLS) {
    for (const [path, text] of files) {
      await writeFile(join(folder, path), `${text.join("\n")}\n`);
    }
  }
}

/** Judges what stood in the model's context. */
export function judge({ files }: Cell, seen: readonly Seen[]): Judged {
  const rows = new Map<string, Row[]>();
  let shown = 0;
  for (const { result } of seen) {
    shown += result.length;
    let path = "";
    for (const line of result.split("\n")) {
      path = /^"([^"]+)": /.exec(line)?.[1] ?? path;
      const row = parseRow(line);
      if (row !== undefined) rows.set(path, [...rows.get(path) ?? [], row]);
    }
  }
  let missing = 0;
  let size = 0;
  for (const [path, text] of files) {
    const parts = Map.groupBy(rows.get(path) ?? [], ({ number }) => number);
    for (const [at, line] of text.entries()) {
      size += line.length + 1;
      if (!isWhole(line, parts.get(at + 1) ?? [])) missing++;
    }
  }
  return { calls: seen.length, missing, ratio: shown / size };
}

/** Whether the parts of a line, by their columns, are all of it. */
function isWhole(line: string, parts: readonly Row[]): boolean {
  const characters = [...line];
  let column = 1;
  for (
    const part of parts.toSorted((one, other) => one.column - other.column)
  ) {
    const length = [...part.text].length;
    const there = characters.slice(part.column - 1, part.column - 1 + length);
    if (part.column > column || there.join("") !== part.text) return false;
    column = Math.max(column, part.column + length);
  }
  return column === characters.length + 1 && parts.length > 0;
}
