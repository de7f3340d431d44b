import { Call } from "../../core/base/call.ts";
import { type Json, ownOf } from "../../core/base/check.ts";
import { type FileMedia, ReadFileError } from "../../core/base/errors.ts";
import type { ReadFileErrorWords } from "../../core/base/errors.ts";
import { LEAST_HIT_BYTES } from "../../core/base/limits.ts";
import { quote, visibleJson } from "../../core/base/words.ts";
import { notComparable } from "../../core/changes_since.ts";
import { fit } from "../../core/pages/fit.ts";
import type { Page } from "../../core/pages/page.ts";
import { shortPath } from "../../core/pages/frame.ts";
import { writePage } from "../../core/pages/render.ts";
import {
  choosePlace,
  isThere,
  type Place,
  placesOf,
  writePlace,
  wrongPlace,
} from "../../core/places.ts";
import {
  given,
  type ReadFields,
  takeReadOptions,
} from "../../core/read_options.ts";
import type { TreeOptions } from "../../core/search.ts";
import { partsOf } from "../../core/workspace.ts";
import { readPreparedPage } from "../../core/read.ts";
import type { JsonSchema } from "../call.ts";
import { boundsOf } from "./bounds.ts";
import { wrongArgument } from "./failures.ts";
import type { ReadPlace, ReadRoots } from "./roots.ts";
import type { PlainAnswer, ReaderCall } from "./tool_plan.ts";
import {
  factsOfPage,
  PAGE_NAMES,
  refuseManyNames,
  takeArguments,
} from "./schema.ts";

/** A call for one file: what was asked for, and where that leads. */
export interface PageCall extends ReturnType<typeof takePageCall> {
  /** The options that the path of the call means, if it names lines. */
  readonly part: ReadFields;
}

/** Takes the arguments of a call for one file: a call for each part of the place that its path names. */
export async function takePageCalls(
  parameters: JsonSchema,
  args: Json,
  context: ReaderCall,
): Promise<readonly PageCall[]> {
  refuseManyNames(args, parameters, PAGE_NAMES);
  // No schema has it, but `next` of a page may, and renderPage names that call.
  const { maxLines, ...own } = ownOf(args);
  const taken = takeArguments(parameters, own, PAGE_NAMES, context.notes);
  const { path: asked, maxChars } = taken;
  const limit = maxLines === undefined ? {} : { maxLines };
  const options: Json = ownOf({ ...taken.options, ...limit });
  const { path, parts } = await findPlace(asked, context);
  return parts.map((part) => {
    const all = ownOf({ ...options, ...part });
    const both = Object.keys(part).find((name) => options[name] !== undefined);
    if (both === undefined) {
      return { ...takePageCall(path, all, maxChars, context), part };
    }
    const problem = `cannot be given beside the lines of path ${quote(asked)}`;
    throw wrongArgument(both, `${problem}; leave one of them out`);
  });
}

/** Finds out what a path names: a file, or lines of one. A file of that very name is looked for only if the path may name lines. */
async function findPlace(
  path: string,
  { roots, signal }: ReaderCall,
): Promise<Place> {
  const places = placesOf(path);
  const place = places.length === 1 ? places[0]! : await choosePlace(
    places,
    async (part) => {
      try {
        const found = roots.find(part);
        return await isThere(found.root.workspace, found.path, signal);
      } catch (error) {
        // A part of the path may be in no directory, such as the drive.
        if (part === path || !(error instanceof ReadFileError)) throw error;
        return false;
      }
    },
  );
  const { problem } = ownOf(place);
  if (problem === undefined) return place;
  throw wrongPlace(path, problem);
}

/** The failure of a call whose path names lines, with the same lines of each file that it suggests. */
export function suggestLines(
  error: unknown,
  calls: readonly PageCall[],
): unknown {
  const parts = calls.map(({ part }) => part);
  const hasLines = parts.some((part) => Object.keys(part).length > 0);
  if (!hasLines || !(error instanceof ReadFileError)) return error;
  if (!error.is("NOT_FOUND")) return error;
  const { suggestions = [] } = error.details;
  if (suggestions.length === 0) return error;
  const named = suggestions.map((path) => writePlace(path, parts));
  return error.with({ details: { ...error.details, suggestions: named } });
}

