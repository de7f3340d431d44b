/** An R2 bucket in memory; tests/suites/r2_bucket.ts checks that it behaves like R2. */
import type { R2BucketLike } from "../../mod.ts";
import type {} from "../../mod.ts";
import { toBytes } from "@std/streams";
import type { TestBucket } from "./r2_bucket.ts";

type R2ObjectLike = NonNullable<Awaited<ReturnType<R2BucketLike["get"]>>>;
type R2GetOptionsLike = Parameters<R2BucketLike["get"]>[1];
type R2ListOptionsLike = Parameters<NonNullable<R2BucketLike["list"]>>[0];
type R2ListingLike = Awaited<ReturnType<NonNullable<R2BucketLike["list"]>>>;

/** The content of an object: bytes, or a function that generates them. */
export interface Content {
  readonly size: number;
  slice(start: number, end: number): Uint8Array<ArrayBuffer>;
}

interface Stored {
  readonly content: Content;
  readonly etag: string;
  readonly uploaded: Date;
}

/** The largest length of a name, in bytes. */
const MAX_KEY_BYTES = 1024;

const encoder = new TextEncoder();

/** A bucket; `put` and `delete` fill and empty it. */
export class FakeR2 implements TestBucket {
  readonly #objects = new Map<string, Stored>();
  #stored = 0;

  async put(
    key: string,
    content: string | Uint8Array | ReadableStream<Uint8Array> | Content,
  ): Promise<void> {
    await checkKey("put", key);
    const made = await contentOf(content);
    this.#stored++;
    this.#objects.set(key, {
      content: made,
      etag: await etagOf(made),
      // A counter instead of the clock, so that tests do not depend on time.
      uploaded: new Date(this.#stored * 1000),
    });
  }

  delete(key: string): Promise<void> {
    this.#objects.delete(key);
    return Promise.resolve();
  }

  async head(key: string): Promise<R2ObjectLike | null> {
    await checkKey("head", key);
    const stored = this.#objects.get(key);
    return stored === undefined ? null : describe(key, stored);
  }

  async get(
    key: string,
    { range: { offset, length }, onlyIf }: R2GetOptionsLike,
  ): Promise<R2ObjectLike | null> {
    await checkKey("get", key);
    const stored = this.#objects.get(key);
    if (stored === undefined) return null;
    const described = describe(key, stored);
    if (onlyIf !== undefined && onlyIf.etagMatches !== stored.etag) {
      return described;
    }
    const { size } = stored.content;
    if (offset > size || length <= 0) throw unsatisfiable();
    if (offset === size) throw new Error("get: Unspecified error (0)");
    const end = Math.min(size, offset + length);
    return { ...described, body: streamOf(stored.content.slice(offset, end)) };
  }

  /** Every object and every folder counts towards the limit. */
  list(
    { prefix, limit, delimiter, cursor = "" }: R2ListOptionsLike,
  ): Promise<R2ListingLike> {
    const objects: R2ObjectLike[] = [];
    const delimitedPrefixes: string[] = [];
    let last = cursor;
    for (const key of [...this.#objects.keys()].sort()) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === undefined
        ? -1
        : key.indexOf(delimiter, prefix.length);
      const name = end < 0 ? key : key.slice(0, end + 1);
      if (name <= last) continue;
      if (objects.length + delimitedPrefixes.length === limit) {
        const rest = { truncated: true, cursor: last };
        return Promise.resolve({ objects, delimitedPrefixes, ...rest });
      }
      last = name;
      if (end >= 0) delimitedPrefixes.push(name);
      else objects.push(describe(key, this.#objects.get(key)!));
    }
    return Promise.resolve({ objects, delimitedPrefixes, truncated: false });
  }
}

/** Generated content gets an etag made from its size. */
async function etagOf(content: Content): Promise<string> {
  const { size } = content;
  if (size > 64 * 1024 * 1024) return `${size}`;
  const hash = await crypto.subtle.digest("SHA-256", content.slice(0, size));
  return new Uint8Array(hash).toString();
}

function describe(key: string, stored: Stored): R2ObjectLike {
  const { content: { size }, etag, uploaded } = stored;
  return { key, size, etag, uploaded };
}

// deno-lint-ignore require-await
async function checkKey(verb: string, key: string): Promise<void> {
  if (encoder.encode(key).length <= MAX_KEY_BYTES) return;
  throw new Error(`${verb}: The specified object name is not valid. (10020)`);
}

function unsatisfiable(): Error {
  return new Error("get: The requested range is not satisfiable (10039)");
}

async function contentOf(
  content: string | Uint8Array | ReadableStream<Uint8Array> | Content,
): Promise<Content> {
  if (typeof content === "object" && "slice" in content && "size" in content) {
    return content;
  }
  // Copied, so that a change of the original does not change the object.
  const bytes = content instanceof ReadableStream
    ? await toBytes(content)
    : typeof content === "string"
    ? encoder.encode(content)
    : new Uint8Array(content);
  return { size: bytes.length, slice: (from, to) => bytes.slice(from, to) };
}

/** A body in several chunks, as from a network. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) return controller.close();
      const end = Math.min(bytes.length, at + Math.ceil(bytes.length / 3));
      controller.enqueue(bytes.slice(at, end));
      at = end;
    },
  });
}
