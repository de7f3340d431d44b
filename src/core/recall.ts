// Runtime-agnostic.
import type { ReadPolicy } from "./base/policy.ts";
import type { FileIndex } from "./lines/line_index.ts";
import { Source } from "./lines/source.ts";
import { WindowCache } from "./lines/window_cache.ts";
import type { Outcome } from "./outcome.ts";
import type { Finder } from "./read.ts";
import type { Reader } from "./read_once.ts";

/** The cache of windows of a workspace. Only a workspace with pages makes one, so that other bundles leave it out. */
export class WindowMemory {
  readonly #cache: WindowCache;

  /** Constructs a new instance that holds at most `mostBytes`. */
  constructor(mostBytes: number) {
    this.#cache = new WindowCache(mostBytes);
  }

  /** Returns a cached result, if the file is still the version that was read. */
  async recall(
    { file, call, finder, policy, kernels }: Reader,
    index: FileIndex | undefined,
  ): Promise<Outcome | undefined> {
    const key = keyOf(finder, policy);
    const content = key && this.#cache.get(key, file.stat, file.path);
    // The lines may have been counted since it was cached.
    const isCounted = content && content.totalLines === null && index?.total;
    if (!content || isCounted) return undefined;
    if (finder.check === undefined) return { content };
    const kernel = kernels.take(file.stat.size);
    const source = new Source(file, kernel, call, index);
    try {
      await finder.check(source, policy);
    } finally {
      if (!source.isReading) kernels.give(kernel);
    }
    // A page with a postponed comparison is not cached.
    return keyOf(finder, policy) === undefined ? undefined : { content };
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
  return found && JSON.stringify([found, policy]);
}
