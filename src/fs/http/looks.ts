// Runtime-agnostic.
/** How long a look is as good as another one: a file is opened right after it. */
const FRESH_MS = 1_000;

/** How many are kept for those who come to open the file. */
const MAX_LOOKS = 64;

/** What was just seen, so that to look at a file and to open it is one request. */
export class HttpLooks<Seen> {
  readonly #now: () => number;
  /** By path, the oldest first. */
  readonly #seen = new Map<
    string,
    { readonly what: Seen; readonly at: number }
  >();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many are kept. */
  get count(): number {
    return this.#seen.size;
  }

  /** Keeps what was seen at a path. */
  keep(path: string, what: Seen): void {
    this.#seen.delete(path);
    this.#seen.set(path, { what, at: this.#now() });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_LOOKS) this.#seen.delete(oldest!);
  }

  /** Hands out what was just seen at a path, once. */
  take(path: string): Seen | undefined {
    const look = this.#seen.get(path);
    this.#seen.delete(path);
    const isFresh = look !== undefined && this.#now() - look.at <= FRESH_MS;
    return isFresh ? look.what : undefined;
  }
}
