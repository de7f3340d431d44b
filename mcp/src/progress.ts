// Runtime-agnostic.
import type { Awaitable, FileHandle, FsPort } from "@agent-tools/read-file";
import type { ServerContext } from "@modelcontextprotocol/server";

/** How often a call reports: at least twice a second, even if a timer is late. */
const REPORT_MS = 250;

/** How many bytes of each file a call has read, and how many the file has. */
type Files = Map<string, { size: number; read: number }>;

/** Reports the progress of calls in bytes, to clients that ask for it. */
export class Progress {
  readonly #calls = new WeakMap<AbortSignal, Files>();

  /** Counts the bytes that calls read; a call is identified by its signal. */
  watch(fs: FsPort): FsPort {
    return {
      ...fs,
      open: (path, signal) => {
        const files = signal && this.#calls.get(signal);
        const opening = fs.open(path, signal);
        return files === undefined ? opening : watched(opening, path, files);
      },
    };
  }

  /** Runs a call, and reports on it if the client gave a token. */
  async during<T>(
    { _meta, signal, notify }: ServerContext["mcpReq"],
    work: () => Promise<T>,
  ): Promise<T> {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return await work();
    const files: Files = new Map();
    this.#calls.set(signal, files);
    let last = 0;
    const timer = setInterval(() => {
      let [progress, total] = [0, 0];
      for (const { read, size } of files.values()) {
        // A byte that was read twice counts once.
        progress += Math.min(read, size);
        total += size;
      }
      if (progress <= last) return;
      last = progress;
      const params = { progressToken, progress, total };
      // A client that is gone needs no report.
      notify({ method: "notifications/progress", params }).catch(() => {});
    }, REPORT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}

async function watched(
  opening: Awaitable<FileHandle>,
  path: string,
  files: Files,
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
