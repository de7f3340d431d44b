// Runtime-agnostic.
import { Call, runInSteps, STEP_ITEMS, type Steps } from "./base/call.ts";
import { type Rules, takeOptions } from "./base/check.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { seekLine } from "./lines/seek.ts";
import type { Source } from "./lines/source.ts";
import { align, type Alignment } from "./pages/align.ts";
import type { Page, PageOptions } from "./pages/page.ts";
import { skipColumns } from "./lines/columns.ts";
import { hasDigest, Sha256 } from "./pages/digest.ts";
import { endsLine, RECEIPT_GAP, takeReceipt } from "./pages/receipt.ts";
import type { Receipt } from "./pages/receipt.ts";
import { resolveEncoding } from "./encodings/resolve.ts";
import { firstLine, scanLines, type ScannedLines } from "./pages/scan_lines.ts";
import { type Finder, readLocated } from "./finders.ts";
import { readWith } from "./read.ts";
import { withView } from "./read_page.ts";
import type { FileRoot, OpenOptions } from "./file_root.ts";
import { withoutKept } from "./pages/delta.ts";

/** Options for {@linkcode Workspace.recheck}. */
export interface RecheckOptions
  extends OpenOptions, Pick<PageOptions, "view" | "pages"> {}

const RULES: Rules<RecheckOptions> = {
  signal: "signal",
  view: "text",
  pages: "text",
};

/** Where the lines that a page showed are now. */
export type Rechecked =
  /** The lines are unchanged, to the byte, and at their places. */
  | { readonly same: true }
  /** The lines are unchanged, to the byte, but this many lines further down; a negative number is further up. */
  | { readonly moved: number }
  /** Some lines changed: the first and last line of each changed run, by the numbers that the page showed. New lines between two shown ones are reported as these two. */
  | { readonly changed: readonly (readonly [from: number, to: number])[] }
  /** Nothing is at the path. */
  | { readonly gone: true };

/** Compares a file with what a page of it showed, for `workspace.recheck`. */
export async function recheck(
  workspace: FileRoot,
  path: string,
  text: string,
  input: RecheckOptions,
): Promise<Rechecked> {
  const options = takeOptions(input, RULES, refuseArgument(path));
  // A value that is not a string is refused like a string that is not a receipt.
  const runs = typeof text === "string" ? text.split(RECEIPT_GAP) : [text];
  const call = new Call(path, options.signal);
  const receipts: Receipt[] = [];
  for (const run of runs) {
    receipts.push(await runInSteps(takeReceipt(path, run), call));
  }
  try {
    return await examine(workspace, path, options, async (source) => {
      const answers: Rechecked[] = [];
      useEncoding(source, receipts[0]!.encoding);
      for (const receipt of receipts) {
        answers.push(await compare(source, receipt));
      }
      return joinAnswers(answers, receipts);
    });
  } catch (error) {
    if (error instanceof ReadFileError && error.is("NOT_FOUND")) {
      return { gone: true };
    }
    throw error;
  }
}

/** Reads what `look` finds in one version of a file; the result must be plain JSON. */
async function examine<Found>(
  workspace: FileRoot,
  path: string,
  { signal, ...choice }: RecheckOptions,
  look: (source: Source) => Promise<Found>,
): Promise<Found> {
  let found: Found | undefined;
  const finder: Finder = {
    read: readLocated(async (source) => {
      const before = found;
      found = await look(source);
      // Called again if the file may have changed: both results must be equal.
      if (before !== undefined) {
        const isSame = JSON.stringify(before) === JSON.stringify(found);
        if (!isSame) throw source.file.changed("rewritten");
      }
      // No line is read into a window.
      return { start: 0, end: 0, line: 1, lines: 0, total: null, cut: false };
    }),
  };
  const viewer = withView(workspace, finder, choice);
  await readWith(workspace, path, viewer, { signal });
  return found!;
}

/** Joins the answers for several runs of lines. Unless all of them moved by the same distance, a run that moved counts as changed. */
function joinAnswers(
  answers: readonly Rechecked[],
  receipts: readonly Receipt[],
): Rechecked {
  const [first] = answers;
  const areEqual = answers.every((answer) =>
    JSON.stringify(answer) === JSON.stringify(first)
  );
  if (areEqual && !("changed" in first!)) return first!;
  const changed = answers.flatMap((answer, at) => {
    if ("changed" in answer) return answer.changed;
    const { line, tags: { length } } = receipts[at]!;
    return "same" in answer ? [] : [[line, line + length - 1] as const];
  });
  return { changed };
}

async function compare(source: Source, receipt: Receipt): Promise<Rechecked> {
  if (await isUnchanged(source, receipt)) return { same: true };
  const { line, tags: { length: count } } = receipt;
  // Nothing was shown, and now there are lines.
  if (count === 0) return { changed: [[line, line]] };
  const lines = await scanLines(source, receipt);
  const place = await placeOf(source, receipt, lines);
  if (place !== undefined) return { moved: place - lines.expected };
  const { places } = await runInSteps(alignLines(receipt, lines), source);
  return { changed: await runInSteps(changesOf(places, line), source) };
}

