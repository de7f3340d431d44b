// Runtime-agnostic.
import {
  checkValue,
  copyOf,
  listOf,
  type Rules,
  takeOptions,
} from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { readPage } from "./read_page.ts";
import { type FileRoot, type OpenOptions, WORKSPACE } from "./workspace.ts";
import {
  type Page,
  PAGE_RULES,
  type PageOptions,
  takePageOptions,
} from "./pages/page.ts";
import { MAX_UNIT_BYTES } from "./pages/columns.ts";

/** One of several pages to read: a path, and which part of that file. */
export interface PageRequest extends PageOptions {
  /** The path: from the root, or absolute below it. */
  readonly path: string;
  /** The workspace it is read in, if not the one of the call. */
  readonly workspace?: FileRoot;
}

/** Options for {@linkcode Workspace.readMany}. */
export interface ReadManyOptions extends OpenOptions {
  /** The most bytes to show of all files together; no limit by default. */
  readonly maxBytes?: number | undefined;
}

/** A page that was read. */
export interface PageAnswer {
  /** Always `"page"`. */
  readonly kind: "page";
  /** The path as it was asked for. */
  readonly path: string;
  /** The page; what did not fit follows by its own `next`. */
  readonly page: Page;
}

/** A page that could not be read. */
export interface ErrorAnswer {
  /** Always `"error"`. */
  readonly kind: "error";
  /** The path as it was asked for. */
  readonly path: string;
  /** Why, with `code` and `message`. */
  readonly error: ReadFileError;
}

/** A page for which there was no room. */
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

/** The largest equal share of `left`, if none takes more than it needs. */
function shareOf(left: number, needs: readonly number[]): number {
  let rest = left;
  let open = needs.length;
  let share = 0;
  for (const need of needs.toSorted((one, other) => one - other)) {
    const even = Math.floor(rest / open);
    if (need > even) return even;
    share = need;
    rest -= need;
    open--;
  }
  return share;
}

/** A request, and its answer so far. */
interface Work {
  readonly workspace: FileRoot;
  readonly path: string;
  readonly options: PageOptions;
  answer: PageAnswer | ErrorAnswer | undefined;
}

/** The requests that share the rest of the limit. */
interface Round {
  readonly open: readonly Work[];
  readonly left: number;
  /** The most bytes for each. */
  readonly share: number;
}

/** Reads several pages within one limit. */
export async function readMany(
  workspace: FileRoot,
  requests: readonly PageRequest[],
  asked: ReadManyOptions,
): Promise<ManyAnswer[]> {
  const options = takeOptions(asked, OPTIONS, badArgument);
  const { maxBytes: most = Infinity, signal } = options;
  const list = listOf(requests, "requests", badArgument, A_LIST);
  // A hole in an array is refused too.
  const works = list.map((request, at) =>
    workOf(request as PageRequest, `requests[${at}]`, workspace)
  );
  const readAll: ReadAll = async (some, share) => {
    await Promise.all(some.map(async (work) => {
      work.answer = await answerOf(work, share, { signal });
    }));
  };
  const open = works.filter(({ answer }) => answer === undefined);
  await shareOut(open, most, readAll);
  // Each call makes some progress, or repeated calls would never end.
  const first = works.find(({ answer }) => answer === undefined);
  if (first !== undefined && works.every((work) => shownBy(work) === 0)) {
    await readAll([first], most);
  }
  return works.map((work) => finish(work, most));
}

/** Reads requests, each within a share of the limit. */
type ReadAll = (works: readonly Work[], share: number) => Promise<void>;

/** Reads with an even share, and again with what whole pages leave, while the share grows. */
async function shareOut(
  works: readonly Work[],
  most: number,
  readAll: ReadAll,
): Promise<void> {
  // A minimum share of one character lets small files prove that they fit.
  const even = Math.max(LEAST_SHARE, Math.floor(most / works.length));
  let round: Round = { open: works, left: most, share: even };
  let before = 0;
  while (round.open.length > 0 && round.share > before) {
    await readAll(round.open, round.share);
    before = round.share;
    round = settle(round);
  }
}

