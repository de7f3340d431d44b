// Runtime-agnostic.

/** A set of strings that holds so many at most: the one that was used longest ago goes first. */
export class RecentSet {
  readonly #most: number;
  /** In the order of their last use. */
  readonly #keys = new Set<string>();

  /** Constructs a new instance that holds `most` strings at most. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it holds a string; that it was asked for is a use. */
  has(key: string): boolean {
    if (!this.#keys.delete(key)) return false;
    this.#keys.add(key);
    return true;
  }

  /** Adds a string. */
  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#most) return;
    const [oldest] = this.#keys;
    this.#keys.delete(oldest!);
  }

  /** Removes a string, if it is there. */
  delete(key: string): void {
    this.#keys.delete(key);
  }
}
