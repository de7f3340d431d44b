// Runtime-agnostic.
import type { ReadPolicy } from "./base/policy.ts";
import type { FileIndex } from "./lines/line_index.ts";
import { Source } from "./lines/source.ts";
import { WindowCache } from "./lines/window_cache.ts";
import type { Outcome } from "./outcome.ts";
import type { Finder } from "./read.ts";
import type { Reader } from "./read_once.ts";

/** The cache of a workspace, and what its windows are found by. An object, so that bundles without it leave it out. */
export class WindowMemory {
  readonly #cache: WindowCache;

  /** Constructs a new instance of at most so many bytes. */
  constructor(mostBytes: number) {
    this.#cache = new WindowCache(mostBytes);
  }

  /** Gives what was read before, if it is cached and the file is still that version. */
  async recall(
    { file, call, finder, policy, kernels }: Reader,
    index: FileIndex | undefined,
  ): Promise<Outcome | undefined> {
    const key = keyOf(finder, policy);
    const content = key && this.#cache.get(key, file.stat, file.path);
    // The lines may have been counted since.
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
    // A page that owes a comparison is read.
    return keyOf(finder, policy) === undefined ? undefined : { content };
  }

  /** Keeps a window for the next call, if its finder says what it finds; `now` was sampled before the file was opened. */
  remember(outcome: Outcome, { finder, policy }: Reader, now: number): void {
    const key = keyOf(finder, policy);
    if (!key || !("content" in outcome)) return;
    if (outcome.content.kind === "text") {
      this.#cache.keep(key, outcome.content, now);
    }
  }
}

/** What is asked for; `undefined` if it cannot be said. */
function keyOf(
  { key }: Finder,
  { signal: _, etag: __, ...policy }: ReadPolicy,
): string | undefined {
  const asked = key?.();
  return asked && JSON.stringify([asked, policy]);
}
