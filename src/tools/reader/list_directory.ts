import type { Listing, ListOptions } from "../../core/list.ts";
import { type Json, ownOf } from "../../core/base/check.ts";
import { ReadFileError } from "../../core/base/errors.ts";
import { MAX_LIST_DEPTH } from "../../core/base/limits.ts";
import { visibleJson } from "../../core/base/words.ts";
import {
  listFirst,
  nextCall,
  noteOf,
  quotePath,
  shortPath,
} from "../../core/pages/frame.ts";
import { isWhole } from "../arguments.ts";
import { globBelow } from "./glob_below.ts";
import { boundsOf, fits, type Size, sizeOf } from "./bounds.ts";
import type { PlainAnswer, Setup, ToolPlan } from "./tool_plan.ts";
import type { ReadRoots } from "./roots.ts";
import {
  LIST_FACTS_SCHEMA,
  LIST_NAMES,
  listSchema,
  takeArguments,
} from "./schema.ts";

/** Plans the tool `list_directory`. */
export function listDirectoryTool(
  { schema, paths }: Setup,
): ToolPlan<"list_directory"> {
  const parameters = listSchema(schema.maxChars);
  return {
    name: "list_directory",
    title: "List a directory",
    description: [
      "Lists a directory, sorted. Each line is a size in bytes, or a kind such as dir, then a tab and the name.",
      "If more follows, the last line is the next call of this tool.",
      paths,
    ].join(" "),
    parameters,
    factsSchema: LIST_FACTS_SCHEMA,
    async call(given, { roots, bounds, signal, notes }) {
      const taken = takeArguments(parameters, given, LIST_NAMES, notes);
      const { path, maxChars } = taken;
      const options = clampDepth(taken.options, notes);
      const fitting = boundsOf(maxChars, bounds);
      const listing = isTop(path, roots)
        ? namesOf(roots)
        : await roots.at(path, async (place) => {
          // More entries than lines would not fit.
          const limit = Math.max(1, fitting.lines);
          const limited: ListOptions = { limit, ...options };
          const { workspace } = place.root;
          return await workspace.list(place.path, limited, { signal });
        }, { wanted: "directory" }).catch((error) => {
          throw ofFile(error, path);
        });
      if (isTop(path, roots)) notes.push(...notesOnTop(roots, options));
      notes.push(
        ...notesOnNames(path, listing.entries, roots),
        ...(noteOnNone(path, listing, options) ??
          noteOnDepth(path, listing, options)),
      );
      const args = { ...options, maxChars };
      return answerOf({ ...listing, path }, args, notes, fitting);
    },
  };
}

/** The failure of a file, with the call that reads it. */
function ofFile(error: unknown, path: string): unknown {
  const isOfFile = error instanceof ReadFileError &&
    error.is("INVALID_ARGUMENT") &&
    error.details.problem.startsWith("names a file");
  if (!isOfFile) return error;
  const problem = `names a file; call read_file ${visibleJson({ path })}`;
  return error.with({ details: { argument: "path", problem } });
}

/** Takes a depth that is too large as the largest. */
function clampDepth({ depth, ...others }: Json, notes: string[]): Json {
  if (depth === undefined) return ownOf(others);
  if (!isWhole(depth, MAX_LIST_DEPTH + 1)) return ownOf({ depth, ...others });
  notes.push(`depth ${depth} was taken as ${MAX_LIST_DEPTH}, the largest`);
  return ownOf({ depth: MAX_LIST_DEPTH, ...others });
}

/** Whether a listing has directories, and nothing of what is in them: its last line says so, which costs less than a note. */
function isFlat(isDeeper: boolean, { depth = 1, glob }: Json): boolean {
  return isDeeper && depth === 1 && glob === undefined;
}

/** The note that names the call that lists something, if this one asks for what is not below its path, or for what comes after all of it. */
function noteOnNone(
  path: string,
  { entries, next }: Pick<Listing, "entries" | "next">,
  { after, ...options }: Json,
): string[] | undefined {
  if (entries.length > 0 || next !== null) return undefined;
  const call = (more: Json) =>
    `list_directory ${
      visibleJson({ ...shortPath(path), ...options, ...more })
    }`;
  if (after !== undefined) {
    const shown = visibleJson(after);
    return [`no entry comes after ${shown}; ${call({})} starts anew`];
  }
  const glob = globBelow(path, options.glob);
  if (glob === undefined) return undefined;
  return [`globs begin below the path: ${call({ glob })}`];
}

/** The note that names the call that goes deeper, if a listing stopped at a depth. */
function noteOnDepth(
  path: string,
  { isDeeper, entries }: Pick<Listing, "isDeeper" | "entries">,
  options: Json,
): string[] {
  if (!isDeeper || isFlat(isDeeper, options)) return [];
  const { after: _, depth = 1, glob, ...others } = options;
  const call = glob === undefined
    ? deeperCall(path, depth === MAX_LIST_DEPTH ? entries : undefined)
    : { ...shortPath(path), glob: anyDepth(String(glob)) };
  if (call === undefined) return [];
  const args = visibleJson({ ...call, ...others });
  return [`this stops at depth ${depth}; list_directory ${args} goes deeper`];
}

