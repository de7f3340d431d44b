// Runtime-agnostic.
import { ReadFileError } from "./base/errors.ts";
import { propertyOf } from "./base/check.ts";
import { quote } from "./base/words.ts";
import { listDirectory, type Listing, type ListOptions } from "./list.ts";
import { MAX_LIST_DEPTH, MAX_LISTED } from "./base/limits.ts";
import type { ErrorAnswer, GlobRequest } from "./read_many.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";

/** A request for a file, not checked yet, or why there is none. */
interface Expanded {
  readonly request?: unknown;
  readonly answer?: ErrorAnswer;
}

/** Replaces each request with a glob by requests for the files that match. */
export async function expand(
  request: unknown,
  callWorkspace: FileRoot,
  signal: AbortSignal | undefined,
): Promise<Expanded[]> {
  if (propertyOf(request, "glob") === undefined) return [{ request }];
  const copy = attempt(() => ({ ...request as GlobRequest }));
  // `readMany` refuses a request whose properties cannot be read.
  if (copy === undefined) return [{ request }];
  const { glob, path = ".", workspace = callWorkspace, ...options } = copy;
  // `readMany` refuses a wrong workspace, as for a path.
  if (!WORKSPACE.fits(workspace)) {
    return [{ request: { ...options, path, workspace } }];
  }
  const { fs, root } = innerOf(workspace);
  const list = (directory: string, listOptions: ListOptions) =>
    listDirectory(fs, root, directory, listOptions, signal);
  const found: Expanded[] = [];
  try {
    const all = { glob, depth: MAX_LIST_DEPTH, limit: MAX_LISTED };
    for (let next: ListOptions | null = all; next !== null;) {
      const listing: Listing = await list(path, next);
      const from = (name: string) =>
        listing.path === "." ? name : `${listing.path}/${name}`;
      for (const { path: name, kind } of listing.entries) {
        if (kind !== "file") continue;
        const path = from(name);
        found.push({ request: { ...options, path, workspace } });
      }
      for (const { path: name } of listing.unlisted) {
        const answer = await failureOf(() => list(from(name), {}));
        if (answer !== undefined) found.push({ answer });
      }
      ({ next } = listing);
    }
  } catch (error) {
    return [{ answer: answerOf(error) }];
  }
  return found.length > 0 ? found : [{ answer: nothing(glob) }];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Why a directory cannot be listed; `undefined` if it can be listed now. */
async function failureOf(
  list: () => Promise<Listing>,
): Promise<ErrorAnswer | undefined> {
  try {
    await list();
    return undefined;
  } catch (error) {
    return answerOf(error);
  }
}

function answerOf(error: unknown): ErrorAnswer {
  // An abort ends the whole call.
  if (!(error instanceof ReadFileError) || error.is("ABORTED")) throw error;
  return { kind: "error", path: error.path, error };
}

function nothing(glob: string): ErrorAnswer {
  const error = new ReadFileError("NOT_FOUND", glob, { reason: "missing" }, {
    words: {
      NOT_FOUND: ({ path }) => [
        `Cannot read ${quote(path)}: no file matches`,
        "check the glob, or list the directory",
      ],
    },
  });
  return { kind: "error", path: glob, error };
}
