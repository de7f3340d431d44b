/** A map that drops the least recently used entries when their sizes together exceed `maxSize`. */
export class LruCache<Value> {
  readonly maxSize: number;
  /** In the order of last use. */
  readonly #entries = new Map<string, readonly [value: Value, size: number]>();
  #size = 0;

  constructor(maxSize: number) {
    this.maxSize = maxSize;
  }

  /** Returns a value; this counts as a use. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.set(key, ...entry);
    return entry?.[0];
  }

  set(key: string, value: Value, size = 1): void {
    this.delete(key);
    this.#entries.set(key, [value, size]);
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.maxSize) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.[1] ?? 0;
    this.#entries.delete(key);
  }
}
