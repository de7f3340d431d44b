import { type FsPort, ReadFileError, type View } from "@agent-tools/read-file";
import type { FileEntry, FileHandle } from "@agent-tools/read-file";
import type { ToolRequest } from "./protocol.ts";
import { ASK_FOR_MORE } from "./words.ts";

/** How often a call reports: at least twice a second, even if a timer is late. */
const REPORT_MS = 250;

/** What a call has read. */
interface Work {
  /** How many bytes of each file it has read, and how many the file has. */
  readonly files: Map<string, { size: number; read: number }>;
  /** How many names of directories it has read, and pages of documents. */
  steps: number;
}

/**
 * Reports the progress of calls to clients that ask for it: the bytes read out of
 * all bytes of the files, the names listed, and the pages of documents made. A call
 * is identified by its signal.
 */
export class Progress {
  readonly #works = new WeakMap<AbortSignal, Work>();

  #of(signal: AbortSignal | undefined): Work {
    const known = signal && this.#works.get(signal);
    if (known !== undefined) return known;
    const work = { files: new Map(), steps: 0 };
    if (signal !== undefined) this.#works.set(signal, work);
    return work;
  }

  /** Wraps a port: counts what calls read and list. */
  watch(fs: FsPort): FsPort {
    const { list } = fs;
    return {
      ...fs,
      open: async (path, signal) =>
        watched(await fs.open(path, signal), path, this.#of(signal)),
      ...(list !== undefined && {
        list: (path: string, most: number, signal?: AbortSignal) =>
          counted(list(path, most, signal), this.#of(signal)),
      }),
    };
  }

  /** Wraps a view: each page of a document that it makes counts as progress. */
  watchView(view: View): View {
    return {
      ...view,
      open: async (file, request) => {
        const work = this.#of(request.signal);
        const yieldIfDue = () => {
          // A paged view calls this once for each page.
          if (view.paged) work.steps++;
          return request.yieldIfDue();
        };
        return await openWhole(view, file, { ...request, yieldIfDue });
      },
    };
  }

  /** Runs a call, and reports on it if the client gave a token. */
  async during<T>(
    { progressToken, signal, notify }: ToolRequest,
    call: () => Promise<T>,
  ): Promise<T> {
    if (progressToken === undefined) return await call();
    const work = this.#of(signal);
    let reported = 0;
    const timer = setInterval(() => {
      let progress = work.steps;
      let total = 0;
      for (const { read, size } of work.files.values()) {
        progress += read;
        // Some bytes are read twice.
        total += Math.max(read, size);
      }
      if (progress <= reported) return;
      reported = progress;
      // How many names or pages there are is not known before the end.
      const hasTotal = work.steps === 0;
      const params = { progressToken, progress, ...(hasTotal && { total }) };
      notify("notifications/progress", params);
    }, REPORT_MS);
    try {
      return await call();
    } finally {
      clearInterval(timer);
    }
  }
}

/** Opens a view. After `SCAN_LIMIT`, the hint says that the view reads the whole file, and `cause` is the original failure. */
async function openWhole(view: View, ...args: Parameters<View["open"]>) {
  try {
    return await view.open(...args);
  } catch (error) {
    const isLimit = error instanceof ReadFileError && error.is("SCAN_LIMIT");
    if (!isLimit) throw error;
    // Only the file of a notebook is text, and can be read without its view.
    const raw = view.name === "cells" ? 'send "view": "raw", or ' : "";
    const hint = `its view reads the whole file; ${raw}${ASK_FOR_MORE}`;
    const told = { hint, cause: error };
    throw new ReadFileError("SCAN_LIMIT", error.path, error.details, told);
  }
}

function watched(
  handle: FileHandle,
  path: string,
  { files }: Work,
): FileHandle {
  const file = files.get(path) ?? { size: 0, read: 0 };
  files.set(path, file);
  return {
    async stat() {
      const stat = await handle.stat();
      file.size = stat.size;
      return stat;
    },
    async read(buffer, position) {
      const count = await handle.read(buffer, position);
      file.read += count;
      return count;
    },
    path: () => handle.path(),
    close: () => handle.close(),
  };
}

async function* counted(
  listing: ReturnType<NonNullable<FsPort["list"]>>,
  work: Work,
): AsyncIterable<readonly FileEntry[]> {
  const listed = await listing;
  const batches = Symbol.asyncIterator in listed ? listed : [listed];
  for await (const batch of batches) {
    work.steps += batch.length;
    yield batch;
  }
}
