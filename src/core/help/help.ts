import { Call } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import {
  MAX_LISTED_NAMES,
  MAX_SUGGESTIONS,
  MAX_TOLD_ENTRIES,
} from "../base/limits.ts";
import type { FileEntry, FsPort } from "../base/port.ts";
import { bestMatches, likenessTo, quote, twinOf } from "../base/words.ts";
import type { NameMatch } from "../base/words.ts";
import { canOpen } from "../guard/open.ts";
import { namesWithoutSlash, parsePath } from "../guard/path.ts";
import type { Names, ParsedPath } from "../guard/path.ts";
import type { Attempt } from "../guard/proof.ts";
import type { Root } from "../guard/root.ts";

/** Names of directories that are not searched. */
const UNSEARCHED = /^(?:\..*|node_modules)$/;
/** How deep directories are searched: each level is a walk from the root. */
const MAX_SEARCH_DEPTH = 16;
/** How many candidates are opened to check that they are files. */
const MAX_TRIES = 3 * MAX_SUGGESTIONS;

/** Adds similar paths, or the entries of a directory, to the failure of a path that is not a file. */
export async function withHelp(
  error: unknown,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(error instanceof ReadFileError)) return error;
  // Limits that count names would reveal the number of hidden ones.
  if (root.deny.some(({ mode }) => mode === "hide")) return error;
  // A path that leads out as it is written has no other meaning to look for.
  const isOutside = error.code === "OUTSIDE_WORKSPACE" &&
    namesWithoutSlash(error.path, root.aliases) === undefined;
  if (isOutside) return error;
  const call = new Call(error.path, signal);
  const help = makeHelp({ fs, root, call, startedMs: Date.now() });
  return await tryTo(call, error, () => root.listings.share(() => help(error)));
}

/** Best effort: returns `otherwise` if the work fails; throws only if the call was aborted. */
async function tryTo<T>(call: Call, otherwise: T, work: () => Promise<T>) {
  try {
    return await work();
  } catch {
    call.check();
    return otherwise;
  }
}

/** Makes the function that helps with a failure. It reads a limited number of names, and finds only paths that are allowed and proved to be there. */
function makeHelp(attempt: Attempt) {
  const { fs, root, call } = attempt;
  let left = MAX_LISTED_NAMES;

  async function help(error: ReadFileError): Promise<ReadFileError> {
    const { path } = error;
    const { aliases } = root;
    if (error.is("NOT_FOUND")) {
      const suggestions = await suggest(parsePath(path, aliases));
      if (suggestions.length === 0) return error;
      return error.with({ details: { ...error.details, suggestions } });
    }
    if (error.is("NOT_A_FILE") && error.details.kind === "directory") {
      const { names } = parsePath(path, aliases);
      const held = await entriesIn(names);
      if (held.entries.length === 0) return error;
      return error.with({ details: { ...error.details, ...held } });
    }
    // A link that leads out gets no help: its own path lies below the root.
    const names = error.code === "OUTSIDE_WORKSPACE"
      ? namesWithoutSlash(path, aliases)
      : undefined;
    if (names === undefined) return error;
    if (!await canOpen(attempt, names, "file")) return error;
    const meant = quote(names.join("/"));
    return error.with({ hint: `drop the slash: ask for ${meant}` });
  }

  /** Files of like names in the same directory, then files of the same name elsewhere. */
  async function suggest(parsed: ParsedPath): Promise<readonly string[]> {
    const found: string[] = [];
    let tries = 0;
    for await (const names of candidates(parsed)) {
      const path = names.join("/");
      if (found.includes(path)) continue;
      if (await isFile(names)) found.push(path);
      // Only the slash at the end was wrong.
      if (found.length > 0 && names === parsed.names) break;
      tries++;
      if (found.length === MAX_SUGGESTIONS || tries === MAX_TRIES) break;
    }
    return found;
  }

  async function* candidates({ names, asDirectory }: ParsedPath) {
    if (fs.list === undefined || names.length === 0) return;
    if (asDirectory) yield names;
    yield* alike(names);
    yield* elsewhere(names.at(-1)!);
  }

  /** The path with its first missing name replaced by similar ones. */
  async function* alike(names: Names): AsyncIterable<Names> {
    const least = Math.max(0, names.length - MAX_SEARCH_DEPTH);
    for (let depth = names.length - 1; depth >= least; depth--) {
      const above = names.slice(0, depth);
      const entries = await list(above);
      if (entries.length === 0) continue;
      const wrong = depth === names.length - 1 ? "directory" : "file";
      const likeness = likenessTo(names[depth]!);
      const matches: NameMatch[] = [];
      for (const { name, kind } of entries) {
        await call.yieldIfDue();
        const match = kind === wrong ? undefined : likeness(name);
        if (match !== undefined) matches.push(match);
      }
      for (const name of bestMatches(matches, MAX_SUGGESTIONS)) {
        yield [...above, name, ...names.slice(depth + 1)];
      }
      return;
    }
  }

  /** Files of the same name in other directories, the nearest to the root first. */
  async function* elsewhere(name: string): AsyncIterable<Names> {
    const isTwin = twinOf(name);
    const queue: Names[] = [[]];
    for (const above of queue) {
      for (const entry of await list(above)) {
        await call.yieldIfDue();
        const names = [...above, entry.name];
        if (entry.kind === "directory") {
          const isDeep = names.length >= MAX_SEARCH_DEPTH;
          if (!isDeep && !UNSEARCHED.test(entry.name)) queue.push(names);
        } else if (isTwin(entry.name)) yield names;
      }
    }
  }

  /** The first entries of a directory, by name. */
  async function entriesIn(above: Names) {
    const entries: string[] = [];
    for (const { name, kind } of await list(above)) {
      if (entries.length === MAX_TOLD_ENTRIES) return { entries, more: true };
      const names = [...above, name];
      const isDirectory = kind === "directory";
      const isTold = kind === "symlink"
        ? await isFile(names)
        // Only a link may lead out; otherwise the directory was swapped.
        : await canOpen(attempt, names, isDirectory ? kind : "file");
      if (isTold) entries.push(isDirectory ? `${name}/` : name);
    }
    return { entries, more: false };
  }

  async function isFile(names: Names): Promise<boolean> {
    try {
      return await canOpen(attempt, names, "file");
    } catch (error) {
      if ((error as ReadFileError).code === "OUTSIDE_WORKSPACE") return false;
      throw error;
    }
  }

  async function list(names: Names): Promise<readonly FileEntry[]> {
    if (left === 0) return [];
    return await tryTo(call, [], async () => {
      const listing = await root.listings.list(attempt, names, left);
      left -= Math.min(left, listing.namesRead);
      return listing.entries;
    });
  }

  return help;
}
