import { Call } from "../../core/base/call.ts";
import { type Json, ownOf } from "../../core/base/check.ts";
import { LEAST_HIT_BYTES } from "../../core/base/limits.ts";
import { ReadFileError } from "../../core/base/errors.ts";
import { fit } from "../../core/pages/fit.ts";
import { type Page, placeOfNext } from "../../core/pages/page.ts";
import {
  MOST_NAMED,
  nextCall,
  noteOf,
  quotePath,
  shortPath,
} from "../../core/pages/frame.ts";
import {
  type FoundText,
  OTHER_CASE,
  writeFound,
} from "../../core/pages/render.ts";
import type { ReadFields } from "../../core/read_options.ts";
import { TreeSearch } from "../../core/search.ts";
import { partsOf } from "../../core/workspace.ts";
import { visibleJson } from "../../core/base/words.ts";
import type { Part, ShownPart } from "./batch.ts";
import { fits, minus, plus, type Size, sizeOf } from "./bounds.ts";
import { globBelow } from "./glob_below.ts";
import { type PageCall, withHint } from "./page_call.ts";
import { factsOfFound, factsOfSearch } from "./schema.ts";

/** Whether a call that failed means all files below a directory. */
export function isOfTree(error: unknown, { options }: PageCall): boolean {
  return options.match !== undefined && error instanceof ReadFileError &&
    error.is("NOT_A_FILE") && error.details.kind === "directory";
}

/** A file with lines that match. */
interface FoundFile {
  /** In the form that a call takes. */
  readonly path: string;
  /** From the directory. */
  readonly from: string;
  readonly page: Page;
  readonly text: FoundText;
  /** What these files take, up to this one, without the frame. */
  readonly used: Size;
  /** About how many tokens that are. */
  readonly tokens: number;
}

/** So much more than fits is measured in parts at most: their tokens are not exactly those of the whole. */
const TOKENS_SLACK = 2;

/** Searches the files below the directory of a call, until its answer is full. */
export async function searchFiles(call: PageCall): Promise<Part> {
  const { root, roots, path, asked, given, maxChars, bounds } = call;
  const { encoding, signal, countTokens, tree, maxScanBytes } = call;
  const { maxTokens = Infinity, ...read } = call.options;
  const options: ReadFields = ownOf({
    ...(encoding && { encoding }),
    ...read,
  });
  const parts = partsOf(root.workspace);
  const context = { signal, countTokens, maxScanBytes };
  const search = new TreeSearch(parts, path, tree, options, context);
  const files: FoundFile[] = [];
  let left = options.limit ?? Number.MAX_SAFE_INTEGER;
  let used = ONE_LINE;
  let tokens = 0;
  /** Where the search goes on after these files. */
  let rest: Json | null = null;
  for await (const own of search.paths()) {
    const limit = Math.max(1, left);
    const maxBytes = Math.max(bounds.bytes, LEAST_HIT_BYTES);
    const limits = { limit, maxBytes };
    const page = await search.read(own, limits).catch((error) => {
      // The file where the search goes on has changed.
      throw error instanceof ReadFileError ? withHint(error, call) : error;
    });
    if (page === undefined) continue;
    const from = search.below(own);
    const isFull = left <= 0 || tokens > TOKENS_SLACK * maxTokens ||
      !fits(used, bounds);
    if (isFull) {
      rest = { from };
      break;
    }
    const shown = roots.show(root, own);
    const text = writeFound(page, shown);
    const block = [text.head, ...text.rows, ""].join("\n");
    used = plus(minus(used, ONE_LINE), sizeOf(block));
    if (maxTokens < Infinity) tokens += countTokens(block);
    files.push({ path: shown, from, page, text, used, tokens });
    left -= page.hits!.lines.length;
    rest = restOf(page, from, call);
    if (rest !== null) break;
  }
  const notes = [...call.notes, ...leftOut(search, call)];
  const hasFiles = search.searched > 0 || search.failed.length > 0;
  const below = hasFiles ? undefined : globBelow(asked, tree.glob);
  if (below !== undefined) {
    const args = { ...shortPath(asked), ...given, glob: below, maxChars };
    notes.push(`globs begin below the path: read_file ${visibleJson(args)}`);
  }
  const isOtherCase = files.length === 0 &&
    search.searched <= MOST_SEARCHED_AGAIN && !options.ignoreCase &&
    await matchesAny(
      new TreeSearch(
        parts,
        path,
        tree,
        ownOf({
          ...options,
          ignoreCase: true,
        }),
        context,
      ),
    );

  /** The answer with these files, which goes on at a place. */
  function write(shown: readonly FoundFile[], rest: Json | null) {
    const { start: _, column: __, etag: ___, from: ____, ...same } = given;
    const next = rest && { ...shortPath(asked), ...same, ...rest, maxChars };
    const hits = shown.reduce((sum, { page }) => sum + hitsOf(page).length, 0);
    const facts = factsOfSearch(
      asked,
      shown.map(({ path, page }) => factsOfFound(page, path, call.typed)),
      hits,
      next,
      call.typed,
    );
    const sentences = new Set(shown.flatMap(({ text }) => text.sentences));
    const head = [
      `${quotePath(asked)}: ${summaryOf(search, hits, shown.length)}${
        isOtherCase ? OTHER_CASE : ""
      }.`,
      ...(next === null ? [] : ["More follow."]),
      ...sentences,
    ].join(" ");
    const last = next === null ? END : nextCall("read_file", next);
    const textWith = (blocks: readonly string[]) =>
      [head, ...notes.map(noteOf), ...blocks, last].join("\n");
    const blocks = shown.flatMap(({ text }) => [text.head, ...text.rows]);
    return { text: textWith(blocks), textWith, facts };
  }

  async function show(within: Size): Promise<ShownPart> {
    const limits = {
      ...within,
      ...(maxTokens < Infinity && { tokens: maxTokens }),
    };
    const measure = { countTokens, call: new Call(path, signal) };
    const over = files.findIndex(({ used, tokens }) =>
      !fits(used, within) || tokens > TOKENS_SLACK * maxTokens
    );
    const most = over < 0 ? files.length : over + 1;
    for (let count = most; count > 0; count--) {
      const whole = files.slice(0, count - 1);
      const last = files[count - 1]!;
      const isLast = count === files.length;
      /** The answer that ends with a part of the last file. */
      const writeTo = (page: Page) => {
        const text = page === last.page
          ? last.text
          : writeFound(page, last.path);
        const own = restOf(page, last.from, call);
        const after = isLast ? rest : { from: files[count]!.from };
        const shown = [...whole, { ...last, page, text }];
        const written = write(shown, own ?? after);
        const { rows } = text;
        const blocks = whole.flatMap(({ text }) => [text.head, ...text.rows]);
        const frame = written.textWith([...blocks, text.head]);
        return { ...written, rows, frame };
      };
      const { page, written, isWithin } = await fit(
        last.page,
        limits,
        writeTo,
        measure,
      );
      const { text, facts } = written;
      // Rather end before a file than inside its first line.
      const isPart = page.lineCount === 1 && page !== last.page &&
        (placeOfNext(page)?.column ?? 1) > 1;
      if (count === 1 || isWithin && !isPart) return { text, facts };
    }
    const { text, facts } = write([], null);
    return { text, facts };
  }

  return { next: { path: asked, ...given, maxChars }, show };
}