/** The arguments that list deeper: the same directory, or at the largest depth the first shown one below it that was not listed. */
function deeperCall(path: string, entries?: Listing["entries"]) {
  const depth = MAX_LIST_DEPTH;
  if (entries === undefined) return { ...shortPath(path), depth };
  const closed = entries.find(({ path, kind }) =>
    kind === "directory" && path.split("/").length === MAX_LIST_DEPTH
  );
  if (closed === undefined) return undefined;
  const below = path === "." ? closed.path : `${path}/${closed.path}`;
  return { ...shortPath(below), depth };
}

/** The glob that matches at any depth; with a slash, it says its depth itself. */
function anyDepth(glob: string): string {
  return glob.includes("/") ? glob : `**/${glob}`;
}

/** Whether a path means the list of the directories, if there are several. */
function isTop(path: string, { roots, base }: ReadRoots): boolean {
  return roots.length > 1 && base === undefined && /^\.?\/*$/.test(path);
}

/** Notes on entries with the name of a served directory: without "./", the name means that directory. */
function notesOnNames(
  path: string,
  entries: Listing["entries"],
  { roots, base }: ReadRoots,
): string[] {
  const isBase = path.split("/").every((part) => part === "" || part === ".");
  if (roots.length < 2 || base === undefined || !isBase) return [];
  const first = new Set(entries.map(({ path }) => path.split("/")[0]));
  return roots.filter(({ name }) => first.has(name)).map(({ name }) => {
    const [here, other] = [`./${name}`, name].map(visibleJson);
    return `write ${here} for an entry here, since ${other} is a served directory`;
  });
}

/** The note on options that the list of the directories does not take, with a call that does. */
function notesOnTop({ roots }: ReadRoots, options: Json): string[] {
  const [first] = roots;
  const names = ["depth", "glob", "limit", "times"]
    .filter((name) => options[name] !== undefined);
  if (first === undefined || names.length === 0) return [];
  const asked = names.map((name) => [name, options[name]]);
  const args = visibleJson({ path: first.name, ...Object.fromEntries(asked) });
  const what = names.join(", ");
  return [`${what} means nothing here; list_directory ${args} looks in one`];
}

function namesOf({ roots }: ReadRoots): Omit<Listing, "path"> {
  const kind = "directory" as const;
  const entries = roots.map(({ name }) => ({ path: name, kind, size: null }));
  const none = { next: null, unlisted: [], omitted: [], isDeeper: false };
  return { entries, ...none };
}

/** Writes as many entries as fit; `args` are the other arguments of the call. */
function answerOf(
  { path, entries, unlisted, omitted, next: rest, isDeeper }: Listing,
  args: Json,
  notes: readonly string[],
  bounds: Size,
): PlainAnswer {
  let count = entries.length;
  for (;;) {
    const shown = entries.slice(0, count);
    const after = count < entries.length ? shown.at(-1)?.path : rest?.after;
    const next = after === undefined
      ? null
      : { ...shortPath(path), ...args, after };
    const facts = { path, entries: shown, next, unlisted, omitted };
    const text = writeListing(facts, notes, isFlat(isDeeper, ownOf(args)));
    const size = sizeOf(text);
    if (count <= 1 || fits(size, bounds)) return { text, facts };
    const share = Math.min(
      bounds.chars / size.chars,
      bounds.bytes / size.bytes,
      bounds.lines / size.lines,
    );
    count = Math.max(1, Math.min(count - 1, Math.floor(count * share)));
  }
}

const KINDS = {
  file: "file",
  directory: "dir",
  symlink: "link",
  other: "other",
};

function rowOf(entry: Listing["entries"][number]): string {
  const { path, kind, special, size, mtimeMs } = ownOf(entry);
  const json = visibleJson(path);
  // A name without hidden characters or spaces around it needs no quotes.
  const isPlain = json === `"${path}"` && path.trim() === path;
  const time = mtimeMs === undefined ? "" : `\t${timeOf(mtimeMs)}`;
  return `${size ?? special ?? KINDS[kind]}${time}\t${isPlain ? path : json}`;
}

/** A time to the second, without what a date has for machines. */
function timeOf(ms: number | null): string {
  // No date is so far away.
  if (ms === null || Math.abs(ms) > 8.64e15) return "-";
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

const LEFT_OUT = { denied: "a rule denies", "not Unicode": "are not Unicode" };

type Facts = Omit<Listing, "next" | "isDeeper"> & {
  readonly next: Json | null;
};

function writeListing(
  { path, entries, next, unlisted, omitted }: Facts,
  notes: readonly string[],
  flat: boolean,
): string {
  const count = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  const all = [
    ...notes,
    ...omitted.map((why) => `names that ${LEFT_OUT[why]} are left out`),
  ];
  const failed = unlisted.map(({ path, code }) =>
    `${quotePath(path)} (${code})`
  );
  if (failed.length > 0) all.push(`could not list ${listFirst(failed)}`);
  return [
    `${quotePath(path)}: ${count}.${next === null ? "" : " More follow."}`,
    ...all.map(noteOf),
    ...entries.map(rowOf),
    next !== null
      ? nextCall("list_directory", next)
      : flat
      ? 'End of the listing; "depth":2 looks deeper.'
      : "End of the listing.",
  ].join("\n");
}
