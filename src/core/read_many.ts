// Runtime-agnostic.
import { Call } from "./base/call.ts";
import { checkValue, copyOf, listOf, takeOptions } from "./base/check.ts";
import type { Rules } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import { boundTokens } from "./base/tokens.ts";
import { textOf } from "./cost.ts";
import { expand } from "./read_globs.ts";
import { type ReadLimits, readPage } from "./read_page.ts";
import { type FileRoot, WORKSPACE } from "./workspace.ts";
import { shownBytes } from "./pages/found.ts";
import { PAGE_RULES, takePageOptions } from "./pages/page.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { LEAST_SHARE, shareOut, shownBy } from "./share_out.ts";
import type { Budget, ReadAll, Work } from "./share_out.ts";

/** One of several pages to read: a path, and which part of that file. */
export interface PageRequest extends PageOptions {
  /** The path: from the root, or absolute below it. */
  readonly path: string;
  /** The workspace to read it in; the one of the call by default. */
  readonly workspace?: FileRoot;
}

/** Files to read by a glob: all that match, below a directory. */
export interface GlobRequest extends PageOptions {
  /**
   * In the grammar of {@linkcode ListOptions.glob}. Files up to five levels below
   * the directory are found; links are not followed.
   */
  readonly glob: string;
  /** The directory; the root by default. */
  readonly path?: string;
  /** The workspace to read it in; the one of the call by default. */
  readonly workspace?: FileRoot;
}

/** Options for {@linkcode Workspace.readMany}. */
export interface ReadManyOptions extends ReadLimits {
  /** The most bytes to show of all files together; no limit by default. With `maxTokens`, each file gets an even share at most. */
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

/** Reads several pages within one limit. */
export async function readMany(
  workspace: FileRoot,
  requests: readonly (PageRequest | GlobRequest)[],
  input: ReadManyOptions,
): Promise<ManyAnswer[]> {
  const options = takeOptions(input, OPTIONS, badArgument);
  const { maxFiles = Infinity, signal } = options;
  const list = listOf(requests, "requests", badArgument, A_LIST);
  const works: Work[] = [];
  const call = new Call("", signal);
  // `entries()` visits the holes of an array too, so that they are refused.
  for (const [at, request] of list.entries()) {
    const name = `requests[${at}]`;
    await call.breathe();
    for (const one of await expand(request, workspace, signal)) {
      const { answer } = one;
      works.push(
        answer === undefined
          ? workOf(one.request as PageRequest, name, workspace)
          : { workspace, path: answer.path, options: {}, answer },
      );
    }
  }
  const open = works.filter(({ answer }) => answer === undefined)
    .slice(0, maxFiles);
  const budget = budgetOf(options, open.length);
  const readAll: ReadAll = async (batch, share) => {
    const queue = batch.values();
    const lane = async () => {
      for (const work of queue) {
        work.answer = await answerOf(work, share, budget);
      }
    };
    // More lanes would only wait for the semaphore, and delay an abort.
    await Promise.all(Array.from({ length: MAX_OPEN_FILES }, lane));
  };
  await shareOut(open, budget, readAll);
  // Each call shows something, so that repeated calls come to an end.
  const first = open.find(({ answer }) => answer === undefined);
  if (
    first !== undefined && works.every((work) => shownBy(work, budget) === 0)
  ) {
    await readAll([first], budget.most);
  }
  return works.map((work) => finish(work, options));
}

/** The limits of a call that reads `count` files. */
function budgetOf(
  { maxBytes = Infinity, maxTokens, signal, countTokens }: ReadManyOptions,
  count: number,
): Budget {
  const limits = { signal, countTokens };
  if (maxTokens === undefined) {
    const most = maxBytes;
    const measure = shownBytes;
    return { unit: "maxBytes", measure, most, maxBytes: Infinity, limits };
  }
  const even = Math.max(LEAST_SHARE, Math.floor(maxBytes / count));
  return {
    unit: "maxTokens",
    measure: (page) => (countTokens ?? boundTokens)(textOf(page)),
    most: maxTokens,
    maxBytes: even,
    limits,
  };
}

const OPTIONS: Rules<ReadManyOptions> = {
  maxBytes: { least: 1, unlimited: true },
  maxTokens: { least: 1, unlimited: true },
  maxFiles: { least: 1, unlimited: true },
  signal: "signal",
  countTokens: "function",
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

/** A function, since bundlers do not tree-shake a spread. */
const requestRules = (): Rules<PageRequest> => ({
  path: "any",
  workspace: "any",
  ...PAGE_RULES,
});

function workOf(
  request: PageRequest,
  name: string,
  callWorkspace: FileRoot,
): Work {
  try {
    const copy = copyOf(request, name, badArgument);
    const refuse = refuseArgument(copy.path);
    const taken = takeOptions(copy, requestRules(), refuse);
    const { path, workspace = callWorkspace, ...rest } = taken;
    checkValue(`${name}.path`, path, "text", badArgument);
    checkValue("workspace", workspace, WORKSPACE, refuse);
    const options = takePageOptions(path, rest);
    return { workspace, path, options, answer: undefined };
  } catch (failure) {
    if (!(failure instanceof ReadFileError)) throw failure;
    const { path } = failure;
    const answer = { kind: "error", path, error: failure } as const;
    return { workspace: callWorkspace, path, options: {}, answer };
  }
}

/** The page, of at most `share` of the budget, or why there is none. */
async function answerOf(
  { workspace, path, options }: Work,
  share: number,
  { unit, maxBytes, limits }: Budget,
): Promise<PageAnswer | ErrorAnswer> {
  try {
    const limited: {
      -readonly [Name in keyof PageOptions]: PageOptions[Name];
    } = {
      ...options,
    };
    if (share < (options[unit] ?? Infinity)) limited[unit] = share;
    if (maxBytes < (limited.maxBytes ?? Infinity)) limited.maxBytes = maxBytes;
    const page = await readPage(workspace, path, limited, limits);
    return { kind: "page", path, page };
  } catch (error) {
    // An abort ends the whole call.
    if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
    return { kind: "error", path: error.path, error };
  }
}

/** Sets the limits in `next` to those of the call, instead of the file's share. */
function finish(
  { path, options, answer }: Work,
  callOptions: ReadManyOptions,
): ManyAnswer {
  const limits: { maxBytes?: number; maxTokens?: number } = {};
  for (const unit of ["maxBytes", "maxTokens"] as const) {
    const most = options[unit] ?? callOptions[unit] ?? Infinity;
    if (most < Infinity) limits[unit] = most;
  }
  if (answer === undefined) {
    const given = Object.entries(options)
      .filter(([, value]) => value !== undefined);
    const next = { ...Object.fromEntries(given), ...limits };
    return { kind: "skipped", path, next };
  }
  if (answer.kind === "error" || answer.page.next === null) return answer;
  const { maxBytes: _, maxTokens: __, ...rest } = answer.page.next;
  const next = { ...rest, ...limits };
  return { ...answer, page: { ...answer.page, next } };
}
