// Runtime-agnostic.

/**
 * Lets so many in at a time; the others wait, first come, first in.
 *
 * Invariant: whoever waits, there is no place free.
 */
export class Turnstile {
  #free: number;
  // Longer lists take their time to drop the first entry; a Set does not.
  readonly #waiting = new Set<() => void>();

  /** Constructs a new instance with that many places. */
  constructor(places: number) {
    this.#free = places;
  }

  /** Takes a place: at once where there is one, without costing a turn. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Gives a place back, to whoever has waited longest. */
  leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      return next();
    }
    this.#free++;
  }
}
