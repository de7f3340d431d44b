// Runtime-agnostic.

/**
 * What R2 tells of an object, as far as it is asked.
 *
 * @example Usage
 * ```ts
 * import { r2Fs, type R2ObjectLike } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const object: R2ObjectLike = { key: "a.txt", size: 3, etag: "1f", uploaded: new Date(0) };
 * const find = (key: string) => Promise.resolve(key === object.key ? object : null);
 * const { size, mtimeMs } = await r2Fs({ head: find, get: find }).lstat("/a.txt");
 * assertEquals([size, mtimeMs], [3, 0]);
 * ```
 */
export interface R2ObjectLike {
  /** The name it is kept under. */
  readonly key: string;
  /** Its size in bytes; of all of it, whatever range was asked for. */
  readonly size: number;
  /** Stands for its content. */
  readonly etag: string;
  /** When it was stored. */
  readonly uploaded: Date;
  /** The bytes that were asked for; missing where a condition did not hold. */
  readonly body?: ReadableStream<Uint8Array>;
}

/**
 * Which bytes are asked for, and of which content.
 *
 * @example Usage
 * ```ts
 * import { r2Fs, type R2GetOptionsLike } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const asked: R2GetOptionsLike[] = [];
 * const fs = r2Fs({
 *   head: () => Promise.resolve(null),
 *   get: (_key, options) => (asked.push(options), Promise.resolve(null)),
 * });
 * await assertRejects(async () => await fs.open("/huge.log"));
 * assertEquals(asked[0]?.range, { offset: 0, length: 64 * 1024 }); // its beginning comes along
 * ```
 */
export interface R2GetOptionsLike {
  /** The bytes. */
  readonly range: { readonly offset: number; readonly length: number };
  /** The content that they must be of. */
  readonly onlyIf?: { readonly etagMatches: string };
}

/**
 * Which objects are listed.
 *
 * @example Usage
 * ```ts
 * import { r2Fs, type R2ListOptionsLike } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const keys = ["logs/app.log", "notes/todo.md"];
 * const list = ({ prefix, limit }: R2ListOptionsLike) =>
 *   Promise.resolve({ objects: keys.filter((key) => key.startsWith(prefix)).slice(0, limit) });
 * const none = () => Promise.resolve(null);
 * const { kind } = await r2Fs({ head: none, get: none, list }).lstat("/notes");
 * assertEquals(kind, "directory");
 * ```
 */
export interface R2ListOptionsLike {
  /** How their names begin. */
  readonly prefix: string;
  /** The most that are listed. */
  readonly limit: number;
}

/**
 * The part of a Cloudflare R2 binding that is used; `R2Bucket` has it.
 *
 * @example Usage
 * ```ts
 * import { openWorkspace, type R2BucketLike, r2Fs, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const object = { key: "a.txt", size: 8, etag: "1f", uploaded: new Date(0) };
 * const bucket: R2BucketLike = {
 *   head: () => Promise.resolve(object),
 *   get: () => Promise.resolve({ ...object, body: new Blob(["one\ntwo\n"]).stream() }),
 * };
 * const workspace = await openWorkspace("/", { fs: r2Fs(bucket) });
 * assertEquals((await readFile(workspace, "a.txt", { kind: "tail", count: 1 })).text, "two\n");
 * ```
 */
export interface R2BucketLike {
  /**
   * Describes an object.
   *
   * @param key Its name.
   * @returns The facts; `null` if there is no such object.
   */
  head(key: string): Promise<R2ObjectLike | null>;
  /**
   * Fetches bytes of an object.
   *
   * @param key Its name.
   * @param options Which bytes.
   * @returns The object, with its bytes if the condition held; `null` if there is none.
   */
  get(key: string, options: R2GetOptionsLike): Promise<R2ObjectLike | null>;
  /**
   * Lists objects; asked only whether there is one, to tell a directory from
   * nothing. Where it is missing, a directory is there once a name below it is
   * asked for, or an object that ends with a slash marks it.
   *
   * @param options Which objects.
   * @returns Those that were found.
   */
  list?(
    options: R2ListOptionsLike,
  ): Promise<{ readonly objects: readonly unknown[] }>;
}
