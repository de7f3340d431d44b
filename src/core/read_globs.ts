// Runtime-agnostic.
import { ReadFileError } from "./base/errors.ts";
import { propertyOf } from "./base/check.ts";
import { quote } from "./base/words.ts";
import { listDirectory, type Listing, type ListOptions } from "./list.ts";
import { MAX_LIST_DEPTH, MAX_LISTED } from "./base/limits.ts";
import type { ErrorAnswer, GlobRequest } from "./read_many.ts";
import { orError } from "./share_out.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";

/** A request for a file, not checked yet, or why it was not found. */
type Expanded = { readonly request: unknown } | ErrorAnswer;

/** Replaces each request with a glob by requests for the files that match. */
export async function expand(
  request: unknown,
  callWorkspace: FileRoot,
  signal: AbortSignal | undefined,
): Promise<Expanded[]> {
  if (propertyOf(request, "glob") === undefined) return [{ request }];
  let copy: GlobRequest;
  try {
    copy = { ...request as GlobRequest };
  } catch {
    // `readMany` refuses a request whose properties cannot be read.
    return [{ request }];
  }
  const { glob, path = ".", workspace = callWorkspace, ...options } = copy;
  // `readMany` refuses a wrong workspace, as for a path.
  if (!WORKSPACE.fits(workspace)) {
    return [{ request: { ...options, path, workspace } }];
  }
  const { fs, root } = innerOf(workspace);
  const list = (directory: string, listOptions: ListOptions) =>
    listDirectory(fs, root, directory, listOptions, signal);
  const found: Expanded[] = [];
  const all = { glob, depth: MAX_LIST_DEPTH, limit: MAX_LISTED };
  for (let next: ListOptions | null = all; next !== null;) {
    const asked: ListOptions = next;
    const listing: Listing | ErrorAnswer = await orError(() =>
      list(path, asked)
    );
    if ("kind" in listing) return [listing];
    const from = (name: string) =>
      listing.path === "." ? name : `${listing.path}/${name}`;
    for (const { path: name, kind } of listing.entries) {
      if (kind !== "file") continue;
      found.push({ request: { ...options, path: from(name), workspace } });
    }
    for (const { path: name } of listing.unlisted) {
      const answer = await orError(() => list(from(name), {}));
      if ("kind" in answer) found.push(answer);
    }
    ({ next } = listing);
  }
  return found.length > 0 ? found : [nothing(glob)];
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
