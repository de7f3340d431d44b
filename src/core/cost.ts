// Runtime-agnostic.
import { Call, runInSteps, type Steps } from "./base/call.ts";
import { refuseMistake } from "./base/check.ts";
import { lazyPart } from "./base/errno.ts";
import { weighLines, wholeTokens } from "./base/tokens.ts";
import { endOfLine } from "./encodings/charsets.ts";
import { LazyPage } from "./pages/make.ts";
import { given, takePageOptions } from "./pages/page.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { type ReadLimits, readPage, takeReadLimits } from "./read_page.ts";
import type { ErrorAnswer, GlobRequest, PageRequest } from "./requests.ts";
import type { FileRoot } from "./file_root.ts";

/** What a page would cost, without its content. */
export interface Quote {
  /** Always `"quote"`. */
  readonly kind: "quote";
  /** The path as it was asked for. */
  readonly path: string;
  /** The bytes that would be shown. */
  readonly bytes: number;
  /** The lines. */
  readonly lines: number;
  /** The characters: code points. */
  readonly characters: number;
  /** An upper bound of the tokens of the text, or what the host's `countTokens` gives. */
  readonly tokens: number;
  /** How `tokens` was found: by the `measured` weights of {@linkcode boundTokens}, or by a count of the `host`. */
  readonly basis: "measured" | "host";
}

/** What one of several pages would cost, or why it cannot be read. */
export type QuoteAnswer = Quote | ErrorAnswer;

/** How many bytes are read at a time, so that memory does not grow with the file. */
const PART_BYTES = 1_048_576;

/** Options that make the answer one page, which is read as a whole. */
const OF_ONE_PAGE = ["maxBytes", "maxTokens", "limit", "width"] as const;

/** Returns what a page would cost: adds up what its parts cost. */
async function quoteOne(
  workspace: FileRoot,
  path: string,
  input: PageOptions,
  limits: ReadLimits,
): Promise<Quote> {
  const { count, ...options } = takePageOptions(path, input);
  const { countTokens, signal } = takeReadLimits(path, limits);
  const call = new Call(path, signal);
  // Read a part at a time, up to the last line that was asked for.
  const { start = 1 } = options;
  const range = count === undefined ? options : {
    ...options,
    end: Math.min(Number.MAX_SAFE_INTEGER, start + count - 1),
  };
  const isOnePage = OF_ONE_PAGE.some((name) => options[name] !== undefined);
  const countText = countTokens && checkedCount(countTokens);
  const sum = { bytes: 0, lines: 0, characters: 0 };
  let hostTokens = 0;
  let weight = 0;
  /** The bytes of the text in UTF-8, which may be more than those of the file. */
  let textBytes = 0;
  let line = 0;
  let next: PageOptions | null = isOnePage
    ? range
    : { ...range, maxBytes: PART_BYTES };
  while (next !== null) {
    const page: Page = await readPage(workspace, path, next, limits);
    sum.bytes += page.bytes().length;
    // A line that is on two pages counts once.
    for (const { number } of page.lines) if (number !== line) sum.lines++;
    line = page.lines.at(-1)?.number ?? line;
    const weighed = await runInSteps(weighLines(linesOf(page.lines)), call);
    sum.characters += weighed.characters;
    weight += weighed.weight;
    textBytes += weighed.bytes;
    hostTokens += countText?.(textOf(page.lines)) ?? 0;
    next = isOnePage ? null : page.next;
  }
  const size = { kind: "quote", path, ...sum } as const;
  return countText === undefined
    ? { ...size, tokens: wholeTokens(weight, textBytes), basis: "measured" }
    : { ...size, tokens: hostTokens, basis: "host" };
}

const requestsPart = /* @__PURE__ */ lazyPart(() => import("./requests.ts"));

