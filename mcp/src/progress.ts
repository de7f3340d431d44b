// Runtime-agnostic.
import {
  type FileHandle,
  type FsPort,
  ReadFileError,
  type View,
} from "@agent-tools/read-file";
import { DEFAULT_MAX_SCAN, MOST_VIEW_CHARS } from "./bounds.ts";
import type { ToolRequest } from "./protocol.ts";

/** How often a call reports: at least twice a second, even if a timer is late. */
const REPORT_MS = 250;

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

  /**
   * Wraps a port: counts what calls read and list, and refuses to read more than
   * `limit` bytes of one open file. A call is identified by its signal.
   */
  watch(fs: FsPort, limit = DEFAULT_MAX_SCAN): FsPort {
    const countsOf = (signal?: AbortSignal) =>
      signal && this.#calls.get(signal);
    const { list } = fs;
    return {
      ...fs,
      open: async (path, signal) =>
        watched(await fs.open(path, signal), path, limit, countsOf(signal)),
      ...(list !== undefined && {
        async *list(path: string, most: number, signal?: AbortSignal) {
          const counts = countsOf(signal);
          const listing = await list(path, most, signal);
          const isWhole = !(Symbol.asyncIterator in listing);
          for await (const batch of isWhole ? [listing] : listing) {
            if (counts !== undefined) counts.steps += batch.length;
            yield batch;
          }
        },
      }),
    };
  }

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

function watched(
  handle: FileHandle,
  path: string,
  limit: number,
  counts: Counts | undefined,
): FileHandle {
  const file = counts?.files.get(path) ?? { size: 0, read: 0 };
  counts?.files.set(path, file);
  // Bytes between these were read before, so they do not count for the limit again.
  let [low, high] = [Infinity, -Infinity];
  let scanned = 0;
  return {
    async stat() {
      const stat = await handle.stat();
      file.size = stat.size;
      return stat;
    },
    async read(buffer, position) {
      if (scanned >= limit) {
        const hint =
          "read the end of the file with tail, or ask the user for a larger --max-scan";
        throw new ReadFileError("SCAN_LIMIT", path, { limit }, { hint });
      }
      const count = await handle.read(buffer, position);
      file.read += count;
      const end = position + count;
      scanned += Math.max(0, Math.min(end, low) - position);
      scanned += Math.max(0, end - Math.max(position, high));
      [low, high] = [Math.min(low, position), Math.max(high, end)];
      return count;
    },
    path: () => handle.path(),
    close: () => handle.close(),
  };
}

/**
 * Wraps a view so that it makes the text of a file once during a call: an
 * answer may take several reads. Each page of a document counts as progress.
 */
export function viewOfCalls(view: View, progress: Progress): View {
  const calls = new WeakMap<
    AbortSignal,
    { readonly byFile: Map<string, string>; chars: number }
  >();
  return {
    ...view,
    async open(file, request) {
      const { signal, pages } = request;
      if (signal === undefined) return await view.open(file, request);
      const texts = calls.get(signal) ?? { byFile: new Map(), chars: 0 };
      calls.set(signal, texts);
      const key = JSON.stringify([file.path, file.stat, pages]);
      const known = texts.byFile.get(key);
      if (known !== undefined) return known;
      const breathe = () => {
        if (view.paged) progress.step(signal);
        return request.breathe();
      };
      const text = await view.open(file, { ...request, breathe });
      if (typeof text !== "string") return text;
      texts.chars += text.length;
      if (texts.chars <= MOST_VIEW_CHARS) texts.byFile.set(key, text);
      return text;
    },
  };
}
