// Runtime-agnostic.
import { Call, isPromise } from "../base/call.ts";
import { allEntriesIn, codeOf, fromPort } from "../base/errno.ts";
import { type ReadFileError, refuseArgument } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import {
  challenge,
  changedError,
  changeOf,
  confirm,
  describeAgain,
  isAtRest,
} from "./proof.ts";
import type { Step, Visit } from "./proof.ts";
import type { FileEntry } from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join } from "./path.ts";
import { resolve } from "./walk.ts";

/** The entries of a directory that may be shown. */
interface Listing {
  /** Sorted by name: the order of the port could reveal hidden names. */
  readonly entries: readonly FileEntry[];
  /** How many names were read. */
  readonly looked: number;
}

/**
 * A cache of listings for suggestions. Concurrent searches share it, so that a
 * batch of wrong paths lists each directory once.
 */
export class Listings {
  readonly #pending = new Map<
    string,
    { readonly most: number; readonly listing: Promise<Listing> }
  >();
  #searches = 0;

  /** Runs a search; when the last one ends, the cache is cleared. */
  async share<T>(search: () => Promise<T>): Promise<T> {
    this.#searches++;
    try {
      return await search();
    } finally {
      if (--this.#searches === 0) this.#pending.clear();
    }
  }

  /** Lists a directory without its denied entries; reads at most `most` names. */
  async list(
    visit: Visit,
    names: readonly string[],
    most: number,
  ): Promise<Listing> {
    const key = names.join("/");
    let pending = this.#pending.get(key);
    if (pending === undefined || pending.most < most) {
      // A call without a signal: one search may be aborted while another still waits for the listing.
      const call = new Call(visit.call.path);
      pending = { most, listing: listBelow({ ...visit, call }, names, most) };
      this.#pending.set(key, pending);
    }
    return await visit.call.wait(pending.listing);
  }
}

/** Lists a directory, and proves that the listing is of this directory. */
async function listBelow(
  visit: Visit,
  names: readonly string[],
  most: number,
): Promise<Listing> {
  const { fs, root, call } = visit;
  if (fs.list === undefined) return { entries: [], looked: 0 };
  const trail = await resolve(visit, names);
  const { path } = trail.at(-1)!;
  const ask = () => fs.list!(path, most);
  const listed = (await ask()).slice(0, most);
  await confirm(visit, trail, [{ ask, answer: JSON.stringify(listed) }]);
  const entries: FileEntry[] = [];
  for (const entry of listed) {
    const turn = call.breathe();
    if (isPromise(turn)) await turn;
    const { name } = entry;
    if (!isName(name) || name === "." || name === "..") continue;
    if (denialOf(root.deny, join(path, name)) === undefined) {
      entries.push(entry);
    }
  }
  entries.sort(byName);
  return { entries, looked: listed.length };
}

/** Whether a name can be asked for again: U+FFFD may stand for bytes that are not UTF-8. */
function isName(name: string): boolean {
  return name.isWellFormed() && !/^$|[/\0\uFFFD]/.test(name);
}

function byName(one: FileEntry, other: FileEntry): number {
  return one.name < other.name ? -1 : 1;
}

/** Which entries of a directory to list. */
interface BatchRequest {
  /** The directory, from the root. */
  readonly names: readonly string[];
  /** The first name that may be listed. */
  readonly from: string;
  /** The most entries. */
  readonly most: number;
  /** Whether to list an entry; its kind is `"other"` while it is unknown. */
  readonly isWanted: (entry: FileEntry) => boolean;
}

/** Entries of a directory from one name on, in order. */
interface Batch {
  readonly entries: readonly (Step & { readonly name: string })[];
  /** The name where the next batch begins; `undefined` at the end. */
  readonly next: string | undefined;
}

/** How many names are matched between two checks of the time slice: a glob may take a millisecond for each. */
const NAMES_A_BREATH = 4;

/** Lists directories below a root; never names from outside. */
export class Lister {
  /** How many names that may be shown were read. */
  scanned = 0;
  /** Why names were left out. */
  readonly omitted = new Set<"denied" | "not Unicode">();
  readonly #visit: Omit<Visit, "since">;

  /** Constructs a new instance for one call. */
  constructor(visit: Omit<Visit, "since">) {
    this.#visit = visit;
  }

