// Runtime-agnostic.
import type { OpenedFile } from "../core/guard/open.ts";
import type { ViewRequest } from "../core/media/view.ts";
import { MAX_SMALL_BYTES, SmallMembers } from "./small_member.ts";

/** How many bytes are decompressed at a time: their text is all in memory at once. */
const CHUNK_BYTES = 8 * 1024;

/** The shortest member: a header, an empty block and a trailer. */
const LEAST_MEMBER_BYTES = 18;

/** How many bytes of a header are checked: its magic, its method and its flags. */
const SIGN_BYTES = 4;

/** The largest ratio of deflate. */
const MAX_RATIO = 1032;

/** How many input bytes a runtime may buffer: Node.js and workerd output later. */
const HELD_BYTES = 128 * 1024;

/** How many zero bytes at the end of a file may belong to its last member, if that is empty. */
const MAX_LAST_ZEROS = 12;

/**
 * Decompresses the members of a gzip file, one after the other. Runtimes treat
 * a second member differently, so each member gets its own decompressor, and
 * small ones after the first get none.
 *
 * A decompressor does not report where its member ends. A member may end before
 * a header, or before zeros up to the end of the file, if the four bytes before
 * that are the size of its text. The decompressor is then closed there, and
 * checks the checksum. If that fails, the member is decompressed again, past
 * this position.
 */
export class GzipMembers {
  readonly #file: OpenedFile;
  readonly #request: ViewRequest;
  /** Positions where no member ends, although it seemed so. */
  readonly #notEnds: Set<number>;
  readonly #parts: Uint8Array[] = [];
  #small: SmallMembers | undefined;
  #member: Member | undefined;
  /** Where the current member begins in the file, and in the text. */
  #start = 0;
  #textStart = 0;
  /** How many bytes of the file decompressors got, and where to search for the next end. */
  #at = 0;
  #looked = LEAST_MEMBER_BYTES;
  /** The bytes that were read from `#at` on. */
  #ahead = new Uint8Array(0);
  /** How many bytes of the text the caller got. */
  #given = 0;
  /** How many bytes were decompressed in vain. */
  #repeated = 0;
  /** Where the zeros at the end of the file begin. */
  #zeros: number | undefined;
  #isOver = false;
  /** How many bytes of the file were decompressed. */
  taken = 0;

  constructor(file: OpenedFile, request: ViewRequest, notEnds: Set<number>) {
    this.#file = file;
    this.#request = request;
    this.#notEnds = notEnds;
  }

  /** Decompresses the next part, which the next call may overwrite; `undefined` at the end. */
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

