// Runtime-agnostic.
import { Call, isPromise } from "../base/call.ts";
import { batchesIn } from "../base/errno.ts";
import { confirm, type Visit } from "./proof.ts";
import type { FileEntry, FsPort } from "../base/port.ts";
import { denialOf } from "./deny.ts";
// Loaded with this module: Deno ends the process if it loads two modules at once
// while too many files are open. A listing then loads only list.ts.
import { byName, isName } from "./lister.ts";
import { join } from "./path.ts";
import { resolve } from "./walk.ts";

/** The entries of a directory that may be shown, and how many names were read. */
interface Listing {
  readonly entries: readonly FileEntry[];
  readonly looked: number;
}

/** A cache of listings that concurrent searches share: a batch of wrong paths lists each directory once. */
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
async function listBelow(visit: Visit, names: readonly string[], most: number) {
  const { fs, root, call } = visit;
  if (fs.list === undefined) return { entries: [], looked: 0 };
  const trail = await resolve(visit, names);
  const { path } = trail.at(-1)!;
  const ask = () => firstEntries(fs, path, most);
  const listed = await ask();
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
  // The order of the port could reveal hidden names.
  entries.sort(byName);
  return { entries, looked: listed.length };
}

/** The first entries of a directory, before any failure: they are only candidates. */
async function firstEntries(fs: FsPort, path: string, most: number) {
  const entries: FileEntry[] = [];
  try {
    for await (const batch of batchesIn(fs, path, most)) {
      for (const entry of batch) {
        if (entries.push(entry) === most) return entries;
      }
    }
  } catch {
    // A part of the directory may have been listed.
  }
  return entries;
}
