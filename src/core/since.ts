// Runtime-agnostic.
import { Call, takeTurns } from "./base/call.ts";
import type { Source } from "./lines/source.ts";
import { withoutKept } from "./pages/delta.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { type Receipt, takeReceipt } from "./pages/receipt.ts";
import { scanLines } from "./pages/scan_lines.ts";
import { alignLines, examine, placeOf, readIn } from "./recheck.ts";
import type { FileRoot } from "./workspace.ts";

/** Reads the page with other options. */
type Read = (options: PageOptions) => Promise<Page>;

/** The options that say which lines a page shows. */
const PLACES = ["start", "count", "end", "tail", "around"] as const;

/** Reads the lines of a page that an earlier page, whose receipt is `since`, did not show. */
export async function readSince(
  workspace: FileRoot,
  path: string,
  { since = "", ...options }: PageOptions,
  signal: AbortSignal | undefined,
  read: Read,
): Promise<Page> {
  const call = new Call(path, signal);
  const receipt = await takeTurns(takeReceipt(path, since, "since"), call);
  const view = {
    ...(options.view !== undefined && { view: options.view }),
    ...(options.pages !== undefined && { pages: options.pages }),
  };
  const isPlaced = PLACES.some((name) => options[name] !== undefined);
  const place = isPlaced
    ? {}
    : await examine(workspace, path, { signal, ...view }, (source) =>
      regionOf(source, receipt));
  const page = await read({ ...options, ...place });
  return await takeTurns(withoutKept(page, since, receipt), call);
}

/** The lines that are now where the lines of a receipt were. */
async function regionOf(
  source: Source,
  receipt: Receipt,
): Promise<Pick<PageOptions, "start" | "end">> {
  readIn(receipt.encoding, source);
  const lines = await scanLines(source, receipt);
  const { first, isWhole, tags: { length } } = lines;
  const { line, column, isEnd, tags } = receipt;
  const aligned = await takeTurns(alignLines(receipt, lines), source);
  // The digest has proved that all of them are there together.
  const place = await placeOf(source, receipt, lines);
  const start = place === undefined || (line === 1 && column === 1)
    ? first + aligned.start
    : place;
  const end = place === undefined || (isEnd && isWhole)
    ? first + aligned.end
    : place + tags.length;
  // If the page reached the end of the file, read to the end again.
  if (isEnd && isWhole && start >= first + length) return { start };
  return { start, end: Math.max(start, end - 1) };
}
