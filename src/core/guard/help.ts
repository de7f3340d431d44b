// Runtime-agnostic.
import { Call } from "../call.ts";
import { ReadFileError } from "../errors.ts";
import { MAX_LISTED_NAMES, MAX_TOLD_ENTRIES } from "../limits.ts";
import type { FsPort } from "../port.ts";
import { isThere, listBelow } from "./list.ts";
import { parsePath } from "./path.ts";
import type { Root } from "./resolve.ts";
import { suggest } from "./suggest.ts";

/**
 * The failure of a path that names no file, with what may help whoever named
 * it: the files that may have been meant, or what the directory holds. Any
 * other failure, and one that nothing can be added to, stays as it is.
 */
export async function withHelp(
  error: unknown,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!(error instanceof ReadFileError)) return error;
  const { path, cause } = error;
  if (error.is("NOT_FOUND")) {
    const suggestions = await suggest(fs, root, path, signal);
    if (suggestions.length === 0) return error;
    const details = { ...error.details, suggestions };
    return new ReadFileError("NOT_FOUND", path, details, { cause });
  }
  if (error.is("NOT_A_FILE") && error.details.kind === "directory") {
    const entries = await entriesOf(fs, root, new Call(path, signal));
    if (entries.length === 0) return error;
    const details = { ...error.details, entries };
    return new ReadFileError("NOT_A_FILE", path, details, { cause });
  }
  return error;
}

/** Some of what a directory holds, by name; each is proved to be there. */
async function entriesOf(
  fs: FsPort,
  root: Root,
  call: Call,
): Promise<readonly string[]> {
  const { names } = parsePath(call.path, root.names);
  const told: string[] = [];
  try {
    const listed = await listBelow(fs, root, names, MAX_LISTED_NAMES, call);
    for (const { name, kind } of listed) {
      if (told.length === MAX_TOLD_ENTRIES) return [...told, "…"];
      const isDirectory = kind === "directory";
      const wanted = isDirectory ? kind : "file";
      if (await isThere(fs, root, [...names, name], wanted, call)) {
        told.push(isDirectory ? `${name}/` : name);
      }
    }
  } catch {
    // Who cannot be helped is told what is the case, and no more.
  }
  return told;
}
