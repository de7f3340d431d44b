// Runtime-agnostic.

/** What R2 tells of an object, as far as it is asked. */
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

/** Which bytes are asked for, and of which content. */
export interface R2GetOptionsLike {
  /** The bytes. */
  readonly range: { readonly offset: number; readonly length: number };
  /** The content that they must be of. */
  readonly onlyIf?: { readonly etagMatches: string };
}

/** Which objects are listed. */
export interface R2ListOptionsLike {
  /** How their names begin. */
  readonly prefix: string;
  /** The most that are listed. */
  readonly limit: number;
}

/** The part of a Cloudflare R2 binding that is used; `R2Bucket` has it. */
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
