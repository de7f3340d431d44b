// Runtime-agnostic.
import type { Charset, Codec } from "../lines/codec.ts";
import type { Beginning, HitSearch, Matcher } from "../lines/locate.ts";
import { plainKernel } from "../lines/scan.ts";
import { seek } from "../lines/seek.ts";
import type { Source } from "../lines/source.ts";
import { joinBytes } from "../lines/text.ts";
import { boundaryNear, charLength, refuseLong } from "../lines/columns.ts";

/** How many bytes are decoded at a time. */
const STEP_BYTES = 16 * 1024;

/** The most bytes of UTF-8 for a byte of another encoding. */
const MAX_GROWTH = 3;

/** More bytes than a matcher leaves unsearched at the end of a part, to search them with the next part. */
const MAX_LEFT_BYTES = 8 * 1024;

const LF = 0x0a;

/** A position between two characters of the decoded part. */
interface Position {
  /** The position in the bytes of the part. */
  readonly byte: number;
  /** The position in the same part as UTF-8. */
  readonly utf8: number;
}

const BEGIN: Position = { byte: 0, utf8: 0 };

/**
 * Begins a search in an encoding other than UTF-8: decodes the file part by part,
 * and searches the text as UTF-8. A part ends after a line feed, or holds none:
 * then a line is longer than a part.
 */
