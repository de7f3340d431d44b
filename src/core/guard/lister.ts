// Runtime-agnostic.
import { isPromise } from "../base/call.ts";
import { batchesIn, codeOf, fromPort } from "../base/errno.ts";
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { OPEN_RETRIES } from "../base/limits.ts";
import {
  challenge,
  changedError,
  changeOf,
  confirm,
  describeAgain,
  isAtRest,
} from "./proof.ts";
import type { Step, Trail, Visit } from "./proof.ts";
import type { Awaitable, FileEntry } from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join } from "./path.ts";
import { resolve } from "./walk.ts";

interface Wanted {
  /** The directory, from the root. */
  readonly names: readonly string[];
  /** The first name that may be listed. */
  readonly from: string;
  readonly most: number;
  /** Whether to list an entry; its kind is `"other"` while it is unknown. */
  readonly isWanted: (entry: FileEntry) => boolean;
}

/** What one look through a directory found. */
type Scan = Awaited<ReturnType<typeof scanOnce>>;
type Found = Step & { readonly name: string };
type Omission = "denied" | "not Unicode";

/** How many names are matched between two checks of the time slice: a glob may take a millisecond for each. */
const NAMES_A_BREATH = 4;

/** Lists a part of a directory, and never names from outside; retries if it changes meanwhile. */
export async function listBatch(visit: Omit<Visit, "since">, request: Wanted) {
  for (let retries = OPEN_RETRIES;; retries--) {
    try {
      // Sample the clock before `lstat`; later would make a fresh change look old.
      return await listOnce({ ...visit, since: Date.now() }, request);
    } catch (error) {
      const failure = fromPort(error, visit.call.path);
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
async function listOnce(visit: Visit, request: Wanted) {
  const { root, call, since } = visit;
  const trail = await resolve(visit, request.names);
  const { path, stat: { kind } } = trail.at(-1)!;
  if (kind !== "directory") {
    await confirm(visit, trail, []);
    const problem = kind === "file"
      ? "names a file; name a directory, or read it"
      : "names no directory";
    // The hint of this code is about files.
    throw invalidPath(call.path, problem, { hint: null });
  }
  // The stats of the root are as old as the workspace.
  const top = await describeAgain(visit, root.trail, "last");
  const way = [...top, ...trail.slice(root.trail.length)];
  const scan = () => scanOnce(visit, path, request);
  const first = await confirmed(visit, way, scan);
  const isQuiet = ({ stat }: Step) =>
    stat.fixed === true || isAtRest(stat, since);
  if (way.every(isQuiet)) {
    const entries = await findAll(visit, way, first, false);
    const again = await describeAgain(visit, way, "last");
    const isSame = again.every(({ stat }, at) =>
      stat.fixed === true || changeOf(way[at]!.stat, stat) === "same"
    );
    if (isSame) return batchOf(first, entries);
  }
  const whole = await relisted(visit, way, { first, scan, ...request });
  return batchOf(whole, await findAll(visit, way, whole, true));
}

/** The next batch begins at the name `next`; `undefined` at the end. */
function batchOf(scan: Scan, entries: readonly Found[]) {
  const { kept, isAll, scanned, omitted } = scan;
  const next = isAll ? undefined : nameAfter(kept);
  return { entries, next, scanned, omitted };
}

/** Describes the entries that are still there; challenges each answer if the directory changes. */
async function findAll(
  visit: Visit,
  way: Trail,
  { kept }: Scan,
  isChanging: boolean,
) {
  const { fs, call } = visit;
  const here = way.at(-1)!.path;
  const entries: Found[] = [];
  for (const { name } of kept) {
    const path = join(here, name);
    const look = () => fs.lstat(path, "last", call.signal);
    try {
      const stat = await confirmed(visit, way, look);
      const entry = { name, path, stat };
      if (isChanging) await challenge(visit, [...way, entry], []);
      entries.push(entry);
    } catch (error) {
      if (!isGone(error)) throw error;
      const gone = { ask: look, answer: codeOf(error) };
      if (isChanging) await challenge(visit, way, [gone]);
    }
    await call.breathe();
  }
  return entries;
}

/**
 * Finds the first entries from a name on, sorted, and why names were left out;
 * counts the names that may be shown. Memory does not grow with the directory.
 */
async function scanOnce(
  { fs, root, call }: Visit,
  path: string,
  { from, most, isWanted }: Wanted,
) {
  const omitted = new Set<Omission>();
  let scanned = 0;
  let found: ReturnType<typeof firstOf> = { kept: [], isAll: true };
  let fresh: FileEntry[] = [];
  /** Names from this one on are not among the first `most`. */
  let ceiling: string | undefined;
  const trim = () => {
    const { isAll } = found;
    found = firstOf([...found.kept, ...fresh], most, isAll);
    fresh = [];
    // The last of them may be listed again.
    if (found.kept.length === most) ceiling = nameAfter(found.kept);
  };
  /** Whether a name may be shown: it can be asked for, and is not denied. */
  const mayShow = (name: string): boolean => {
    if (!isName(name)) {
      omitted.add("not Unicode");
      return false;
    }
    const denial = denialOf(root.deny, join(path, name));
    if (denial?.mode === "refuse") omitted.add("denied");
    return denial === undefined;
  };
  const listing = batchesIn(fs, path, Infinity, call.signal);
  const batches = listing[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await call.wait(batches.next());
      if (done) break;
      for (const [at, entry] of value.entries()) {
        const turn = at % NAMES_A_BREATH === 0 ? call.breathe() : undefined;
        if (isPromise(turn)) await turn;
        const { name } = entry;
        if (name < from || name === "." || name === "..") continue;
        if (!mayShow(name)) continue;
        scanned++;
        if (!isWanted(entry)) continue;
        if (ceiling === undefined || name < ceiling) fresh.push(entry);
        else found = { ...found, isAll: false };
      }
      if (fresh.length > most) trim();
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
  return { ...found, scanned, omitted: [...omitted].sort() };
}

/** Asks about a directory; a failure is confirmed before it is thrown. */
async function confirmed<T>(visit: Visit, way: Trail, ask: () => Awaitable<T>) {
  try {
    return await visit.call.wait(ask());
  } catch (error) {
    if (!(error instanceof ReadFileError) && !isGone(error)) {
      // An answer proves that the failure was of another directory.
      const fails = async () => void await ask();
      await confirm(visit, way, [{ ask: fails, answer: codeOf(error) }]);
    }
    throw error;
  }
}

/**
 * Repeats the listing of a directory that changes among the questions of a
 * challenge. An attacker cannot tell which question is the listing, so at least
 * one listing is of this directory, and together they leave out none of its
 * names. They may have names of another one, which are not in this one.
 */
async function relisted(
  visit: Visit,
  way: Trail,
  { first, scan, most }: Pick<Wanted, "most"> & {
    readonly first: Scan;
    readonly scan: () => Promise<Scan>;
  },
): Promise<Scan> {
  const answer = JSON.stringify(first.omitted);
  let found: ReturnType<typeof firstOf> = first;
  const ask = async () => {
    const { kept, isAll, omitted } = await scan();
    const isBoth = found.isAll && isAll;
    found = firstOf([...found.kept, ...kept], most, isBoth);
    return JSON.stringify(omitted);
  };
  await challenge(visit, way, [{ ask, answer }], true);
  return { ...first, ...found };
}

/** The first `most` entries by name, each once: a directory that changes may list one twice. */
function firstOf(entries: FileEntry[], most: number, isAll: boolean) {
  const kept = entries.sort(byName)
    .filter(({ name }, at) => name !== entries[at - 1]?.name);
  return { kept: kept.slice(0, most), isAll: isAll && kept.length <= most };
}

/** The first name, in order, after all of these. */
function nameAfter(entries: readonly FileEntry[]): string {
  return `${entries.at(-1)!.name}\0`;
}

function isGone(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)$/.test(codeOf(error));
}

/** Whether a name can be asked for again: U+FFFD may stand for bytes that are not UTF-8. */
export function isName(name: string): boolean {
  return name.isWellFormed() && !/^$|[/\0\uFFFD]/.test(name);
}

export function byName(one: FileEntry, other: FileEntry): number {
  return one.name < other.name ? -1 : 1;
}
