// Runtime-agnostic.
import { Call } from "../call.ts";
import { MAX_LISTED_NAMES, MAX_SUGGESTIONS } from "../limits.ts";
import { isTwin, nearest } from "../nearest.ts";
import type { FileEntry, FsPort } from "../port.ts";
import { isThere } from "../guard/guard.ts";
import { listBelow } from "./list.ts";
import { parsePath } from "../guard/path.ts";
import type { Root } from "../guard/resolve.ts";

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
