// Runtime-agnostic.
import { Call } from "../base/call.ts";
import { type FileEntry, isPromise } from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join } from "./path.ts";
import { confirm, type Visit } from "./proof.ts";
import { resolve } from "./walk.ts";

/** What a directory holds that may be told. */
export interface Listing {
  /** Sorted by name: the port's own order could tell what else is there. */
  readonly entries: readonly FileEntry[];
  /** How many names were looked at. */
  readonly looked: number;
}

/** A listing on its way, and how many names it may look at. */
interface Pending {
  readonly most: number;
  readonly listing: Promise<Listing>;
}

/**
 * Lists directories below a root. Searches that run at the same time share the
 * listings, so that a batch of wrong paths lists each directory once.
 */
export class Listings {
  readonly #pending = new Map<string, Pending>();
  #searches = 0;

  /** Runs a search; when the last one ends, its listings are dropped. */
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
  const steps = [...root.trail, ...trail.slice(1)];
  await confirm(visit, steps, [{ ask, answer: JSON.stringify(listed) }]);
  const entries: FileEntry[] = [];
  for (const entry of listed) {
    const turn = call.breathe();
    if (isPromise(turn)) await turn;
    const { name } = entry;
    if (!isName(name)) continue;
    if (denialOf(root.deny, join(path, name)) === undefined) {
      entries.push(entry);
    }
  }
  entries.sort((one, other) => one.name < other.name ? -1 : 1);
  return { entries, looked: listed.length };
}

/** Whether a name can be asked for again: U+FFFD may stand for bytes that are no UTF-8. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.isWellFormed() &&
    !/[/\0\uFFFD]/.test(name);
}
