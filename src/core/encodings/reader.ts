// Runtime-agnostic.
import { lazyPart } from "../base/errno.ts";
import type { Charset, Codec } from "../lines/codec.ts";
import type { Span } from "../lines/locate.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { ByteList, type Clipped } from "../lines/text.ts";

const searchPart = /* @__PURE__ */ lazyPart(() =>
  import("./decoded_search.ts")
);

const LF = 0x0a;

export function readerOf(charset: Charset): Codec {
  return {
    ...charset,
    divide: (bytes, from, limit) => unitsUpTo(charset, bytes, from, limit),
    readClipped: (source, span, keep) =>
      readClipped(charset, source, span, keep),
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

async function readClipped(
  charset: Charset,
  source: Source,
  span: Span,
  keep: number,
): Promise<Clipped> {
  const { feed, most } = charset;
  const kept = new ByteList();
  const bare = new Set<number>();
  let at = span.start;
  for (let line = 0; at < span.end; line++) {
    const { position: end } = await seek(source, at, 1, span.end);
    const tail = await source.copyOf(Math.max(at, end - 2 * feed), end);
    const length = end % feed > 0 ? 0 : charset.endingAt(tail, 0) ||
      charset.endingAt(tail, tail.length - feed);
    const text = end - length - at;
    const piece = await source.copyOf(at, Math.min(end, at + keep + most));
    const whole = unitsUpTo(charset, piece, 0, Math.min(text, keep));
    const to = whole > keep ? 0 : whole;
    kept.push(piece.subarray(0, to));
    const isCr = charset.decode(piece.subarray(0, to)).endsWith("\r");
    if (to < text && isCr && length === feed) bare.add(line);
    kept.push(tail.subarray(tail.length - length));
    source.refuseHuge(kept.length);
    at = end;
    await source.breathe();
  }
  return { bytes: await kept.joined(source), bare };
}
