/** The buckets for tests: one in memory and, at the edge, a real one. */
import { type R2BucketLike, r2Fs } from "../../mod.ts";
import { FakeR2 } from "./fake_r2.ts";
import { giantContent } from "./giant.ts";
import { type Place, readLayout } from "./layout.ts";

type R2ObjectLike = NonNullable<Awaited<ReturnType<R2BucketLike["get"]>>>;

/** A bucket that tests can fill. */
export interface TestBucket extends Required<R2BucketLike> {
  put(
    key: string,
    content: string | Uint8Array | ReadableStream<Uint8Array>,
  ): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

let handedIn: TestBucket | undefined;

/** Sets the real bucket, if there is one. */
export function handInBucket(bucket: TestBucket): void {
  handedIn = bucket;
}

/** A large file, in a folder of every bucket. */
export const GIANT_KEY = "giant/big.txt";

/** Its size in MiB; smaller at the edge, which must store it. */
export const GIANT_BLOCKS: number = navigator.userAgent === "Cloudflare-Workers"
  ? 128
  : 1024;

/** All buckets, by name; called after the tests are collected. */
export function buckets(): readonly (readonly [string, TestBucket])[] {
  const fake = new FakeR2();
  // In memory, `put` is synchronous.
  void fake.put(GIANT_KEY, giantContent(GIANT_BLOCKS));
  const inMemory = ["a bucket in memory", fake] as const;
  return handedIn === undefined ? [inMemory] : [inMemory, ["R2", handedIn]];
}

let folders = 0;

/** The folder of one test. */
export function newFolder(): string {
  return `test-${folders++}`;
}

/** Creates a layout in a new folder; on request, the port lacks `list`. */
export async function inBucket(
  bucket: TestBucket,
  layout: readonly string[],
  { lists = true }: { readonly lists?: boolean } = {},
): Promise<Place> {
  const prefix = newFolder();
  for (const entry of readLayout(["ws/", ...layout])) {
    const key = `${prefix}/base/${entry.path}`;
    if (entry.kind === "file") await bucket.put(key, entry.text);
    // The marker with which consoles create an empty folder.
    else if (entry.kind === "folder") await bucket.put(`${key}/`, "");
    else throw new TypeError(`A bucket cannot hold a ${entry.kind}`);
  }
  const seen: R2BucketLike = lists ? bucket : withoutList(bucket);
  return {
    fs: r2Fs(seen, { prefix }),
    base: "/base",
    root: "/base/ws",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A binding without `list`. */
export function withoutList(bucket: R2BucketLike): R2BucketLike {
  return {
    head: (key) => bucket.head(key),
    get: (key, options) => bucket.get(key, options),
  };
}

/** The counts of a {@linkcode countingBucket}. */
export interface BucketCounts {
  /** Each request, as `verb key`. */
  readonly requests: string[];
  /** How many bytes of content were received. */
  bytes: number;
}

/** Wraps a bucket to count its requests and bytes. */
export function countingBucket(
  bucket: Required<R2BucketLike>,
): { readonly bucket: Required<R2BucketLike>; readonly counts: BucketCounts } {
  const counts: BucketCounts = { requests: [], bytes: 0 };
  const note = (verb: string, key: string) => {
    counts.requests.push(`${verb} ${key}`);
  };
  return {
    counts,
    bucket: {
      head: (key) => (note("head", key), bucket.head(key)),
      list: (options) => (note("list", options.prefix), bucket.list(options)),
      async get(key, options) {
        note("get", key);
        const object = await bucket.get(key, options);
        if (object?.body === undefined) return object;
        return withBody(object, counting(object.body, counts));
      },
    },
  };
}

/** The same object with another body; R2's own object has getters for its properties. */
export function withBody(
  { key, size, etag, uploaded }: R2ObjectLike,
  body: ReadableStream<Uint8Array>,
): R2ObjectLike {
  return { key, size, etag, uploaded, body };
}

function counting(
  body: ReadableStream<Uint8Array>,
  counts: BucketCounts,
): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array, controller) {
        counts.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
}