/** Returns what a page would cost, or each of several pages. */
export async function quotePages(
  workspace: FileRoot,
  requested: string | readonly (PageRequest | GlobRequest)[],
  options: PageOptions | ReadLimits = {},
  limits: ReadLimits = {},
): Promise<Quote | QuoteAnswer[]> {
  if (typeof requested === "string") {
    return await quoteOne(workspace, requested, options as PageOptions, limits);
  }
  // After several requests, the next argument is the limits.
  const shared = options as ReadLimits;
  const { signal } = takeReadLimits("", shared);
  const { orError, refuseTo, takeRequests } = await requestsPart("");
  const refuse = refuseTo("quote several files");
  const tasks = await takeRequests(workspace, requested, refuse, signal);
  return await Promise.all(
    tasks.map(({ path, options, answer }) =>
      answer?.kind === "error"
        ? answer
        : orError(() => quoteOne(workspace, path, options, shared))
    ),
  );
}

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** More bytes than most tokens have: a page is first read with this many for each token, and with fewer if it does not fit. */
const BYTES_A_TOKEN = 32;

/** Reads as much of a page as fits. A page with more tokens is read again with fewer bytes, not cut, so that each answer is of one version. */
export async function fitTokens(
  { maxTokens = Infinity, ...options }: PageOptions,
  count: CountTokens | undefined,
  read: (options: PageOptions) => Promise<Page>,
  call: Call,
): Promise<Page> {
  const { maxBytes: most = Infinity } = options;
  const countText = count && checkedCount(count);
  const bytes = Math.min(most, maxTokens * BYTES_A_TOKEN);
  let maxBytes = Math.min(bytes, Number.MAX_SAFE_INTEGER);
  for (;;) {
    const page = await read({ ...options, maxBytes });
    const steps = bytesThatFit(page, maxBytes, maxTokens, countText);
    const fitting = await runInSteps(steps, call);
    if (fitting === undefined) {
      const limits = given({ maxTokens, maxBytes: most });
      return LazyPage.withLimits(page, limits);
    }
    maxBytes = fitting;
  }
}

/** Refuses a count that is not a number: with `NaN`, every page would fit. */
function checkedCount(count: CountTokens): CountTokens {
  return (text) => {
    const tokens = count(text);
    if (Number.isFinite(tokens) && tokens >= 0) return tokens;
    const refuse = refuseMistake("Cannot count the tokens");
    throw refuse("countTokens", `must give a number from 0 on, not ${tokens}`);
  };
}

/** The text of lines, with their endings. */
export function textOf(lines: Page["lines"]): string {
  return lines.map(({ text, ending }) => text + ending).join("");
}

/** The same, line by line. */
function* linesOf(lines: Page["lines"]): Iterable<string> {
  for (const { text, ending } of lines) yield text + ending;
}

/** Counts the tokens of lines, in steps. */
function* countLines(
  lines: Page["lines"],
  count: CountTokens | undefined,
): Steps<number> {
  if (count !== undefined) {
    yield;
    return count(textOf(lines));
  }
  const { weight, bytes } = yield* weighLines(linesOf(lines));
  return wholeTokens(weight, bytes);
}

/** How many bytes of a page fit, fewer than it has; `undefined` if all of them fit, or the page cannot be shorter. */
function* bytesThatFit(
  page: Page,
  maxBytes: number,
  maxTokens: number,
  count: CountTokens | undefined,
): Steps<number | undefined> {
  const bytes = page.bytes();
  const { lines, encoding: { label } } = page;
  const all = yield* countLines(lines, count);
  // Only a page of one character has more bytes than were asked for.
  const isOneUnit = bytes.length > maxBytes || bytes.length <= 1;
  if (all <= maxTokens || isOneUnit) return undefined;
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const tokens = yield* countLines(lines.slice(0, middle), count);
    if (tokens <= maxTokens) low = middle;
    else high = middle - 1;
  }
  if (low > 0) return endOfLines(bytes, low, label);
  // The first line alone has too many tokens.
  const first = lines.length === 1 ? bytes.length : endOfLine(bytes, 0, label);
  const tokens = yield* countLines(lines.slice(0, 1), count);
  // Less than the share of the limit, so that the next try most likely fits.
  const share = Math.floor(first * 0.95 * maxTokens / Math.max(1, tokens));
  return Math.max(1, Math.min(share, bytes.length - 1));
}

/** Where the `count`-th line of the bytes ends. */
function endOfLines(bytes: Uint8Array, count: number, label: string): number {
  let end = 0;
  for (; count > 0; count--) end = endOfLine(bytes, end, label);
  return end;
}
