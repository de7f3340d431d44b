// Runtime-agnostic.
import { type Rules, takeOptions } from "./base/check.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import { boundTokens } from "./base/tokens.ts";
import { textOf } from "./cost.ts";
import { MAX_CHAR_BYTES } from "./lines/columns.ts";
import { LazyPage } from "./pages/make.ts";
import { given, shownBytes } from "./pages/page.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { type ReadLimits, readPage } from "./read_page.ts";
import { orError, refuseTo, takeHits, takeRequests } from "./requests.ts";
import type {
  ErrorAnswer,
  FoundLine,
  GlobRequest,
  PageRequest,
  Task,
} from "./requests.ts";
import type { FileRoot } from "./file_root.ts";

/** Options for {@linkcode Workspace.readMany}. */
export interface ReadManyOptions extends ReadLimits {
  /** The most bytes to show of all files together; no limit by default. If `maxTokens` is given too, no file gets more than an equal part of these bytes. */
  readonly maxBytes?: number | undefined;
  /** The most tokens to show of all files together, as {@linkcode PageOptions.maxTokens} counts them. */
  readonly maxTokens?: number | undefined;
  /** The most files to read; those after them are skipped, each with its `next`. */
  readonly maxFiles?: number | undefined;
}

/** A page that was read. */
export interface PageAnswer {
  /** Always `"page"`. */
  readonly kind: "page";
  /** The path as it was asked for. */
  readonly path: string;
  /** The page; its `next` gives what did not fit. */
  readonly page: Page;
}

/** A page that did not fit. */
export interface SkippedAnswer {
  /** Always `"skipped"`. */
  readonly kind: "skipped";
  /** The path as it was asked for. */
  readonly path: string;
  /** The options of the call that reads it, as plain JSON. */
  readonly next: PageOptions;
}

/** The answer to one of several requests. */
export type ManyAnswer = PageAnswer | ErrorAnswer | SkippedAnswer;

/** Options for {@linkcode Workspace.readAround}. */
export interface ReadAroundOptions extends ReadManyOptions {
  /** How many lines to show before each found line; 3 by default. */
  readonly before?: number | undefined;
  /** How many lines to show after each found line; 3 by default. */
  readonly after?: number | undefined;
}

/** Reads several pages within one limit. */
export async function readMany(
  workspace: FileRoot,
  requests: readonly (PageRequest | GlobRequest)[],
  input: ReadManyOptions,
): Promise<ManyAnswer[]> {
  const refuse = refuseTo("read several files");
  const options = takeOptions(input, MANY_RULES, refuse);
  const taken = await takeRequests(workspace, requests, refuse, options.signal);
  const tasks = taken.map((task): Sharer => ({ ...task, shown: 0 }));
  const open = tasks.filter(({ answer }) => answer === undefined)
    .slice(0, mostFiles(options));
  await shareOut(workspace, open, budgetOf(options, open.length));
  return tasks.map((task) => finish(task, options));
}

const MOST = { least: 1, unlimited: true } as const;

const MANY_RULES: Rules<ReadManyOptions> = {
  maxBytes: MOST,
  maxTokens: MOST,
  maxFiles: MOST,
  signal: "signal",
  countTokens: "function",
};

/** A request, and how much of the budget its answer takes. */
interface Sharer extends Task {
  shown: number;
}

/** The limit that the requests share. */
interface Budget {
  /** The option that bounds a page. */
  readonly unit: "maxBytes" | "maxTokens";
  readonly most: number;
  readonly measure: (page: Page) => number;
  /** The most bytes of each page, where tokens are shared. */
  readonly pageBytes?: number;
  readonly limits: ReadLimits;
}

/** The most files to read, so that with `maxTokens` each has a share of the bytes. */
function mostFiles(
  { maxFiles = Infinity, maxBytes = Infinity, maxTokens }: ReadManyOptions,
): number {
  if (maxTokens === undefined) return maxFiles;
  return Math.min(maxFiles, Math.max(1, Math.floor(maxBytes / LEAST_SHARE)));
}

