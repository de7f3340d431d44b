import { Call, runInSteps } from "../../core/base/call.ts";
import { noteOf } from "../../core/pages/frame.ts";
import { withoutEtag } from "../../core/pages/page.ts";
import { shareAmounts } from "../../core/share.ts";
import {
  boundsOf,
  fits,
  isOverdrawn,
  minus,
  NOTHING,
  plus,
  type Size,
  sizeOf,
  smaller,
} from "./bounds.ts";
import { fitChanges, readChanged } from "./changed.ts";
import { readOrLookAlike } from "./look_alike.ts";
import {
  fitPage,
  type FittedPage,
  type PageCall,
  readWhole,
} from "./page_call.ts";
import type { PlainAnswer, ReaderCall } from "./tool_plan.ts";
import type { Json } from "../../core/base/check.ts";
import { isOfTree, searchFiles } from "./search_files.ts";

/** One of the files of a call, or some lines of one: it was read, and can be shown within any bounds. */
export interface Part {
  /** The arguments of the call that reads only this file. */
  readonly next: Json;
  show(bounds: Size): Promise<ShownPart>;
}

/** A part within bounds. */
export interface ShownPart extends PlainAnswer {
  /** The text as it is sent within bounds, called once: a session leaves out what it showed before. */
  send?(bounds: Size): string;
}

/** How many files of a call are open at once. */
const MOST_OPEN = 4;

/** Does some work for each item, for a few at a time; the results are in the order of the items. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item, at);
  };
  await Promise.all(Array.from({ length: MOST_OPEN }, worker));
  return results;
}

/** How the text of a part is sent; as it is by default. */
type Send = (fitted: FittedPage, call: PageCall) => string;

/**
 * Reads the pages of the calls for one file, as parts of an answer. Each page has
 * its own options and is read by itself, so the file is opened for each of them:
 * all must be of the version that the first one is of, or this is `CHANGED`.
 */
export async function readParts(
  calls: readonly PageCall[],
  send?: Send,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let etag: string | undefined;
  /** The path of the file, if it only looks like the one of the calls. */
  let meant: { readonly path?: string } = {};
  for (const call of calls) {
    if (call.changes !== undefined) {
      parts.push(await readChangedPart(call, call.changes));
      continue;
    }
    try {
      const asked = { ...call, ...meant };
      const { part, page } = await readPart(asked, etag, send);
      meant = { path: page.path };
      if (calls.length > 1) etag ??= page.etag;
      parts.push(part);
    } catch (error) {
      if (!isOfTree(error, call)) throw error;
      parts.push(await call.roots.at(call.asked, () => searchFiles(call)));
    }
  }
  return parts;
}

/** Compares the lines of a call with a revision. */
async function readChangedPart(call: PageCall, rev: string): Promise<Part> {
  const { asked: path, given, maxChars } = call;
  const changes = await readChanged(call, rev);
  return {
    next: { path, ...given, maxChars },
    show: (bounds) => {
      const within = { ...call, bounds: boundsOf(maxChars, bounds) };
      return fitChanges(changes, within);
    },
  };
}

/** Reads the page of a call, of the version of an etag if there is one. */
async function readPart(
  call: PageCall,
  etag: string | undefined,
  send?: Send,
) {
  const { asked: path, given, maxChars, roots, options } = call;
  const version = etag === undefined ? {} : { etag };
  const checked = { ...call, options: { ...options, ...version } };
  const read = await roots.at(
    path,
    () => readOrLookAlike(checked, readWhole),
  );
  // What the page says of itself is what a call of its own would say.
  const page = options.etag === undefined ? withoutEtag(read) : read;
  const within = (bounds: Size) => ({
    ...call,
    bounds: boundsOf(maxChars, bounds),
  });
  const part: Part = {
    next: { path, ...given, maxChars },
    async show(bounds) {
      const fitted = await fitPage(page, within(bounds));
      const { text, facts } = fitted;
      if (send === undefined) return { text, facts };
      return { text, facts, send: (bounds) => send(fitted, within(bounds)) };
    },
  };
  return { part, page };
}

/** The answer of a call for several parts. */
interface BatchAnswer {
  readonly text: string;
  /** The facts of each part, also of those that were left out. */
  readonly parts: readonly Json[];
}

