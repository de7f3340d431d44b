// Runtime-agnostic.

/** How long an answer to `lstat` serves for the `open` that follows. */
const FRESH_MS = 1_000;

/** How many answers are kept. */
const MAX_LOOKS = 64;

/** A short-lived cache, so that `lstat` and `open` of a file cost one request. */
export class HttpLooks<Seen> {
  readonly #now: () => number;
  /** By path, the oldest first. */
  readonly #seen = new Map<string, { what: Seen; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get count(): number {
    return this.#seen.size;
  }

  keep(path: string, what: Seen): void {
    this.#seen.delete(path);
    this.#seen.set(path, { what, at: this.#now() });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_LOOKS) this.#seen.delete(oldest!);
  }

  /** Takes a fresh entry out of the cache. */
  take(path: string): Seen | undefined {
    const look = this.#seen.get(path);
    this.#seen.delete(path);
    const isFresh = look !== undefined && this.#now() - look.at <= FRESH_MS;
    return isFresh ? look.what : undefined;
  }
}