export function searchDecoded(
  source: Source,
  codec: Codec,
  matcher: Matcher,
  { position, line, column }: Beginning,
  limit: number,
): HitSearch {
  const most = MAX_GROWTH * (STEP_BYTES + codec.maxCharLength) +
    MAX_LEFT_BYTES;
  /** The part as UTF-8, in a buffer that the matcher can search. */
  const text = plainKernel(most);
  const { buffer } = text;
  let textEnd = 0;
  /** The part in the file: its bytes, and where it begins and ends. */
  let bytes: Uint8Array = new Uint8Array(0);
  let start = position;
  let end = position;
  /** How far the text was searched: where the hit is, after `find()` found one. */
  let searched = 0;
  /** Where the line of the search begins in the text; 0 if it began before. */
  let lineText = 0;
  /** Where to continue inside the line of the hit. */
  let resume: number | undefined;

  function beginPart(from: number): void {
    bytes = new Uint8Array(0);
    start = end = from;
    textEnd = searched = lineText = 0;
  }

  /** Where the character begins that a byte of the text belongs to; `from` is at or before it. */
  function positionOf(utf8: number, from: Position): Position {
    let { byte, utf8: at } = from;
    while (utf8 < textEnd) {
      const length = codec.charLength(bytes, byte);
      const columns = codec.columnsOf(bytes, byte, length);
      let after = at;
      for (let column = 0; column < columns; column++) {
        after += charLength(buffer, after);
      }
      if (after > utf8) return { byte, utf8: at };
      byte += length;
      at = after;
    }
    return { byte: bytes.length, utf8 };
  }

  /** Decodes the next bytes, and appends them to the rest of the text. */
  async function fill(): Promise<void> {
    const left = positionOf(searched, BEGIN);
    buffer.copyWithin(0, left.utf8, textEnd);
    searched -= left.utf8;
    textEnd -= left.utf8;
    start += left.byte;
    const to = Math.min(limit, end + STEP_BYTES + codec.maxCharLength);
    const piece = await source.piece(end, to);
    const whole = codec.divide(piece, 0, STEP_BYTES);
    if (whole > STEP_BYTES) refuseLong(codec, source, whole);
    const part = piece.subarray(0, lastFeed(codec, piece, whole) || whole);
    bytes = joinBytes([bytes.subarray(left.byte), part]);
    end += part.length;
    const into = buffer.subarray(textEnd);
    textEnd += new TextEncoder().encodeInto(codec.decode(part), into).written;
  }

  /** Counts the lines of the part, which has no more hits, and begins an empty part after it. */
  function pass(): void {
    const feeds = text.count(lineText, textEnd);
    if (feeds > 0) {
      search.line += feeds;
      search.lineStart = end;
    }
    beginPart(end);
  }

  /** Continues after the hit, at the first character that begins at `from` or later. */
  async function resumeAt(from: number): Promise<void> {
    let at = search.at + search.length;
    if (at < from) at = await boundaryNear(source, at, from);
    if (at < from) {
      // `from` lies inside the character at `at`.
      const to = Math.min(limit, at + codec.maxCharLength);
      at += codec.charLength(await source.piece(at, to), 0);
    }
    resume = undefined;
    beginPart(at);
  }

  /** Finds the next hit in the text. */
  async function find(): Promise<boolean> {
    if (resume !== undefined) await resumeAt(resume);
    for (;;) {
      if (searched === textEnd) {
        pass();
        if (end === limit) return false;
        await fill();
      }
      const from = searched;
      const isLast = end === limit;
      let found = matcher.feed(text, from, textEnd, isLast);
      if (found === ~from) {
        // Perhaps the matcher only asked for a pause.
        await source.yieldIfDue();
        found = matcher.feed(text, from, textEnd, isLast);
      }
      searched = found < 0 ? ~found : found;
      const isAtEnd = searched === textEnd;
      const endsLine = textEnd > 0 && buffer[textEnd - 1] === LF;
      // No line begins after the last line feed of the file.
      if (found >= 0 && !(isAtEnd && endsLine)) return true;
      if (searched === from && !isAtEnd) {
        // The matcher needs more bytes. After a line feed, they are of another line,
        // and no hit spans lines.
        if (endsLine) searched = textEnd;
        else await fill();
      }
      await source.yieldIfDue();
    }
  }

  /** Finds where the hit is in the file. */
  async function locate(): Promise<void> {
    const feeds = text.count(lineText, searched);
    if (feeds > 0) {
      const reach = await seek(source, search.lineStart, feeds, limit);
      lineText = text.nthLast(lineText, searched, 1) + 1;
      search.lineStart = reach.position;
      search.line += feeds;
    }
    const byte = search.lineStart - start;
    const begin = positionOf(
      searched,
      byte < 0 ? BEGIN : { byte, utf8: lineText },
    );
    search.at = start + begin.byte;
    if (matcher.length === 0) return;
    const last = positionOf(searched + matcher.length - 1, begin);
    const after = last.byte + codec.charLength(bytes, last.byte);
    search.length = after - begin.byte;
  }

  const search = {
    line,
    lineStart: position,
    at: -1,
    length: 0,
    get lines(): number {
      return search.lineStart < limit ? search.line : search.line - 1;
    },
    async next(): Promise<boolean> {
      if (!await find()) return false;
      await locate();
      return true;
    },
    async countOn(): Promise<number> {
      let count = 0;
      while (await find()) {
        count++;
        const feed = text.nth(searched, textEnd, 1);
        if (feed < 0) {
          await locate();
          await search.skipLine();
        } else {
          searched = feed + 1;
          matcher.begin();
        }
      }
      return count;
    },
    async skipLine(lineEnd?: number): Promise<void> {
      const { size } = source;
      const after = lineEnd ??
        (await seek(source, search.at, 1, size)).position;
      const feed = text.nth(searched, textEnd, 1);
      if (feed < 0) beginPart(after);
      else searched = lineText = feed + 1;
      search.lineStart = after;
      search.line++;
      matcher.begin();
    },
    skipTo(to: number): void {
      resume = to;
      matcher.begin(0);
    },
  };
  // Inside a line, the character before is unknown, and is taken for no letter.
  matcher.begin(column === 1 ? undefined : 0);
  return search;
}

/** The end of the last line feed in the first bytes; 0 without one. */
function lastFeed(
  { feedLength, endingAt }: Charset,
  bytes: Uint8Array,
  to: number,
) {
  if (feedLength === 1) return bytes.subarray(0, to).lastIndexOf(LF) + 1;
  for (let at = to - to % feedLength - feedLength; at >= 0; at -= feedLength) {
    if (endingAt(bytes, at) === feedLength) return at + feedLength;
  }
  return 0;
}
