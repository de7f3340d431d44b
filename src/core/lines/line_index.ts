import { LruCache } from "../base/lru_cache.ts";
import { CHUNK_BYTES, MAX_INDEX_BYTES } from "../base/limits.ts";
import type { FileStat } from "../base/port.ts";
import { changeOf, isAtRest } from "../guard/proof.ts";
import type { ResolvedEncoding } from "./codec.ts";

/** A position in a file, and the number of line feeds before it. */
export interface KnownPlace {
  readonly position: number;
  /** The line feeds before it. */
  readonly passed: number;
}

/** The beginning of every file. */
export const BEGINNING: KnownPlace = { position: 0, passed: 0 };

/** About how many bytes an index takes besides its places. */
const FILE_BYTES = 2048;
/** A place is two numbers. */
const PLACE_BYTES = 16;

/** One file may take a quarter of the memory. */
const MAX_PLACES = MAX_INDEX_BYTES / 4 / PLACE_BYTES;

/** Places in one version of a file that scans have passed, at least a chunk apart. */
export class FileIndex {
  readonly stat: FileStat;
  /** How many lines the file has, once a scan has reached its end. */
  total: number | null = null;
  /** The encoding of the file, once it is known. */
  encoding: ResolvedEncoding | undefined;
  /** The index of the file in the other encoding that was used last, where lines and columns are at other positions. */
  other: { readonly label: string; readonly index: FileIndex } | undefined;
  // Both increase. Two arrays of numbers take less memory than one of objects.
  #positions: number[] = [];
  #passed: number[] = [];
  #apart = CHUNK_BYTES;

  constructor(stat: FileStat) {
    this.stat = stat;
  }

  get places(): number {
    return this.#positions.length;
  }

  get bytes(): number {
    const others = this.other?.index.bytes ?? 0;
    return FILE_BYTES + this.places * PLACE_BYTES + others;
  }

  get isEmpty(): boolean {
    return this.places === 0 && this.total === null &&
      (this.encoding ?? this.other) === undefined;
  }

  /** A copy of the places, for an encoding with the same line feeds. */
  copy(): FileIndex {
    const copy = new FileIndex(this.stat);
    copy.#positions = [...this.#positions];
    copy.#passed = [...this.#passed];
    copy.#apart = this.#apart;
    copy.total = this.total;
    return copy;
  }

  /** The last known place with fewer than `lines` line feeds before it. A place with exactly `lines` may lie inside the line. */
  before(lines: number): KnownPlace {
    const at = countBelow(this.#passed, lines) - 1;
    if (at < 0) return BEGINNING;
    return { position: this.#positions[at]!, passed: this.#passed[at]! };
  }

  /** Adds a place, if it is far enough beyond the last one. */
  note(position: number, passed: number): void {
    if (position < (this.#positions.at(-1) ?? 0) + this.#apart) return;
    this.#positions.push(position);
    this.#passed.push(passed);
    if (this.places < MAX_PLACES) return;
    const isOdd = (_: number, at: number) => at % 2 === 1;
    this.#positions = this.#positions.filter(isOdd);
    this.#passed = this.#passed.filter(isOdd);
    this.#apart *= 2;
  }
}

/** How many of the increasing numbers are less than `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line indexes of a workspace, by the identities of the files. */
export class LineIndexes extends LruCache<FileIndex> {
  constructor() {
    super(MAX_INDEX_BYTES);
  }

  /**
   * Returns the index of the version that `stat` describes, or a new one;
   * `undefined` if its times may not show the next change. A file that grew
   * gets a new index, since other bytes may have changed too.
   */
  of(stat: FileStat, now: number): FileIndex | undefined {
    const { id } = stat;
    if (id === null) return undefined;
    const found = this.get(id);
    if (found !== undefined && changeOf(found.stat, stat) === "same") {
      return found;
    }
    this.delete(id);
    return isAtRest(stat, now) ? new FileIndex(stat) : undefined;
  }

  /** Keeps an index. Call it for a new index only if the file did not change meanwhile. */
  keep(index: FileIndex): void {
    if (!index.isEmpty) this.set(index.stat.id!, index, index.bytes);
  }

  /** Counts the size of the index of a file anew, if one is kept: a read may have added places to it. */
  recount(id: FileStat["id"]): void {
    const index = this.get(id ?? "");
    if (index !== undefined) this.keep(index);
  }
}
