/** What each agent is made to read, and how much of it the model came to see. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRow, type Row } from "../support/mcp_words.ts";
import { gzip } from "../support/gzip.ts";
import { png } from "../support/images.ts";
import { base64, code, notebook } from "../support/notebooks.ts";
import { pdf } from "../support/pdfs.ts";
import type { ToolCall } from "./model/play.ts";
import type { Run } from "./run.ts";

/** A thing to read. */
export interface Cell {
  readonly name: string;
  /** The files of it, and their lines. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly first: ToolCall;
  /** What the file holds, where that is not its lines: they are those of its view. */
  readonly bytes?: Uint8Array | string;
  /** Whether the file is an image, which the model must see. */
  readonly isImage?: true;
}

/** What a model came to see of a cell. */
export interface Judged {
  readonly calls: number;
  /** The lines that it never saw whole. */
  readonly missing: number;
  /** The characters shown to it, over those of the files. */
  readonly ratio: number;
}

const lines = <Line = string>(count: number, write: (at: number) => Line) =>
  Array.from({ length: count }, (_, at) => write(at));

function oneFile(name: string, path: string, text: readonly string[]): Cell {
  const first = { name: "read_file", args: { path } };
  return { name, files: new Map([[path, text]]), first };
}

/** A file whose lines are those of a view, or that is an image. */
function otherKind(
  path: string,
  bytes: Uint8Array | string,
  text: readonly string[],
): Cell {
  const cell = { ...oneFile(path, path, text), bytes };
  return text.length > 0 ? cell : { ...cell, isImage: true };
}

const LOG = lines(3000, (at) => `${at + 1} ${at * 7919 % 10_007} ms`);

const PAGES = lines(
  40,
  (page) => lines(30, (at) => `page ${page + 1}, line ${at + 1}`),
);

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
  otherKind("picture.png", png(64, 48), []),
  otherKind(
    "book.ipynb",
    notebook(lines(300, (at) => code(`x = ${at}`, [], at))),
    [
      "notebook of 300 cells",
      ...lines(300, (at) => [
        `--- cell ${at + 1}: code, run ${at}`,
        `x = ${at}`,
      ]).flat(),
    ],
  ),
  otherKind("app.log.1.gz", await gzip(`${LOG.join("\n")}\n`), LOG),
  otherKind(
    "manual.pdf",
    pdf(PAGES),
    PAGES.flatMap((text, at) => [`--- page ${at + 1} of 40`, ...text]),
  ),
];

/** Writes the files of all cells. */
export async function plantCells(folder: string): Promise<void> {
  await mkdir(join(folder, "ten"), { recursive: true });
  for (const { files, bytes } of CELLS) {
    for (const [path, text] of files) {
      const content = bytes ?? `${text.join("\n")}\n`;
      await writeFile(join(folder, path), content);
    }
  }
}

/** Judges what stood in the model's context. */
export function judge(
  { files, bytes, isImage }: Cell,
  { seen, images }: Pick<Run, "seen" | "images">,
): Judged {
  if (isImage) {
    const wasShown = images.has(base64(bytes as Uint8Array));
    return { calls: seen.length, missing: wasShown ? 0 : 1, ratio: 1 };
  }
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
