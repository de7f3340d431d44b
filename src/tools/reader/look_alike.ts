import { ReadFileError } from "../../core/base/errors.ts";
import type { PageCall } from "./page_call.ts";

/**
 * Reads the file of a call; if nothing is there, the only file whose path looks
 * the same, with a note: models write plain spaces, quotes and accents, whatever
 * the disk has. Other suggestions stay suggestions, and a path that a rule denies
 * is never suggested.
 */
export async function readOrLookAlike<Result>(
  call: PageCall,
  read: (call: PageCall) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(call);
  } catch (error) {
    const path = lookAlikeOf(error, call);
    if (path === undefined) throw error;
    call.notes.push("the path was taken as this one, which looks the same");
    return await read({ ...call, path });
  }
}

/** The only suggestion of a failure that looks like the path of the call. */
function lookAlikeOf(
  error: unknown,
  { path, root: { workspace } }: PageCall,
): string | undefined {
  if (!(error instanceof ReadFileError && error.is("NOT_FOUND"))) return;
  const { suggestions = [] } = error.details;
  if (suggestions.length === 0) return;
  const look = lookOf(workspace.normalize(path));
  const [only, ...others] = suggestions.filter((one) => lookOf(one) === look);
  return others.length === 0 ? only : undefined;
}

/** A path with each sign as a keyboard has it. */
function lookOf(path: string): string {
  return path.normalize("NFC")
    .replace(/\p{Zs}/gu, " ")
    .replace(/[\u2018\u2019\u02bc\u2032]/g, "'")
    .replace(/[\u201c\u201d\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-");
}
