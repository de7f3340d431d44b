import type { Call } from "../base/call.ts";
import { LruCache } from "../base/lru_cache.ts";
import type { ReadFileError } from "../base/errors.ts";
import type { FileStat } from "../base/port.ts";
import { changeOf, isAtRest } from "../guard/proof.ts";
import type { OpenedFile } from "../guard/open.ts";
import { bytesOf } from "../lines/run.ts";
import type { ResolvedEncoding } from "../lines/codec.ts";
import type { ReadFields } from "../read_options.ts";
import type { Reading } from "./page.ts";

/** The result of one read; a failure that follows from the content is a result too. */
export type Outcome =
  & ({ readonly reading: Reading } | { readonly failure: unknown })
  & {
    /** The encoding of the file, if it was read as UTF-8 and detected. */
    readonly detected?: ResolvedEncoding | undefined;
    /** The byte where the page begins, if it continues the page of an etag. */
    readonly at?: number | undefined;
    readonly isCached?: boolean;
  };

/** Whether two reads gave the same result. */
export async function haveSameResult(
  one: Outcome,
  other: Outcome,
  call: Call,
): Promise<boolean> {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("reading" in one && "reading" in other)) return true;
  const bytes = eachBytes(one.reading);
  const others = eachBytes(other.reading);
  for (const [index, own] of bytes.entries()) {
    const against = others[index]!;
    for (let at = 0; at < own.length; at++) {
      if (at % STEP_BYTES === 0) await call.yieldIfDue();
      if (own[at] !== against[at]) return false;
    }
  }
  return true;
}

function eachBytes({ runs, binary }: Reading): readonly Uint8Array[] {
  return binary === undefined ? runs.map(bytesOf) : [binary];
}

/** How many bytes are compared between two checks of the time slice. */
const STEP_BYTES = 1024 * 1024;

/** Everything but the bytes, as text to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { runs, total, next, hits, encoding, binary } = outcome.reading;
  const places = runs.map(({ text, bytes: _, ...place }) => [
    place,
    text.length,
  ]);
  const rest = [total, next, hits, encoding, binary?.length];
  return JSON.stringify([places, rest]);
}

/** The cache key of a request for a file, which begins at the byte `at` if that is known; `undefined` if the answer is not cached. */
export function keyOf(
  { id }: FileStat,
  options: ReadFields,
  at?: number,
): string | undefined {
  if (id === null) return undefined;
  const { etag: _, ...others } = options;
  // The lines before may have changed, so that the line begins elsewhere now.
  return `${id} ${JSON.stringify({ ...others, at })}`;
}

/** About how many bytes a reading takes besides its text. */
const ENTRY_BYTES = 1024;

/** A cache of readings by the file and the request. */
export class ReadingCache extends LruCache<Reading> {
  /** A cached reading, if the file is still the version that was read. */
  recall(
    key: string | undefined,
    { path, stat }: OpenedFile,
  ): Reading | undefined {
    if (key === undefined) return undefined;
    const reading = this.get(key);
    if (reading === undefined) return undefined;
    if (changeOf(reading.stat, stat) !== "same") {
      this.delete(key);
      return undefined;
    }
    return { ...reading, path, stat };
  }

  /** Caches a reading, if its times will show the next change. */
  remember(key: string | undefined, reading: Reading, now: number): void {
    const { stat, runs, binary } = reading;
    if (key === undefined || binary !== undefined) return;
    if (!isAtRest(stat, now)) return;
    const bytes = runs.reduce(
      (sum, { start, end, text }) => sum + end - start + 2 * text.length,
      ENTRY_BYTES,
    );
    // One reading may take an eighth of the cache.
    if (bytes > this.maxSize / 8) return;
    this.set(key, reading, bytes);
  }
}