/** Lets the lines and columns of a file be counted in the encoding of a receipt. */
function useEncoding(source: Source, encoding: string): void {
  if (source.encoding.label === encoding) return;
  resolveEncoding({ label: encoding, why: "asked" }).use(source);
}

/** Whether the lines are unchanged and at their places. */
async function isUnchanged(source: Source, receipt: Receipt): Promise<boolean> {
  const { size } = source;
  const { column, length, digest } = receipt;
  const line = await firstLine(source, receipt.line);
  if (length > 0) return await standsAt(source, receipt, line);
  if (line < 1) return false;
  if (!await hasDigest(source, 0, 0, new Sha256(), digest)) return false;
  // The page showed nothing: the file had no such line, or no such column.
  const { position } = await seekLine(source, line - 1, size);
  if (position === size) return true;
  return (await skipColumns(source, position, column - 1)).position === size;
}

/** Whether the shown bytes are at a line; digests are compared. */
async function standsAt(
  source: Source,
  { column, length, digest, isEnd, encoding }: Receipt,
  line: number,
): Promise<boolean> {
  if (line < 1) return false;
  const { size } = source;
  const { position, passed } = await seekLine(source, line - 1, size);
  if (passed < line - 1 || position === size) return false;
  const into = await skipColumns(source, position, column - 1);
  if (into.columns < column - 1) return false;
  const end = into.position + length;
  if (!await hasDigest(source, into.position, end, new Sha256(), digest)) {
    return false;
  }
  // If the page reached the end of the file, the lines must still end there.
  if (!isEnd || end === size) return true;
  return endsLine(await source.piece(Math.max(0, end - 2), end), encoding);
}

/** The line where the shown lines begin now; `undefined` unless they are unchanged and together. */
async function placeOf(
  source: Source,
  receipt: Receipt,
  { alike, expected }: ScannedLines,
): Promise<number | undefined> {
  if (receipt.length === 0) return undefined;
  // For a part of a line `alike` is empty: it is searched only at its old place.
  for (const line of new Set([expected, ...alike])) {
    if (await standsAt(source, receipt, line)) return line;
  }
  return undefined;
}

function alignLines(
  { line, column, isEnd, tags }: Receipt,
  { first, expected, isWhole, tags: fresh }: ScannedLines,
): Steps<Alignment> {
  return align(tags, fresh, {
    expected: expected - first,
    isStart: line === 1 && column === 1,
    isEnd: isEnd && isWhole,
  });
}

/** The runs of lines that changed; all lines if the tags do not show which. */
function* changesOf(
  places: Int32Array,
  line: number,
): Steps<readonly (readonly [number, number])[]> {
  const runs: [number, number][] = [];
  for (let at = 0; at < places.length; at++) {
    if (at % STEP_ITEMS === 0) yield;
    const place = places[at]!;
    const next = places[at + 1] ?? -1;
    // Both lines are there, but new ones may stand between them.
    const isApart = place >= 0 && next >= 0 && next !== place + 1;
    if (place >= 0 && !isApart) continue;
    const from = line + at;
    const to = isApart ? from + 1 : from;
    const last = runs.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = to;
    else runs.push([from, to]);
  }
  return runs.length > 0 ? runs : [[line, line + places.length - 1]];
}

/** The options that say which lines a page shows. */
const PLACES = ["start", "count", "end", "tail", "around"] as const;

/** Reads the lines of a page that an earlier page, whose receipt is `since`, did not show. */
export async function readSince(
  workspace: FileRoot,
  path: string,
  { since = "", ...options }: PageOptions,
  signal: AbortSignal | undefined,
  read: (options: PageOptions) => Promise<Page>,
): Promise<Page> {
  const call = new Call(path, signal);
  const receipt = await runInSteps(takeReceipt(path, since, "since"), call);
  const isPlaced = PLACES.some((name) => options[name] !== undefined);
  const look = (source: Source) => regionOf(source, receipt);
  const place = isPlaced
    ? {}
    : await examine(workspace, path, { ...options, signal }, look);
  const page = await read({ ...options, ...place });
  return await runInSteps(withoutKept(page, since, receipt), call);
}

/** The lines that are now where the lines of a receipt were. */
async function regionOf(
  source: Source,
  receipt: Receipt,
): Promise<Pick<PageOptions, "start" | "end">> {
  useEncoding(source, receipt.encoding);
  const lines = await scanLines(source, receipt);
  const { first, isWhole, tags: { length } } = lines;
  const { line, column, isEnd, tags } = receipt;
  const aligned = await runInSteps(alignLines(receipt, lines), source);
  const place = await placeOf(source, receipt, lines);
  // A page from the beginning of the file, or to its end, also gets the lines that
  // were added there.
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
