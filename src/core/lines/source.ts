import { type Call, isPromise } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import { type Codec, type ResolvedEncoding, UTF_8 } from "./codec.ts";
import type { FileIndex } from "./line_index.ts";
import {
  CHUNK_BYTES,
  FIRST_CHUNK_BYTES,
  LEAST_CHUNK_BYTES,
  MAX_SHOWN_BYTES,
} from "../base/limits.ts";
import type { Awaitable, FileBytes } from "../base/port.ts";
import type { OpenedFile } from "../guard/open.ts";
import type { NewlineKernel } from "./scan.ts";

/** A length that most lines do not exceed. */
const LINE_BYTES = 256;
/** The smallest first chunk where lines are expected. */
const LEAST_LINES_BYTES = 4096;
/** The most bytes of one read into a copy: a synchronous read blocks the event loop. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the bytes of an open file, a chunk at a time, into the buffer of a kernel.
 *
 * Invariant: `kernel.buffer[0, end - start)` holds the bytes `[start, end)` of
 * the file. The size is that at opening: bytes appended later are not read.
 */
export class Source {
  readonly file: OpenedFile;
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  readonly size: number;
  /** Finds line feeds in the buffer. */
  kernel: NewlineKernel;
  /** Known places of lines, if the file is at rest. */
  index: FileIndex | undefined;
  /** The codec of an encoding other than UTF-8. */
  codec: Codec | undefined;
  encoding: ResolvedEncoding["encoding"] = UTF_8;
  /** How many bytes a line feed has. */
  feedLength: 1 | 2 = 1;
  readonly call: Call;
  #start = 0;
  #end = 0;
  #reading = false;
  /** How many bytes are read at a time; it grows in a long scan. */
  #chunk = FIRST_CHUNK_BYTES;
  /** The size of the next chunk, for a read that knows its length. */
  #nextChunk: (() => number) | undefined;

  constructor(
    file: OpenedFile,
    kernel: NewlineKernel,
    call: Call,
    index?: FileIndex,
  ) {
    this.file = file;
    this.path = call.path;
    this.size = file.stat.size;
    this.kernel = kernel;
    this.index = index;
    this.call = call;
  }

