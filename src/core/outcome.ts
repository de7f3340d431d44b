// Runtime-agnostic.
import { type Call, LruCache } from "./base/call.ts";
import { ReadFileError, type ReadFileErrorCode } from "./base/errors.ts";
import { changeOf, isAtRest } from "./guard/proof.ts";
import type { Finder } from "./finders.ts";
import type { Encodings, ResolvedEncoding } from "./lines/codec.ts";
import type { Source } from "./lines/source.ts";
import { copyWindow, type TextWindow } from "./lines/window.ts";
import type { HitsWindow } from "./pages/page.ts";
import type { FileContent, ReadContext } from "./read.ts";

/** The result of one read; a failure that follows from the content is a result too. */
export type Outcome =
  & (
    | { readonly content: FileContent; readonly isCached?: boolean }
    | { readonly failure: unknown }
  )
  & {
    /** The encoding of the file, if it was read as UTF-8 and detected. */
    readonly detected?: ResolvedEncoding | undefined;
  };

/** The outcome of an error that may follow from the content; throws any other. */
export async function outcomeOfError(
  error: unknown,
  source: Source,
  finder: Finder,
  detection: Encodings | undefined,
): Promise<Outcome> {
  if (!(error instanceof ReadFileError)) {
    // A check of our own failed, such as that of `LazyWindow`. A read that mixes two
    // versions can cause this, so it is an outcome. `readOneVersion` throws the error
    // if the file did not change, or if a second read fails in the same way.
    return { failure: error, detected: await detection?.detect(source) };
  }
  if (!ABOUT_CONTENT.includes(error.code)) throw error;
  // A file that is too large is so in every encoding.
  const isLarge = error.is("TOO_LARGE") && error.details.what === "file";
  const detected = isLarge ? undefined : await detection?.detect(source);
  const explained = await finder.explain?.(error, source);
  return { failure: explained ?? error, detected };
}

/** The codes of failures that follow from the content of a file. */
const ABOUT_CONTENT: readonly ReadFileErrorCode[] = [
  "BINARY",
  "TOO_LARGE",
  "UNREADABLE",
  "RANGE_OUT_OF_BOUNDS",
  "SCAN_LIMIT",
];

/** Whether two reads gave the same result. */
export async function haveSameResult(
  one: Outcome,
  other: Outcome,
  call: Call,
): Promise<boolean> {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const { bytes } = one.content;
  const { bytes: others } = other.content;
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) await call.yieldIfDue();
    if (bytes[at] !== others[at]) return false;
  }
  return true;
}

/** How many bytes are compared between two checks of the time slice. */
const STEP_BYTES = 1024 * 1024;

/** Everything but the bytes, as text to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  // Cast, since other contents than windows with hits lack some of these.
  const content = outcome.content as HitsWindow;
  const { kind, bytes: { length }, cut, span, encoding, hits } = content;
  const { start, next, column, nextColumn, totalLines } = content;
  const place = [span, start, next, column, nextColumn, totalLines];
  return JSON.stringify([kind, length, cut, place, encoding, hits]);
}

/** The cache key of a request for a file; `undefined` if the answer cannot be cached. */
function keyOf({ file, finder, policy }: ReadContext): string | undefined {
  const { signal: _, ...limits } = policy;
  const key = finder.key?.();
  if (key === undefined) return undefined;
  return `${file.stat.id} ${key}${JSON.stringify(limits)}`;
}

/** About how many bytes a window takes besides its text. */
const ENTRY_BYTES = 1024;

/** A cache of windows by the file and the request. Only a workspace with pages makes one, so that other bundles leave it out. */
export class WindowCache extends LruCache<TextWindow> {
  /** Returns a copy of a cached window, if the file is still the version that was read. */
  recall(context: ReadContext): TextWindow | undefined {
    const { file: { stat, path }, index } = context;
    const key = keyOf(context);
    if (key === undefined) return undefined;
    const window = this.get(key);
    if (window === undefined) return undefined;
    if (changeOf(window.stat, stat) !== "same") {
      this.delete(key);
      return undefined;
    }
    // The lines may have been counted since it was cached.
    const isCounted = window.totalLines === null && index?.total;
    return isCounted ? undefined : copyWindow(window, path, stat);
  }

  /** Caches a copy of a window, if its times will show the next change. */
  remember(outcome: Outcome, context: ReadContext): void {
    const key = keyOf(context);
    const isFresh = "content" in outcome && !outcome.isCached;
    if (key === undefined || !isFresh) return;
    const { content } = outcome;
    if (content.kind !== "text") return;
    const { stat, path, span, text, clipped } = content;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth of the cache.
    const isLarge = bytes > this.maxSize / 8;
    if (
      isLarge || clipped || stat.id === null || !isAtRest(stat, context.now)
    ) {
      return;
    }
    this.set(key, copyWindow(content, path, stat), bytes);
  }
}
