// Runtime-agnostic.
import type {
  Awaitable,
  FileEntry,
  FileHandle,
  FsPort,
} from "@agent-tools/read-file";
import type { ToolRequest } from "./protocol.ts";

/** How often a call reports: at least twice a second, even if a timer is late. */
const REPORT_MS = 250;

/** The progress of a call. */
interface Counts {
  /** How many bytes of each file it has read, and how many the file has. */
  readonly files: Map<string, { size: number; read: number }>;
  /** How many names of directories it has read, and pages of documents. */
  steps: number;
}

/**
 * Reports the progress of calls to clients that ask for it: bytes read, of the
 * bytes of the files, names listed, and pages of documents.
 */
export class Progress {
  readonly #calls = new WeakMap<AbortSignal, Counts>();

  /** Counts what calls read and list; a call is identified by its signal. */
  watch(fs: FsPort): FsPort {
    return {
      ...fs,
      open: (path, signal) => {
        const counts = signal && this.#calls.get(signal);
        const opening = fs.open(path, signal);
        return counts === undefined ? opening : watched(opening, path, counts);
      },
      ...(fs.entries !== undefined && {
        entries: (path: string, signal?: AbortSignal) => {
          const counts = signal && this.#calls.get(signal);
          const batches = fs.entries!(path, signal);
          return counts === undefined ? batches : counted(batches, counts);
        },
      }),
    };
  }

  /** Counts a page of a document. */
  step(signal: AbortSignal): void {
    const counts = this.#calls.get(signal);
    if (counts !== undefined) counts.steps++;
  }

  /** Runs a call, and reports on it if the client gave a token. */
  async during<T>(
    { progressToken, signal, notify }: ToolRequest,
    call: () => Promise<T>,
  ): Promise<T> {
    if (progressToken === undefined) return await call();
    const counts: Counts = { files: new Map(), steps: 0 };
    this.#calls.set(signal, counts);
    let last = 0;
    const timer = setInterval(() => {
      let progress = counts.steps;
      let total = 0;
      for (const { read, size } of counts.files.values()) {
        progress += read;
        // Some bytes are read twice.
        total += Math.max(read, size);
      }
      if (progress <= last) return;
      last = progress;
      // How many names a directory has is not known before its end.
      const isKnown = counts.steps === 0;
      const params = { progressToken, progress, ...(isKnown && { total }) };
      notify("notifications/progress", params);
    }, REPORT_MS);
    try {
      return await call();
    } finally {
      clearInterval(timer);
    }
  }
}

async function watched(
  opening: Awaitable<FileHandle>,
  path: string,
  { files }: Counts,
): Promise<FileHandle> {
  const handle = await opening;
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
  batches: AsyncIterable<readonly FileEntry[]>,
  counts: Counts,
): AsyncIterable<readonly FileEntry[]> {
  for await (const batch of batches) {
    counts.steps += batch.length;
    yield batch;
  }
}