/** Removes whole pages, the smallest first, and those for which there is no room. */
function settle({ open, left, share }: Round): Round {
  const whole = open.filter((work) => isWhole(work, share))
    .sort((one, other) => shownBy(one) - shownBy(other));
  const settled = new Set<Work>();
  let rest = left;
  for (const work of whole) {
    if (shownBy(work) > rest) break;
    rest -= shownBy(work);
    settled.add(work);
  }
  const others = open.filter((work) => !settled.has(work));
  // The last requests are skipped first.
  const room = Math.floor(rest / LEAST_SHARE);
  for (const work of others.slice(room)) work.answer = undefined;
  const kept = others.slice(0, room);
  return { open: kept, left: rest, share: shareOf(rest, kept.map(atMost)) };
}

/** Enough for the one character that a page holds at least. */
const LEAST_SHARE = MAX_UNIT_BYTES;

/** The longest ending of a line. */
const CR_LF_BYTES = 2;

const OPTIONS: Rules<ReadManyOptions> = {
  maxBytes: { least: 1, unlimited: true },
  signal: "signal",
};

const A_LIST = 'an array, such as [{ path: "a.txt" }]';

/** The failure of an argument that belongs to no path. */
function badArgument(argument: string, problem: string): ReadFileError {
  return new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
    words: {
      INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
        `Cannot read several files: ${argument} ${problem}`,
      ],
    },
  });
}

/** A function, since a bundler keeps an unused spread. */
const requestRules = (): Rules<PageRequest> => ({
  path: "any",
  workspace: "any",
  ...PAGE_RULES,
});

function workOf(request: PageRequest, name: string, asked: FileRoot): Work {
  try {
    const copy = copyOf(request, name, badArgument);
    const refuse = refuseArgument(copy.path);
    const taken = takeOptions(copy, requestRules(), refuse);
    const { path, workspace = asked, ...rest } = taken;
    checkValue(`${name}.path`, path, "text", badArgument);
    checkValue("workspace", workspace, WORKSPACE, refuse);
    const options = takePageOptions(path, rest);
    return { workspace, path, options, answer: undefined };
  } catch (failure) {
    if (!(failure instanceof ReadFileError)) throw failure;
    const { path } = failure;
    const answer = { kind: "error", path, error: failure } as const;
    return { workspace: asked, path, options: {}, answer };
  }
}

/** The page, of at most `share` bytes, or why there is none. */
async function answerOf(
  { workspace, path, options }: Work,
  share: number,
  limits: OpenOptions,
): Promise<PageAnswer | ErrorAnswer> {
  try {
    const isFree = share >= (options.maxBytes ?? Infinity);
    const asked = isFree ? options : { ...options, maxBytes: share };
    const page = await readPage(workspace, path, asked, limits);
    return { kind: "page", path, page };
  } catch (error) {
    // An abort is for all of them.
    if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
    return { kind: "error", path: error.path, error };
  }
}

/** Whether a larger share would show no more. */
function isWhole({ options, answer }: Work, share: number): boolean {
  if (answer?.kind !== "page") return true;
  const { next, lines: [first] } = answer.page;
  const { maxBytes = Infinity, count, width } = options;
  if (maxBytes <= share || next === null || first === undefined) return true;
  const { start = 1, column = 1 } = next;
  if (width !== undefined) {
    if (start > first.number) return true;
    // If only a line ending is left, that may not have fitted.
    const isFull = column - first.column === width;
    return isFull && shownBy({ answer }) + CR_LF_BYTES <= share;
  }
  return start - first.number === count;
}

function shownBy({ answer }: Pick<Work, "answer">): number {
  if (answer?.kind !== "page") return 0;
  const { start, end } = answer.page.shown;
  return end - start;
}

/** The most that could be shown of what was asked for. */
function atMost({ options, answer }: Work): number {
  if (answer?.kind !== "page") return 0;
  const { size, shown } = answer.page;
  return Math.min(options.maxBytes ?? Infinity, size - shown.start);
}

/** Gives the answer a `next` with the limits of the call, not with its share. */
function finish({ path, options, answer }: Work, most: number): ManyAnswer {
  const { maxBytes = most } = options;
  const limit = maxBytes === Infinity ? {} : { maxBytes };
  if (answer === undefined) {
    const given = Object.entries(options)
      .filter(([, value]) => value !== undefined);
    const next = { ...Object.fromEntries(given), ...limit };
    return { kind: "skipped", path, next };
  }
  if (answer.kind === "error" || answer.page.next === null) return answer;
  const next = { ...answer.page.next, ...limit };
  return { ...answer, page: { ...answer.page, next } };
}
