// Runtime-agnostic.
import { Call } from "./base/call.ts";
import { checkValue, copyOf, listOf, takeOptions } from "./base/check.ts";
import type { Refuse, Rules } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import { boundTokens } from "./base/tokens.ts";
import { textOf } from "./cost.ts";
import { expand } from "./read_globs.ts";
import { type ReadLimits, readPage } from "./read_page.ts";
import { type FileRoot, WORKSPACE } from "./workspace.ts";
import { given, PAGE_RULES, shownBytes } from "./pages/page.ts";
import { takePageOptions } from "./pages/page.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { LEAST_SHARE, orError, shareOut, shownBy } from "./share_out.ts";
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
  /** In the grammar of {@linkcode ListOptions.glob}. Files up to five levels below the directory are found; links are not followed. */
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

/** A line that another tool has found; other properties of it are ignored. */
export interface FoundLine {
  /** The file: from the root, or absolute below it. */
  readonly path: string;
  /** The number of the line. */
  readonly line: number;
}

/** Options for {@linkcode Workspace.readAround}. */
export interface ReadAroundOptions extends ReadManyOptions {
  /** How many lines before each; 3 by default. */
  readonly before?: number | undefined;
  /** How many lines after each; 3 by default. */
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
  const { maxFiles = Infinity, signal } = options;
  const example = 'an array, such as [{ path: "a.txt" }]';
  const list = listOf(requests, "requests", refuse, example);
  const works: Work[] = [];
  const call = new Call("", signal);
  // `entries()` visits the holes of an array too, so that they are refused.
  for (const [at, request] of list.entries()) {
    const name = `requests[${at}]`;
    await call.breathe();
    for (const one of await expand(request, workspace, signal)) {
      const work = "kind" in one
        ? one
        : await orError(() => workOf(one.request, name, workspace, refuse));
      works.push(
        "kind" in work
          ? { workspace, path: work.path, options: {}, answer: work }
          : work,
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
        work.answer = await orError(() => pageOf(work, share, budget));
      }
    };
    // More lanes would only wait for the semaphore, and delay an abort.
    await Promise.all(Array.from({ length: MAX_OPEN_FILES }, lane));
  };
  await shareOut(open, budget, readAll);
  // Each call shows something, so that repeated calls come to an end.
  const first = open.find(({ answer }) => answer === undefined);
  const isEmpty = works.every((work) => shownBy(work, budget) === 0);
  if (first !== undefined && isEmpty) await readAll([first], budget.most);
  return works.map((work) => finish(work, options));
}

/** Makes the failure of an argument that belongs to no path. */
function refuseTo(task: string): Refuse {
  return (argument, problem) =>
    new ReadFileError("INVALID_ARGUMENT", "", { argument, problem }, {
      words: {
        INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
          `Cannot ${task}: ${argument} ${problem}`,
        ],
      },
    });
}

const MOST = { least: 1, unlimited: true } as const;

const MANY_RULES: Rules<ReadManyOptions> = {
  maxBytes: MOST,
  maxTokens: MOST,
  maxFiles: MOST,
  signal: "signal",
  countTokens: "function",
};

/** The limits of a call that reads `count` files. */
function budgetOf(
  { maxBytes = Infinity, maxTokens, signal, countTokens }: ReadManyOptions,
  count: number,
): Budget {
  const limits = { signal, countTokens };
  if (maxTokens === undefined) {
    const all = { most: maxBytes, maxBytes: Infinity, limits };
    return { unit: "maxBytes", measure: shownBytes, ...all };
  }
  return {
    unit: "maxTokens",
    measure: (page) => (countTokens ?? boundTokens)(textOf(page)),
    most: maxTokens,
    maxBytes: Math.max(LEAST_SHARE, Math.floor(maxBytes / count)),
    limits,
  };
}

/** A function, since bundlers do not tree-shake a spread. */
const requestRules = (): Rules<PageRequest> => ({
  path: "any",
  workspace: "any",
  ...PAGE_RULES,
});

function workOf(
  request: unknown,
  name: string,
  callWorkspace: FileRoot,
  refuse: Refuse,
): Work {
  const copy = copyOf(request as PageRequest, name, refuse);
  const refuseOption = refuseArgument(copy.path);
  const taken = takeOptions(copy, requestRules(), refuseOption);
  const { path, workspace = callWorkspace, ...rest } = taken;
  checkValue(`${name}.path`, path, "text", refuse);
  checkValue("workspace", workspace, WORKSPACE, refuseOption);
  return { workspace, path, options: takePageOptions(path, rest) };
}

/** Reads a page of at most `share` of the budget. */
async function pageOf(
  { workspace, path, options }: Work,
  share: number,
  { unit, maxBytes, limits }: Budget,
): Promise<PageAnswer> {
  const limited: { -readonly [Name in keyof PageOptions]: PageOptions[Name] } =
    { ...options };
  if (share < (options[unit] ?? Infinity)) limited[unit] = share;
  if (maxBytes < (limited.maxBytes ?? Infinity)) limited.maxBytes = maxBytes;
  const page = await readPage(workspace, path, limited, limits);
  return { kind: "page", path, page };
}

/** Sets the limits in `next` to those of the call, instead of the file's share. */
function finish(
  { path, options, answer }: Work,
  callOptions: ReadManyOptions,
): ManyAnswer {
  const limits = given({
    maxBytes: options.maxBytes ?? callOptions.maxBytes,
    maxTokens: options.maxTokens ?? callOptions.maxTokens,
  });
  if (answer === undefined) {
    return { kind: "skipped", path, next: { ...options, ...limits } };
  }
  if (answer.kind === "error" || answer.page.next === null) return answer;
  const { maxBytes: _, maxTokens: __, ...rest } = answer.page.next;
  const next = { ...rest, ...limits };
  return { ...answer, page: { ...answer.page, next } };
}

/** The lines before and after a hit, by default. */
const AROUND = 3;

/** How many hits are taken between two checks of the time slice. */
const HITS_A_BREATH = 1024;

/** Reads the lines around hits, a page for each file. */
export async function readAround(
  workspace: FileRoot,
  hits: readonly FoundLine[],
  input: ReadAroundOptions,
): Promise<ManyAnswer[]> {
  const refuse = refuseTo("read around hits");
  const rules = { before: { least: 0 }, after: { least: 0 }, ...MANY_RULES };
  const { before = AROUND, after = AROUND, ...options } = takeOptions(
    input,
    rules,
    refuse,
  );
  const files = new Map<string, Set<number>>();
  const call = new Call("", options.signal);
  const example = 'an array, such as [{ path: "a.txt", line: 7 }]';
  for (const [at, hit] of listOf(hits, "hits", refuse, example).entries()) {
    const { path, line } = copyOf(hit as FoundLine, `hits[${at}]`, refuse);
    checkValue(`hits[${at}].path`, path, "text", refuse);
    checkValue(`hits[${at}].line`, line, { least: 1 }, refuse);
    const lines = files.get(path) ?? new Set();
    files.set(path, lines.add(line));
    if (at % HITS_A_BREATH === 0) await call.breathe();
  }
  const requests = Array.from(files, ([path, hits]) => {
    const lines = [...hits].sort((one, other) => one - other);
    return { path, lines, before, after };
  });
  return await readMany(workspace, requests, options);
}
