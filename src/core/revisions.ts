import { Call, Semaphore } from "./base/call.ts";
import { checkValue, refuseMistake } from "./base/check.ts";
import { fromPort } from "./base/errno.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import type { Awaitable, FsPort } from "./base/port.ts";
import { quote } from "./base/words.ts";
import { rootAt } from "./guard/root.ts";
import { LineIndexes } from "./lines/line_index.ts";
import { kernelsOf } from "./lines/scan.ts";
import type { Parts } from "./parts.ts";

/** Where the versions of the files of a workspace are. */
export interface Revisions {
  /**
   * Opens a revision: a file system that has the files as they were, at the paths
   * that they have now. `root` is the real path of the workspace's directory. Only
   * `rev` may come from a model.
   */
  open(rev: string, root: string, signal?: AbortSignal): Awaitable<FsPort>;
}

/** Opens a revision of a workspace. */
export async function openRevision(
  { revisions, root }: Parts,
  rev: string,
  signal: AbortSignal | undefined,
): Promise<FsPort> {
  const fail = refuseArgument(rev);
  if (typeof rev !== "string" || rev === "") {
    throw fail("rev", "must be the name of a revision, such as HEAD");
  }
  if (revisions === undefined) {
    throw fail("rev", "means nothing here: the workspace has no revisions");
  }
  const call = new Call(rev, signal);
  let fs: FsPort;
  try {
    fs = await call.wait(revisions.open(rev, root.path, signal));
  } catch (error) {
    if (error instanceof ReadFileError) throw error;
    throw fromPort(error, rev).with({ hint: "name another revision" });
  }
  const refuse = refuseMistake("Cannot open a revision");
  checkValue("what its revisions give", fs, "port", refuse);
  return fs;
}

/** The parts of a workspace in the port of a revision. */
export async function partsIn(
  fs: FsPort,
  parts: Parts,
  rev: string,
  signal: AbortSignal | undefined,
): Promise<Parts> {
  const root = await rootAt(fs, parts.root, new Call(rev, signal));
  return {
    ...parts,
    fs,
    root,
    semaphore: new Semaphore(MAX_OPEN_FILES),
    indexes: new LineIndexes(),
    kernels: kernelsOf(fs),
    cache: undefined,
    revisions: undefined,
  };
}

/** The parts of a workspace as it was at a revision. */
export async function partsAt(
  parts: Parts,
  rev: string,
  signal: AbortSignal | undefined,
): Promise<Parts> {
  const fs = await openRevision(parts, rev, signal);
  try {
    return await partsIn(fs, parts, rev, signal);
  } catch (error) {
    if (!(error instanceof ReadFileError) || !isMissing(error)) throw error;
    const problem = `Cannot open the revision ${quote(rev)}: the directory`;
    throw new ReadFileError("NOT_FOUND", rev, { reason: "missing" }, {
      words: {
        NOT_FOUND: () => [`${problem} is not in it`, "name a later revision"],
      },
    });
  }
}

/** Whether a failure says that a revision does not have a file, or the directory. */
export function isMissing(error: ReadFileError): boolean {
  return error.is("NOT_FOUND") || error.is("NOT_A_FILE");
}