/** The limits of a call that reads `count` files. */
function budgetOf(
  { maxBytes = Infinity, maxTokens, signal, countTokens }: ReadManyOptions,
  count: number,
): Budget {
  const limits = { signal, countTokens };
  if (maxTokens === undefined) {
    return { unit: "maxBytes", most: maxBytes, measure: shownBytes, limits };
  }
  const pageBytes = Math.floor(maxBytes / count);
  const measure = (page: Page) => {
    // A page shows at least one character, which may take more bytes than its share.
    // Such a page never fits.
    if (shownBytes(page) > pageBytes) return Infinity;
    return (countTokens ?? boundTokens)(textOf(page.lines));
  };
  return { unit: "maxTokens", most: maxTokens, measure, pageBytes, limits };
}

/**
 * Shares the budget by max-min fairness: a page gets what it needs, if that is less
 * than an equal share, and the others get equal shares of the rest. A page is whole
 * if a larger share would not extend it; then it shows what it needs. So each round
 * reads the open requests with one share, and settles the whole pages. What these
 * leave over raises the next share, until it stops growing. After each round, the
 * settled pages and `left` make up the budget, and `left` has room for a minimum
 * share of each open request.
 */
async function shareOut(
  workspace: FileRoot,
  tasks: readonly Sharer[],
  budget: Budget,
): Promise<void> {
  let open = tasks;
  let left = budget.most;
  let previous = 0;
  // Never less than one character, even if there are more files than bytes: a tiny
  // file can then still be shown whole.
  let share = Math.max(LEAST_SHARE, Math.floor(left / tasks.length));
  while (open.length > 0 && share > previous) {
    await readAll(workspace, open, share, budget);
    // Whole pages are settled, the smallest first, as long as they fit.
    const whole = open.filter((task) => isWhole(task, share, budget))
      .sort((one, other) => one.shown - other.shown);
    const settled = new Set<Sharer>();
    for (const task of whole) {
      if (task.shown > left) break;
      left -= task.shown;
      settled.add(task);
    }
    // Without room for a minimum share of each of the others, the last are skipped.
    const others = open.filter((task) => !settled.has(task));
    const room = Math.floor(left / LEAST_SHARE);
    open = others.slice(0, room);
    others.slice(room).forEach(skip);
    previous = share;
    share = fairShare(left, open.map((task) => atMost(task, budget)));
  }
  // A page shows at least one character, which may take more than its share.
  for (const task of open) {
    if (task.shown > left) skip(task);
    else left -= task.shown;
  }
  // Each call shows something, so that repeated calls come to an end.
  const isEmpty = tasks.every(({ shown }) => shown === 0);
  if (isEmpty) await showOne(workspace, tasks, budget);
}

function skip(task: Sharer): void {
  task.answer = undefined;
  task.shown = 0;
}

/** Shows the first skipped page that fits; if none fits, one character of the first. */
async function showOne(
  workspace: FileRoot,
  tasks: readonly Sharer[],
  budget: Budget,
): Promise<void> {
  const skipped = tasks.filter(({ answer }) => answer === undefined);
  for (const task of skipped) {
    await readAll(workspace, [task], budget.most, budget);
    if (task.shown <= budget.most) return;
    skip(task);
  }
  await readAll(workspace, skipped.slice(0, 1), budget.most, budget);
}

/** Reads a page of at most `share` of the budget for each request. */
async function readAll(
  workspace: FileRoot,
  tasks: readonly Sharer[],
  share: number,
  { unit, pageBytes = Infinity, measure, limits }: Budget,
): Promise<void> {
  const readOne = async (task: Sharer) => {
    const { path, options } = task;
    task.shown = 0;
    const limited = given({
      ...options,
      maxBytes: Math.min(options.maxBytes ?? Infinity, pageBytes),
      [unit]: Math.min(options[unit] ?? Infinity, share),
    });
    const page = await readPage(workspace, path, limited, limits);
    task.shown = measure(page);
    return { kind: "page", path, page } as const;
  };
  const queue = tasks.values();
  const lane = async () => {
    for (const task of queue) task.answer = await orError(() => readOne(task));
  };
  // More lanes would only wait for the semaphore, and delay an abort.
  await Promise.all(Array.from({ length: MAX_OPEN_FILES }, lane));
}