const GAP = "\n\n";

/** What a gap takes between two texts: an empty line. */
const GAP_SIZE: Size = { chars: 2, bytes: 2, lines: 1 };

/** The smallest page worth its frame and the call that goes on; if it does not fit, the file is left for another call. */
const LEAST: Size = { chars: 3000, bytes: 6000, lines: 40 };

/** The least share: {@linkcode countKept} has left out those that would have too little. */
const SMALLEST: Size = { chars: 1, bytes: 1, lines: 1 };

/** Says which parts are not read, in an answer of so many characters, and names the call that reads them. */
export type NameLeft = (left: readonly Part[], chars: number) => string;

/** How that text begins. */
export const NOT_READ = "Not read, since the answer is full";

/** Writes the answer; the whole of it is within the bounds of the call. */
export async function writeBatch(
  parts: readonly Part[],
  { bounds, notes, signal }: ReaderCall,
  nameLeft: NameLeft,
): Promise<BatchAnswer> {
  const call = new Call("", signal);
  /** Shows parts one after the other: all at once, they would block the event loop. */
  async function showEach(
    show: (part: Part, at: number) => Promise<ShownPart> | ShownPart,
    count: number,
  ): Promise<readonly ShownPart[]> {
    const shown: ShownPart[] = [];
    for (const [at, part] of parts.slice(0, count).entries()) {
      await call.yieldThenCheck();
      shown.push(await show(part, at));
    }
    return shown;
  }
  // What each file takes if it is alone.
  const alone = await showEach((part) => part.show(bounds), parts.length);
  const needs = alone.map(({ text }) => plus(sizeOf(text), GAP_SIZE));
  const before = notes.map((note) => `${noteOf(note)}\n`).join("");
  const all = minus(bounds, { ...sizeOf(before), lines: notes.length });
  const most = countKept(needs, all, nameLeft(parts, all.chars));
  for (let count = most;; count--) {
    const left = parts.slice(count);
    const after = left.length > 0 ? [nameLeft(left, all.chars)] : [];
    const room = roomIn(all, after);
    const own = needs.slice(0, count);
    const shares = await runInSteps(shareAmounts(own, room, SMALLEST), call);
    const kept = await showEach((part, at) => {
      const share = shares[at] ?? NOTHING;
      return fits(needs[at]!, share)
        ? alone[at]!
        : part.show(minus(share, GAP_SIZE));
    }, count);
    const write = (texts: readonly string[]) =>
      before + [...texts, ...after].join(GAP);
    const text = write(kept.map(({ text }) => text));
    if (count > 1 && !fits(sizeOf(text), bounds)) continue;
    const sent = kept.map((part, at) =>
      part.send?.(minus(shares[at] ?? NOTHING, GAP_SIZE)) ?? part.text
    );
    const skipped = left.map(({ next }) => ({ path: next.path, next }));
    const facts = [...kept.map(({ facts }) => facts), ...skipped];
    return { text: write(sent), parts: facts };
  }
}

/** What the parts may take, each with a gap: before the text after them, or at the end, where there is none. */
function roomIn(all: Size, after: readonly string[]): Size {
  const [text] = after;
  return text === undefined ? plus(all, GAP_SIZE) : minus(all, sizeOf(text));
}

/** How many of the parts, from the first on, have room for a page each; at least one. Those after them are left out together, since the text names them. `after` is the longest text about those that have not. */
function countKept(needs: readonly Size[], all: Size, after: string): number {
  const { chars, bytes, lines } = all;
  // In a small answer, a page may have a quarter of it.
  const least = smaller(LEAST, {
    chars: Math.floor(chars / 4),
    bytes: Math.floor(bytes / 4),
    lines: Math.max(4, Math.floor(lines / 4)),
  });
  const countIn = (room: Size): number => {
    let left = room;
    const count = needs.findIndex((need) => {
      left = minus(left, smaller(need, least));
      return isOverdrawn(left);
    });
    return count < 0 ? needs.length : count;
  };
  if (countIn(roomIn(all, [])) === needs.length) return needs.length;
  return Math.max(1, countIn(roomIn(all, [after])));
}
