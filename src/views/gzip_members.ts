// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import type { ViewRequest } from "../core/media/view.ts";

/** How much is given at a time: all that becomes of it is held at once. */
const CHUNK_BYTES = 8 * 1024;

/** The shortest member: a header, an empty block and a trailer. */
const LEAST_MEMBER_BYTES = 18;

/** How many bytes of a header are looked for: its magic, its method and its flags. */
const SIGN_BYTES = 4;

/** How many times as large a byte of deflate can become. */
const MAX_RATIO = 1032;

/** How much of what was given a runtime may still hold: Node.js and workerd answer later. */
const HELD_BYTES = 128 * 1024;

/** How many zero bytes at the end of a file may belong to its last member: those of an empty one. */
const MAX_LAST_ZEROS = 12;

/**
 * Decompresses the members of a gzip file, one after the other. Runtimes differ in
 * what they do with a second member, so each gets a decompressor of its own.
 *
 * A decompressor does not tell where its member ends. A member may end where a
 * header follows, or zeros to the end of the file, and where the four bytes before
 * are the size of what came out. The decompressor is then closed there: it checks
 * the end itself. If that fails, the member is decompressed again, past this place.
 */
export class GzipMembers {
  readonly #file: OpenedFile;
  readonly #request: ViewRequest;
  /** Places where no member ends, although it looked so. */
  readonly #notEnds: Set<number>;
  readonly #parts: Uint8Array[] = [];
  #member: Member | undefined;
  /** Where the present member begins in the file, and in the text. */
  #start = 0;
  #textStart = 0;
  /** How much of the file was given to decompressors, and where the next end is looked for. */
  #at = 0;
  #looked = LEAST_MEMBER_BYTES;
  /** What was read from `#at` on. */
  #ahead = new Uint8Array(0);
  /** How much of the text was given to the caller. */
  #given = 0;
  /** How much was decompressed in vain. */
  #repeated = 0;
  /** Where the zeros at the end of the file begin. */
  #zeros: number | undefined;
  #isOver = false;
  /** How much of the file was decompressed. */
  taken = 0;

  constructor(
    file: OpenedFile,
    request: ViewRequest,
    notEnds: Set<number>,
  ) {
    this.#file = file;
    this.#request = request;
    this.#notEnds = notEnds;
  }

  /** Decompresses the next part; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined || this.#isOver) return part;
      await this.#request.breathe();
      await this.#step();
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#member?.abort();
  }

  /** Gives the decompressor what comes up to the next possible end. */
  async #step(): Promise<void> {
    const { size } = this.#file.stat;
    this.#member ??= new Member((part) => this.#take(part));
    this.#zeros ??= await this.#findZeros();
    await this.#fill();
    const end = this.#findEnd();
    const isLast = this.#at + this.#ahead.length === size;
    const least = isLast ? size : this.#at + this.#ahead.length - SIGN_BYTES;
    const until = end ?? least;
    const bytes = this.#ahead.subarray(0, until - this.#at);
    if (bytes.length > 0) {
      await this.#member.write(bytes);
      this.#ahead = this.#ahead.subarray(bytes.length);
      this.#at = until;
      this.taken = Math.max(this.taken, until);
    }
    if (this.#member.hasFailed) return await this.#end(until);
    if (until === size) return await this.#end(until);
    if (end === undefined) return;
    this.#looked = end + 1;
    if (await this.#mayEnd(end)) await this.#end(end);
  }

  /** Reads on, unless enough was read to know whether a header begins. */
  async #fill(): Promise<void> {
    const { size } = this.#file.stat;
    let { length } = this.#ahead;
    if (length > SIGN_BYTES) return;
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - this.#at));
    chunk.set(this.#ahead);
    while (length < chunk.length) {
      length += await this.#read(chunk.subarray(length), this.#at + length);
    }
    this.#ahead = chunk;
  }

  async #read(buffer: Uint8Array, position: number): Promise<number> {
    const count = await this.#file.read(buffer, position);
    if (count === 0) throw this.#file.changed("shrank");
    return count;
  }

