/** The same trees in several worlds, which differ only outside the roots. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Drawing, LONGEST, NAMES } from "./drawn_paths.ts";

/** How many levels a link may climb without leaving the folders of the test. */
const STEPS = 8;

/** A folder with a root for each tree. */
export interface World {
  readonly name: string;
  /** The folder that contains all roots. */
  readonly base: string;
  root(tree: number): string;
  /** Replaces `$ROOT`, `$BASE`, `$NAME` and `$WS` by the paths of this world. */
  spell(text: string, tree: number): string;
}

/**
 * The worlds; disposing of them removes them.
 *
 * In the first three, every name also exists outside the roots, so that a path
 * that leaves a root finds a file. Only in `full` the root has its expected name,
 * so that a path can leave the root and return by that name.
 */
export interface Worlds extends Disposable {
  readonly full: World;
  /** The expected name of the root is a file. */
  readonly filed: World;
  /** The expected name of the root is a link to itself. */
  readonly looping: World;
  /** Nothing exists outside. */
  readonly empty: World;
}

/** Creates all trees in each world. */
export function makeWorlds(drawings: readonly Drawing[]): Worlds {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  const make = (name: string, rootName: string): World => {
    const base = join(place, name, ..."u".repeat(STEPS));
    mkdirSync(base, { recursive: true });
    const root = (tree: number) => `${base}/${rootName}${tree}`;
    const spell = (text: string, tree: number) =>
      text.replaceAll("$ROOT", root(tree)).replaceAll("$BASE", base)
        .replaceAll("$NAME", `${rootName}${tree}`)
        .replaceAll("$WS", `ws${tree}`);
    const world = { name, base, root, spell };
    drawings.forEach((drawing, tree) => plant(world, drawing, tree));
    return world;
  };
  const full = make("full", "ws");
  const filed = make("filed", "r00t");
  const looping = make("looping", "r00t");
  const empty = make("empty", "r00t");
  const rootNames = drawings.map((_, tree) => `ws${tree}`);
  for (const { base } of [full, filed, looping]) {
    for (let above = base; above !== place; above = dirname(above)) {
      fill(above, [...NAMES, "outside"]);
    }
  }
  for (const name of rootNames) {
    writeFileSync(`${filed.base}/${name}`, "");
    symlinkSync(name, `${looping.base}/${name}`);
  }
  return {
    full,
    filed,
    looping,
    empty,
    [Symbol.dispose]: () => rmSync(place, { recursive: true }),
  };
}

/** Makes every name a link to the folder itself, so that any path in it exists. */
function fill(folder: string, names: readonly string[]): void {
  for (const name of [...names, ...Object.values(LONGEST)]) {
    symlinkSync(".", `${folder}/${name}`);
  }
}

function plant(world: World, { tree }: Drawing, index: number): void {
  const root = world.root(index);
  mkdirSync(root, { recursive: true });
  for (const entry of tree) {
    const path = `${root}/${entry.path}`;
    if (entry.kind === "folder") mkdirSync(path);
    if (entry.kind === "file") writeFileSync(path, entry.text);
    if (entry.kind === "link") symlinkSync(world.spell(entry.to, index), path);
  }
  const fifos = tree.filter(({ kind }) => kind === "fifo");
  if (fifos.length === 0) return;
  const paths = fifos.map(({ path }) => `${root}/${path}`);
  execFileSync("mkfifo", ["--", ...paths]);
}

/** Where the system resolves a path to, or why it fails. */
export type Whereabouts =
  | { readonly path: string }
  | { readonly reason: string };

/**
 * Runs `realpath -e` on many paths at once.
 *
 * Paths on which the kernel reports a loop are left out: for a link such as
 * `a -> a/b`, which grows as it is followed, `realpath` does not end.
 */
export function askRealpath(asked: readonly string[]): Whereabouts[] {
  const loops = asked.map(isLoop);
  const answers = askAll(asked.filter((_, index) => !loops[index]));
  const reason = "Too many levels of symbolic links";
  return loops.map((loop) => loop ? { reason } : answers.shift()!);
}

function isLoop(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "ELOOP";
  }
}

function askAll(paths: readonly string[]): Whereabouts[] {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  try {
    // An existing path follows each path, and marks which paths are missing.
    const mark = `${place}/list`;
    writeFileSync(mark, paths.map((path) => `${path}\0${mark}\0`).join(""));
    const script =
      'xargs -0 realpath -e -z -- <"$1/list" >"$1/out" 2>"$1/err" || true';
    execFileSync("sh", ["-c", script, "sh", place], {
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    });
    const found = readFileSync(`${place}/out`, "utf8").split("\0");
    const reasons = readFileSync(`${place}/err`, "utf8").split("\n");
    return paths.map((asked): Whereabouts => {
      const path = found.shift();
      if (path === mark) {
        const reason = reasons.shift()?.split(": ").at(-1);
        if (reason) return { reason };
      } else if (path !== undefined && found.shift() === mark) return { path };
      throw new Error(`realpath lost count at ${JSON.stringify(asked)}`);
    });
  } finally {
    rmSync(place, { recursive: true });
  }
}
