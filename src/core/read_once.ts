// Runtime-agnostic.
import { type Call, isPromise, Recent } from "./base/call.ts";
import { ReadFileError } from "./base/errors.ts";
import type { ReadPolicy } from "./base/selection.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Encodings, ResolvedEncoding } from "./lines/codec.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { readBinary } from "./lines/text.ts";
import { copyWindow, readWindow, relabel } from "./lines/window.ts";
import type { TextWindow } from "./lines/window.ts";
import type { FileContent, Finder } from "./read.ts";
import type { FoundWindow } from "./pages/page.ts";
import { changeOf, isAtRest } from "./guard/proof.ts";

/** What a read of an open file needs. */
export interface Reader {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  readonly index: FileIndex | undefined;
  readonly cache: WindowCache | undefined;
  /** The time, sampled before the file was opened. */
  readonly now: number;
  /** The encoding that was asked for, or the detection of it; `undefined` for UTF-8. */
  readonly encoding: ResolvedEncoding | Encodings | undefined;
}

/** Reads in the encoding that was asked for, or in the detected one. */
export function readOnce(reader: Reader): Promise<Outcome> {
  const { encoding, index } = reader;
  if (encoding === undefined || "encoding" in encoding) {
    return readIn(reader, encoding);
  }
  const known = index?.encoding;
  return known ? readIn(reader, known) : readDetected(reader, encoding);
}

/** Reads as UTF-8, since most files are, and then judges what was read. */
async function readDetected(
  reader: Reader,
  encodings: Encodings,
): Promise<Outcome> {
  const { index } = reader;
  const outcome = await readIn(reader, undefined, encodings);
  const { judged } = outcome;
  if (judged === undefined) return outcome;
  if (index !== undefined) index.encoding = judged;
  return judged.codec ? await readIn(reader, judged) : outcome;
}

/** Finds the lines, and reads them into a window; `encodings` judge what was read. */
async function readIn(
  reader: Reader,
  encoding: ResolvedEncoding | undefined,
  encodings?: Encodings,
): Promise<Outcome> {
  const { file, call, finder, policy, kernels, index } = reader;
  // Making a kernel may take a millisecond.
  const yielding = call.yieldIfDue();
  if (yielding !== undefined) await yielding;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  encoding?.use(source);
  const { binary = "replace" } = policy;
  let judged: ResolvedEncoding | undefined;
  try {
    if (finder.check) {
      await finder.check(source, policy);
      // Without a check, the cache was asked before.
      const cached = reader.cache?.recall(reader);
      if (cached) return { content: cached, isCached: true };
    }
    // Bytes that are not UTF-8 may be text in another encoding.
    if (encodings !== undefined && binary !== "replace") {
      judged = await encodings.judge(source);
    }
    const bytes = judged?.codec === undefined
      ? await readBinary(source, policy)
      : undefined;
    if (bytes !== undefined) return { content: bytes, judged };
    const { keepsBytes = false } = finder;
    const content = finder.read === undefined
      ? await readWindow(
        source,
        await finder.find(source, policy),
        policy,
        keepsBytes,
      )
      : await finder.read(source, policy);
    const judging = encodings?.judge(source, content);
    judged = isPromise(judging) ? await judging : judging;
    if (judged !== undefined) relabel(content, judged.encoding);
    if (!judged?.codec && finder.settle) await finder.settle(source, content);
    return { content, judged };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.includes(failure.code)) throw failure;
    const isLarge = isOurs && failure.is("TOO_LARGE") &&
      failure.details.what === "file";
    // A file that is too large is so in every encoding.
    if (!isLarge) judged = await encodings?.judge(source);
    // Another error is an impossible result, such as lines that do not add up: the
    // read may mix two versions.
    const explained = isOurs
      ? await finder.explain?.(failure, source)
      : undefined;
    return { failure: explained ?? failure, judged };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** The codes of failures that follow from the content of a file. */
const ABOUT_CONTENT: readonly ReadFileError["code"][] = [
  "BINARY",
  "TOO_LARGE",
  "UNREADABLE",
  "RANGE_OUT_OF_BOUNDS",
  "SCAN_LIMIT",
];

/** The result of one read; a failure that follows from the content is a result too. */
export type Outcome =
  & (
    | { readonly content: FileContent; readonly isCached?: boolean }
    | { readonly failure: unknown }
  )
  & { readonly judged?: ResolvedEncoding | undefined };

/** Whether two reads gave the same result. */
export async function isSame(
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
  const content = outcome.content as FoundWindow;
  const { kind, bytes: { length }, cut, span, encoding, hits } = content;
  const { start, next, column, nextColumn, totalLines } = content;
  const place = [span, start, next, column, nextColumn, totalLines];
  return JSON.stringify([kind, length, cut, place, encoding, hits]);
}

/** The cache key of a request for a file; `undefined` if the answer cannot be cached. */
function keyOf({ file, finder, policy }: Reader): string | undefined {
  const { signal: _, ...limits } = policy;
  const key = finder.key?.();
  if (key === undefined) return undefined;
  return `${file.stat.id} ${key}${JSON.stringify(limits)}`;
}

/** About how many bytes a window takes besides its text. */
const ENTRY_BYTES = 1024;

/** A cache of windows by the file and the request. Only a workspace with pages makes one, so that other bundles leave it out. */
export class WindowCache extends Recent<TextWindow> {
  /** Returns a copy of a cached window, if the file is still the version that was read. */
  recall(reader: Reader): TextWindow | undefined {
    const { file: { stat, path }, index } = reader;
    const key = keyOf(reader);
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
  remember(outcome: Outcome, reader: Reader): void {
    const key = keyOf(reader);
    const isFresh = "content" in outcome && !outcome.isCached;
    if (key === undefined || !isFresh) return;
    const { content } = outcome;
    if (content.kind !== "text") return;
    const { stat, path, span, text, clipped } = content;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth of the cache.
    const isLarge = bytes > this.most / 8;
    if (isLarge || clipped || stat.id === null || !isAtRest(stat, reader.now)) {
      return;
    }
    this.set(key, copyWindow(content, path, stat), bytes);
  }
}
