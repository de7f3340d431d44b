// Runtime-agnostic.
import { changeOf, isAtRest } from "../change.ts";
import { MAX_INDEX_BYTES } from "../limits.ts";
import { FileIndex } from "./line_index.ts";
import type { FileStat } from "../port.ts";

/** The line indexes of a workspace's files; those that were not used for longest go first. */
export class LineIndexes {
  /** By the identity of the file; in the order of their last use. */
  readonly #files = new Map<string, FileIndex>();

  /** How much memory they take, about. */
  get bytes(): number {
    let bytes = 0;
    for (const index of this.#files.values()) bytes += index.bytes;
    return bytes;
  }

  /**
   * The index of the file that `stat` describes, as it is now: the one of
   * before, or a new one; `undefined` if the file may change unseen.
   *
   * A file that grew gets a new one: its times do not tell whether something
   * was only added to its end, and to find that out is to read it again.
   */
  of(stat: FileStat, now: number): FileIndex | undefined {
    const { id } = stat;
    if (id === null) return undefined;
    const found = this.#files.get(id);
    if (found !== undefined && changeOf(found.stat, stat) === "same") {
      return found;
    }
    this.#files.delete(id);
    return isAtRest(stat, now) ? new FileIndex(stat) : undefined;
  }

  /** Keeps what a scan has learnt, now that the file is known not to have changed meanwhile. */
  keep(index: FileIndex): void {
    const id = index.stat.id!;
    if (index.isEmpty) return;
    this.#files.delete(id);
    this.#files.set(id, index);
    let { bytes } = this;
    for (const [oldest, { bytes: held }] of this.#files) {
      if (bytes <= MAX_INDEX_BYTES) return;
      this.#files.delete(oldest);
      bytes -= held;
    }
  }
}
