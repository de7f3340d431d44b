// Runtime-agnostic.
import { Call } from "../base/call.ts";
import type { FileEntry, FsPort } from "../base/port.ts";
import { denialOf } from "../guard/deny.ts";
import { join, parsePath } from "../guard/path.ts";
import { resolve, type Root } from "../guard/walk.ts";
import {
  MAX_LISTED_NAMES,
  MAX_SUGGESTIONS,
  MAX_TOLD_ENTRIES,
} from "../base/limits.ts";
import { isTwin, nearest } from "../base/words.ts";
import { isThere } from "../guard/open.ts";
import { ReadFileError } from "../base/errors.ts";

/** What a directory holds that may be told, and how many names were looked at. */
interface Listing {
  readonly entries: readonly FileEntry[];
  readonly looked: number;
}

/**
 * Lists a directory below the root, without what is denied there.
 *
 * Whoever rewrites the workspace meanwhile can have another directory listed,
 * so none of these names may be told before `isThere` has found it.
 */
async function listBelow(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  most: number,
  call: Call,
): Promise<Listing> {
  if (fs.list === undefined) return { entries: [], looked: 0 };
  const trail = await resolve(fs, root, names, call);
  const { path } = trail.at(-1)!;
  const listed = (await call.wait(fs.list(path, most))).slice(0, most);
  const entries = listed
    .filter(({ name }) =>
      isName(name) && denialOf(root.deny, join(path, name)) === undefined
    )
    // The port's own order could tell what else is there.
    .sort((one, two) => one.name < two.name ? -1 : 1);
  return { entries, looked: listed.length };
}

/** Whether a name can be asked for again: Bun shows bytes that are no UTF-8 as U+FFFD. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.isWellFormed() &&
    !/[/\0\uFFFD]/.test(name);
}

/** Where nobody means to read who named a file elsewhere. */
const ASIDE = /^(?:\..*|node_modules)$/;

/** How far down another directory is looked for: each step is a walk from the root. */
const MAX_DEPTH = 16;

/** How many candidates are opened to see whether they are there. */
const MAX_TRIES = 3 * MAX_SUGGESTIONS;

/**
 * The files that may have been meant by a path where none is: first those of
 * like names in the same directory, then those of the same name elsewhere.
 * Nothing is said of what is denied or hidden, or not proved to be there.
 */
export async function suggest(
  fs: FsPort,
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { names } = parsePath(path, root.ways);
  if (fs.list === undefined || names.length === 0) return [];
  const search = new Search(fs, root, new Call(path, signal));
  return await search.suggest(names);
}

/** The names of a place from the root down. */
type Names = readonly string[];

/** One search; it looks at so many names, and at no more. */
class Search {
  readonly #fs: FsPort;
  readonly #root: Root;
  readonly #call: Call;
  #left = MAX_LISTED_NAMES;

  constructor(fs: FsPort, root: Root, call: Call) {
    this.#fs = fs;
    this.#root = root;
    this.#call = call;
  }

  async suggest(names: Names): Promise<readonly string[]> {
    const found: string[] = [];
    let tries = 0;
    for await (const candidate of this.#candidates(names)) {
      const path = candidate.join("/");
      if (found.includes(path)) continue;
      if (await this.#isFile(candidate)) found.push(path);
      if (found.length === MAX_SUGGESTIONS || ++tries === MAX_TRIES) break;
    }
    return found;
  }

  async *#candidates(names: Names): AsyncIterable<Names> {
    yield* this.#alike(names);
    yield* this.#elsewhere(names.at(-1)!);
  }

  /** The path with its first name that leads nowhere put right. */
  async *#alike(names: Names): AsyncIterable<Names> {
    const least = Math.max(0, names.length - MAX_DEPTH);
    for (let depth = names.length - 1; depth >= least; depth--) {
      const above = names.slice(0, depth);
      const entries = await this.#list(above);
      if (entries.length === 0) continue;
      const isLast = depth === names.length - 1;
      const likely = entries
        .filter(({ kind }) => kind !== (isLast ? "directory" : "file"))
        .map(({ name }) => name);
      for (const name of nearest(names[depth]!, likely, MAX_SUGGESTIONS)) {
        yield [...above, name, ...names.slice(depth + 1)];
      }
      return;
    }
  }

  /** Files of the same name in other directories, the nearest to the root first. */
  async *#elsewhere(name: string): AsyncIterable<Names> {
    const queue: Names[] = [[]];
    for (const above of queue) {
      for (const entry of await this.#list(above)) {
        const names = [...above, entry.name];
        if (entry.kind === "directory") {
          const isNear = names.length < MAX_DEPTH && !ASIDE.test(entry.name);
          if (isNear) queue.push(names);
        } else if (isTwin(entry.name, name)) {
          yield names;
        }
      }
    }
  }

  async #list(names: Names): Promise<readonly FileEntry[]> {
    await this.#call.breathe();
    if (this.#left === 0) return [];
    try {
      const { entries, looked } = await listBelow(
        this.#fs,
        this.#root,
        names,
        this.#left,
        this.#call,
      );
      this.#left -= looked;
      return entries;
    } catch {
      // Who cannot be helped is told what is the case, and no more.
      this.#call.check();
      return [];
    }
  }

  #isFile(names: Names): Promise<boolean> {
    return isThere(this.#fs, this.#root, names, "file", this.#call);
  }
}

/**
 * The failure of a path that names no file, with what may help whoever named
 * it: the files that may have been meant, or what the directory holds. Any
 * other failure, and one that nothing can be added to, stays as it is.
 */
export async function withHelp(
  error: unknown,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(error instanceof ReadFileError)) return error;
  // However names are counted, those that are hidden would tell by their number.
  if (root.deny.some(({ mode }) => mode === "hide")) return error;
  return await helped(error, fs, root, signal);
}

async function helped(
  error: ReadFileError,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<ReadFileError> {
  const { path } = error;
  if (error.code === "NOT_FOUND") {
    const suggestions = await suggest(fs, root, path, signal);
    if (suggestions.length === 0) return error;
    return error.with({ details: { ...error.details, suggestions } });
  }
  if (error.code === "NOT_A_FILE" && error.details.kind === "directory") {
    const told = await tellEntries(fs, root, new Call(path, signal));
    if (told.entries.length === 0) return error;
    return error.with({ details: { ...error.details, ...told } });
  }
  return error;
}

interface Told {
  readonly entries: readonly string[];
  readonly more: boolean;
}

/** Some of what a directory holds, by name; each is proved to be there. */
async function tellEntries(
  fs: FsPort,
  root: Root,
  call: Call,
): Promise<Told> {
  const { names } = parsePath(call.path, root.ways);
  const told: string[] = [];
  try {
    const listing = await listBelow(fs, root, names, MAX_LISTED_NAMES, call);
    for (const { name, kind } of listing.entries) {
      if (told.length === MAX_TOLD_ENTRIES) {
        return { entries: told, more: true };
      }
      const isDirectory = kind === "directory";
      const wanted = isDirectory ? kind : "file";
      if (await isThere(fs, root, [...names, name], wanted, call)) {
        told.push(isDirectory ? `${name}/` : name);
      }
    }
  } catch {
    // Who cannot be helped is told what is the case, and no more.
    call.check();
  }
  return { entries: told, more: false };
}
