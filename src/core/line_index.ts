// Runtime-agnostic.
import { CHUNK_BYTES, CLOCK_GRAIN_MS, MAX_INDEX_PLACES } from "./limits.ts";
import type { FileStat } from "./port.ts";
import type { Workspace } from "./workspace.ts";

/** The beginning of a stretch of a file, and the line feeds before it. */
export interface Place {
  /** The byte. */
  readonly position: number;
  /** The line feeds before it. */
  readonly passed: number;
}

const BEGINNING: Place = { position: 0, passed: 0 };

/** Places in one version of a file, a chunk or more apart, as scans came by them. */
export class FileIndex {
  /** The version: its size, and the times of its last change. */
  readonly stat: FileStat;
  /** How many lines the file has, once a scan came to its end. */
  total: number | null = null;
  /** Invariant: both grow from place to place. */
  readonly #positions: number[] = [];
  readonly #passed: number[] = [];
  #apart = CHUNK_BYTES;

  /** Constructs a new instance for the file as `stat` describes it. */
  constructor(stat: FileStat) {
    this.stat = stat;
  }

  /** How many places it holds. */
  get places(): number {
    return this.#positions.length;
  }

  /**
   * The last known place with fewer than `lines` line feeds before it. One with as
   * many may lie in the middle of the line that begins there.
   */
  before(lines: number): Place {
    let low = 0;
    let high = this.#passed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#passed[middle]! < lines) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return BEGINNING;
    const [position, passed] = [this.#positions, this.#passed]
      .map((list) => list[low - 1]!);
    return { position: position!, passed: passed! };
  }

  /** Notes a place that a scan came by, if it lies beyond the others. */
  note(position: number, passed: number): void {
    const last = this.#positions.at(-1) ?? 0;
    if (position < last + this.#apart) return;
    this.#positions.push(position);
    this.#passed.push(passed);
    if (this.places >= MAX_INDEX_PLACES / 4) this.#thin();
  }

  /** Lets every other place go: a file may take a part of the memory, not all of it. */
  #thin(): void {
    this.#apart *= 2;
    for (const list of [this.#positions, this.#passed]) {
      const kept = list.filter((_, at) => at % 2 === 1);
      list.splice(0, list.length, ...kept);
    }
  }
}

/** The line indexes of a workspace's files; those that were not used for longest go first. */
export class LineIndexes {
  /** By the identity of the file; in the order of their last use. */
  readonly #files = new Map<string, FileIndex>();

  /**
   * The index of the file that `stat` describes, as it is now: the one of
   * before, or a new one. `undefined` if the file may change unseen: if it has
   * no identity or no times, or has changed within the clock's grain, so that
   * another change would leave it the same times.
   */
  of(stat: FileStat, now: number): FileIndex | undefined {
    const { id, mtimeMs, ctimeMs } = stat;
    if (id === null || mtimeMs === null) return undefined;
    const found = this.#files.get(id);
    if (found !== undefined && isSame(found.stat, stat)) return found;
    this.#files.delete(id);
    const rests = now - Math.max(mtimeMs, ctimeMs ?? 0) > CLOCK_GRAIN_MS;
    return rests ? new FileIndex(stat) : undefined;
  }

  /** Keeps what a scan has learnt, now that the file is known not to have changed meanwhile. */
  keep(index: FileIndex): void {
    const id = index.stat.id!;
    if (index.places === 0 && index.total === null) return;
    this.#files.delete(id);
    this.#files.set(id, index);
    let places = 0;
    for (const { places: held } of this.#files.values()) places += held + 1;
    for (const [oldest, { places: held }] of this.#files) {
      if (places <= MAX_INDEX_PLACES) return;
      this.#files.delete(oldest);
      places -= held + 1;
    }
  }
}

function isSame(one: FileStat, other: FileStat): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs;
}

const held = new WeakMap<Workspace, LineIndexes>();

/** The line indexes that a workspace holds. */
export function indexesOf(workspace: Workspace): LineIndexes {
  const found = held.get(workspace) ?? new LineIndexes();
  held.set(workspace, found);
  return found;
}