/** The largest equal share of `left`, if none takes more than it needs: water-filling. */
function fairShare(left: number, needs: readonly number[]): number {
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

/** The least share of a file: most characters fit into it. */
const LEAST_SHARE = MAX_CHAR_BYTES;

/** The longest ending of a line. */
const CR_LF_BYTES = 2;

/** Whether a larger share would not extend the page. */
function isWhole(
  { options, answer, shown }: Sharer,
  share: number,
  budget: Budget,
): boolean {
  if (answer?.kind !== "page") return true;
  const { next, lines: [first], hits, encoding } = answer.page;
  const { count, width, limit } = options;
  // Its own limits allow no more than this share.
  if (limitOf(options, answer.page, budget) <= share) return true;
  // There was nothing to show.
  if (first === undefined) return true;
  if (LazyPage.isShrunk(answer.page)) return false;
  // Nothing follows that was asked for.
  if (next === null) return true;
  // More follows. The page is whole if it shows all hits, lines or columns that were
  // asked for.
  if (hits !== undefined) return hits.lines.length === limit;
  const { start = 1, column = 1 } = next;
  if (width === undefined) return start - first.number === count;
  // With `width`, a page shows only one line: it is complete if `next` is on a later one.
  if (start > first.number) return true;
  // The line goes on. The page is whole if all columns are shown, and the line ending
  // had room too.
  const isFull = column - first.column === width;
  const unit = encoding.label.startsWith("utf-16") ? 2 : 1;
  return isFull && shown + CR_LF_BYTES * unit <= share;
}

/** The most that a request could show. */
function atMost({ options, answer }: Task, budget: Budget): number {
  if (answer?.kind !== "page") return 0;
  const { page } = answer;
  const limit = limitOf(options, page, budget);
  if (!costsAtMostItsBytes(page, budget)) return limit;
  // A larger share may show lines above the first hit.
  const start = LazyPage.isShrunk(page) ? 0 : page.shown.start;
  return Math.min(limit, page.size - start);
}

/** The most that the limits of a request let it show. */
function limitOf(options: PageOptions, page: Page, budget: Budget): number {
  const { unit, pageBytes = Infinity } = budget;
  const limit = options[unit] ?? Infinity;
  if (!costsAtMostItsBytes(page, budget)) return limit;
  return Math.min(limit, options.maxBytes ?? Infinity, pageBytes);
}

/** Whether a page takes no more of the budget than it has bytes. */
function costsAtMostItsBytes(
  { exact, encoding }: Page,
  { unit }: Budget,
): boolean {
  // A text has at most as many tokens as it has bytes in UTF-8. In another encoding, or
  // with U+FFFD for an invalid byte, the file may have fewer bytes than that.
  return unit === "maxBytes" || exact && encoding.label === "utf-8";
}

/** Sets the limits in `next` to those of the call, instead of the file's share. */
function finish(
  { path, options, answer }: Task,
  callOptions: ReadManyOptions,
): ManyAnswer {
  const limits = given({
    maxBytes: options.maxBytes ?? callOptions.maxBytes,
    maxTokens: options.maxTokens ?? callOptions.maxTokens,
  });
  if (answer === undefined) {
    return { kind: "skipped", path, next: { ...options, ...limits } };
  }
  if (answer.kind === "error") return answer;
  return { ...answer, page: LazyPage.withLimits(answer.page, limits) };
}

/** The lines before and after a hit, by default. */
const AROUND = 3;

/** Reads the lines around hits, a page for each file. */
export async function readAround(
  workspace: FileRoot,
  hits: readonly FoundLine[],
  input: ReadAroundOptions,
): Promise<ManyAnswer[]> {
  const refuse = refuseTo("read around hits");
  const rules = { before: { least: 0 }, after: { least: 0 }, ...MANY_RULES };
  const taken = takeOptions(input, rules, refuse);
  const { before = AROUND, after = AROUND, ...options } = taken;
  const files = await takeHits(hits, refuse, options.signal);
  const requests = files.map((file) => ({ ...file, before, after }));
  return await readMany(workspace, requests, options);
}
