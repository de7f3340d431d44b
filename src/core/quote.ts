// Runtime-agnostic.
import { Call, takeTurns } from "./base/call.ts";
import { checkValue, copyOf, listOf } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { weighLines, wholeTokens } from "./base/tokens.ts";
import { type CountTokens, linesOf, textOf } from "./fit_tokens.ts";
import { type Page, type PageOptions, takePageOptions } from "./pages/page.ts";
import type { ErrorAnswer, PageRequest } from "./read_many.ts";
import { type ReadLimits, readPage, takeReadLimits } from "./read_page.ts";
import { type FileRoot, WORKSPACE } from "./workspace.ts";

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
  /**
   * How `tokens` was found: by the `measured` weights of {@linkcode
   * boundTokens}, or by a count of the `host`. It is certain only that there
   * are at most `bytes`.
   */
  readonly basis: "measured" | "host";
}

/** What one of several pages would cost, or why it cannot be read. */
export type QuoteAnswer = Quote | ErrorAnswer;

/** How many bytes are read at a time, so that memory does not grow with the file. */
const PART_BYTES = 1_048_576;

/** Options that make the answer one page, which is read as a whole. */
const OF_ONE_PAGE = ["maxBytes", "maxTokens", "limit", "width"] as const;

type Read = (options: PageOptions) => Promise<Page>;

/** Adds up what the parts of a page cost. */
async function quoteParts(
  call: Call,
  { count, ...options }: PageOptions,
  countTokens: CountTokens | undefined,
  read: Read,
): Promise<Quote> {
  const { path } = call;
  // Read a part at a time, up to the last line that was asked for.
  const { start = 1 } = options;
  const end = count === undefined ? {} : { end: start + count - 1 };
  const range = { ...options, ...end };
  const isOne = OF_ONE_PAGE.some((name) => options[name] !== undefined);
  const sum = { bytes: 0, lines: 0, characters: 0, weight: 0, tokens: 0 };
  let line = 0;
  let next: PageOptions | null = isOne
    ? range
    : { ...range, maxBytes: PART_BYTES };
  while (next !== null) {
    const page: Page = await read(next);
    sum.bytes += page.bytes().length;
    // A line that is on two pages counts once.
    for (const { number } of page.lines) if (number !== line) sum.lines++;
    line = page.lines.at(-1)?.number ?? line;
    const weighed = await takeTurns(weighLines(linesOf(page)), call);
    sum.characters += weighed.characters;
    sum.weight += weighed.weight;
    sum.tokens += countTokens?.(textOf(page)) ?? 0;
    next = isOne ? null : page.next;
  }
  const { bytes, lines, characters, weight } = sum;
  const size = { kind: "quote", path, bytes, lines, characters } as const;
  if (countTokens !== undefined) {
    return { ...size, tokens: sum.tokens, basis: "host" };
  }
  const tokens = bytes === 0 ? 0 : wholeTokens(weight, bytes);
  return { ...size, tokens, basis: "measured" };
}

/** Returns what each of several pages would cost. */
async function quoteMany(
  requests: readonly PageRequest[],
  quote: (request: PageRequest) => Promise<Quote>,
): Promise<QuoteAnswer[]> {
  return await Promise.all(requests.map(async (request) => {
    try {
      return await quote(request);
    } catch (error) {
      // An abort ends the whole call.
      if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
      return { kind: "error", path: error.path, error } as const;
    }
  }));
}

/** Returns what a page would cost. */
async function quoteOne(
  workspace: FileRoot,
  path: string,
  input: PageOptions,
  limits: ReadLimits,
): Promise<Quote> {
  const options = takePageOptions(path, input);
  const { countTokens, signal } = takeReadLimits(path, limits);
  const read = (part: PageOptions) => readPage(workspace, path, part, limits);
  const call = new Call(path, signal);
  return await quoteParts(call, options, countTokens, read);
}

/** Returns what a page would cost, or each of several pages. */
export async function quotePages(
  workspace: FileRoot,
  requested: string | readonly PageRequest[],
  options: PageOptions | ReadLimits = {},
  limits: ReadLimits = {},
): Promise<Quote | QuoteAnswer[]> {
  if (typeof requested === "string") {
    return await quoteOne(workspace, requested, options as PageOptions, limits);
  }
  const wanted = 'a path, or an array such as [{ path: "a.txt" }]';
  const list = listOf(requested, "requests", refuseArgument(""), wanted);
  return await quoteMany(list as PageRequest[], (request) => {
    const copy = copyOf(request, "request", refuseArgument(""));
    const { path, workspace: own = workspace, ...page } = copy;
    checkValue("workspace", own, WORKSPACE, refuseArgument(path));
    return quoteOne(own, path, page, options as ReadLimits);
  });
}
