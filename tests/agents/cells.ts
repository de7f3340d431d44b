/** What each agent must read, and how much of it the model saw. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseRow, type Row } from "../support/rendered.ts";
import { gitFilesOf } from "../support/git_versions.ts";
import { gzip } from "../support/gzip.ts";
import {
  avif,
  bmp,
  bytesOf,
  crc32,
  gif,
  jpeg,
  little,
  png,
  webp,
} from "../support/images.ts";
import { mediaOf } from "../../src/core/media/signatures.ts";
import { code, notebook } from "../support/notebooks.ts";
import { pdf } from "../support/pdfs.ts";
import type { ToolCall } from "./model/play.ts";
import type { Run } from "./run.ts";

/** The content of files, by path. */
type Files<Content> = ReadonlyMap<string, Content>;

/** A task to read files. */
export interface Cell {
  readonly name: string;
  /** The files on disk. */
  readonly files: Files<Uint8Array | string>;
  /** The first calls of the model. */
  readonly calls: readonly ToolCall[];
  /** Measures how much the model saw. */
  judge(run: Shown): Judged;
}

/** The model's context. */
type Shown = Pick<Run, "seen" | "images">;

/** How much of a cell a model saw. */
export interface Judged {
  /** How many lines, images or kinds it never saw completely. */
  readonly missing: number;
  /** The number of shown characters relative to the files; only for text. */
  readonly ratio?: number;
}

const lines = <Line = string>(count: number, write: (at: number) => Line) =>
  Array.from({ length: count }, (_, at) => write(at));

const readCall = (path: string) => ({ name: "read_file", args: { path } });

/** Text of which each line must be seen; `bytes` is the content of the file, if a view shows the text. */
function textCell(
  name: string,
  texts: Files<readonly string[]>,
  { calls = [...texts.keys()].map(readCall), bytes }: {
    readonly calls?: readonly ToolCall[];
    readonly bytes?: Uint8Array | string;
  } = {},
): Cell {
  const files = new Map(
    Array.from(
      texts,
      ([path, text]) => [path, bytes ?? `${text.join("\n")}\n`],
    ),
  );
  return { name, files, calls, judge: (run) => judgeLines(texts, run) };
}

const oneFile = (name: string, path: string, text: readonly string[]) =>
  textCell(name, new Map([[path, text]]));

/** A file whose view has these lines. */
const viewed = (
  path: string,
  bytes: Uint8Array | string,
  text: readonly string[],
) => textCell(path, new Map([[path, text]]), { bytes });

/**
 * Images of different sizes. Each must be seen, possibly converted: Codex converts
 * GIF to PNG.
 */
function imagesCell(name: string, files: Files<Uint8Array>): Cell {
  const sizeOf = (bytes: Uint8Array) => {
    const { width, height } = mediaOf(bytes) ?? {};
    return `${width} x ${height}`;
  };
  const bytesIn = (text: string) =>
    Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  return {
    ...{ name, files, calls: [...files.keys()].map(readCall) },
    judge: ({ images }) => {
      const sizes = new Set([...images].map((text) => sizeOf(bytesIn(text))));
      const missed = [...files.values()].filter((bytes) =>
        !sizes.has(sizeOf(bytes))
      );
      return { missing: missed.length };
    },
  };
}

/** Binary files: the model must learn the type of each file, and how to read it. */
function kindsCell(
  name: string,
  kinds: Files<readonly [bytes: Uint8Array, ...told: string[]]>,
): Cell {
  const isTold = (path: string, told: readonly string[], { seen }: Shown) =>
    seen.some(({ args, result }) =>
      args.path === path && told.every((words) => result.includes(words))
    );
  return {
    name,
    files: new Map(Array.from(kinds, ([path, [bytes]]) => [path, bytes])),
    calls: [...kinds.keys()].map(readCall),
    judge: (run) => ({
      missing:
        [...kinds].filter(([path, [, ...told]]) => !isTold(path, told, run))
          .length,
    }),
  };
}

/** The lines from `start` to `end` of a file that differ from the commit that the folder is at: the model must see each of them, and each that is gone. */
function changesCell(
  name: string,
  path: string,
  [before, now]: readonly [readonly string[], readonly string[]],
  [start, end]: readonly [number, number],
): Cell {
  const write = (text: readonly string[]) => `${text.join("\n")}\n`;
  const git = gitFilesOf([{ [path]: write(before) }]);
  const rows = now.flatMap((line, at) =>
    line === before[at] || at + 1 < start || at >= end
      ? []
      : [`-${at + 1}\t${before[at]}`, `+${at + 1}\t${line}`]
  );
  return {
    name,
    files: new Map([
      ...Object.entries(git)
        .map(([path, content]) => [`.git/${path}`, content] as const),
      [path, write(now)],
    ]),
    calls: [{
      name: "read_file",
      args: { path: `${path}:${start}-${end}`, changes: "HEAD" },
    }],
    judge: ({ seen }) => {
      const shown = new Set(seen.flatMap(({ result }) => result.split("\n")));
      return { missing: rows.filter((row) => !shown.has(row)).length };
    },
  };
}

