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
export class GzipReader {
  readonly #file: OpenedFile;
  readonly #request: ViewRequest;
  /** Positions in the file where no member ends. */
  readonly #notEnds: Set<number>;
  /** The parts of the text that the caller gets next. */
  readonly #parts: Uint8Array[] = [];
  /** How many bytes of the text are in these parts, or were returned. */
  #given = 0;
  #member: Member;
  /** How many members have ended. */
  #ended = 0;
  #isOver = false;
  /** Where the bytes end that the decompressor got. */
  #reached = 0;
  /** The bytes that were read from there on. */
  #ahead = new Uint8Array(0);
  /** How many bytes were decompressed in vain. */
  #repeated = 0;
  /** How many bytes of the file were decompressed: the largest `#reached`, which goes back if a member is decompressed again. */
  taken = 0;

  /** `notEnds` is shared by all readers of one file. */
  constructor(file: OpenedFile, request: ViewRequest, notEnds: Set<number>) {
    this.#file = file;
    this.#request = request;
    this.#notEnds = notEnds;
    this.#member = this.#newMember(0, 0);
  }

  /** Decompresses the next part of the text; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined || this.#isOver) return part;
      await this.#request.yieldIfDue();
      await this.#step();
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#member.abort();
  }

  #newMember(start: number, textStart: number): Member {
    return new Member(start, textStart, (part, position) => {
      // A member that is decompressed again repeats text.
      const fresh = part.subarray(Math.max(0, this.#given - position));
      this.#given += fresh.length;
      if (fresh.length > 0) this.#parts.push(fresh);
    });
  }

  /** Passes bytes to the decompressor, up to the next possible end. */
  async #step(): Promise<void> {
    const member = this.#member;
    const { size } = this.#file.stat;
    await this.#readOn();
    const end = this.#findEnd();
    const readTo = this.#reached + this.#ahead.length;
    // The last bytes may begin a header, unless the file ends there.
    const until = end ?? (readTo === size ? size : readTo - HEADER_BYTES);
    const bytes = this.#ahead.subarray(0, until - this.#reached);
    if (bytes.length > 0) {
      await member.write(bytes);
      this.#ahead = this.#ahead.subarray(bytes.length);
      this.#reached = until;
      this.taken = Math.max(this.taken, until);
    }
    if (member.hasFailed || until === size) return await this.#endAt(until);
    if (end === undefined) return;
    member.searchFrom = end + 1;
    if (await this.#mayEnd(end)) await this.#endAt(end);
  }

  /** Reads more bytes, unless there are enough to recognize a header. */
  async #readOn(): Promise<void> {
    const { length } = this.#ahead;
    if (length > HEADER_BYTES) return;
    const left = this.#file.stat.size - this.#reached;
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left));
    chunk.set(this.#ahead);
    await fill(chunk.subarray(length), this.#file, this.#reached + length);
    this.#ahead = chunk;
  }

  /** Finds where in `#ahead` the member may end, before the end of the file. */
  #findEnd(): number | undefined {
    const ahead = this.#ahead;
    const from = Math.max(0, this.#member.searchFrom - this.#reached);
    let at = ahead.indexOf(0x1f, from);
    for (; at >= 0; at = ahead.indexOf(0x1f, at + 1)) {
      const isHeader = ahead[at + 1] === 0x8b && ahead[at + 2] === 8 &&
        at + 3 < ahead.length && ahead[at + 3]! < 0x20;
      if (isHeader) return this.#reached + at;
    }
    return undefined;
  }

  /** Whether the bytes before a position are a trailer with the size of the text. */
  async #mayEnd(end: number): Promise<boolean> {
    // Only a forged file has so many false trailers.
    const mostRepeated = 8 * (this.#file.stat.size + CHUNK_BYTES);
    if (this.#notEnds.has(end) || this.#repeated > mostRepeated) return false;
    const { start, size } = this.#member;
    // The runtime may not have given all of the text yet.
    const mostHeld = Math.min(end - start, HELD_BYTES) * MAX_RATIO;
    const missing = (await this.#sizeBefore(end) - size) >>> 0;
    return missing <= mostHeld;
  }

  /** The size in a trailer, modulo 2^32. */
  async #sizeBefore(end: number): Promise<number> {
    const bytes = new Uint8Array(4);
    await fill(bytes, this.#file, end - bytes.length);
    return new DataView(bytes.buffer).getUint32(0, true);
  }

  /** Ends the member, or goes back to its beginning if it does not end here; fails if the file ends inside it. */
  async #endAt(end: number): Promise<void> {
    const member = this.#member;
    const { start, textStart } = member;
    // The member cannot end later: it failed to decompress, or the file ends here.
    const isLast = member.hasFailed || end === this.#file.stat.size;
    const isWhole = await member.close();
    const isEnd = isWhole &&
      await this.#sizeBefore(end) === member.size >>> 0;
    if (!isEnd) {
      if (isLast) throw this.#request.fail("it is damaged or ends too early");
      this.#notEnds.add(end);
      this.#repeated += end - start;
      this.#reached = start;
      this.#ahead = new Uint8Array(0);
      this.#member = this.#newMember(start, textStart);
      return;
    }
    this.#ended++;
    if (this.#ended > MAX_MEMBERS) {
      const what = "how many compressed parts it has";
      throw this.#request.tooLarge(what, this.#ended, MAX_MEMBERS);
    }
    if (isLast) this.#isOver = true;
    else this.#member = this.#newMember(end, textStart + member.size);
  }
}

/** A member of a gzip file, and its decompressor. */
class Member {
  /** Where it begins in the file, and in the text of the file. */
  readonly start: number;
  readonly textStart: number;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #read: Promise<void>;
  /** How many bytes of text it gave. */
  size = 0;
  hasFailed = false;
  /** Where in the file the search for its end continues. */
  searchFrom: number;

  /** Calls `take` with each part of the text, and its position in the text of the file. */
  constructor(
    start: number,
    textStart: number,
    take: (part: Uint8Array, position: number) => void,
  ) {
    this.start = start;
    this.textStart = textStart;
    this.searchFrom = start + LEAST_MEMBER_BYTES;
    const { readable, writable } = new DecompressionStream("gzip");
    this.#writer = writable.getWriter();
    const write = (part: Uint8Array) => {
      take(part, textStart + this.size);
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