/** Takes the options of a call for one part of a file. The read checks all of them except the etag. */
function takePageCall(
  asked: string,
  given: Json,
  maxChars: number | undefined,
  context: ReaderCall,
) {
  const place = placeIn(context.roots, asked, given);
  const { refresh = false, changes, ...rest } = given;
  if (changes !== undefined) refuseBeside(changes, rest);
  const { etag: token, glob, ignored, from, ...others } = ownOf(rest);
  if (typeof refresh !== "boolean") {
    throw wrongArgument("refresh", "must be true or false");
  }
  // `asked` and `given` are the path and the options as the call has them.
  return {
    ...context,
    ...place,
    asked,
    given,
    options: readOptionsOf(ownOf(others), token, asked, context),
    // The search checks them, if the path is a directory.
    tree: { glob, ignored, from } as TreeOptions,
    refresh,
    // Checked above.
    changes: changes as string | undefined,
    maxChars,
    bounds: boundsOf(maxChars, context.bounds),
  };
}

/** Finds the directory of a path; a search of all directories is refused with the call for the first one. */
function placeIn(roots: ReadRoots, asked: string, given: Json): ReadPlace {
  try {
    return roots.find(asked);
  } catch (error) {
    const [first] = roots.roots;
    const isSearch = given.match !== undefined && /^\.?\/*$/.test(asked);
    const isKnown = error instanceof ReadFileError && first !== undefined;
    if (!isKnown || !isSearch) throw error;
    const args = visibleJson({ path: first.name, ...given });
    throw error.with({ hint: `search one at a time: read_file ${args}` });
  }
}

/** Refuses what means nothing beside `changes`. */
function refuseBeside(changes: unknown, given: Json): void {
  if (typeof changes !== "string" || changes === "") {
    throw wrongArgument("changes", 'must be a revision, such as "HEAD"');
  }
  const { maxTokens: _, ...others } = given;
  const name = notComparable(others);
  if (name === undefined) return;
  throw wrongArgument(name, "cannot be combined with changes; leave it out");
}

/** The options of the read, from those of the call. */
function readOptionsOf(
  { count, ...rest }: Json,
  token: unknown,
  path: string,
  { etags, memory }: ReaderCall,
): ReadFields {
  const others = ownOf(rest);
  // The text is cut after the read, which checks all others.
  takeReadOptions(path, given({ maxTokens: others.maxTokens as number }));
  // Of lines that match, `count` is how many.
  const isSearch = others.match !== undefined;
  const etag = token === undefined || etags === "full"
    ? token
    : memory.etagOf(token, path);
  return ownOf({
    ...others,
    ...(count !== undefined && { [isSearch ? "limit" : "count"]: count }),
    ...(etag !== undefined && { etag: etag as string }),
  });
}

/** Reads the page of a call, as far as it may fit: the only time that the file is opened, unless it is an image. */
export async function readWhole(call: PageCall): Promise<Page> {
  const { root, path, bounds, encoding, maxCountedBytes, signal } = call;
  const { maxScanBytes } = call;
  const { maxTokens: _, ...options } = call.options;
  const all: ReadFields = {
    ...(encoding !== undefined && { encoding }),
    ...options,
    binary: "refuse-shown",
    countLines: maxCountedBytes,
    // An upper bound: an answer has at least as many bytes as the text in it.
    maxBytes: options.match === undefined
      ? bounds.bytes
      : Math.max(bounds.bytes, LEAST_HIT_BYTES),
  };
  try {
    const parts = partsOf(root.workspace);
    const views = call.views?.of(parts.views) ?? parts.views;
    const taken = takeReadOptions(path, all);
    const page = await readPreparedPage(
      { ...parts, views, searches: call.options.match !== undefined },
      new Call(path, signal, maxScanBytes),
      taken,
    );
    for (const [name, value] of Object.entries(call.tree)) {
      if (value === undefined) continue;
      call.notes.push(`${name} means nothing for a file`);
    }
    return page;
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    throw withHint(error, call);
  }
}

/** A page whose text is within the bounds. */
export interface FittedPage extends PlainAnswer {
  readonly page: Page;
  /** In the form that a call takes. */
  readonly path: string;
  readonly next: Json | null;
}

/** Shows as much of a page as fits into the bounds of its call. */
export async function fitPage(
  whole: Page,
  call: PageCall,
): Promise<FittedPage> {
  const { root, roots, bounds, notes, countTokens, signal } = call;
  const { pages, maxTokens } = call.options;
  const path = roots.show(root, whole.path);
  const limits = {
    ...bounds,
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
  const { page, written } = await fit(whole, limits, (page) => {
    const next = nextCallOf(path, page, call);
    return { ...writePage(page, { path, next, notes, pages }), next };
  }, { countTokens, call: new Call(path, signal) });
  const { text, next } = written;
  return {
    page,
    path,
    next,
    text,
    facts: factsOfPage(page, path, next, call.typed),
  };
}

/** The next call, with the arguments of this one that still apply. */
function nextCallOf(
  path: string,
  { next }: Page,
  { options, maxChars, etags, memory }: PageCall,
): Json | null {
  if (next === null) return null;
  const { maxBytes: _, binary: __, countLines: ___, ...others } = next;
  const { limit, etag, view, ...own } = ownOf(others);
  const rest = ownOf(own);
  // JSON leaves out what is undefined.
  return {
    ...shortPath(path),
    ...rest,
    ...(limit !== undefined && { count: limit }),
    // A default view is chosen again by the bytes of the file.
    view: options.view === undefined ? undefined : view,
    // Only a tail takes `numbered`, and a call with a start is not a tail.
    numbered: rest.start === undefined ? options.numbered : undefined,
    maxTokens: options.maxTokens,
    maxChars,
    etag: etags === "full" ? etag : etag && memory.shorten(etag),
  };
}

/** The call for the first page of the file, as it is now. */
function firstCall({ asked, given, maxChars }: PageCall): Json {
  const { start: _, column: __, etag: ___, from: ____, ...others } = given;
  return { ...shortPath(asked), ...others, maxChars };
}

/** The view that shows files of a type, if a call must name it. */
function viewOf(
  media: FileMedia,
  { root, options }: PageCall,
): string | undefined {
  const { usual, named } = partsOf(root.workspace).views;
  const name = named.find((view) =>
    view.matches({ media, head: new Uint8Array() })
  )?.name;
  // Where a usual view shows the file, the hint of the read says so.
  const isKnown = name === options.view ||
    usual.some((view) => view.name === name);
  return isKnown ? undefined : name;
}

/** Few files have longer lines on average. */
const LONG_LINE_BYTES = 1024;

/** The same search of fewer lines, from the first; `undefined` if the call asks for the first alone. */
function searchOfFirst(
  limit: number,
  { root, roots, path, given, options, maxChars }: PageCall,
): Json | undefined {
  const { start: _, column: __, etag: ___, from: ____, ...others } = given;
  const { tail: _____, numbered: ______, ...same } = others;
  const most = Math.floor(limit / LONG_LINE_BYTES);
  const fewer = Math.floor((options.end ?? Infinity) / 10);
  const end = Math.max(1, Math.min(most, fewer));
  if (options.end === end) return undefined;
  return { ...shortPath(roots.show(root, path)), ...same, end, maxChars };
}

const searchedInPart: ReadFileErrorWords["SCAN_LIMIT"] = (
  { path, details: { limit } },
) => {
  const what = `its lines were searched no further than ${limit} bytes into it`;
  return [`Cannot read ${quote(path)}: ${what}`];
};

/** The failure with what to do next, in the words of this tool and its host. */
export function withHint(error: ReadFileError, call: PageCall): ReadFileError {
  const { hints } = call;
  if (error.is("CHANGED") && call.given.etag !== undefined) {
    const again = visibleJson(firstCall(call));
    const hint = `start again: read_file ${again}`;
    return error.with({ hint });
  }
  if (error.is("BINARY")) {
    const { media } = error.details;
    if (media === undefined) {
      return error.with({ hint: "no tool here shows its bytes" });
    }
    const { name, type } = media;
    const { encoding = call.encoding ?? "auto" } = call.options;
    // With these, only a NUL character makes such a text binary.
    if (/utf-16/i.test(type) && /^auto$|^utf-16/i.test(encoding)) {
      const hint = `it is ${name} with U+0000, which no tool here shows`;
      return error.with({ hint });
    }
    const view = viewOf(media, call);
    const advice = type.startsWith("image/")
      ? `read_file ${visibleJson(shortPath(call.asked))} shows it`
      : view !== undefined
      ? `read_file ${visibleJson({ ...firstCall(call), view })} shows it`
      : type.endsWith("pdf")
      ? hints.pdf
      : undefined;
    return advice ? error.with({ hint: `it is ${name}; ${advice}` }) : error;
  }
  if (!error.is("SCAN_LIMIT")) return error;
  if (error.cause !== undefined) {
    // The failure of a view, which a host may have given a hint.
    const { hint } = error.cause as Partial<ReadFileError>;
    const isOwn = hint !== error.hint;
    const told = `its view reads the whole file; ${hints.scan}`;
    return isOwn ? error : error.with({ hint: told });
  }
  const { match, tail, numbered } = call.options;
  const or = `, or ${hints.scan}`;
  if (match !== undefined) {
    const first = searchOfFirst(error.details.limit, call);
    const hint = first === undefined
      ? hints.scan
      : `search its first lines: read_file ${visibleJson(first)}${or}`;
    return error.with({ hint, words: { SCAN_LIMIT: searchedInPart } });
  }
  if (tail === undefined || numbered) {
    const hint = 'read the end of the file with tail and "numbered": false';
    return error.with({ hint: hint + or });
  }
  const hint = tail > 1 ? `ask for fewer of the last lines${or}` : hints.scan;
  return error.with({ hint });
}
