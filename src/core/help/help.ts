// Runtime-agnostic.
import { Call } from "../call.ts";
import { ReadFileError } from "../errors.ts";
import { MAX_LISTED_NAMES, MAX_TOLD_ENTRIES } from "../limits.ts";
import type { FsPort } from "../port.ts";
import { isThere } from "../guard/guard.ts";
import { listBelow } from "./list.ts";
import { parsePath } from "../guard/path.ts";
import type { Root } from "../guard/resolve.ts";
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
  // However names are counted, those that are hidden would tell by their number.
  if (root.deny.some(({ mode }) => mode === "hide")) return error;
  const { code, path, details, cause } = error;
  const help = await helpFor(error, fs, root, signal);
  return help === undefined
    ? error
    : new ReadFileError(code, path, { ...details, ...help }, { cause });
}

async function helpFor(
  error: ReadFileError,
  fs: FsPort,
  root: Root,
  signal: AbortSignal | undefined,
): Promise<object | undefined> {
  const { path } = error;
  if (error.is("NOT_FOUND")) {
    const suggestions = await suggest(fs, root, path, signal);
    if (suggestions.length > 0) return { suggestions };
  } else if (error.is("NOT_A_FILE") && error.details.kind === "directory") {
    const told = await tellEntries(fs, root, new Call(path, signal));
    if (told.entries.length > 0) return told;
  }
}

interface Told {
  readonly entries: readonly string[];
  readonly more: boolean;
}

/** Some of what a directory holds, by name; each is proved to be there. */
async function tellEntries(
  fs: FsPort,
  root: Root,
  call: Call,
): Promise<Told> {
  const { names } = parsePath(call.path, root.ways);
  const told: string[] = [];
  try {
    const listing = await listBelow(fs, root, names, MAX_LISTED_NAMES, call);
    for (const { name, kind } of listing.entries) {
      if (told.length === MAX_TOLD_ENTRIES) {
        return { entries: told, more: true };
      }
      const isDirectory = kind === "directory";
      const wanted = isDirectory ? kind : "file";
      if (await isThere(fs, root, [...names, name], wanted, call)) {
        told.push(isDirectory ? `${name}/` : name);
      }
    }
  } catch {
    // Who cannot be helped is told what is the case, and no more.
    call.check();
  }
  return { entries: told, more: false };
}
