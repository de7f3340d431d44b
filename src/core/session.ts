// Runtime-agnostic.
import { type Call, orElse, Turnstile, whenThere } from "./base/call.ts";
import { CHUNK_BYTES, MAX_OPEN_FILES } from "./base/limits.ts";
import { type FileIndex, LineIndexes } from "./lines/line_index.ts";
import type { OpenedFile } from "./guard/open.ts";
import { giveKernel, takeKernel } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { type Awaitable, isPromise } from "./base/port.ts";
import type { FileRoot } from "./workspace.ts";

/** What the calls on one workspace, and on what is narrowed from it, share: a disk that hangs keeps no other from being read. */
interface Shared {
  readonly turnstile: Turnstile;
  readonly indexes: LineIndexes;
}

const shared = new WeakMap<FileRoot, Shared>();

function sharedBy(workspace: FileRoot): Shared {
  const found = shared.get(workspace);
  if (found !== undefined) return found;
  const turnstile = new Turnstile(MAX_OPEN_FILES);
  const first: Shared = { turnstile, indexes: new LineIndexes() };
  shared.set(workspace, first);
  return first;
}

/** Lets a narrower one take its turns with the one it was made of: they have one process's files. */
export function shareWith<Narrow extends FileRoot>(
  workspace: FileRoot,
  narrow: Narrow,
): Narrow {
  shared.set(narrow, sharedBy(workspace));
  return narrow;
}

/**
 * Opens a file for as long as `work` takes, once there is a place for it. What
 * is known of where its lines are comes along, and what was learnt is kept.
 */
export async function withFile<T>(
  workspace: FileRoot,
  call: Call,
  work: (file: OpenedFile, index: FileIndex | undefined) => Awaitable<T>,
): Promise<T> {
  const { turnstile, indexes } = sharedBy(workspace);
  const turn = turnstile.enter();
  // Whoever gives up in the queue still gets a place, and hands it on.
  if (turn !== undefined) await call.wait(turn, () => turnstile.leave());
  try {
    // From before the file is looked at, or its times would prove less.
    const now = Date.now();
    const file = await workspace.open(call.path, call);
    let result: T;
    try {
      // What one chunk holds is found sooner than an index is asked.
      const index = file.stat.size > CHUNK_BYTES
        ? indexes.of(file.stat, now)
        : undefined;
      const working = work(file, index);
      result = isPromise(working) ? await working : working;
      if (index !== undefined) indexes.keep(index);
    } catch (error) {
      // How the closing goes says less than the failure on its way out.
      await file.close().catch(() => {});
      throw error;
    }
    await file.close();
    return result;
  } finally {
    turnstile.leave();
  }
}

/** Lends a kernel for as long as `work` takes; each source that is made reads into it. */
export function withKernel<T>(
  file: OpenedFile,
  call: Call,
  work: (makeSource: (index?: FileIndex) => Source) => Awaitable<T>,
): Awaitable<T> {
  const kernel = takeKernel(file.stat.size);
  let last: Source | undefined;
  const giveBack = () => {
    // What was left behind by an abort may still write into it.
    if (!last?.isReading) giveKernel(kernel);
  };
  const working = orElse(
    () => work((index) => last = new Source(file, kernel, call, index)),
    (error) => {
      giveBack();
      throw error;
    },
  );
  return whenThere(working, (result) => {
    giveBack();
    return result;
  });
}
