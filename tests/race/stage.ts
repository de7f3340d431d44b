/** What the attacker swaps, and what the victim reads. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a file in the workspace says. */
export const PUBLIC = "public";
/** What a file outside says: it must never be seen. */
export const SECRET = "SECRET";

/** A place set for an attack. */
export interface Stage {
  readonly root: string;
  /** The path that the victim reads, from the root. */
  readonly file: string;
  /** The two names that change places. */
  readonly swap: readonly [string, string];
  /** Clears it away. */
  clear(): void;
}

/** The attacks: what is read, and what the way to it changes places with. */
const ATTACKS = {
  /** A directory, and a link to one outside. */
  dirlink: { file: "d/f.txt", swapped: "ws/d", link: "../outside" },
  /** The same, four levels above the file. */
  deep: { file: "a/b/c/d/f.txt", swapped: "ws/a", link: "../outside" },
  /** The file itself, and a link to one outside. */
  leaf: { file: "f.txt", swapped: "ws/f.txt", link: "../outside/f.txt" },
  /** The file itself, and a FIFO that no one writes to. */
  fifo: { file: "f.txt", swapped: "ws/f.txt", link: null },
  /** The root, and a link to a directory outside: its parent is hostile. */
  root: { file: "f.txt", swapped: "ws", link: "outside" },
} as const;

/** The name of an attack. */
export type Mode = keyof typeof ATTACKS;

/** All attacks. */
export const MODES = Object.keys(ATTACKS) as Mode[];

/** Sets the stage. */
export function setStage(mode: Mode): Stage {
  const { file, swapped, link } = ATTACKS[mode];
  const base = realpathSync(mkdtempSync(join(tmpdir(), "race-")));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  write(`ws/${file}`, PUBLIC);
  // Names are secrets, too, where a directory is listed.
  for (const below of ["", "b/c/d/"]) {
    write(`outside/${below}${SECRET}.txt`, "");
  }
  write(`ws/${join(dirname(file), PUBLIC)}.txt`, "");
  write("outside/f.txt", SECRET);
  write("outside/b/c/d/f.txt", SECRET);
  const other = join(base, dirname(swapped), "other");
  if (link === null) execFileSync("mkfifo", [other]);
  else symlinkSync(link, other);
  return {
    root: join(base, "ws"),
    file,
    swap: [join(base, swapped), other],
    clear: () => rmSync(base, { recursive: true }),
  };
}
