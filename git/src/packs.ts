import type { OpenedFile, Workspace } from "@agent-tools/read-file";
import {
  type Copy,
  MAX_LARGE_BYTES,
  MAX_WHOLE_BYTES,
  type Whole,
} from "./copy.ts";
import { applyDelta, DELTA_HEAD_BYTES, deltaHead, Segments } from "./delta.ts";
import { damaged, type Fault, quoted, tooLarge } from "./fault.ts";
import type { HashFormat, ObjectType } from "./hash.ts";
import {
  inflate,
  inflateHead,
  inflateParts,
  joinParts,
  mostInput,
} from "./inflate.ts";
import type { LargeSource } from "./large_blob.ts";
import { EntryStarts, readEntryHead } from "./pack_entry.ts";
import { packGone, PackIndex } from "./pack_index.ts";
import { openKept, partsOf, readExactly, type Reading } from "./reading.ts";

/** The most bytes that are made on the way to one object. */
const MAX_CHAIN_BYTES = 2 * 1024 ** 3;
/** What a step of a chain costs at least, so that endless tiny steps stop, too. */
const STEP_BYTES = 64 * 1024;
/** The most bytes of deltas that are held to read a large file. */
const MAX_DELTA_BYTES = 24 * 1024 * 1024;

/** An entry of a pack. */
interface Entry {
  readonly offset: number;
  /** `undefined` for a delta. */
  readonly type: ObjectType | undefined;
  /** The size of what is compressed. */
  readonly size: number;
  /** Where the base of a delta begins, or its name. */
  readonly base: number | string | undefined;
  /** Where the compressed data begins, and its first bytes. */
  readonly dataAt: number;
  readonly first: Uint8Array;
  /** Where the last entry of the pack ends. */
  readonly end: number;
}

/** An entry of a chain, from an object down to a base that is an object itself. */
interface Link extends Entry {
  first: Uint8Array;
  /** The size of the object that it is. */
  readonly made: number;
  /** What is compressed, if it is small. */
  data: Uint8Array | undefined;
}

/** A pack and its index. */
export class Pack {
  readonly #place: Workspace;
  readonly #name: string;
  readonly #hash: HashFormat;
  readonly #index: PackIndex;
  #isPack = false;

  /** `name` is the path without the ending. */
  constructor(place: Workspace, name: string, hash: HashFormat) {
    this.#place = place;
    this.#name = name;
    this.#hash = hash;
    this.#index = new PackIndex(place, `${name}.idx`, hash);
  }

  /** The index, by which its objects are found. */
  get index(): PackIndex {
    return this.#index;
  }

  /** The object that begins at `offset`. */
  copyAt(offset: number): Copy {
    return {
      size: (reading) => this.#sizeAt(reading, offset),
      whole: (reading) => this.#wholeAt(reading, offset),
      large: (reading) => this.#largeAt(reading, offset),
    };
  }

