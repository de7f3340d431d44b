// Runtime-agnostic.
import { SNIFF_BYTES } from "../base/limits.ts";
import { loadPart } from "../base/errno.ts";
import { ReadFileError } from "../base/errors.ts";
import type { Charset, Codec, Stride } from "../lines/codec.ts";
import type { Span } from "../lines/locate.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { plainBytes } from "../lines/scan.ts";
import { ByteList, type Clipped } from "../lines/text.ts";

const LF = 0x0a;
const SIGN = "\uFFFD";

/** How much of a line is decoded to see its indentation. */
const MAX_LEAD_BYTES = 64 * 1024;
/** How many bytes are decoded at a time: ISO-2022-JP may take half a microsecond a byte. */
const STEP_BYTES = 16 * 1024;
/** How many bytes the kernel checks at a time. */
const BLOCK_BYTES = 16 * 1024;
/** How many characters are counted between two checks of the time slice. */
const STEP_UNITS = 256 * 1024;
/** How many characters are scanned between two checks of the time slice: a run of ISO-2022-JP counts as one. */
const STEP_STRIDE = 1024;
/** How many characters before a cut are searched for graphemes. */
const BEFORE_UNITS = 64;
/** How many bytes after a cut are read, for the rest of a grapheme. */
const AFTER_BYTES = 64;

export function readerOf(charset: Charset): Codec {
  return {
    ...charset,
    decodeAll: (source, bytes) => decodeAll(charset, source, bytes),
    readClipped: (source, span, keep) =>
      readClipped(charset, source, span, keep),
    async refuseNul(source) {
      const head = await source.piece(0, Math.min(source.size, SNIFF_BYTES));
      if (!charset.decode(head).includes("\0")) return undefined;
      throw new ReadFileError("BINARY", source.path, { sign: "nul" });
    },
    async leadOf(source, start, end) {
      const most = Math.min(end, start + MAX_LEAD_BYTES);
      const text = charset.decode(await source.piece(start, most));
      return new TextEncoder().encode(text);
    },
    stride: (source, position, columns, isGoing) =>
      stride(charset, source, position, { columns, isGoing }),
    async searchWith(matcher, path) {
      const { DecodedSearch } = await loadPart(
        path,
        import("./decoded_search.ts"),
      );
      return (source, from, limit) =>
        new DecodedSearch(source, charset, matcher, from, limit);
    },
    cutInside: (source, from, limit) => cutInside(charset, source, from, limit),
    async countUnits(source, bytes) {
      let count = 0;
      let steps = 0;
      for (let at = 0; at < bytes.length;) {
        const length = charset.unitLength(bytes, at);
        count += charset.columnsOf(bytes, at, length);
        at += length;
        if (++steps % STEP_UNITS === 0) await source.breathe();
      }
      return count;
    },
  };
}

