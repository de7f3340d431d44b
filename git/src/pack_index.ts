import type { OpenedFile, Workspace } from "@agent-tools/read-file";
import { damaged, Fault, quoted, unsupported } from "./fault.ts";
import { bytesOfHex, type HashFormat, hexAt } from "./hash.ts";
import { LruCache } from "./lru_cache.ts";
import { readExactly, type Reading } from "./reading.ts";

/** An entry of an index is looked for in a part of this size. */
const SEARCH_BYTES = 64 * 1024;

/** For how many objects it is kept where they begin. */
const MAX_KEPT_OFFSETS = 256;

const INDEX_MAGIC = 0xff744f63;
/** Where the names of an index begin: after its mark, its version and 256 counts. */
const NAMES_AT = 8 + 4 * 256;
const HIGH_BIT = 2 ** 31;

/** The first numbers of an index, from which the places of all others follow. */
interface Tables {
  /** How many objects have a first byte of at most this. */
  readonly fanout: readonly number[];
  readonly count: number;
  /** How many offsets of more than 31 bits it has. */
  readonly longOffsets: number;
}

/** A pack was removed, as `git gc` does: its objects are elsewhere now. */
export class PackGone extends Fault {}

/** The index of a pack, of which only what is needed is read. */
export class PackIndex {
  readonly #place: Workspace;
  readonly #path: string;
  readonly #hash: HashFormat;
  #tables: Tables | undefined;
  /** Where the objects that were found last begin: a walk asks for an object several times. */
  readonly #offsets = new LruCache<number>(MAX_KEPT_OFFSETS, () => 1);

  constructor(place: Workspace, path: string, hash: HashFormat) {
    this.#place = place;
    this.#path = path;
    this.#hash = hash;
  }

  /** How many objects the pack must have. */
  async count(reading: Reading): Promise<number> {
    return (await this.#open(reading)).count;
  }

  /** Where an object begins; `undefined` if it is not in this pack. */
  async find(reading: Reading, oid: string): Promise<number | undefined> {
    const known = this.#offsets.get(oid);
    if (known !== undefined) return known;
    const found = await this.#search(reading, oid);
    if (found !== undefined) this.#offsets.set(oid, found);
    return found;
  }

  async #search(reading: Reading, oid: string): Promise<number | undefined> {
    const index = await this.#open(reading);
    const { bytes } = this.#hash;
    const wanted = bytesOfHex(oid);
    let [low, high] = bucketOf(index, wanted[0]!);
    while ((high - low) * bytes > SEARCH_BYTES) {
      const middle = (low + high) >>> 1;
      const name = await this.#namesAt(reading, middle, middle + 1);
      if (compare(wanted, name, 0) < 0) high = middle;
      else low = middle;
    }
    const names = await this.#namesAt(reading, low, high);
    const first = low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(wanted, names, (middle - first) * bytes);
      if (order === 0) return await this.#offsetOf(reading, middle, index);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }

  /** The names that begin with these digits, up to `most`. */
  async namesWith(
    reading: Reading,
    digits: string,
    most: number,
  ): Promise<string[]> {
    const index = await this.#open(reading);
    const { bytes } = this.#hash;
    const [low, high] = bucketOf(index, parseInt(digits.slice(0, 2), 16));
    const found: string[] = [];
    const step = Math.floor(SEARCH_BYTES / bytes);
    for (let at = low; at < high; at += step) {
      const names = await this.#namesAt(reading, at, Math.min(high, at + step));
      for (let i = 0; i < names.length; i += bytes) {
        const name = hexAt(names, i, bytes);
        if (!name.startsWith(digits)) continue;
        found.push(name);
        if (found.length === most) return found;
      }
      await reading.yieldIfDue();
    }
    return found;
  }

  /** Opens the index, and checks its first numbers once. */
  async #open(reading: Reading): Promise<Tables> {
    if (this.#tables !== undefined) return this.#tables;
    const file = await this.#file(reading);
    const { path, stat: { size } } = file;
    const { bytes } = this.#hash;
    const name = quoted(path);
    if (size < NAMES_AT + 2 * bytes) throw damaged(`${name} ends too early`);
    const head = await readExactly(file, 0, NAMES_AT);
    const numbers = new DataView(head.buffer);
    if (numbers.getUint32(0) !== INDEX_MAGIC) {
      throw unsupported(
        `${name} is not an index of version 2`,
        "run git repack -a -d in the repository",
      );
    }
    if (numbers.getUint32(4) !== 2) {
      throw damaged(`${name} has no known version`);
    }
    const fanout = Array.from(
      { length: 256 },
      (_, at) => numbers.getUint32(8 + 4 * at),
    );
    const isSorted = fanout.every((count, at) =>
      at === 0 || count >= fanout[at - 1]!
    );
    const count = fanout[255]!;
    const least = NAMES_AT + count * (bytes + 8) + 2 * bytes;
    const longOffsets = (size - least) / 8;
    const isWhole = Number.isInteger(longOffsets) && longOffsets >= 0 &&
      longOffsets <= count;
    if (!isSorted || !isWhole) {
      throw damaged(`the tables of ${name} do not fit together`);
    }
    return this.#tables = { fanout, count, longOffsets };
  }

  async #file(reading: Reading): Promise<OpenedFile> {
    const file = await reading.open(this.#place, this.#path);
    if (file === undefined) throw packGone(this.#path);
    return file;
  }

  /** The names of some entries, one after the other. */
  async #namesAt(reading: Reading, from: number, to: number) {
    const file = await this.#file(reading);
    const { bytes } = this.#hash;
    return await readExactly(
      file,
      NAMES_AT + from * bytes,
      (to - from) * bytes,
    );
  }

  /** Where the entry at a place of the index begins in the pack. */
  async #offsetOf(
    reading: Reading,
    at: number,
    { count, longOffsets }: Tables,
  ): Promise<number> {
    const file = await this.#file(reading);
    const offsets = NAMES_AT + count * (this.#hash.bytes + 4);
    const offset = await uintAt(file, offsets + 4 * at);
    if (offset < HIGH_BIT) return offset;
    const long = offset - HIGH_BIT;
    if (long >= longOffsets) {
      throw damaged(`${quoted(file.path)} names an offset that it lacks`);
    }
    const place = offsets + 4 * count + 8 * long;
    const high = await uintAt(file, place);
    return high * 2 ** 32 + await uintAt(file, place + 4);
  }
}

function bucketOf({ fanout }: Tables, first: number): [number, number] {
  return [first === 0 ? 0 : fanout[first - 1]!, fanout[first]!];
}

/** Compares a name with the one at a place; negative if it comes before it. */
function compare(name: Uint8Array, others: Uint8Array, at: number): number {
  for (let i = 0; i < name.length; i++) {
    const difference = name[i]! - others[at + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

async function uintAt(file: OpenedFile, position: number): Promise<number> {
  const { buffer } = await readExactly(file, position, 4);
  return new DataView(buffer).getUint32(0);
}

/** The failure of a pack of which a file is gone. */
export function packGone(path: string): PackGone {
  const { kind, facts } = damaged(`${quoted(path)} is gone`);
  return new PackGone(kind, facts);
}
