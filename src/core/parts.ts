import type { Call, Semaphore } from "./base/call.ts";
import { ReadFileError } from "./base/errors.ts";
import type { FsPort } from "./base/port.ts";
import { openBelow, type OpenedFile } from "./guard/open.ts";
import type { Root } from "./guard/root.ts";
import { withHelp } from "./help/help.ts";
import type { Encodings } from "./lines/codec.ts";
import type { LineIndexes } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import type { Views } from "./media/view.ts";
import type { ReadingCache } from "./pages/readings.ts";
import type { Revisions } from "./revisions.ts";

/** The parts of a workspace; a narrowed workspace shares all but the root. */
export interface Parts {
  readonly fs: FsPort;
  readonly root: Root;
  /** Limits how many files are open. It is per workspace: a hung disk blocks only its own readers. */
  readonly semaphore: Semaphore;
  readonly indexes: LineIndexes;
  readonly kernels: KernelPool;
  /** `undefined` where nothing is cached. */
  readonly cache: ReadingCache | undefined;
  /** Detects encodings. */
  readonly encodings: Encodings;
  /** Views that show files of some kinds as text. */
  readonly views: Views;
  /** `undefined` where the files are only as they are now. */
  readonly revisions: Revisions | undefined;
  /** Whether the call searches a file or a directory: then the failure of a directory does not say what is in it, and a page without a hit says if lines match in another case. */
  readonly searches?: boolean;
}

/** Opens a file of a workspace; also returns its path without links. */
export async function openIn(
  { fs, root, searches = false }: Parts,
  call: Call,
): Promise<{ readonly file: OpenedFile; readonly found: string }> {
  try {
    return await openBelow(fs, root, call.path, call);
  } catch (error) {
    const isTaken = searches && error instanceof ReadFileError &&
      error.is("NOT_A_FILE") && error.details.kind === "directory";
    if (isTaken) throw error;
    throw await withHelp(error, fs, root, call.signal);
  }
}
