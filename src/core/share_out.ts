// Runtime-agnostic.
import { ReadFileError } from "./base/errors.ts";
import type { Awaitable } from "./base/port.ts";
import { MAX_UNIT_BYTES } from "./lines/columns.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import type { ErrorAnswer, PageAnswer } from "./read_many.ts";
import type { ReadLimits } from "./read_page.ts";
import type { FileRoot } from "./workspace.ts";

/** A request, and its answer so far. */
export interface Work {
  readonly workspace: FileRoot;
  readonly path: string;
  readonly options: PageOptions;
  answer?: PageAnswer | ErrorAnswer | undefined;
}

/** The limit that the requests share. */
export interface Budget {
  /** The option that bounds a page. */
  readonly unit: "maxBytes" | "maxTokens";
  readonly measure: (page: Page) => number;
  readonly most: number;
  /** The most bytes of each page, where tokens are shared. */
  readonly maxBytes: number;
  readonly limits: ReadLimits;
}

/** What `read` gives, or its failure as an answer; an abort ends the whole call. */
export async function orError<T>(
  read: () => Awaitable<T>,
): Promise<T | ErrorAnswer> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
    return { kind: "error", path: error.path, error };
  }
}

/** Reads requests, each within a share of the limit. */
export type ReadAll = (works: readonly Work[], share: number) => Promise<void>;

/** Reads all requests with an even share, then again with what whole pages left over, until the share stops growing. */
export async function shareOut(
  works: readonly Work[],
  budget: Budget,
  readAll: ReadAll,
): Promise<void> {
  let [open, left, before] = [works, budget.most, 0];
  // With a minimum share of one character, small files prove that they fit.
  let share = Math.max(LEAST_SHARE, Math.floor(left / works.length));
  while (open.length > 0 && share > before) {
    await readAll(open, share);
    before = share;
    [open, left] = settle(open, left, share, budget);
    share = shareOf(left, open.map((work) => atMost(work, budget)));
  }
}

/** Removes whole pages, the smallest first, and the pages that do not fit; returns the others, and what is left for them. */
function settle(
  open: readonly Work[],
  left: number,
  share: number,
  budget: Budget,
): [open: readonly Work[], left: number] {
  const shown = new Map(open.map((work) => [work, shownBy(work, budget)]));
  const whole = open.filter((work) => isWhole(work, share, budget))
    .sort((one, other) => shown.get(one)! - shown.get(other)!);
  const settled = new Set<Work>();
  for (const work of whole) {
    if (shown.get(work)! > left) break;
    left -= shown.get(work)!;
    settled.add(work);
  }
  const others = open.filter((work) => !settled.has(work));
  // The last requests are skipped first.
  const room = Math.floor(left / LEAST_SHARE);
  for (const work of others.slice(room)) work.answer = undefined;
  return [others.slice(0, room), left];
}

/** The largest equal share of `left`, if none takes more than it needs. */
function shareOf(left: number, needs: readonly number[]): number {
  let open = needs.length;
  let share = 0;
  for (const need of needs.toSorted((one, other) => one - other)) {
    const even = Math.floor(left / open);
    if (need > even) return even;
    share = need;
    left -= need;
    open--;
  }
  return share;
}

/** A page holds at least one character. */
export const LEAST_SHARE = MAX_UNIT_BYTES;

/** The longest ending of a line. */
const CR_LF_BYTES = 2;

/** Whether a larger share would show no more. */
function isWhole(
  { options, answer }: Work,
  share: number,
  budget: Budget,
): boolean {
  if (answer?.kind !== "page") return true;
  const { next, lines: [first], hits } = answer.page;
  const { [budget.unit]: most = Infinity, count, width, limit } = options;
  if (most <= share || next === null || first === undefined) return true;
  if (hits !== undefined) return hits.lines.length === limit;
  const { start = 1, column = 1 } = next;
  if (width === undefined) return start - first.number === count;
  if (start > first.number) return true;
  // What is left may be a line ending that did not fit.
  const isFull = column - first.column === width;
  return isFull && shownBy({ answer }, budget) + CR_LF_BYTES <= share;
}

/** How much of the budget an answer takes. */
export function shownBy(
  { answer }: Pick<Work, "answer">,
  { measure }: Budget,
): number {
  return answer?.kind === "page" ? measure(answer.page) : 0;
}

/** The most that a request could show; no text has more tokens than bytes. */
function atMost({ options, answer }: Work, { unit }: Budget): number {
  if (answer?.kind !== "page") return 0;
  const { size, shown } = answer.page;
  return Math.min(options[unit] ?? Infinity, size - shown.start);
}
