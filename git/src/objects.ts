import type { Workspace } from "@agent-tools/read-file";
import { type Copy, MAX_WHOLE_BYTES, type Whole } from "./copy.ts";
import { damaged, Fault, missing, tooLarge } from "./fault.ts";
import { type HashFormat, ObjectHash } from "./hash.ts";
import { LargeBlob } from "./large_blob.ts";
import { LooseObject } from "./loose_object.ts";
import { LruCache } from "./lru_cache.ts";
import { PackGone } from "./pack_index.ts";
import { Pack } from "./packs.ts";
import { namesIn, type Reading } from "./reading.ts";

/** The most bytes of objects that are kept. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** How many sizes are kept. */
const MAX_KEPT_SIZES = 20_000;
/** The most packs of a store, so that a hostile one cannot list without end. */
const MAX_PACKS = 10_000;
/** How many loose objects of one folder are listed. */
const MAX_LOOSE = 100_000;
/** How many objects of one short name are looked at. */
const MAX_ALIKE = 64;

/** The objects of a repository, loose or packed, in all of its stores. */
export class Objects {
  readonly hash: HashFormat;
  readonly #places: readonly Workspace[];
  /** The packs, of which the last used comes first. */
  #packs: readonly Pack[] | undefined;
  readonly #kept = new LruCache<Whole>(
    MAX_KEPT_BYTES,
    ({ bytes }) => bytes.length + 200,
  );
  readonly #sizes = new LruCache<number>(MAX_KEPT_SIZES, () => 1);

  /** `places` are the folders that git calls "objects". */
  constructor(places: readonly Workspace[], hash: HashFormat) {
    this.#places = places;
    this.hash = hash;
  }

  /** The size of an object, of which only the first bytes are inflated. */
  async sizeOf(reading: Reading, oid: string): Promise<number> {
    const known = this.#kept.get(oid)?.bytes.length ?? this.#sizes.get(oid);
    if (known !== undefined) return known;
    const size = await this.#fromCopy(
      reading,
      oid,
      (copy) => copy.size(reading),
    );
    this.#sizes.set(oid, size);
    return size;
  }

  /** Reads an object, and checks its hash; `undefined` if it is too large to be held. */
  async readIfSmall(
    reading: Reading,
    oid: string,
  ): Promise<Whole | undefined> {
    const known = this.#kept.get(oid);
    if (known !== undefined) return known;
    const found = await this.#fromCopy(reading, oid, async (copy) => {
      const whole = await copy.whole(reading);
      if (whole === undefined) return undefined;
      const { type, bytes } = whole;
      const hash = new ObjectHash(this.hash, type, bytes.length).update(bytes);
      if (hash.digest() !== oid) throw otherHash(oid);
      return whole;
    });
    if (found !== undefined) this.#kept.set(oid, found);
    return found;
  }

  /** Reads an object that is held whole. */
  async read(reading: Reading, oid: string): Promise<Whole> {
    const found = await this.readIfSmall(reading, oid);
    if (found !== undefined) return found;
    const size = await this.sizeOf(reading, oid);
    throw tooLarge(`the object ${oid}`, size, MAX_WHOLE_BYTES);
  }

  /** Opens a file that is too large to be held, and checks its hash. */
  openLarge(reading: Reading, oid: string): Promise<LargeBlob> {
    return this.#fromCopy(reading, oid, async (copy) => {
      const source = await copy.large(reading);
      const blob = new LargeBlob(source);
      try {
        if (source.type !== "blob") throw otherHash(oid);
        await blob.check(reading, this.hash, oid);
        return blob;
      } catch (error) {
        await blob.close();
        throw error;
      }
    });
  }

  /** The names that begin with some digits, at least two; up to `MAX_ALIKE`. */
  async namesWith(reading: Reading, digits: string): Promise<string[]> {
    const found = new Set<string>();
    for (const pack of await this.#scan(reading)) {
      for (
        const name of await pack.index.namesWith(reading, digits, MAX_ALIKE)
      ) {
        found.add(name);
      }
    }
    const [folder, rest] = [digits.slice(0, 2), digits.slice(2)];
    for (const place of this.#places) {
      const names = await namesIn(reading, place, folder, MAX_LOOSE);
      for (const name of names) {
        const isName = name.length === 2 * this.hash.bytes - 2 &&
          /^[0-9a-f]+$/.test(name);
        if (isName && name.startsWith(rest)) found.add(folder + name);
      }
    }
    return [...found].sort().slice(0, MAX_ALIKE);
  }

  /** Uses the first copy of an object that is whole. */
  async #fromCopy<T>(
    reading: Reading,
    oid: string,
    use: (copy: Copy) => Promise<T>,
  ): Promise<T> {
    let failed: Fault | undefined;
    for (const isAgain of [false, true]) {
      // Another process may have packed the objects meanwhile.
      if (isAgain) this.#packs = undefined;
      const copies = this.#copiesOf(reading, oid);
      for (;;) {
        try {
          const { done, value } = await copies.next();
          if (done) break;
          if (value instanceof Fault) throw value;
          return await use(value);
        } catch (error) {
          // Another copy may be whole.
          if (!(error instanceof Fault)) throw error;
          failed ??= error;
        }
      }
      if (failed !== undefined && !(failed instanceof PackGone)) throw failed;
    }
    throw failed ?? missing(`the object ${oid} is not in the repository`);
  }

  /** The copies of an object, and the faults of what could not be searched. */
  async *#copiesOf(
    reading: Reading,
    oid: string,
  ): AsyncGenerator<Copy | Fault, void> {
    const packs = await this.#scan(reading);
    for (const pack of packs) {
      let found: number | undefined | Fault;
      try {
        found = await pack.index.find(reading, oid);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        found = error;
      }
      if (found instanceof Fault) yield found;
      else if (found !== undefined) {
        if (packs[0] !== pack) {
          this.#packs = [pack, ...packs.filter((other) => other !== pack)];
        }
        yield pack.copyAt(found);
      }
    }
    const path = `${oid.slice(0, 2)}/${oid.slice(2)}`;
    for (const place of this.#places) {
      try {
        const file = await reading.open(place, path);
        if (file !== undefined) yield new LooseObject(place, path);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        yield error;
      }
    }
  }

  /** Lists the packs. */
  async #scan(reading: Reading): Promise<readonly Pack[]> {
    if (this.#packs !== undefined) return this.#packs;
    const packs: Pack[] = [];
    for (const place of this.#places) {
      const names = await namesIn(reading, place, "pack", MAX_PACKS, "*.idx");
      for (const name of names) {
        const path = `pack/${name.slice(0, -".idx".length)}`;
        packs.push(new Pack(place, path, this.hash));
      }
    }
    return this.#packs = packs;
  }
}

function otherHash(oid: string): Fault {
  return damaged(`the content of the object ${oid} has another hash`);
}