const LOG = lines(3000, (at) => `${at + 1} ${at * 7919 % 10_007} ms`);

const PAGES = lines(
  40,
  (page) => lines(30, (at) => `page ${page + 1}, line ${at + 1}`),
);

/** Several files, each longer than the previous one. */
const several = (count: number, more: number): Files<readonly string[]> =>
  new Map(
    lines(count, (at) => `${count}/${at}.txt`).map((path, at) => [
      path,
      lines(more * (at + 1), (line) => `file ${at}, line ${line + 1}: ${path}`),
    ]),
  );

/** A cell of files in one call. */
function batchCell(name: string, texts: Files<readonly string[]>): Cell {
  const files = [...texts.keys()].map((path) => ({ path }));
  const calls = [{ name: "read_files", args: { files } }];
  return textCell(name, texts, { calls });
}

/** A ZIP archive with one stored file. */
function zip(name: string, content: string): Uint8Array {
  const bytes = bytesOf(content);
  const facts = bytesOf(
    ...[little(0, 8), little(crc32(bytes), 4)],
    ...[little(bytes.length, 4), little(bytes.length, 4)],
    little(name.length, 2),
  );
  const local = bytesOf("PK\x03\x04", 20, 0, facts, 0, 0, name, bytes);
  const entry = bytesOf("PK\x01\x02", 20, 0, 20, 0, facts, little(0, 16), name);
  const sizes = bytesOf(little(entry.length, 4), little(local.length, 4));
  const ends = bytesOf("PK\x05\x06", little(0, 4), 1, 0, 1, 0, sizes, 0, 0);
  return bytesOf(local, entry, ends);
}

const ZIP = zip("notes/a.txt", "one\ntwo\n");
const SQLITE = bytesOf(
  "SQLite format 3\0",
  ...[16, 0, 1, 1, 0, 64, 32, 32],
  new Uint8Array(4072),
);
const WASM = bytesOf("\0asm", little(1, 4));
const ELF = bytesOf("\x7fELF", 2, 1, 1, new Uint8Array(57));
const MP3 = bytesOf("ID3\x04", new Uint8Array(64));

/** Cells: text of four kinds, ten files at once, and other files. */
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
  batchCell("ten files at once", several(10, 40)),
  // More than fits in one answer.
  batchCell("fifty files at once", several(50, 1)),
  imagesCell(
    "four images",
    new Map([
      ["picture.png", png(64, 48)],
      ["picture.jpg", jpeg(72, 48)],
      ["picture.gif", gif(80, 48)],
      ["picture.webp", webp(88, 48)],
    ]),
  ),
  viewed(
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
  viewed("app.log.1.gz", await gzip(`${LOG.join("\n")}\n`), LOG),
  viewed(
    "manual.pdf",
    pdf(PAGES),
    PAGES.flatMap((text, at) => [`--- page ${at + 1} of 40`, ...text]),
  ),
  changesCell(
    "what changed in a range",
    "changed.ts",
    [
      lines(1200, (at) => `export const line${at} = ${at * 7919 % 10_007};`),
      lines(1200, (at) => {
        const value = at % 4 === 3 ? `"${at}, and more"` : at * 7919 % 10_007;
        return `export const line${at} = ${value};`;
      }),
    ],
    [101, 1100],
  ),
  kindsCell(
    "binary files",
    new Map([
      ["app.db", [SQLITE, "an SQLite database", "sqlite3"]],
      ["old.zip", [ZIP, "a ZIP archive", "unzip"]],
      ["a.wasm", [WASM, "a WebAssembly module", "wasm-objdump"]],
      ["tool", [ELF, "an ELF program", "objdump"]],
      ["song.mp3", [MP3, "MP3 audio", "audio"]],
      ["new.avif", [avif(64, 48), "image/avif", "convert it"]],
      ["old.bmp", [bmp(64, 48), "image/bmp", "convert it"]],
    ]),
  ),
];

/** Writes the files of all cells. */
export async function plantCells(folder: string): Promise<void> {
  for (const { files } of CELLS) {
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }
}

function judgeLines(
  texts: Files<readonly string[]>,
  { seen }: Shown,
): Judged {
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
  for (const [path, text] of texts) {
    const parts = Map.groupBy(rows.get(path) ?? [], ({ number }) => number);
    for (const [at, line] of text.entries()) {
      size += line.length + 1;
      if (!isWhole(line, parts.get(at + 1) ?? [])) missing++;
    }
  }
  return { missing, ratio: shown / size };
}

/** Whether the parts of a line cover it completely. */
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