/** The most files without a hit that are searched again for another case: some milliseconds. */
const MOST_SEARCHED_AGAIN = 1000;

/** Whether a line of any file matches. */
async function matchesAny(search: TreeSearch): Promise<boolean> {
  for await (const path of search.paths()) {
    if (await search.read(path, { limit: 1 }) !== undefined) return true;
  }
  return false;
}

/** What follows the last line break of a block. */
const ONE_LINE: Size = { chars: 0, bytes: 0, lines: 1 };

const END = "End of the lines that match.";

function hitsOf({ hits }: Page): readonly number[] {
  return hits?.lines ?? [];
}

/** Where the lines of a file go on that a page does not show; `null` if it shows all. */
function restOf(
  page: Page,
  from: string,
  { etags, memory }: PageCall,
): Json | null {
  const place = placeOfNext(page);
  if (place === null) return null;
  const { line: start, column } = place;
  const { etag } = page;
  return {
    from,
    start,
    ...(column > 1 && { column }),
    etag: etags === "full" ? etag : memory.shorten(etag),
  };
}

function summaryOf(
  { searched, failed }: TreeSearch,
  hits: number,
  files: number,
): string {
  if (hits > 0) {
    const lines = hits === 1 ? "1 line matches" : `${hits} lines match`;
    return `${lines} in ${countOf(files, "file")}`;
  }
  if (searched === 0) {
    return failed.length > 0
      ? "no file was searched to its end"
      : "no file to search";
  }
  return `no line matches, in ${countOf(searched, "file")}`;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** What was not searched, in notes. */
function leftOut(
  { skipped, binary, denied, failed, unnamed }: TreeSearch,
  { roots, root }: PageCall,
): string[] {
  const names = [
    skipped.has(".git") && ".git",
    skipped.has("node_modules") && "node_modules",
    skipped.has("ignored") && "what .gitignore names",
    binary > 0 && countOf(binary, "binary file"),
    denied > 0 && countOf(denied, "denied name"),
  ].filter((name) => name !== false);
  const notes = names.length > 0 ? [`left out: ${names.join(", ")}`] : [];
  const told = failed.slice(0, MOST_NAMED).map(({ path, code }) =>
    `${quotePath(roots.show(root, path))} (${code})`
  );
  const more = failed.length + unnamed - told.length;
  if (more > 0) told.push(`${more} more`);
  return told.length === 0
    ? notes
    : [...notes, `could not search ${told.join(", ")}`];
}