  async #sizeAt(reading: Reading, offset: number): Promise<number> {
    const entry = await this.#entryAt(await this.#starts(reading), offset);
    return entry.base === undefined ? entry.size : this.#madeBy(entry);
  }

  async #wholeAt(
    reading: Reading,
    offset: number,
  ): Promise<Whole | undefined> {
    const chain = await this.#chainOf(reading, offset);
    const isLarge = chain.some(({ size, made }) =>
      size > MAX_WHOLE_BYTES || made > MAX_WHOLE_BYTES
    );
    if (isLarge) return undefined;
    const base = chain.pop()!;
    let bytes = await this.#inflate(reading, base);
    let work = bytes.length;
    for (const delta of chain.reverse()) {
      work += STEP_BYTES + delta.size + delta.made;
      if (work > MAX_CHAIN_BYTES) throw chainTooLong(work);
      const data = delta.data ?? await this.#inflate(reading, delta);
      bytes = applyDelta(bytes, data);
      await reading.yieldIfDue();
    }
    return { type: typeOf(base), bytes };
  }

  async #largeAt(reading: Reading, offset: number): Promise<LargeSource> {
    const chain = await this.#chainOf(reading, offset);
    for (const { made } of chain) {
      if (made > MAX_LARGE_BYTES) {
        throw tooLarge("a file of the repository", made, MAX_LARGE_BYTES);
      }
    }
    const base = chain.pop()!;
    const sum = chain.reduce((total, { size }) => total + size, 0);
    if (sum > MAX_DELTA_BYTES) {
      throw tooLarge("the deltas of a large file", sum, MAX_DELTA_BYTES);
    }
    let segments: Segments | undefined;
    for (const delta of chain) {
      const next = Segments.ofDelta(await this.#inflate(reading, delta));
      segments = segments === undefined ? next : segments.over(next);
      await reading.yieldIfDue();
    }
    segments = segments === undefined
      ? Segments.all(base.size)
      : segments.over(Segments.all(base.size));
    const { size, dataAt, end } = base;
    const { place, path } = this.#pack;
    const file = await openKept(reading, place, path);
    const begin = () => inflateParts(partsOf(file, dataAt, end));
    return { type: typeOf(base), file, segments, baseSize: size, begin };
  }

  get #pack() {
    return { place: this.#place, path: `${this.#name}.pack` };
  }

  /** The entry at `offset`, and the bases below it down to one that is an object itself. */
  async #chainOf(reading: Reading, offset: number): Promise<Link[]> {
    const starts = await this.#starts(reading);
    const chain: Link[] = [];
    const seen = new Set<number>();
    let held = 0;
    for (let at = offset;;) {
      if (seen.has(at)) {
        throw damaged(
          `deltas of ${quoted(this.#name)} are based on each other`,
        );
      }
      seen.add(at);
      if (seen.size * STEP_BYTES > MAX_CHAIN_BYTES) {
        throw chainTooLong(seen.size * STEP_BYTES);
      }
      const link = this.#linkOf(await this.#entryAt(starts, at));
      // What is held of thousands of entries would take too much memory.
      if (chain.length >= MAX_HELD_STARTS) link.first = NOTHING;
      if (held >= MAX_HELD_BYTES) link.data = undefined;
      chain.push(link);
      held += link.data?.length ?? 0;
      const { base } = link;
      if (base === undefined) return chain;
      at = typeof base === "number" ? base : await this.#placeOf(reading, base);
      await reading.yieldIfDue();
    }
  }

  /** Inflates a delta if it is small, and else its sizes only. */
  #linkOf(entry: Entry): Link {
    const { size, base, first } = entry;
    if (base === undefined) return { ...entry, made: size, data: undefined };
    const isSmall = size <= SMALL_BYTES && mostInput(size) <= first.length;
    const inflated = isSmall ? inflate(first, size) : undefined;
    if (inflated === undefined || typeof inflated === "string") {
      return { ...entry, made: this.#madeBy(entry), data: undefined };
    }
    const { bytes } = inflated;
    const made = deltaHead(bytes).size;
    return { ...entry, first: NOTHING, made, data: bytes };
  }

  /** The size of the object that a delta gives. */
  #madeBy({ first, offset }: Entry): number {
    const head = inflateHead(first, DELTA_HEAD_BYTES);
    if (head === "broken") throw this.#badEntry(offset);
    return deltaHead(head).size;
  }

  /** Where a base begins that a delta names by its hash. */
  async #placeOf(reading: Reading, base: string): Promise<number> {
    const place = await this.#index.find(reading, base);
    if (place !== undefined) return place;
    throw damaged(`${base}, the base of a delta, is not in its pack`);
  }

  async #starts(reading: Reading): Promise<EntryStarts> {
    const pack = await this.#openPack(reading);
    return new EntryStarts(pack, pack.stat.size - this.#hash.bytes);
  }

  /** Reads the beginning of an entry. */
  async #entryAt(starts: EntryStarts, offset: number): Promise<Entry> {
    if (offset < PACK_HEAD_BYTES || offset >= starts.end) {
      throw damaged(`an object of ${quoted(this.#name)} lies outside of it`);
    }
    const first = starts.held(offset) ?? await starts.read(offset);
    const head = readEntryHead(first, this.#hash.bytes);
    if (head === undefined) throw this.#badEntry(offset);
    const { type, size, length } = head;
    const base = typeof head.base === "number" ? offset - head.base : head.base;
    const dataAt = offset + length;
    const data = first.subarray(length);
    return { offset, type, size, base, dataAt, first: data, end: starts.end };
  }

  /** Inflates an entry whole. */
  async #inflate(reading: Reading, link: Link): Promise<Uint8Array> {
    const { size, dataAt, first, end, offset, data } = link;
    if (data !== undefined) return data;
    if (size > MAX_WHOLE_BYTES) {
      throw tooLarge("a delta of its pack", size, MAX_WHOLE_BYTES);
    }
    const most = Math.min(mostInput(size), end - dataAt);
    const pack = await this.#openPack(reading);
    const input = first.length >= most
      ? first
      : await readExactly(pack, dataAt, most);
    const inflated = inflate(input, size);
    if (typeof inflated !== "string") return inflated.bytes;
    const hasMore = input.length < end - dataAt;
    if (inflated === "broken" || !hasMore) throw this.#badEntry(offset);
    // It was compressed in an unusual way, and takes more input.
    const joined = await joinParts(
      inflateParts(partsOf(pack, dataAt, end)),
      size,
    );
    if (joined === undefined) throw this.#badEntry(offset);
    return joined;
  }

  #badEntry(offset: number): Fault {
    return damaged(
      `the object at ${offset} of ${quoted(this.#name)} is broken`,
    );
  }

  /** Opens the pack, and checks its first numbers once. */
  async #openPack(reading: Reading): Promise<OpenedFile> {
    const { place, path } = this.#pack;
    const file = await reading.open(place, path);
    if (file === undefined) throw packGone(path);
    if (this.#isPack) return file;
    const name = quoted(path);
    if (file.stat.size < PACK_HEAD_BYTES + this.#hash.bytes) {
      throw damaged(`${name} ends too early`);
    }
    const { buffer } = await readExactly(file, 0, PACK_HEAD_BYTES);
    const numbers = new DataView(buffer);
    const version = numbers.getUint32(4);
    const isPack = numbers.getUint32(0) === PACK_MAGIC &&
      (version === 2 || version === 3);
    if (!isPack) throw damaged(`${name} is not a pack`);
    if (numbers.getUint32(8) !== await this.#index.count(reading)) {
      throw damaged(`${name} has another count than its index`);
    }
    this.#isPack = true;
    return file;
  }
}

const PACK_MAGIC = 0x5041434b;
const PACK_HEAD_BYTES = 12;

const NOTHING = new Uint8Array(0);
/** How many entries of a chain keep their first bytes, and how many inflated bytes are kept. */
const MAX_HELD_STARTS = 16;
const MAX_HELD_BYTES = 4 * 1024 * 1024;
/** A delta of at most this size is inflated at once. */
const SMALL_BYTES = 2048;

function chainTooLong(bytes: number): Fault {
  return tooLarge("the deltas below an object", bytes, MAX_CHAIN_BYTES);
}

/** The type of the base of a chain: that of an object. */
function typeOf({ type, offset }: Entry): ObjectType {
  if (type === undefined) {
    throw new TypeError(`A delta at ${offset} ends a chain`);
  }
  return type;
}
