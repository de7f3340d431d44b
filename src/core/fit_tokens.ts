// Runtime-agnostic.
import { refuseMistake } from "./base/check.ts";
import { type Call, type Steps, takeTurns } from "./base/call.ts";
import { weighLines, wholeTokens } from "./base/tokens.ts";
import type { Page, PageOptions } from "./pages/page.ts";

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** More bytes than most tokens have, to begin with; if a page does not fit, fewer bytes are read. */
const BYTES_A_TOKEN = 32;

/** The bytes of the longest character: a page shows at least one character. */
const MAX_UNIT_BYTES = 4;

/**
 * Reads as much of a page as fits into `maxTokens` tokens. A page with more tokens
 * is read again with fewer bytes, not cut, so that each answer is of one version.
 */
export async function fitTokens(
  { maxTokens = Infinity, ...options }: PageOptions,
  count: CountTokens | undefined,
  read: (options: PageOptions) => Promise<Page>,
  call: Call,
): Promise<Page> {
  const { maxBytes: most = Infinity } = options;
  const countText = count && checkedCount(count);
  let maxBytes = Math.min(most, maxTokens * BYTES_A_TOKEN);
  for (;;) {
    const page = await read({ ...options, maxBytes });
    const fitting = await takeTurns(
      bytesThatFit(page, maxTokens, countText),
      call,
    );
    if (fitting === undefined) {
      if (page.next === null) return page;
      const { maxBytes: _, ...rest } = page.next;
      const limits = most === Infinity
        ? { maxTokens }
        : { maxTokens, maxBytes: most };
      return { ...page, next: { ...rest, ...limits } };
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

export function textOf({ lines }: Pick<Page, "lines">): string {
  return lines.map(({ text, ending }) => text + ending).join("");
}

/** The lines of a page, with their endings. */
export function* linesOf({ lines }: Pick<Page, "lines">): Iterable<string> {
  for (const { text, ending } of lines) yield text + ending;
}

/** Counts the tokens of lines, in steps. */
function* countLines(
  lines: Page["lines"],
  count: CountTokens | undefined,
): Steps<number> {
  if (count !== undefined) {
    yield;
    return count(textOf({ lines }));
  }
  const { weight, bytes } = yield* weighLines(linesOf({ lines }));
  return bytes === 0 ? 0 : wholeTokens(weight, bytes);
}

/** How many bytes of the page fit; `undefined` if all do. */
function* bytesThatFit(
  page: Page,
  maxTokens: number,
  count: CountTokens | undefined,
): Steps<number | undefined> {
  const bytes = page.bytes();
  const { lines } = page;
  const all = yield* countLines(lines, count);
  if (all <= maxTokens || bytes.length <= MAX_UNIT_BYTES) return undefined;
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const tokens = yield* countLines(lines.slice(0, middle), count);
    if (tokens <= maxTokens) low = middle;
    else high = middle - 1;
  }
  if (low > 0) return endOfLine(bytes, low);
  const first = lines.length === 1 ? bytes.length : endOfLine(bytes, 1);
  const tokens = yield* countLines(lines.slice(0, 1), count);
  const share = Math.floor(first * 0.95 * maxTokens / Math.max(1, tokens));
  return Math.max(1, Math.min(share, bytes.length - 1));
}

const LF = 0x0a;

/** Where the `count`-th line of the bytes ends. */
function endOfLine(bytes: Uint8Array, count: number): number {
  let end = 0;
  for (; count > 0; count--) end = bytes.indexOf(LF, end) + 1;
  return end;
}
