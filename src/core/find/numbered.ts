// Runtime-agnostic.
import { linesIn } from "../lines/scan.ts";
import { seek, type Source } from "../lines/source.ts";
import {
  type Beginning,
  type HitSearch,
  lineEndOf,
} from "../lines/hit_search.ts";

/** Visits lines by their numbers: hits that another tool has found. */
export class Numbered implements HitSearch {
  readonly length = 0;
  readonly #source: Source;
  readonly #limit: number;
  /** The lines that are left, in reverse order. */
  readonly #wanted: number[];
  /** Where to continue, and the line there. */
  #position: number;
  #line: number;
  #lineStart: number;
  #total: number | null = null;

  constructor(
    source: Source,
    lines: readonly number[],
    { position, line }: Beginning,
    limit: number,
  ) {
    this.#source = source;
    this.#limit = limit;
    this.#position = this.#lineStart = position;
    this.#line = line;
    this.#wanted = [...new Set(lines)].sort((one, other) => other - one);
  }

  get line(): number {
    return this.#line;
  }

  get lineStart(): number {
    return this.#lineStart;
  }

  get at(): number {
    return this.#lineStart;
  }

  get lines(): number | null {
    return this.#total;
  }

  async next(): Promise<boolean> {
    const source = this.#source;
    for (;;) {
      const wanted = this.#wanted.pop();
      if (wanted === undefined) return false;
      const feeds = wanted - this.#line;
      if (feeds < 0) continue;
      const from = this.#position;
      const reach = await seek(source, from, feeds, this.#limit);
      if (reach.passed === feeds && reach.position < this.#limit) {
        this.#position = reach.position;
        if (feeds > 0) this.#lineStart = reach.position;
        this.#line = wanted;
        return true;
      }
      // This line does not exist, and so none after it.
      this.#wanted.length = 0;
      if (this.#limit < source.size) return false;
      this.#total = await linesIn(source, this.#line - 1 + reach.passed);
      return false;
    }
  }

  async lineEnd(limit: number): Promise<number | undefined> {
    return await lineEndOf(this.#source, this.#lineStart, limit);
  }

  async skipLine(end?: number): Promise<void> {
    const after = end ?? await this.lineEnd(this.#source.size);
    this.#position = this.#lineStart = after!;
    this.#line++;
  }

  skipTo(position: number): void {
    this.#position = position;
  }

  async countOn(): Promise<number> {
    let count = 0;
    while (await this.next()) count++;
    return count;
  }
}