  /** Returns the first entries of a directory; retries if it changes meanwhile. */
  async first(request: BatchRequest): Promise<Batch> {
    for (let retries = OPEN_RETRIES;; retries--) {
      try {
        return await this.#firstOnce(request);
      } catch (error) {
        const failure = fromPort(error, this.#visit.call.path);
        if (retries === 0 || !failure.is("CHANGED")) throw failure;
      }
    }
  }

  /**
   * Lists a directory by its path, and proves that each name is in it: a swap
   * may have led the path elsewhere for a moment. A swap changes the times of a
   * directory. So if no directory of the path changed shortly before the
   * listing or during it, the path led there all the time. Otherwise each entry
   * is challenged.
   */
  async #firstOnce(request: BatchRequest): Promise<Batch> {
    const { root, call } = this.#visit;
    // Sample the clock before `lstat`; later would make a fresh change look old.
    const now = Date.now();
    const visit = { ...this.#visit, since: now };
    const trail = await resolve(visit, request.names);
    const { path, stat: { kind } } = trail.at(-1)!;
    if (kind !== "directory") {
      const problem = kind === "file"
        ? "names a file; name a directory, or read it"
        : "names no directory";
      const error = refuseArgument(call.path)("path", problem);
      // The hint of the failure is about files.
      throw (error as ReadFileError).with({ hint: null });
    }
    // The stats of the root are as old as the workspace.
    const top = await describeAgain(visit, root.trail, "last");
    const way = [...top, ...trail.slice(root.trail.length)];
    const { kept, next } = await this.#scan(path, request);
    const entries: Batch["entries"][number][] = [];
    for (const { name } of kept) {
      const found = await this.#find(join(path, name));
      if (found !== undefined) entries.push({ name, ...found });
      await call.breathe();
    }
    const again = await describeAgain(visit, way, "last");
    const isSame = again.every(({ stat }, at) => {
      const before = way[at]!.stat;
      return before.fixed === true ||
        isAtRest(before, now) && changeOf(before, stat) === "same";
    });
    // A name that is gone now was removed, or was in another directory.
    if (!isSame && entries.length < kept.length) throw changedError(call);
    for (const entry of isSame ? [] : entries) {
      await challenge(visit, [...way, entry], []);
      await call.breathe();
    }
    return { entries, next };
  }

  /** Finds the first entries from a name on; memory does not grow with the directory. */
  async #scan(path: string, { from, most, isWanted }: BatchRequest) {
    const { fs, call } = this.#visit;
    let kept: FileEntry[] = [];
    let isAll = true;
    /** Names from this one on are not among the first `most`. */
    let ceiling: string | undefined;
    const trim = () => {
      kept.sort(byName);
      // A directory that changes may list an entry twice.
      kept = kept.filter(({ name }, at) => name !== kept[at - 1]?.name);
      if (kept.length > most) isAll = false;
      kept = kept.slice(0, most);
      // The last of them may be listed again.
      if (kept.length === most) ceiling = nameAfter(kept);
    };
    const all = allEntriesIn(fs, path, call.signal);
    const batches = all[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await call.wait(batches.next());
        if (done) break;
        for (const [at, entry] of value.entries()) {
          const turn = at % NAMES_A_BREATH === 0 ? call.breathe() : undefined;
          if (isPromise(turn)) await turn;
          const { name } = entry;
          if (name < from || name === "." || name === "..") continue;
          if (!this.#mayTell(path, name) || !isWanted(entry)) continue;
          if (ceiling === undefined || name < ceiling) kept.push(entry);
          else isAll = false;
        }
        if (kept.length > 2 * most) trim();
        await call.breathe();
      }
    } catch (error) {
      // It was a directory a moment ago.
      throw isGone(error) ? changedError(call) : error;
    } finally {
      // Do not wait for a disk that hangs.
      void batches.return?.()?.catch(() => {});
    }
    trim();
    return { kept, next: isAll ? undefined : nameAfter(kept) };
  }

  /** Whether a name may be shown: it can be asked for, and is not denied. */
  #mayTell(path: string, name: string): boolean {
    if (!isName(name)) {
      this.omitted.add("not Unicode");
      return false;
    }
    const denial = denialOf(this.#visit.root.deny, join(path, name));
    if (denial?.mode === "refuse") this.omitted.add("denied");
    if (denial === undefined) this.scanned++;
    return denial === undefined;
  }

  /** Describes what is at a path; `undefined` if nothing is there. */
  async #find(path: string): Promise<Step | undefined> {
    const { fs, call } = this.#visit;
    try {
      const stat = await call.wait(fs.lstat(path, "last", call.signal));
      return { path, stat };
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** The first name, in order, after all of these. */
function nameAfter(entries: readonly FileEntry[]): string {
  return `${entries.at(-1)!.name}\0`;
}

function isGone(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)$/.test(codeOf(error));
}
