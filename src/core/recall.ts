// Runtime-agnostic.
import type { ReadPolicy } from "./base/policy.ts";
import type { FileIndex } from "./lines/line_index.ts";
import { Source } from "./lines/source.ts";
import type { Outcome, Reader } from "./read_once.ts";
import type { Finder } from "./read.ts";
import {
  type Awaitable,
  changeOf,
  type FileStat,
  isAtRest,
} from "./base/port.ts";
import { copyWindow, type TextWindow } from "./lines/window.ts";

/** A window from the cache. */
interface Recalled {
  readonly content: TextWindow;
}

/** The cache of windows of a workspace. Only a workspace with pages makes one, so that other bundles leave it out. */
export class WindowMemory {
  readonly #cache: WindowCache;

  /** Constructs a new instance that holds at most `mostBytes`. */
  constructor(mostBytes: number) {
    this.#cache = new WindowCache(mostBytes);
  }

  /** Returns a cached result, if the file is still the version that was read. */
  recall(
    reader: Reader,
    index: FileIndex | undefined,
  ): Awaitable<Recalled | undefined> {
    const { file, finder, policy } = reader;
    const key = keyOf(finder, policy);
    const content = key && this.#cache.get(key, file.stat, file.path);
    // The lines may have been counted since it was cached.
    const isCounted = content && content.totalLines === null && index?.total;
    if (!content || isCounted) return undefined;
    const found = { content };
    return finder.check === undefined
      ? found
      : this.#checked(found, reader, index);
  }

  async #checked(
    found: Recalled,
    { file, call, finder, policy, kernels }: Reader,
    index: FileIndex | undefined,
  ): Promise<Recalled | undefined> {
    const kernel = kernels.take(file.stat.size);
    const source = new Source(file, kernel, call, index);
    try {
      await finder.check?.(source, policy);
    } finally {
      if (!source.isReading) kernels.give(kernel);
    }
    // A page with a postponed comparison is not cached.
    return keyOf(finder, policy) === undefined ? undefined : found;
  }

  /** Caches a window, if its finder has a key; `now` was sampled before the file was opened. */
  remember(outcome: Outcome, { finder, policy }: Reader, now: number): void {
    const key = keyOf(finder, policy);
    if (!key || !("content" in outcome)) return;
    if (outcome.content.kind === "text") {
      this.#cache.keep(key, outcome.content, now);
    }
  }
}

/** The cache key of a request; `undefined` if it cannot be cached. */
function keyOf(
  { key }: Finder,
  { signal: _, etag: __, ...policy }: ReadPolicy,
): string | undefined {
  const found = key?.();
  return found && found + JSON.stringify(policy);
}

/** A window of one version of a file. */
interface Entry {
  readonly window: TextWindow;
  readonly bytes: number;
}

/** About how many bytes a window takes besides its text. */
const ENTRY_BYTES = 1024;

/**
 * A cache of windows by the identity and version of the file, and by a key of
 * the request; the least recently used are dropped first. A file is cached only
 * if its times will show the next change.
 */
export class WindowCache {
  readonly #mostBytes: number;
  /** The most recently used window is the last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** Constructs a new instance that holds at most `mostBytes`. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** About how many bytes the windows take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a copy of the window of this version, for a path; `undefined` if it is not cached. */
  get(request: string, stat: FileStat, path: string): TextWindow | undefined {
    const key = keyOfVersion(request, stat);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (changeOf(entry.window.stat, stat) !== "same") {
      this.#bytes -= entry.bytes;
      return undefined;
    }
    this.#entries.set(key, entry);
    return copyWindow(entry.window, path, stat);
  }

  /** Caches a copy of a window. Call it only if the file did not change meanwhile; `now` was sampled before `stat()`. */
  keep(request: string, window: TextWindow, now: number): void {
    const { stat, path, span, text, clipped } = window;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth of the cache.
    const isLarge = bytes > this.#mostBytes / 8;
    if (isLarge || clipped || stat.id === null || !isAtRest(stat, now)) return;
    const key = keyOfVersion(request, stat);
    this.#drop(key);
    this.#entries.set(key, { window: copyWindow(window, path, stat), bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

function keyOfVersion(request: string, { id }: FileStat): string {
  return `${id} ${request}`;
}
