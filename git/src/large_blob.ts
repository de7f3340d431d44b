import type { OpenedFile } from "@agent-tools/read-file";
import type { Segments } from "./delta.ts";
import { damaged, tooLarge } from "./fault.ts";
import { type HashFormat, ObjectHash, type ObjectType } from "./hash.ts";
import { isZlibError } from "./inflate.ts";
import type { Reading } from "./reading.ts";

/** How many inflated bytes of a large file are held: to read back does not begin again. */
const HELD_BYTES = 8 * 1024 * 1024;

/** How much is read at a time to check the hash. */
const CHECK_BYTES = 256 * 1024;

/** What checking a file may inflate, in sizes of its base: deltas may copy in any order. */
const MAX_ROUNDS = 8;

/** Where the bytes of a large file come from. */
export interface LargeSource {
  readonly type: ObjectType;
  /** The file of the repository, which is closed at the end. */
  readonly file: OpenedFile;
  readonly segments: Segments;
  readonly baseSize: number;
  /** Begins to inflate the base. */
  readonly begin: () => AsyncIterator<Uint8Array>;
}

/**
 * A file that is too large to be held: its base is inflated from the beginning to
 * where it is read, and the last bytes before that place are held.
 */
export class LargeBlob {
  readonly size: number;
  readonly #source: LargeSource;
  #stream: AsyncIterator<Uint8Array> | undefined;
  /** The last bytes of the stream: the one at `position` is at `position % HELD_BYTES`. */
  #held: Uint8Array | undefined;
  /** Where the stream is. */
  #end = 0;
  #inflated = 0;
  /** The last read: reads that come at once wait for each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: LargeSource) {
    this.#source = source;
    this.size = source.segments.size;
  }

  /** Checks that the content has the hash that the object is named by. */
  async check(
    reading: Reading,
    format: HashFormat,
    oid: string,
  ): Promise<void> {
    const hash = new ObjectHash(format, "blob", this.size);
    const buffer = new Uint8Array(CHECK_BYTES);
    const most = MAX_ROUNDS * this.#source.baseSize + HELD_BYTES;
    for (let at = 0; at < this.size;) {
      const count = await this.read(buffer, at);
      hash.update(buffer.subarray(0, count));
      at += count;
      if (this.#inflated > most) {
        throw tooLarge("the deltas of a large file", this.#inflated, most);
      }
      await reading.yieldIfDue();
    }
    await this.#expectEnd();
    if (hash.digest() !== oid) {
      throw damaged(`the content of the object ${oid} has another hash`);
    }
  }

  /** Fills the buffer from `position` on; gives fewer bytes at the end only. */
  read(buffer: Uint8Array, position: number): Promise<number> {
    const reading = this.#last.then(() => this.#read(buffer, position));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#restart();
    await this.#source.file.close();
  }

  async #read(buffer: Uint8Array, position: number): Promise<number> {
    const { segments } = this.#source;
    let filled = 0;
    // Negative past the end.
    const wanted = Math.min(buffer.length, this.size - position);
    while (filled < wanted) {
      const at = position + filled;
      const segment = segments.list[segments.indexAt(at)]!;
      const skipped = at - segment.start;
      const length = Math.min(wanted - filled, segment.length - skipped);
      const target = buffer.subarray(filled, filled + length);
      const from = segment.from + skipped;
      const { literal } = segment;
      if (literal !== undefined) {
        target.set(literal.subarray(from, from + length));
      } else await this.#readBase(target, from);
      filled += length;
    }
    return filled;
  }

  /** Fills `target` from a position of the base on. */
  async #readBase(target: Uint8Array, from: number): Promise<void> {
    if (from < this.#end - HELD_BYTES) await this.#restart();
    let filled = 0;
    while (filled < target.length) {
      const at = from + filled;
      if (at >= this.#end) {
        if (await this.#inflateOn()) continue;
        throw damaged("a large object ends too early");
      }
      const start = at % HELD_BYTES;
      const length = Math.min(
        target.length - filled,
        this.#end - at,
        HELD_BYTES - start,
      );
      target.set(this.#held!.subarray(start, start + length), filled);
      filled += length;
    }
  }

  /** Inflates one more part, and holds it. Tells whether there was one. */
  async #inflateOn(): Promise<boolean> {
    this.#stream ??= this.#source.begin();
    let next: IteratorResult<Uint8Array>;
    try {
      next = await this.#stream.next();
    } catch (error) {
      throw isZlibError(error) ? damaged("a large object is broken") : error;
    }
    if (next.done === true) return false;
    const { length } = next.value;
    if (this.#end + length > this.#source.baseSize) {
      throw damaged("a large object is longer than its size");
    }
    this.#held ??= new Uint8Array(HELD_BYTES);
    const start = this.#end % HELD_BYTES;
    const room = HELD_BYTES - start;
    this.#held.set(next.value.subarray(0, room), start);
    this.#held.set(next.value.subarray(room), 0);
    this.#end += length;
    this.#inflated += length;
    return true;
  }

  /** Checks that the base ends where it must. */
  async #expectEnd(): Promise<void> {
    const { baseSize } = this.#source;
    while (this.#end < baseSize) {
      if (!await this.#inflateOn()) {
        throw damaged("a large object ends too early");
      }
    }
    await this.#inflateOn();
  }

  async #restart(): Promise<void> {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#end = 0;
    await stream?.return?.();
  }
}