  /** Whether a read is pending or has failed, and may still write into the buffer. */
  get isReading(): boolean {
    return this.#reading;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** The bytes `[from, to)`, which the buffer holds; valid until the next load. */
  view(from: number, to: number): Uint8Array {
    return this.kernel.buffer.subarray(from - this.#start, to - this.#start);
  }

  /** Sets the size of the first chunk. Each later one is a quarter of what the buffer holds, so that little is read ahead. */
  expect(first: number): void {
    this.#nextChunk = () => (this.#end - this.#start) / 4;
    this.#setChunk(first);
  }

  /** Sets the size of chunks for a read from `from` to `to`, with small chunks after `to`. */
  expectTo(from: number, to: number): void {
    const length = to - from;
    this.#nextChunk = () => this.#end < to ? to - this.#end : length / 32;
    this.#setChunk(length);
  }

  /** Sets the size of chunks for a scan of the rest of the file. */
  expectRest(): void {
    this.#nextChunk = undefined;
    this.#setChunk(CHUNK_BYTES);
  }

  /** Makes the first chunk about as large as `count` lines usually are, unless the file is one chunk. */
  expectLines(count: number): void {
    if (this.#end > 0 || this.size <= FIRST_CHUNK_BYTES) return;
    const bytes = Math.max(LEAST_LINES_BYTES, count * LINE_BYTES);
    this.#chunk = Math.min(FIRST_CHUNK_BYTES, bytes);
  }

  /** Yields to the event loop if calls have blocked it for long; throws `ABORTED`. */
  yieldIfDue(): Promise<void> | undefined {
    return this.call.yieldIfDue();
  }

  /** Loads a chunk, unless the buffer holds `least` bytes from `position` on, or the rest of the file. */
  load(position: number, least = 1): Promise<void> | undefined {
    const to = Math.min(this.size, position + least);
    const isNear = position >= this.#start && position <= this.#end;
    if (isNear && to <= this.#end) return undefined;
    if (isNear) this.#growChunk();
    // While there is room, append to the buffer: its bytes may be needed again.
    const { length } = this.kernel.buffer;
    const fits = isNear && to <= this.#start + length;
    if (!fits) this.#start = this.#end = position;
    const most = Math.min(this.#end + this.#chunk, this.#start + length);
    return this.#fill(to, Math.min(this.size, Math.max(to, most)));
  }

  /** Loads the chunk that ends at `position`, unless the buffer holds the byte before it. */
  loadBefore(position: number): Promise<void> | undefined {
    if (position > this.#start && position <= this.#end) return undefined;
    if (position === this.#start) this.#growChunk();
    const start = Math.max(0, position - this.#chunk);
    // A code unit of two bytes begins at an even position.
    this.#start = this.#end = start - start % this.feedLength;
    return this.#fill(position, position);
  }

  /** Loads all of `[from, to)`; the buffer must be able to hold it. */
  hold(from: number, to: number): Promise<void> | undefined {
    const isNear = from >= this.#start && from <= this.#end &&
      to - this.#start <= this.kernel.buffer.length;
    if (!isNear) this.#start = this.#end = from;
    return this.#fill(to, to);
  }

  /** The bytes from `from` up to `most`, or to the end of the file, loaded if necessary; for few bytes. */
  async piece(from: number, most: number): Promise<Uint8Array> {
    const to = Math.min(this.size, most);
    if (from >= to) return new Uint8Array(0);
    const loading = this.load(from);
    if (loading !== undefined) await loading;
    const holding = this.hold(from, to);
    if (holding !== undefined) await holding;
    return this.view(from, to);
  }

  /** A copy of the bytes `[from, to)`; the buffer keeps what it holds. Throws `TOO_LARGE` for more than can be shown. */
  async copyOf(from: number, to: number): Promise<FileBytes> {
    this.refuseHuge(to - from);
    const bytes = new Uint8Array(to - from);
    const first = Math.max(from, this.#start);
    const last = Math.min(to, this.#end);
    const isHeld = first < last;
    if (isHeld) bytes.set(this.view(first, last), first - from);
    const missing: readonly [number, number][] = isHeld
      ? [[from, first], [last, to]]
      : [[from, to]];
    for (const [begin, end] of missing) {
      for (let at = begin; at < end;) {
        const most = Math.min(end, at + COPY_BYTES);
        at += await this.#read(bytes.subarray(at - from, most - from), at);
      }
    }
    return bytes;
  }

  /** Throws `TOO_LARGE` for more bytes than can be shown. */
  refuseHuge(size: number): void {
    if (size <= MAX_SHOWN_BYTES) return;
    const facts = { what: "file", size, limit: MAX_SHOWN_BYTES } as const;
    throw new ReadFileError("TOO_LARGE", this.path, facts);
  }

  /** Makes chunks larger in a long scan. */
  #growChunk(): void {
    if (this.#end > 0) this.#setChunk(this.#nextChunk?.() ?? this.#chunk * 2);
  }

  #setChunk(bytes: number): void {
    const most = Math.min(CHUNK_BYTES, this.kernel.buffer.length);
    this.#chunk = Math.min(most, Math.max(LEAST_CHUNK_BYTES, Math.ceil(bytes)));
  }

  /** Appends to the buffer until it ends at or after `end`, between two code units, or at `limit`; at once, if the port answers at once. */
  #fill(end: number, limit: number): Promise<void> | undefined {
    while (this.#lacks(end, limit)) {
      const reading = this.#append(limit);
      if (isPromise(reading)) return this.#fillLater(reading, end, limit);
      this.#end += reading;
    }
    return undefined;
  }

  async #fillLater(reading: Promise<number>, end: number, limit: number) {
    this.#end += await reading;
    while (this.#lacks(end, limit)) this.#end += await this.#append(limit);
  }

  #lacks(end: number, limit: number): boolean {
    return this.#end < end ||
      this.#end < limit && this.#end % this.feedLength > 0;
  }

  #append(limit: number): Awaitable<number> {
    const { buffer } = this.kernel;
    const into = buffer.subarray(this.#end - this.#start, limit - this.#start);
    return this.#read(into, this.#end);
  }

  #read(into: Uint8Array, position: number): Awaitable<number> {
    const yielding = this.call.yieldIfDue();
    if (yielding !== undefined) {
      return this.#readAfter(yielding, into, position);
    }
    this.#reading = true;
    const reading = this.file.read(into, position);
    return isPromise(reading)
      ? reading.then((count) => this.#counted(count, into))
      : this.#counted(reading, into);
  }

  async #readAfter(
    yielding: Promise<void>,
    into: Uint8Array,
    position: number,
  ): Promise<number> {
    await yielding;
    // Not `#read`: on a busy machine the slice may be over again before every read.
    this.#reading = true;
    return this.#counted(await this.file.read(into, position), into);
  }

  #counted(count: number, into: Uint8Array): number {
    this.#reading = false;
    // A wrong count would show what the buffer held of another file.
    if (!(count > 0 && count <= into.length)) throw this.file.changed("shrank");
    return count;
  }
}
