// Runtime-agnostic.
import { type Call, isPromise } from "./base/call.ts";
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
import type { Awaitable } from "./base/port.ts";

/** What a read of an open file needs. */
export interface Reader {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  /** The encoding that was asked for, or the detection of it; `undefined` for UTF-8. */
  readonly encoding: ResolvedEncoding | Encodings | undefined;
}

/** Reads in the encoding that was asked for, or in the detected one. */
export function readOnce(
  reader: Reader,
  index: FileIndex | undefined,
): Promise<Outcome> {
  const { encoding } = reader;
  if (encoding === undefined || "encoding" in encoding) {
    return readIn(reader, index, encoding);
  }
  const known = index?.encoding;
  if (known !== undefined) return readIn(reader, index, known);
  return readDetected(reader, index, encoding);
}

/** Reads as UTF-8, since most files are, and then judges what was read. */
async function readDetected(
  reader: Reader,
  index: FileIndex | undefined,
  encodings: Encodings,
): Promise<Outcome> {
  let detected: ResolvedEncoding | undefined;
  const keep = (found: ResolvedEncoding | undefined) => {
    if (found !== undefined && index !== undefined) index.encoding = found;
    return detected = found;
  };
  const keepLater = async (found: Promise<ResolvedEncoding | undefined>) =>
    keep(await found);
  const outcome = await readIn(reader, index, undefined, (...read) => {
    const found = encodings.judge(...read);
    return isPromise(found) ? keepLater(found) : keep(found);
  });
  return detected?.codec === undefined
    ? outcome
    : await readIn(reader, index, detected);
}

/** Finds the lines, and reads them into a window. */
async function readIn(
  { file, call, finder, policy, kernels }: Reader,
  index: FileIndex | undefined,
  encoding: ResolvedEncoding | undefined,
  judge?: Encodings["judge"],
): Promise<Outcome> {
  // Making a kernel may take a millisecond.
  const breath = call.breathe();
  if (breath !== undefined) await breath;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  encoding?.use(source);
  const { binary = "replace" } = policy;
  try {
    if (finder.check !== undefined) await finder.check(source, policy);
    // Bytes that are not UTF-8 may be text in another encoding.
    const isOther = judge !== undefined && binary !== "replace" &&
      (await judge(source))?.codec !== undefined;
    const reading = isOther ? undefined : readBinary(source, policy);
    const bytes = reading instanceof Promise ? await reading : reading;
    if (bytes !== undefined) return { content: bytes };
    const { keepsBytes = false } = finder;
    const content = finder.read === undefined
      ? await readWindow(
        source,
        await finder.find(source, policy),
        policy,
        keepsBytes,
      )
      : await finder.read(source, policy);
    const judging = judge?.(source, content);
    const detected = isPromise(judging) ? await judging : judging;
    if (detected !== undefined) relabel(content, detected.encoding);
    if (detected?.codec === undefined && finder.settle !== undefined) {
      await finder.settle(source, content);
    }
    return { content };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.includes(failure.code)) throw failure;
    const isLarge = isOurs && failure.is("TOO_LARGE") &&
      failure.details.what === "file";
    if (judge !== undefined && !isLarge) await judge(source);
    const explained = isOurs && await finder.explain?.(failure, source);
    // An impossible result, such as lines that do not add up, may mix two versions.
    return { failure: explained || failure };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

const ABOUT_CONTENT: readonly ReadFileError["code"][] = [
  ...["BINARY", "TOO_LARGE", "UNREADABLE"] as const,
  ...["RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
];

/** The result of one read; a failure that follows from the content is a result too. */
export type Outcome =
  | { readonly content: FileContent }
  | { readonly failure: unknown };

/** Whether two reads gave the same result. */
export async function isSame(
  one: Outcome,
  other: Outcome,
  call: Call,
): Promise<boolean> {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const [{ bytes }, { bytes: others }] = [one.content, other.content];
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) await call.breathe();
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
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines } = outcome.content;
  const place: unknown[] = [span, start, next, column, nextColumn, totalLines];
  place.push(outcome.content.encoding);
  const { hits } = outcome.content as Partial<FoundWindow>;
  if (hits !== undefined) place.push(hits);
  return JSON.stringify([kind, length, cut, place]);
}

/** The cache key of a request for a file; `undefined` if the answer cannot be cached. */
function keyOf({ file, finder, policy }: Reader): string | undefined {
  const { signal: _, etag: __, ...limits } = policy;
  const key = finder.key?.();
  return key && `${file.stat.id} ${key}${JSON.stringify(limits)}`;
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
 * the request; the least recently used are dropped first. Only a workspace with
 * pages makes one, so that other bundles leave it out.
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

  /** Returns a copy of a cached result, if the file is still the version that was read. */
  recall(
    reader: Reader,
    index: FileIndex | undefined,
  ): Awaitable<{ readonly content: TextWindow } | undefined> {
    const { file: { stat, path }, finder } = reader;
    const key = keyOf(reader);
    const entry = key && this.#entries.get(key);
    if (!entry) return undefined;
    this.#drop(key);
    if (changeOf(entry.window.stat, stat) !== "same") return undefined;
    this.#keep(key, entry);
    // The lines may have been counted since it was cached.
    if (entry.window.totalLines === null && index?.total) return undefined;
    const found = { content: copyWindow(entry.window, path, stat) };
    if (finder.check === undefined) return found;
    return ifChecked(found, finder.check, reader, index);
  }

  /** Caches a copy of a window, if its times will show the next change; `now` was sampled before the file was opened. */
  remember(outcome: Outcome, reader: Reader, now: number): void {
    const key = keyOf(reader);
    if (!key || !("content" in outcome)) return;
    const { content } = outcome;
    if (content.kind !== "text") return;
    const { stat, path, span, text, clipped } = content;
    const bytes = ENTRY_BYTES + span.end - span.start + 2 * text.length;
    // One window may take an eighth of the cache.
    const isLarge = bytes > this.#mostBytes / 8;
    if (isLarge || clipped || stat.id === null || !isAtRest(stat, now)) return;
    this.#drop(key);
    this.#keep(key, { window: copyWindow(content, path, stat), bytes });
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** Runs the check of a finder; returns `undefined` instead of `found` if the check postponed a comparison, since such a page is not cached. */
async function ifChecked<Found>(
  found: Found,
  check: NonNullable<Finder["check"]>,
  reader: Reader,
  index: FileIndex | undefined,
): Promise<Found | undefined> {
  const { file, call, policy, kernels } = reader;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  try {
    await check(source, policy);
  } finally {
    if (!source.isReading) kernels.give(kernel);
  }
  return keyOf(reader) === undefined ? undefined : found;
}
