/** Creates the files of attacks on the disk. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type AttackRow,
  BASE,
  readWord,
  type Word,
} from "../suites/attacks.ts";
import { runChild } from "./child.ts";

/** The created files; disposing of it removes them. */
export interface PlantedTrees extends Disposable {
  /** The folder of an attack. */
  baseOf(row: AttackRow): string;
}

/** Creates the files of each row in a separate folder. */
export function plantAll(rows: readonly AttackRow[]): PlantedTrees {
  const planted = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  const baseOf = ({ id }: AttackRow) => join(planted, id);
  const locked: string[] = [];
  for (const row of rows) {
    const base = baseOf(row);
    const words = [...BASE, ...row.setup].map((word) => readWord(word, base));
    for (const word of words) {
      plant(word, base);
      if (word.verb === "m") locked.push(join(base, word.path));
    }
  }
  return {
    baseOf,
    [Symbol.dispose]() {
      for (const path of locked) chmodSync(path, 0o700);
      rmSync(planted, { recursive: true });
    },
  };
}

function plant({ verb, path, value }: Word, base: string): void {
  if (verb === "root") return;
  const place = join(base, path);
  if (verb === "m") return chmodSync(place, Number.parseInt(value, 8));
  mkdirSync(verb === "d" ? place : dirname(place), { recursive: true });
  // The runtimes cannot create names that are not UTF-8; `printf` can.
  if (`${path}${value}`.includes("\\x")) return plantBytes(verb, place, value);
  switch (verb) {
    case "f":
    case "s":
      return writeFileSync(place, value);
    case "l":
      return symlinkSync(value, place);
    case "h":
      return linkSync(join(base, value), place);
    case "p":
      return void execFileSync("mkfifo", [place]);
    case "u":
      return plantSocket(place);
    case "d":
      return;
  }
  throw new TypeError(`A disk cannot set up "${verb}"`);
}

function plantBytes(verb: string, path: string, value: string): void {
  const script = verb === "l"
    ? 'ln -s "$(printf %b "$2")" "$(printf %b "$1")"'
    : 'printf %b "$2" > "$(printf %b "$1")"';
  const [place, text] = [path, value].map((text) =>
    text.replace(
      /\\x([0-9a-f]{2})/g,
      (_, hex) => `\\0${Number.parseInt(hex, 16).toString(8)}`,
    )
  );
  execFileSync("sh", ["-c", script, "sh", place!, text!]);
}

function plantSocket(path: string): void {
  const { code, stderr } = runChild("tests/children/socket.ts", [path], {
    permissions: ["--allow-all"],
    // The path of a socket has at most 107 bytes.
    folder: dirname(path),
  });
  if (code !== 0) throw new Error(stderr);
}
