// Runtime-agnostic.
import { lazyPart } from "../base/errno.ts";
import type { Charset, Codec } from "../lines/codec.ts";

const searchPart = /* @__PURE__ */ lazyPart(() =>
  import("./decoded_search.ts")
);

const LF = 0x0a;

export function readerOf(charset: Charset): Codec {
  return {
    ...charset,
    divide: (bytes, from, limit) => unitsUpTo(charset, bytes, from, limit),
    async searchWith(matcher, path) {
      const { DecodedSearch } = await searchPart(path);
      return (source, from, limit) =>
        new DecodedSearch(source, charset, matcher, from, limit);
    },
  };
}

/** Where the last whole character up to `limit` ends; at least the first one. */
export function unitsUpTo(
  charset: Charset,
  bytes: Uint8Array,
  from: number,
  limit: number,
): number {
  if (limit >= bytes.length) return bytes.length;
  // A character begins after a line feed.
  const feed = charset.feed === 1
    ? bytes.subarray(from, limit).lastIndexOf(LF)
    : -1;
  for (let at = from + feed + 1;;) {
    const next = at + charset.unitLength(bytes, at);
    if (next > limit) return at > from ? at : next;
    at = next;
  }
}
