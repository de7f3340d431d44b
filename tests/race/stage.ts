/** The names that the attacker swaps, and the files that the victim reads. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The text of files in the workspace. */
export const PUBLIC = "public";
/** The text of files outside, which must never be read. */
export const SECRET = "SECRET";

/** An attack on the workspace, and the reads during it. */
interface Attack {
  /** A file in the workspace. */
  readonly file: string;
  /** The name that is swapped with another. */
  readonly swapped: string;
  /** The shell command that creates the other name, in the same directory. */
  readonly other: string;
  /** The paths to read, alternately; the file by default. */
  readonly reads?: readonly string[];
  /** The root of the workspace. */
  readonly narrow?: string;
  /** The shell command before the first swap. */
  readonly begin?: string;
  /** The refusals that the swaps explain. */
  readonly explained: readonly string[];
}

const MOVED = ["CHANGED", "OUTSIDE_WORKSPACE"];

/** The attacks. */
const ATTACKS = {
  /** A directory, and a link to a directory outside. */
  dirlink: {
    file: "d/f.txt",
    swapped: "ws/d",
    other: "ln -s ../outside other",
    explained: MOVED,
  },
  /** The same, four levels above the file. */
  deep: {
    file: "a/b/c/d/f.txt",
    swapped: "ws/a",
    other: "ln -s ../outside other",
    explained: MOVED,
  },
  /** The file itself, and a link to a file outside. */
  leaf: {
    file: "f.txt",
    swapped: "ws/f.txt",
    other: "ln -s ../outside/f.txt other",
    explained: MOVED,
  },
  /** The file itself, and a FIFO without a writer. */
  fifo: {
    file: "f.txt",
    swapped: "ws/f.txt",
    other: "mkfifo other",
    explained: ["CHANGED", "NOT_A_FILE"],
  },
  /** The root, and a link to a directory outside: the parent of the root is hostile. */
  root: {
    file: "f.txt",
    swapped: "ws",
    other: "ln -s outside other",
    explained: MOVED,
  },
  /** The root, and another directory. */
  renamed: {
    file: "f.txt",
    swapped: "ws",
    other: "mv outside other",
    explained: MOVED,
  },
  /** A root inside the workspace, and another directory. */
  narrowed: {
    file: "a/f.txt",
    swapped: "ws/a",
    other: "mv ../outside other",
    reads: ["f.txt"],
    narrow: "a",
    explained: MOVED,
  },
  /** A directory that was moved out and replaced by a link, and an empty directory. */
  moved: {
    file: "a/f.txt",
    swapped: "ws/a",
    other: "mkdir other",
    begin: "mv ws/a outside/a; ln -s ../outside/a ws/a",
    explained: [...MOVED, "NOT_FOUND"],
  },
  /** Names that exist only outside: an answer that reveals them is an oracle. */
  oracle: {
    file: "d/f.txt",
    swapped: "ws/d",
    other: "ln -s ../outside other",
    reads: [
      "d/secret-dir",
      "d/secret-file/x",
      "d/secret-fifo",
      "d/secret-link",
      "d/secret-alias",
    ],
    explained: [...MOVED, "NOT_FOUND"],
  },
  /** A directory whose entries are listed; those of the directory outside must not be. */
  listing: {
    file: "d/f.txt",
    swapped: "ws/d",
    other: "ln -s ../outside other",
    reads: ["d"],
    explained: [...MOVED, "NOT_A_FILE"],
  },
  /** The same, where all names outside also exist inside: a listing that lacks others is an oracle. */
  fewer: {
    file: "d/f.txt",
    swapped: "ws/d",
    other: "mkdir ../fewer; touch ../fewer/f.txt; ln -s ../fewer other",
    reads: ["d"],
    explained: [...MOVED, "NOT_A_FILE"],
  },
} satisfies Readonly<Record<string, Attack>>;

/** The name of an attack. */
export type Mode = keyof typeof ATTACKS;

/** All attacks. */
export const MODES = Object.keys(ATTACKS) as Mode[];

/** Returns an attack. */
export function attackOf(mode: Mode): Attack {
  return ATTACKS[mode];
}

/** The files of an attack. */
export interface Stage {
  readonly root: string;
  /** The two names that are swapped. */
  readonly swap: readonly [string, string];
  /** Starts the attack. */
  begin(): void;
  /** Removes the files. */
  clear(): void;
}

/** Creates the files of an attack. */
export function setStage(mode: Mode): Stage {
  const { file, swapped, other, begin = "true" } = attackOf(mode);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "race-")));
  const run = (words: string, cwd: string) =>
    void execFileSync("sh", ["-ec", words], { cwd });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  write(`ws/${file}`, PUBLIC);
  // If a directory is listed, names are secrets, too.
  for (const below of ["", "b/c/d/"]) {
    write(`outside/${below}${SECRET}.txt`, "");
  }
  write(`ws/${join(dirname(file), PUBLIC)}.txt`, "");
  write("outside/f.txt", SECRET);
  write("outside/b/c/d/f.txt", SECRET);
  write("outside/secret-dir/x", SECRET);
  write("outside/secret-file", SECRET);
  run(
    "mkfifo secret-fifo; ln -s /etc secret-link; ln -s f.txt secret-alias",
    `${base}/outside`,
  );
  const directory = join(base, dirname(swapped));
  run(other, directory);
  return {
    root: join(base, "ws"),
    swap: [join(base, swapped), join(directory, "other")],
    begin: () => run(begin, base),
    clear: () => rmSync(base, { recursive: true }),
  };
}