async function decodeAll(charset: Charset, source: Source, bytes: Uint8Array) {
  let text = "";
  for (let from = 0; from < bytes.length;) {
    if (from > 0) await source.breathe();
    const to = unitsUpTo(charset, bytes, from, from + STEP_BYTES);
    text += charset.decode(bytes.subarray(from, to));
    from = to;
  }
  return { text, exact: !text.includes(SIGN) };
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

/** How far to scan over the columns of a line. */
interface Way {
  readonly columns: number;
  /** Whether to pass at least one character, even if it is more columns. */
  readonly isGoing: boolean;
}

async function stride(
  charset: Charset,
  source: Source,
  position: number,
  { columns, isGoing }: Way,
): Promise<Stride> {
  const { size } = source;
  const { most, hasAscii } = charset;
  let passed = 0;
  while (passed < columns && position < size) {
    const loading = source.load(position);
    if (loading !== undefined) await loading;
    const isWhole = source.end === size || source.end - position >= most;
    // Load a character separately if the end of the chunk may cut it.
    const bytes = isWhole
      ? source.view(position, source.end)
      : await source.piece(position, Math.min(size, position + most));
    const last = position + bytes.length === size
      ? bytes.length
      : bytes.length - most + 1;
    let at = 0;
    let block = 0;
    for (let steps = 1; at < last && passed < columns; steps++) {
      if (steps % STEP_STRIDE === 0) await source.breathe();
      const ending = charset.endingAt(bytes, at);
      if (ending > 0) {
        return { position: position + at, columns: passed, ended: true };
      }
      if (hasAscii && isWhole && at >= block) {
        block = Math.min(last, at + BLOCK_BYTES, at + columns - passed);
        const plain = plainBytes(source, position + at, position + block);
        at += plain;
        passed += plain;
        if (plain > 0) continue;
      }
      const length = charset.unitLength(bytes, at);
      refuseLong(charset, source, length);
      const more = charset.columnsOf(bytes, at, length);
      if (passed + more > columns && !(isGoing && passed === 0)) {
        return { position: position + at, columns: passed, ended: false };
      }
      at += length;
      passed += more;
    }
    position += at;
    await source.breathe();
  }
  const rest = await source.piece(position, Math.min(size, position + 4));
  const ended = rest.length === 0 || charset.endingAt(rest, 0) > 0;
  return { position, columns: passed, ended };
}

/** Refuses an indivisible run of characters that is too long. */
export function refuseLong(
  { most }: Charset,
  { path }: Source,
  length: number,
): void {
  if (length < most || length <= 4) return;
  const facts = { what: "line", size: length, limit: most } as const;
  throw new ReadFileError("TOO_LARGE", path, facts);
}

/** Finds a cut between two graphemes, or else two characters. Characters are counted from the beginning of the part of the line, since a byte alone does not show which character it belongs to. */
async function cutInside(
  charset: Charset,
  source: Source,
  from: number,
  limit: number,
): Promise<number> {
  const { most } = charset;
  /** The positions of the last characters before the cut. */
  let places: number[] = [];
  let at = from;
  while (at < limit) {
    const end = Math.min(source.size, at + BLOCK_BYTES + most);
    const bytes = await source.piece(at, end);
    const last = end === source.size ? bytes.length : bytes.length - most;
    let place = 0;
    while (place < last) {
      if (at + place >= limit) break;
      // A line ending is one unit.
      const length = charset.endingAt(bytes, place) ||
        charset.unitLength(bytes, place);
      refuseLong(charset, source, length);
      if (at + place + length > limit) {
        at += place;
        place = -1;
        break;
      }
      places.push(at + place);
      place += length;
    }
    if (places.length > 2 * BEFORE_UNITS) places = places.slice(-BEFORE_UNITS);
    if (place < 0) break;
    at += place;
    await source.breathe();
  }
  // Here `at` is the last position up to the limit between two characters.
  const end = Math.min(source.size, at + Math.max(AFTER_BYTES, most));
  const after = await source.piece(at, end);
  const next = after.length === 0
    ? 0
    : charset.endingAt(after, 0) || charset.unitLength(after, 0);
  if (places.length === 0) return at + next;
  if (at === source.size) return at;
  const before = await source.piece(places[0]!, at);
  const text = charset.decode(before);
  const whole = wholeBefore(text, charset.decode(after.slice(0, AFTER_BYTES)));
  // A grapheme that began before these characters is cut between two characters.
  if (whole <= 0 || whole === text.length) return at;
  return lastPlace(charset, places, before, whole) ?? at;
}

let graphemes: Intl.Segmenter | undefined;

/** The length of a text without its last grapheme, if `after` continues that one. */
function wholeBefore(text: string, after: string): number {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const segments = graphemes.segment(text + after);
  return segments.containing(text.length)?.index ?? text.length;
}

/** The position where the text of the characters from `places` on has this many code units. */
function lastPlace(
  charset: Charset,
  places: readonly number[],
  bytes: Uint8Array,
  units: number,
): number | undefined {
  const first = places[0]!;
  for (const place of places) {
    const { length } = charset.decode(bytes.subarray(0, place - first));
    if (length === units) return place;
    if (length > units) return undefined;
  }
  return undefined;
}
