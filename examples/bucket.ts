import type { R2BucketLike } from "@agent-tools/read-file";

type R2ObjectLike = NonNullable<Awaited<ReturnType<R2BucketLike["get"]>>>;

/** A bucket in memory, with the part of R2 that `r2Fs` uses. */
export function bucketOf(
  files: Readonly<Record<string, string>>,
): R2BucketLike {
  const objects = new Map(
    Object.entries(files)
      .map(([key, text]) => [key, new TextEncoder().encode(text)]),
  );
  const tell = (key: string): R2ObjectLike | null => {
    const bytes = objects.get(key);
    if (bytes === undefined) return null;
    return { key, size: bytes.length, etag: key, uploaded: new Date(0) };
  };
  return {
    head: (key) => Promise.resolve(tell(key)),
    get(key, { range: { offset, length } }) {
      const object = tell(key);
      if (object === null) return Promise.resolve(null);
      const part = objects.get(key)!.slice(offset, offset + length);
      return Promise.resolve({ ...object, body: new Blob([part]).stream() });
    },
  };
}
