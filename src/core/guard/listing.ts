// Runtime-agnostic.
import { Call } from "../base/call.ts";
import { codeOf, fromPort } from "../base/errno.ts";
import { type ReadFileError, refuseArgument } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import {
  allEntriesIn,
  changeOf,
  type FileEntry,
  isAtRest,
  isPromise,
} from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join } from "./path.ts";
import {
  challenge,
  changed,
  confirm,
  look,
  type Step,
  type Visit,
} from "./proof.ts";
import { resolve } from "./walk.ts";

/** What a directory holds that may be told. */
interface Listing {
  /** Sorted by name: the port's order could hint at hidden names. */
  readonly entries: readonly FileEntry[];
  /** How many names were looked at. */
  readonly looked: number;
}

/**
 * A cache of listings for suggestions. Searches that run at the same time share
 * it, so that a batch of wrong paths lists each directory once.
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

  /** Lists a directory, without what is denied there; it looks at `most` names. */
  async list(
    visit: Visit,
    names: readonly string[],
    most: number,
  ): Promise<Listing> {
    const key = names.join("/");
    let pending = this.#pending.get(key);
    if (pending === undefined || pending.most < most) {
      // One search may be aborted while another still waits for the listing.
      const call = new Call(visit.call.path);
      pending = { most, listing: listBelow({ ...visit, call }, names, most) };
      this.#pending.set(key, pending);
    }
    return await visit.call.wait(pending.listing);
  }
}

/** Lists a directory, and proves that it was this one, and no other in its place. */
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

/** Which entries of a directory are asked for. */
interface BatchRequest {
  /** The directory, from the root. */
  readonly names: readonly string[];
  /** The first name that may be given. */
  readonly from: string;
  /** The most entries. */
  readonly most: number;
  /** Whether to give an entry; its kind may not be known yet, and is `"other"` then. */
  readonly isWanted: (entry: FileEntry) => boolean;
}

/** The first entries of a directory from some name on, in order. */
interface Batch {
  readonly entries: readonly (Step & { readonly name: string })[];
  /** The name that the next batch begins from; `undefined` at the end. */
  readonly next: string | undefined;
}

/** How many names are matched between two looks at the clock: a glob may take a millisecond for each. */
const NAMES_A_BREATH = 4;

/** Lists directories below a root; no name from outside is ever given. */
export class Lister {
  /** How many names were looked at that may be told. */
  scanned = 0;
  /** Why names were left out. */
  readonly omitted = new Set<"denied" | "not Unicode">();
  readonly #visit: Omit<Visit, "since">;

  /** Constructs a new instance for one call. */
  constructor(visit: Omit<Visit, "since">) {
    this.#visit = visit;
  }

  /** Gives the first entries of a directory; retries if it changes meanwhile. */
  async first(asked: BatchRequest): Promise<Batch> {
    for (let retries = OPEN_RETRIES;; retries--) {
      try {
        return await this.#firstOnce(asked);
      } catch (error) {
        const failure = fromPort(error, this.#visit.call.path);
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
    const { root, call } = this.#visit;
    // Sample the clock before `lstat`; later would make a fresh change look old.
    const now = Date.now();
    const visit = { ...this.#visit, since: now };
    const trail = await resolve(visit, asked.names);
    const { path, stat: { kind } } = trail.at(-1)!;
    if (kind !== "directory") {
      const problem = kind === "file"
        ? "names a file; name a directory, or read it"
        : "names no directory";
      const error = refuseArgument(call.path)("path", problem);
      // Another file would not help.
      throw (error as ReadFileError).with({ hint: null });
    }
    // The facts of the root are as old as the workspace.
    const top = await look(visit, root.trail, "last");
    const way = [...top, ...trail.slice(root.trail.length)];
    const { kept, next } = await this.#scan(path, asked);
    const entries: Batch["entries"][number][] = [];
    for (const { name } of kept) {
      const found = await this.#find(join(path, name));
      if (found !== undefined) entries.push({ name, ...found });
      await call.breathe();
    }
    const isSame = (await look(visit, way, "last")).every(({ stat }, at) => {
      const before = way[at]!.stat;
      return before.fixed === true ||
        isAtRest(before, now) && changeOf(before, stat) === "same";
    });
    // A name that is gone now was there for a moment, or elsewhere.
    if (!isSame && entries.length < kept.length) throw changed(call);
    for (const entry of isSame ? [] : entries) {
      await challenge(visit, [...way, entry], []);
      await call.breathe();
    }
    return { entries, next };
  }

  /** Finds the first entries from a name on; a directory of any size takes no more memory. */
  async #scan(path: string, { from, most, isWanted }: BatchRequest) {
    const { fs, call } = this.#visit;
    let kept: FileEntry[] = [];
    let isAll = true;
    /** No name from this one on is among the first. */
    let ceiling: string | undefined;
    const trim = () => {
      kept.sort(byName);
      // A directory that changes may name an entry twice.
      kept = kept.filter(({ name }, at) => name !== kept[at - 1]?.name);
      if (kept.length > most) isAll = false;
      kept = kept.slice(0, most);
      // The last of them may be named again.
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
      throw isGone(error) ? changed(call) : error;
    } finally {
      // A disk that hangs is not waited for.
      void batches.return?.()?.catch(() => {});
    }
    trim();
    return { kept, next: isAll ? undefined : nameAfter(kept) };
  }

  /** Whether a name may be told: it can be asked for, and no rule denies it. */
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

  /** Describes what is at a path; `undefined` if nothing is. */
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

/** The least name that comes after all of these. */
function nameAfter(entries: readonly FileEntry[]): string {
  return `${entries.at(-1)!.name}\0`;
}

function isGone(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)$/.test(codeOf(error));
}
