// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import { fill, type ViewRequest } from "../core/media/view.ts";

/** How many bytes are decompressed at a time: their text is all in memory at once. */
const CHUNK_BYTES = 8 * 1024;
/** The shortest member: a header, an empty block and a trailer. */
const LEAST_MEMBER_BYTES = 18;
/** How many bytes of a header are checked: its magic, its method and its flags. */
const HEADER_BYTES = 4;
/** The largest ratio of deflate. */
const MAX_RATIO = 1032;
/** How many input bytes a runtime may buffer: Node.js and workerd output later. */
const HELD_BYTES = 128 * 1024;
/** The most members: each takes a decompressor, which a runtime frees late. */
const MAX_MEMBERS = 1024;

/**
 * Decompresses the members of a gzip file, one after the other. Runtimes treat
 * a second member differently, so each member gets its own decompressor.
 *
 * A decompressor does not report where its member ends. A member may end before
 * the bytes of a header, if the four bytes before them are the size of its text.
 * The decompressor is then closed there, and checks the checksum. If the check
 * fails, the member is decompressed again, past this position.
 */
export function gzipMembers(
  file: OpenedFile,
  { yieldIfDue, fail, tooLarge }: ViewRequest,
  notEnds: Set<number>,
) {
  const { size } = file.stat;
  /** The parts of the text that the caller gets next. */
  const parts: Uint8Array[] = [];
  let member: Member | undefined;
  /** Where the current member begins in the file, and in the text. */
  let start = 0;
  let textStart = 0;
  /** Where the bytes end that the decompressor got. */
  let reached = 0;
  /** Where the search for the end of the member continues. */
  let searchFrom = LEAST_MEMBER_BYTES;
  /** The bytes that were read from `reached` on. */
  let ahead = new Uint8Array(0);
  /** How many bytes of the text the caller got. */
  let given = 0;
  /** How many bytes were decompressed in vain. */
  let repeated = 0;
  let isOver = false;
  /** The largest `reached`, which goes back if a member is decompressed again. */
  let taken = 0;
  /** How many members have ended. */
  let count = 0;

  /** Passes bytes to the decompressor, up to the next possible end. */
  async function step(): Promise<void> {
    member ??= new Member(take);
    await readOn();
    const end = findEnd();
    const readTo = reached + ahead.length;
    // The last bytes may begin a header, unless the file ends there.
    const until = end ?? (readTo === size ? size : readTo - HEADER_BYTES);
    const bytes = ahead.subarray(0, until - reached);
    if (bytes.length > 0) {
      await member.write(bytes);
      ahead = ahead.subarray(bytes.length);
      reached = until;
      taken = Math.max(taken, until);
    }
    if (member.hasFailed || until === size) return await endAt(until, member);
    if (end === undefined) return;
    searchFrom = end + 1;
    if (await mayEnd(end, member)) await endAt(end, member);
  }

  /** Reads more bytes, unless there are enough to recognize a header. */
  async function readOn(): Promise<void> {
    const { length } = ahead;
    if (length > HEADER_BYTES) return;
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - reached));
    chunk.set(ahead);
    await fill(chunk.subarray(length), file, reached + length);
    ahead = chunk;
  }

  /** Finds where in `ahead` the member may end, before the end of the file. */
  function findEnd(): number | undefined {
    let at = ahead.indexOf(0x1f, Math.max(0, searchFrom - reached));
    for (; at >= 0; at = ahead.indexOf(0x1f, at + 1)) {
      const isHeader = ahead[at + 1] === 0x8b && ahead[at + 2] === 8 &&
        at + 3 < ahead.length && ahead[at + 3]! < 0x20;
      if (isHeader) return reached + at;
    }
    return undefined;
  }

  /** Whether the bytes before a position are a trailer with the size of the text. */
  async function mayEnd(end: number, member: Member): Promise<boolean> {
    // Only a forged file has so many false trailers.
    const mostRepeated = 8 * (size + CHUNK_BYTES);
    if (notEnds.has(end) || repeated > mostRepeated) return false;
    // The runtime may not have given all of the text yet.
    const mostHeld = Math.min(end - start, HELD_BYTES) * MAX_RATIO;
    const missing = (await sizeBefore(end) - member.size) >>> 0;
    return missing <= mostHeld;
  }

  /** The size in a trailer, modulo 2^32. */
  async function sizeBefore(end: number): Promise<number> {
    const bytes = new Uint8Array(4);
    await fill(bytes, file, end - bytes.length);
    return new DataView(bytes.buffer).getUint32(0, true);
  }

  /** Ends the member, or goes back to its beginning if it does not end here; fails if the file ends inside it. */
  async function endAt(end: number, ended: Member): Promise<void> {
    // The member cannot end later: it failed to decompress, or the file ends here.
    const isLast = ended.hasFailed || end === size;
    const isWhole = await ended.close();
    const isEnd = isWhole && await sizeBefore(end) === ended.size >>> 0;
    if (isLast && !isEnd) throw fail("it is damaged or ends too early");
    member = undefined;
    if (isEnd) {
      const what = "how many compressed parts it has";
      if (++count > MAX_MEMBERS) throw tooLarge(what, count, MAX_MEMBERS);
      isOver = isLast;
      start = end;
      textStart += ended.size;
    } else {
      notEnds.add(end);
      repeated += end - start;
      reached = start;
      ahead = new Uint8Array(0);
    }
    searchFrom = start + LEAST_MEMBER_BYTES;
  }

  /** Takes a part of the text of the member, unless the caller has it already. */
  function take(part: Uint8Array): void {
    const position = textStart + member!.size;
    const fresh = part.subarray(Math.max(0, given - position));
    given += fresh.length;
    if (fresh.length > 0) parts.push(fresh);
  }

  return {
    /** How many bytes of the file were decompressed. */
    taken: () => taken,
    /** Decompresses the next part; `undefined` at the end. */
    async next(): Promise<Uint8Array | undefined> {
      for (;;) {
        const part = parts.shift();
        if (part !== undefined || isOver) return part;
        await yieldIfDue();
        await step();
      }
    },
    async close(): Promise<void> {
      isOver = true;
      await member?.abort();
    },
  };
}

/** A member of a gzip file, which is decompressed into `take`. */
class Member {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #read: Promise<void>;
  /** How many bytes of text it gave. */
  size = 0;
  hasFailed = false;

  constructor(take: (part: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream("gzip");
    this.#writer = writable.getWriter();
    const write = (part: Uint8Array) => {
      take(part);
      this.size += part.length;
    };
    this.#read = this.#try(readable.pipeTo(new WritableStream({ write })));
  }

  write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#try(this.#writer.write(bytes));
  }

  /** Ends its input; returns whether that was one whole member. */
  async close(): Promise<boolean> {
    await this.#try(this.#writer.close());
    await this.#read;
    return !this.hasFailed;
  }

  abort(): Promise<void> {
    return this.#try(this.#writer.abort());
  }

  async #try(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch {
      this.hasFailed = true;
    }
  }
}