  /** Finds where in `#ahead` the member may end, before the end of the file. */
  #findEnd(): number | undefined {
    const from = Math.max(this.#at, this.#looked) - this.#at;
    const bytes = this.#ahead;
    for (let at = from; (at = bytes.indexOf(0x1f, at)) >= 0; at++) {
      const isHeader = bytes[at + 1] === 0x8b && bytes[at + 2] === 8 &&
        at + 3 < bytes.length && bytes[at + 3]! < 0x20;
      if (isHeader) return this.#at + at;
    }
    const zeros = this.#zeros!;
    const at = Math.max(this.#at + from, zeros);
    const isNear = at <= zeros + MAX_LAST_ZEROS && at < this.#file.stat.size;
    return isNear && at < this.#at + bytes.length ? at : undefined;
  }

  /** Finds where the zeros at the end of the file begin. */
  async #findZeros(): Promise<number> {
    let end = this.#file.stat.size;
    while (end > 0) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end));
      const start = end - chunk.length;
      for (let length = 0; length < chunk.length;) {
        length += await this.#read(chunk.subarray(length), start + length);
      }
      const last = chunk.findLastIndex((byte) => byte !== 0);
      if (last >= 0) return start + last + 1;
      end = start;
      await this.#request.breathe();
    }
    return end;
  }

  /** Whether a trailer that fits what came out stands before a place. */
  async #mayEnd(end: number): Promise<boolean> {
    // Only a forged file has so many trailers that fit.
    const mostRepeated = 8 * (this.#file.stat.size + CHUNK_BYTES);
    const isKnown = this.#notEnds.has(end) || this.#repeated > mostRepeated;
    if (isKnown) return false;
    const told = await this.#sizeBefore(end);
    const held = Math.min(end - this.#start, HELD_BYTES) * MAX_RATIO;
    return (told - this.#member!.size >>> 0) <= held;
  }

  /** The size that a trailer tells, modulo 2^32. */
  async #sizeBefore(end: number): Promise<number> {
    const bytes = new Uint8Array(4);
    for (let length = 0; length < bytes.length;) {
      const rest = bytes.subarray(length);
      length += await this.#read(rest, end - rest.length);
    }
    return new DataView(bytes.buffer).getUint32(0, true);
  }

  /** Ends the member, or goes back to its beginning if it does not end here. */
  async #end(end: number): Promise<void> {
    const member = this.#member!;
    const isLast = member.hasFailed || end === this.#file.stat.size;
    const isEnd = await member.close() &&
      await this.#sizeBefore(end) === member.size >>> 0;
    this.#member = undefined;
    if (isEnd) {
      this.#isOver = end >= this.#zeros! || isLast;
      this.#start = end;
      this.#textStart += member.size;
    } else {
      if (isLast) throw this.#request.fail("it is damaged or ends too early");
      this.#notEnds.add(end);
      this.#repeated += end - this.#start;
      this.#at = this.#start;
      this.#ahead = new Uint8Array(0);
    }
    this.#looked = this.#start + LEAST_MEMBER_BYTES;
  }

  /** Takes a part of the text, unless the caller already has it. */
  #take(part: Uint8Array): void {
    const from = this.#textStart + this.#member!.size;
    const fresh = part.subarray(Math.max(0, this.#given - from));
    this.#given += fresh.length;
    if (fresh.length > 0) this.#parts.push(fresh);
  }
}

/** The decompressor of one member. */
class Member {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #read: Promise<void>;
  /** How many bytes came out. */
  size = 0;
  hasFailed = false;

  constructor(take: (part: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream("gzip");
    this.#writer = writable.getWriter();
    this.#read = this.#readAll(readable.getReader(), take);
  }

  async #readAll(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    take: (part: Uint8Array) => void,
  ): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        take(value);
        this.size += value.length;
      }
    } catch {
      this.hasFailed = true;
    }
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#writer.write(bytes);
    } catch {
      this.hasFailed = true;
    }
  }

  /** Ends what it is given; whether that is one whole member. */
  async close(): Promise<boolean> {
    try {
      await this.#writer.close();
    } catch {
      this.hasFailed = true;
    }
    await this.#read;
    return !this.hasFailed;
  }

  async abort(): Promise<void> {
    try {
      await this.#writer.abort();
    } catch {
      this.hasFailed = true;
    }
  }
}
