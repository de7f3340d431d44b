// Runtime-agnostic.
import { Call } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import {
  MAX_LISTED_NAMES,
  MAX_SUGGESTIONS,
  MAX_TOLD_ENTRIES,
} from "../base/limits.ts";
import { type FileEntry, type FsPort, isPromise } from "../base/port.ts";
import {
  type Likely,
  likenessTo,
  likest,
  quote,
  twinOf,
} from "../base/words.ts";
import { isThere } from "../guard/open.ts";
import { type AskedPath, namesBelow, parsePath } from "../guard/path.ts";
import type { Visit } from "../guard/proof.ts";
import type { Root } from "../guard/root.ts";

/**
 * Adds what may help to the failure of a path that names no file: the files that
 * may have been meant, or what the directory holds. Any other failure stays as
 * it is, and so does one that nothing can be added to.
 */
export async function withHelp(
  error: unknown,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(error instanceof ReadFileError)) return error;
  // However names are counted, the number of hidden ones would show.
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
  const visit = visitOf(fs, root, path, signal);
  if (error.code === "NOT_FOUND") {
    const suggestions = await suggest(fs, root, path, signal);
    if (suggestions.length === 0) return error;
    return error.with({ details: { ...error.details, suggestions } });
  }
  if (error.code === "NOT_A_FILE" && error.details.kind === "directory") {
    const told = await tellEntries(visit, parsePath(path, root.ways));
    if (told.entries.length === 0) return error;
    return error.with({ details: { ...error.details, ...told } });
  }
  // A link that leads out is none of this: its path lies below the root.
  const isOutside = error.code === "OUTSIDE_WORKSPACE" &&
    path.startsWith("/") && namesBelow(path, root.ways) === undefined;
  if (!isOutside) return error;
  const names = namesBelow(path.replace(/^\/+/, ""), []) ?? [];
  if (!await tryTo(visit, false, () => isThere(visit, names, "file"))) {
    return error;
  }
  const meant = quote(names.join("/"));
  return error.with({ hint: `drop the slash: ask for ${meant}` });
}

function visitOf(
  fs: FsPort,
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Visit {
  return { fs, root, call: new Call(path, signal), since: Date.now() };
}

/** Best effort: where help fails, the failure stays as it is. Only an abort counts. */
async function tryTo<T>(
  { call }: Visit,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch {
    call.check();
    return otherwise;
  }
}

/** Whether a path leads to a file; where it leads out, it does not. */
async function isFile(visit: Visit, names: Names): Promise<boolean> {
  try {
    return await isThere(visit, names, "file");
  } catch (error) {
    const isOut = error instanceof ReadFileError &&
      error.is("OUTSIDE_WORKSPACE");
    if (!isOut) throw error;
    return false;
  }
}

/** Where a file that someone named is not looked for. */
const ASIDE = /^(?:\..*|node_modules)$/;

/** How far down another directory is looked for: each step is a walk from the root. */
const MAX_SEARCH_DEPTH = 16;

/** How many candidates are opened to see whether they are there. */
const MAX_TRIES = 3 * MAX_SUGGESTIONS;

/**
 * The files that may have been meant by a path where none is: first those of
 * like names in the same directory, then those of the same name elsewhere.
 * Nothing is said of what is denied, or not proved to be there.
 */
export async function suggest(
  fs: FsPort,
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const asked = parsePath(path, root.ways);
  if (fs.list === undefined || asked.names.length === 0) return [];
  const visit = visitOf(fs, root, path, signal);
  return await tryTo(
    visit,
    [],
    () => root.listings.share(() => new Search(visit).suggest(asked)),
  );
}

/** The names of a place from the root down. */
type Names = readonly string[];

/** One search, which looks at a limited number of names. */
class Search {
  readonly #visit: Visit;
  #left = MAX_LISTED_NAMES;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  async suggest(asked: AskedPath): Promise<readonly string[]> {
    const found: string[] = [];
    let tries = 0;
    for await (const names of this.#candidates(asked)) {
      const path = names.join("/");
      if (found.includes(path)) continue;
      if (await isFile(this.#visit, names)) found.push(path);
      // Only the slash at its end was wrong.
      if (found.length > 0 && names === asked.names) break;
      if (found.length === MAX_SUGGESTIONS || ++tries === MAX_TRIES) break;
    }
    return found;
  }

  async *#candidates({ names, asDirectory }: AskedPath): AsyncIterable<Names> {
    if (asDirectory) yield names;
    yield* this.#alike(names);
    yield* this.#elsewhere(names.at(-1)!);
  }

  /** The path with its first name that leads nowhere put right. */
  async *#alike(names: Names): AsyncIterable<Names> {
    const { call } = this.#visit;
    const least = Math.max(0, names.length - MAX_SEARCH_DEPTH);
    for (let depth = names.length - 1; depth >= least; depth--) {
      const above = names.slice(0, depth);
      const entries = await this.#list(above);
      if (entries.length === 0) continue;
      const wrong = depth === names.length - 1 ? "directory" : "file";
      const likeness = likenessTo(names[depth]!);
      const likely: Likely[] = [];
      for (const { name, kind } of entries) {
        const turn = call.breathe();
        if (isPromise(turn)) await turn;
        const like = kind === wrong ? undefined : likeness(name);
        if (like !== undefined) likely.push(like);
      }
      for (const name of likest(likely, MAX_SUGGESTIONS)) {
        yield [...above, name, ...names.slice(depth + 1)];
      }
      return;
    }
  }

  /** Files of the same name in other directories, the nearest to the root first. */
  async *#elsewhere(name: string): AsyncIterable<Names> {
    const { call } = this.#visit;
    const isTwin = twinOf(name);
    const queue: Names[] = [[]];
    for (const above of queue) {
      for (const entry of await this.#list(above)) {
        const turn = call.breathe();
        if (isPromise(turn)) await turn;
        const names = [...above, entry.name];
        if (entry.kind !== "directory") {
          if (isTwin(entry.name)) yield names;
        } else if (names.length < MAX_SEARCH_DEPTH && !ASIDE.test(entry.name)) {
          queue.push(names);
        }
      }
    }
  }

  async #list(names: Names): Promise<readonly FileEntry[]> {
    if (this.#left === 0) return [];
    const { root } = this.#visit;
    return await tryTo(this.#visit, [], async () => {
      const listing = await root.listings.list(this.#visit, names, this.#left);
      this.#left -= Math.min(this.#left, listing.looked);
      return listing.entries;
    });
  }
}

interface Told {
  readonly entries: readonly string[];
  readonly more: boolean;
}

/** Some of what a directory holds, by name; each is proved to be there. */
async function tellEntries(visit: Visit, { names }: AskedPath): Promise<Told> {
  const { listings } = visit.root;
  const nothing: Told = { entries: [], more: false };
  return await tryTo(visit, nothing, () =>
    listings.share(async () => {
      const { entries } = await listings.list(visit, names, MAX_LISTED_NAMES);
      const told: string[] = [];
      for (const { name, kind } of entries) {
        if (told.length === MAX_TOLD_ENTRIES) {
          return { entries: told, more: true };
        }
        const below = [...names, name];
        const isTold = kind === "symlink"
          ? await isFile(visit, below)
          // Only a link may lead out; else the directory was swapped.
          : await isThere(visit, below, kind === "directory" ? kind : "file");
        if (isTold) {
          told.push(kind === "directory" ? `${name}/` : name);
        }
      }
      return { entries: told, more: false };
    }));
}
