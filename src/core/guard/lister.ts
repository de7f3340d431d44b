import { Call, isPromise } from "../base/call.ts";
import { optionalOf } from "../base/check.ts";
import { codeOf, fromPort } from "../base/errno.ts";
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import {
  asksPlace,
  type Attempt,
  challenge,
  changedError,
  changeOf,
  confirm,
  describeAgain,
  HERE,
  isAtRest,
  mayHideLinks,
  type PathStat,
  type ProofContext,
  prove,
  type Trail,
} from "./proof.ts";
import type {
  Awaitable,
  FileEntry,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { closeQuietly } from "./open.ts";
import { join, type Names } from "./path.ts";
import { resolve } from "./walk.ts";

/** Lists directories: a port; or, whatever the path, an open directory. */
type Lister = Pick<FsPort, "list">;

interface BatchRequest {
  /** The directory, from the root. */
  readonly names: Names;
  /** The first name that may be listed. */
  readonly from: string;
  readonly most: number;
  /** Whether to list an entry; its kind is `"other"` while it is unknown. */
  readonly isWanted: (entry: FileEntry) => boolean;
  /**
   * Whether the caller opens each entry, which proves it, and needs only its kind:
   * then an entry whose kind the listing has is not described. If the directory is
   * swapped meanwhile, names of another one may be among the entries; still none
   * is left out.
   */
  readonly isOpened?: boolean;
}

/** Lists a part of a directory, and never names from outside; retries if it changes meanwhile. */
export async function listBatch(context: ProofContext, request: BatchRequest) {
  for (let retries = OPEN_RETRIES;; retries--) {
    try {
      // Sample the clock before `lstat`; later would make a fresh change look old.
      return await listOnce({ ...context, startedMs: Date.now() }, request);
    } catch (error) {
      const failure = fromPort(error, context.call.path);
      if (retries === 0 || !failure.is("CHANGED")) throw failure;
    }
  }
}

/**
 * Lists a directory by its path, and proves that each name is in it, and that
 * none is left out: a swap may have led the path elsewhere for a moment. A swap
 * changes the times of a directory. So if no directory of the path changed
 * shortly before the listing or during it, the path led there all the time.
 */
async function listOnce(attempt: Attempt, request: BatchRequest) {
  const { fs, root, call, startedMs } = attempt;
  const walked = await resolve(attempt, request.names);
  const { path, stat: { kind } } = walked.at(-1)!;
  if (kind !== "directory") {
    await confirm(attempt, walked, []);
    const problem = kind === "file"
      ? "names a file; name a directory, or read it"
      : "names no directory";
    // The hint of this code is about files.
    throw invalidPath(call.path, problem, { hint: null });
  }
  // The stats of the root are as old as the workspace.
  const rootNow = await describeAgain(attempt, root.trail, "last");
  const trail = [...rootNow, ...walked.slice(root.trail.length)];
  const first = new FirstNames(request.most);
  const scan = () => scanInto(first, attempt, fs, path, request);
  const found = await askOrConfirm(attempt, trail, scan);
  // A directory is quiet if it cannot be swapped, or if its times will show each later
  // change of its names.
  const isQuiet = ({ stat }: PathStat) =>
    stat.fixed === true || isAtRest(stat, startedMs);
  if (trail.every(isQuiet)) {
    const batch = await batchOf(attempt, trail, first, request, false);
    const again = await describeAgain(attempt, trail, "last");
    const isSame = again.every(({ stat }, at) =>
      stat.fixed === true || changeOf(trail[at]!.stat, stat) === "same"
    );
    if (isSame) return { ...batch, ...found };
  }
  const whole = wholeOf(first, found);
  if (!await isOfOpen(attempt, trail, request, whole)) {
    // Repeat the listing among the questions of a challenge. To hide a name, an attacker
    // must lead every listing elsewhere and every other question here, but cannot tell
    // which question comes next. So, but for a negligible chance, at least one listing
    // is of this directory, and together the listings leave out none of its names. They
    // may add names of another directory; `batchOf` drops names that are not in this one.
    const ask = async () => leftOutBy(await scan());
    const question = { ask, answer: leftOutBy(found) };
    await challenge(attempt, trail, [question], true);
  }
  const batch = await batchOf(attempt, trail, first, request, true);
  return { ...batch, ...found };
}

/**
 * Whether a directory lists the same once it is open. Its own path then proves where
 * it is, as that of a file does, so one listing by path is enough. `false` also where
 * that cannot be told.
 */
async function isOfOpen(
  attempt: Attempt,
  trail: Trail,
  request: BatchRequest,
  whole: string,
): Promise<boolean> {
  const { fs, call } = attempt;
  const { path } = trail.at(-1)!;
  const discard = (late: FileHandle) => void closeQuietly(late, call);
  try {
    const handle = await call.wait(fs.open(path, call.signal), discard);
    try {
      if (handle.list === undefined) return false;
      const stat = await call.wait(handle.stat());
      const ownPath = await prove(attempt, handle, stat, path, trail);
      // The rules were checked for this path alone.
      if (ownPath !== path) return false;
      const first = new FirstNames(request.most);
      const opened: Lister = { list: (_path, most) => handle.list!(most) };
      const found = await scanInto(first, attempt, opened, path, request);
      return wholeOf(first, found) === whole;
    } finally {
      await closeQuietly(handle, call);
    }
  } catch {
    // It is challenged, which also finds out whether the call was aborted.
    return false;
  }
}

/** All that a listing tells, as text. */
function wholeOf(first: FirstNames, found: Scanned): string {
  const entries = first.sorted().map((name) => [name, first.kindOf(name)]);
  return JSON.stringify([entries, first.isAll, found]);
}

/** What a scan left out, as the answer to a question. */
function leftOutBy({ denied, otherDenied, omitted }: Scanned): string {
  return JSON.stringify([denied, otherDenied, omitted]);
}

/** Describes the entries that are still there; challenges each answer if the directory changes. The next batch begins at the name `next`. */
async function batchOf(
  attempt: Attempt,
  trail: Trail,
  first: FirstNames,
  request: BatchRequest,
  isChanging: boolean,
) {
  const isOpened = optionalOf(request, "isOpened") === true;
  const { fs, call } = attempt;
  const here = trail.at(-1)!.path;
  const entries: (PathStat & { readonly name: string })[] = [];
  const names = first.sorted();
  for (const name of names) {
    const path = join(here, name);
    const kind = first.kindOf(name);
    if (isOpened && kind !== "other") {
      entries.push({ name, path, stat: { ...UNKNOWN, kind } });
      continue;
    }
    const look = () => fs.lstat(path, "last", call.signal);
    try {
      const stat = await askOrConfirm(attempt, trail, look);
      const entry = { name, path, stat };
      if (stat.kind !== "symlink" && mayHideLinks(fs)) {
        const ask = asksPlace(attempt, path);
        if (await askOrConfirm(attempt, trail, ask) !== HERE) {
          await challenge(attempt, trail, [{ ask, answer: "" }]);
          // What was described may lie outside.
          entries.push({ name, path, stat: LINK });
          continue;
        }
      }
      if (isChanging) await challenge(attempt, [...trail, entry], []);
      entries.push(entry);
    } catch (error) {
      if (!isGone(error)) throw error;
      const gone = { ask: look, answer: codeOf(error) };
      if (isChanging) await challenge(attempt, trail, [gone]);
    }
    await call.yieldIfDue();
  }
  // The first name, in order, after all of these.
  const next = first.isAll ? undefined : `${names.at(-1)!}\0`;
  return { entries, next };
}

/** The stat of what is known by its kind alone. */
const UNKNOWN = { size: 0, mtimeMs: null, ctimeMs: null, id: null } as const;

/** The stat of a link that its port describes as what it leads to. */
const LINK: FileStat = { kind: "symlink", ...UNKNOWN };

/** The first `most` of the names that were added, each once. Memory does not grow with their number. */
class FirstNames {
  readonly #most: number;
  #names = new Map<string, FileKind>();
  /** The last name that was kept when others were dropped: no name after it is one of the first. */
  #last: string | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  add({ name, kind }: FileEntry): void {
    if (this.#last !== undefined && name > this.#last) return;
    // One of several listings is surely of this directory, but not known which.
    const known = this.#names.get(name) ?? kind;
    this.#names.set(name, known === kind ? kind : "other");
    if (this.#names.size <= 2 * this.#most) return;
    const kept = this.sorted();
    this.#names = new Map(kept.map((name) => [name, this.kindOf(name)]));
    this.#last = kept.at(-1);
  }

  sorted(): readonly string[] {
    return [...this.#names.keys()].sort().slice(0, this.#most);
  }

  /** The kind of a name; `"other"` if listings differ. */
  kindOf(name: string): FileKind {
    return this.#names.get(name) ?? "other";
  }

  /** Whether these are all names that were added. */
  get isAll(): boolean {
    return this.#last === undefined && this.#names.size <= this.#most;
  }
}

/** What a scan of a directory found besides the names that it added. */
interface Scanned {
  /** How many names may be shown. */
  readonly scanned: number;
  /** The first entries that a rule denies, of those that are wanted. */
  readonly denied: readonly FileEntry[];
  /** How many others it denies. */
  readonly otherDenied: number;
  /** Why names were left out. */
  readonly omitted: readonly ("denied" | "not Unicode")[];
}

/** Adds the names of a directory from a name on. */
async function scanInto(
  first: FirstNames,
  { root, call }: Attempt,
  lister: Lister,
  path: string,
  { from, most, isWanted }: BatchRequest,
): Promise<Scanned> {
  const omitted = new Set<"denied" | "not Unicode">();
  const firstDenied = new FirstNames(most);
  let scanned = 0;
  let deniedCount = 0;
  const listing = batchesIn(lister, path, Infinity, call.signal);
  const batches = listing[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await call.wait(batches.next());
      if (done) break;
      for (const entry of value) {
        // A glob may take milliseconds for each name.
        const yielding = call.yieldIfDue();
        if (isPromise(yielding)) await yielding;
        const { name } = entry;
        if (name < from || isDots(name)) continue;
        if (!isName(name)) {
          omitted.add("not Unicode");
          continue;
        }
        const denial = denialOf(root.deny, join(path, name));
        if (denial?.mode === "refuse") {
          omitted.add("denied");
          if (!isWanted(entry)) continue;
          firstDenied.add(entry);
          deniedCount++;
        }
        if (denial !== undefined) continue;
        scanned++;
        if (isWanted(entry)) first.add(entry);
      }
      await call.yieldIfDue();
    }
  } catch (error) {
    // It was a directory a moment ago.
    throw isGone(error) ? changedError(call) : error;
  } finally {
    // Do not wait for a disk that hangs.
    void batches.return?.()?.catch(() => {});
  }
  const denied = firstDenied.sorted()
    .map((name) => ({ name, kind: firstDenied.kindOf(name) }));
  const otherDenied = deniedCount - denied.length;
  return { scanned, denied, otherDenied, omitted: [...omitted].sort() };
}

/** Asks about a directory; a failure is confirmed before it is thrown. */
async function askOrConfirm<T>(
  attempt: Attempt,
  trail: Trail,
  ask: () => Awaitable<T>,
) {
  try {
    return await attempt.call.wait(ask());
  } catch (error) {
    if (!(error instanceof ReadFileError) && !isGone(error)) {
      // Ask again: if that succeeds, the failure came from another directory.
      const again = async () => void await ask();
      await confirm(attempt, trail, [{ ask: again, answer: codeOf(error) }]);
    }
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)$/.test(codeOf(error));
}

/** Whether a name can be asked for again: U+FFFD may stand for bytes that are not UTF-8. */
function isName(name: string): boolean {
  return name.isWellFormed() && !/^$|[/\0\uFFFD]/.test(name);
}

function isDots(name: string): boolean {
  return name === "." || name === "..";
}

function byName(one: FileEntry, other: FileEntry): number {
  return one.name < other.name ? -1 : 1;
}

/** The entries of a directory that may be shown, and how many names were read. */
interface ListedNames {
  readonly entries: readonly FileEntry[];
  readonly namesRead: number;
}

/** A cache of listings that concurrent searches share: a batch of wrong paths lists each directory once. */
export class Listings {
  readonly #pending = new Map<
    string,
    { readonly most: number; readonly listing: Promise<ListedNames> }
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
    attempt: Attempt,
    names: Names,
    most: number,
  ): Promise<ListedNames> {
    const key = names.join("/");
    let pending = this.#pending.get(key);
    if (pending === undefined || pending.most < most) {
      // A call without a signal: one search may be aborted while another still waits for the listing.
      const call = new Call(attempt.call.path);
      pending = { most, listing: listBelow({ ...attempt, call }, names, most) };
      this.#pending.set(key, pending);
    }
    return await attempt.call.wait(pending.listing);
  }
}

/** Lists a directory, and proves that the listing is of this directory. */
async function listBelow(attempt: Attempt, names: Names, most: number) {
  const { fs, root, call } = attempt;
  if (fs.list === undefined) return { entries: [], namesRead: 0 };
  const trail = await resolve(attempt, names);
  const { path } = trail.at(-1)!;
  /** The first entries. A failure ends the list: its names are only candidates for suggestions. */
  const ask = async () => {
    const first: FileEntry[] = [];
    try {
      for await (const batch of batchesIn(fs, path, most)) {
        for (const entry of batch) {
          if (first.push(entry) === most) return first;
        }
      }
    } catch {
      // A part of the directory may have been listed.
    }
    return first;
  };
  const listed = await ask();
  await confirm(attempt, trail, [{ ask, answer: JSON.stringify(listed) }]);
  const entries: FileEntry[] = [];
  for (const entry of listed) {
    const yielding = call.yieldIfDue();
    if (isPromise(yielding)) await yielding;
    const { name } = entry;
    const isShown = isName(name) && !isDots(name) &&
      denialOf(root.deny, join(path, name)) === undefined;
    if (isShown) entries.push(entry);
  }
  // The order of the port could reveal hidden names.
  entries.sort(byName);
  return { entries, namesRead: listed.length };
}

/** The entries of a directory, in batches; `most` of them are enough. */
export async function* batchesIn(
  fs: Lister,
  path: string,
  most: number,
  signal?: AbortSignal,
): AsyncIterable<readonly FileEntry[]> {
  if (fs.list === undefined) {
    throw Object.assign(new Error(), { code: "ENOSYS" });
  }
  const listing = await fs.list(path, most, signal);
  yield* Symbol.asyncIterator in listing ? listing : [listing];
}