  /** Passes bytes to the decompressor, up to the next possible end. */
  async #step(): Promise<void> {
    const { size } = this.#file.stat;
    this.#zeros ??= await this.#findZeros();
    if (this.#member === undefined && this.#at > 0) {
      if (await this.#takeSmall()) return;
    }
    this.#member ??= new Member((part) => this.#take(part));
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
    if (this.#member.hasFailed || until === size) return await this.#end(until);
    if (end === undefined) return;
    this.#looked = end + 1;
    if (await this.#mayEnd(end)) await this.#end(end);
  }

  /** Decompresses the next member, if it is small; returns whether it is. */
  async #takeSmall(): Promise<boolean> {
    const small = this.#small ??= new SmallMembers();
    let member = small.take(this.#ahead);
    if (member === undefined && this.#ahead.length < MAX_SMALL_BYTES) {
      await this.#fill(MAX_SMALL_BYTES, MAX_SMALL_BYTES);
      member = small.take(this.#ahead);
    }
    if (member === undefined) {
      this.#ahead = this.#ahead.subarray(0, CHUNK_BYTES);
      return false;
    }
    const { taken, size } = member;
    this.#ahead = this.#ahead.subarray(taken);
    this.#at += taken;
    this.taken = Math.max(this.taken, this.#at);
    this.#begin(this.#at, size);
    this.#isOver = this.#at >= this.#zeros!;
    // The native decompressor may have given them already.
    const fresh = small.text.subarray(
      Math.max(0, size - this.#textStart + this.#given),
      size,
    );
    this.#given += fresh.length;
    if (fresh.length > 0) this.#parts.push(fresh);
    return true;
  }

  /** Reads more bytes, unless there are `enough`: to recognize a header. */
  async #fill(enough = SIGN_BYTES, most = CHUNK_BYTES): Promise<void> {
    const { size } = this.#file.stat;
    const { length } = this.#ahead;
    if (length > enough) return;
    const chunk = new Uint8Array(Math.min(most, size - this.#at));
    chunk.set(this.#ahead);
    await this.#read(chunk.subarray(length), this.#at + length);
    this.#ahead = chunk;
  }

  /** Fills a buffer with the bytes from a position on. */
  async #read(buffer: Uint8Array, position: number): Promise<void> {
    for (let length = 0; length < buffer.length;) {
      const rest = buffer.subarray(length);
      const count = await this.#file.read(rest, position + length);
      if (count === 0) throw this.#file.changed("shrank");
      length += count;
    }
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
      await this.#read(chunk, start);
      const last = chunk.findLastIndex((byte) => byte !== 0);
      if (last >= 0) return start + last + 1;
      end = start;
      await this.#request.breathe();
    }
    return end;
  }

  /** Whether the bytes before a position are a trailer with the size of the text. */
  async #mayEnd(end: number): Promise<boolean> {
    // Only a forged file has so many false trailers.
    const mostRepeated = 8 * (this.#file.stat.size + CHUNK_BYTES);
    const isKnown = this.#notEnds.has(end) || this.#repeated > mostRepeated;
    if (isKnown) return false;
    const size = await this.#sizeBefore(end);
    const held = Math.min(end - this.#start, HELD_BYTES) * MAX_RATIO;
    return (size - this.#member!.size >>> 0) <= held;
  }

  /** The size in a trailer, modulo 2^32. */
  async #sizeBefore(end: number): Promise<number> {
    const bytes = new Uint8Array(4);
    await this.#read(bytes, end - bytes.length);
    return new DataView(bytes.buffer).getUint32(0, true);
  }

  /** Ends the member, or returns to its beginning if it does not end here. */
  async #end(end: number): Promise<void> {
    const member = this.#member!;
    const isLast = member.hasFailed || end === this.#file.stat.size;
    const isEnd = await member.close() &&
      await this.#sizeBefore(end) === member.size >>> 0;
    this.#member = undefined;
    if (isEnd) {
      this.#isOver = end >= this.#zeros! || isLast;
      this.#begin(end, member.size);
    } else {
      if (isLast) throw this.#request.fail("it is damaged or ends too early");
      this.#notEnds.add(end);
      this.#repeated += end - this.#start;
      this.#at = this.#start;
      this.#ahead = new Uint8Array(0);
    }
    this.#looked = this.#start + LEAST_MEMBER_BYTES;
  }

  /** Begins the next member, after a text of this size. */
  #begin(position: number, size: number): void {
    this.#start = position;
    this.#textStart += size;
    this.#looked = position + LEAST_MEMBER_BYTES;
  }

  /** Takes a part of the text, unless the caller already has it. */
  #take(part: Uint8Array): void {
    const from = this.#textStart + this.#member!.size;
    const fresh = part.subarray(Math.max(0, this.#given - from));
    this.#given += fresh.length;
    if (fresh.length > 0) this.#parts.push(fresh);
  }
}

class Member {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #read: Promise<void>;
  /** How many bytes were decompressed. */
  size = 0;
  hasFailed = false;

  constructor(take: (part: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream("gzip");
    this.#writer = writable.getWriter();
    this.#read = this.#try(this.#readAll(readable.getReader(), take));
  }

  async #readAll(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    take: (part: Uint8Array) => void,
  ): Promise<void> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
      this.size += value.length;
    }
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
