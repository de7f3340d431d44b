// Runtime-agnostic.
import type { Call } from "../base/call.ts";
import { refuseArgument } from "../base/check.ts";
import { fromPort } from "../base/errno.ts";
import type { ReadFileError } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import {
  allEntriesIn,
  changeOf,
  type FileEntry,
  type FileKind,
  type FileStat,
  type FsPort,
  isAtRest,
} from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join } from "./path.ts";
import { challenge, changed, type Trail } from "./proof.ts";
import type { Root } from "./root.ts";
import { resolve } from "./walk.ts";

/** Where a batch of entries begins. */
export interface Start {
  readonly name: string;
  /** Whether the name itself is part of the batch. */
  readonly isIncluded: boolean;
}

/** Which entries of a directory are asked for. */
export interface BatchRequest {
  /** The directory, from the root. */
  readonly names: readonly string[];
  readonly start: Start;
  /** The most entries. */
  readonly most: number;
  /** Whether to give an entry; its kind may not be known yet, and is `"other"` then. */
  readonly isWanted: (entry: FileEntry) => boolean;
}

/** An entry that lies in its directory. */
interface ProvedEntry {
  readonly name: string;
  readonly stat: FileStat;
}

/** The first entries of a directory after some name, in order. */
interface Batch {
  readonly entries: readonly ProvedEntry[];
  /** The name that the next batch begins after; `undefined` at the end. */
  readonly last: string | undefined;
}

/** Lists directories below a root; no name from outside is ever given. */
export class Lister {
  /** How many names were looked at that may be told. */
  scanned = 0;
  /** Why names were left out. */
  readonly omitted = new Set<"denied" | "not Unicode">();
  readonly #fs: FsPort;
  readonly #root: Root;
  readonly #call: Call;

  /** Constructs a new instance for one call. */
  constructor(fs: FsPort, root: Root, call: Call) {
    this.#fs = fs;
    this.#root = root;
    this.#call = call;
  }

  /** Gives the first entries of a directory; what changes meanwhile is tried again. */
  async first(asked: BatchRequest): Promise<Batch> {
    for (let retries = OPEN_RETRIES;; retries--) {
      try {
        return await this.#firstOnce(asked);
      } catch (error) {
        const failure = fromPort(error, this.#call.path);
        if (retries === 0 || !failure.is("CHANGED")) throw failure;
      }
    }
  }

  /**
   * Lists a directory by its path, and proves that each name is in it: the path
   * may have led elsewhere for a moment. If no directory on the way has changed
   * for a while before the listing, nor has after it, the path led there all the
   * time: a swap would show in its times. Otherwise each entry is challenged.
   */
  async #firstOnce(asked: BatchRequest): Promise<Batch> {
    const call = this.#call;
    const root = this.#root;
    // Sample the clock before `lstat`; later would make a fresh change look old.
    const now = Date.now();
    const visit = { fs: this.#fs, root, call, since: now };
    const trail = await resolve(visit, asked.names);
    const { path, stat } = trail.at(-1)!;
    if (stat.kind !== "directory") throw this.#notADirectory(stat.kind);
    // The facts of the root are as old as the workspace.
    const top = await this.#lookAgain(root.trail);
    const way = [...top, ...trail.slice(1)];
    const { entries, last } = await this.#scan(path, asked);
    const found: { name: string; path: string; stat: FileStat }[] = [];
    for (const { name } of entries) {
      const entry = { name, path: join(path, name) };
      const stat = await this.#look(entry.path);
      if (stat !== undefined) found.push({ ...entry, stat });
      await call.breathe();
    }
    const isSame = (await this.#lookAgain(way)).every(({ stat }, at) => {
      const before = way[at]!.stat;
      return before.fixed === true ||
        isAtRest(before, now) && changeOf(before, stat) === "same";
    });
    // A name that is not there now was there for a moment, or elsewhere.
    if (!isSame && found.length < entries.length) throw changed(call);
    for (const entry of isSame ? [] : found) {
      await challenge(visit, [...way, entry], []);
      await call.breathe();
    }
    return { entries: found, last };
  }

  /** Finds the first entries after `start`; a directory of any size takes no more memory. */
  async #scan(path: string, { start, most, isWanted }: BatchRequest) {
    let kept: FileEntry[] = [];
    let isAll = true;
    /** No name from this one on is among the first. */
    let ceiling: string | undefined;
    const trim = () => {
      kept.sort((one, two) => one.name < two.name ? -1 : 1);
      // A directory that changes may name an entry twice.
      kept = kept.filter(({ name }, at) => name !== kept[at - 1]?.name);
      if (kept.length > most) isAll = false;
      kept = kept.slice(0, most);
      // The last of them may be named again.
      if (kept.length === most) ceiling = `${kept.at(-1)!.name}\0`;
    };
    const batches = allEntriesIn(this.#fs, path)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#call.wait(batches.next());
        if (done) break;
        for (const entry of value) {
          if (!isIn(start, entry) || !this.#mayTell(path, entry)) continue;
          if (!isWanted(entry)) continue;
          if (ceiling === undefined || entry.name < ceiling) kept.push(entry);
          else isAll = false;
        }
        if (kept.length > 2 * most) trim();
        await this.#call.breathe();
      }
    } catch (error) {
      // It was a directory a moment ago.
      const { code } = Object(error) as { readonly code?: unknown };
      const isGone = code === "ENOENT" || code === "ENOTDIR";
      throw isGone ? changed(this.#call) : error;
    } finally {
      // What hangs is not waited for.
      void batches.return?.()?.catch(() => {});
    }
    trim();
    return { entries: kept, last: isAll ? undefined : kept.at(-1)!.name };
  }

  /** Whether a name may be told: it can be asked for, and no rule denies it. */
  #mayTell(path: string, { name }: FileEntry): boolean {
    // Bun shows bytes that are no UTF-8 as U+FFFD.
    if (!name.isWellFormed() || /^$|[/\0\uFFFD]/.test(name)) {
      this.omitted.add("not Unicode");
      return false;
    }
    const denial = denialOf(this.#root.deny, join(path, name));
    if (denial?.mode === "refuse") this.omitted.add("denied");
    if (denial !== undefined) return false;
    this.scanned++;
    return true;
  }

  /** Describes what is at a path; `undefined` if nothing is. */
  async #look(path: string): Promise<FileStat | undefined> {
    const { signal } = this.#call;
    try {
      return await this.#call.wait(this.#fs.lstat(path, "last", signal));
    } catch (error) {
      const { code } = Object(error) as { readonly code?: unknown };
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
  }

  /** Looks at places again; fails with `CHANGED` if another has taken the place of one. */
  async #lookAgain(places: Trail): Promise<Trail> {
    const again: { path: string; stat: FileStat }[] = [];
    for (const { path, stat: { id, kind } } of places) {
      const stat = await this.#look(path);
      if (stat === undefined || stat.id !== id || stat.kind !== kind) {
        throw changed(this.#call);
      }
      again.push({ path, stat });
    }
    return again;
  }

  #notADirectory(kind: FileKind): ReadFileError {
    const problem = kind === "file"
      ? "names a file; name a directory, or read it"
      : "names no directory";
    const error = refuseArgument(this.#call.path)("path", problem);
    // It is no other file that is wanted.
    return (error as ReadFileError).with({ hint: null });
  }
}

function isIn(
  { name: first, isIncluded }: Start,
  { name }: FileEntry,
): boolean {
  if (name === "." || name === "..") return false;
  return name > first || isIncluded && name === first;
}
