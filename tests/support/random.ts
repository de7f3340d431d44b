/** Pseudo-random numbers, the same in every run. */

/** The default seed, which is part of failure messages. */
export const SEED = 20_251_118;

/** A generator of whole numbers, by the xorshift of 32 bits. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** A whole number from 0 on, below `limit`. */
  below(limit: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  /** A whole number from `least` to `most`. */
  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** One of several. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
