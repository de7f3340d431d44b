// Runtime-agnostic.

/** A bounded set of strings that drops the least recently used one. */
export class RecentSet {
  readonly #most: number;
  /** In the order of last use. */
  readonly #keys = new Set<string>();

  /** Constructs a new instance that holds at most `most` strings. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it holds a string; asking counts as a use. */
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

  /** Removes a string. */
  delete(key: string): void {
    this.#keys.delete(key);
  }
}
