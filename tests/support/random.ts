/** Pseudo-random numbers, equal in every run. */

/** The default seed, which failure messages contain. */
export const SEED = 20_251_118;

/** A generator of integers, by 32-bit xorshift. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return Math.floor(this.#state / 2 ** 32 * limit);
  }

  /** An integer from `least` to `most`. */
  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** A random element. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
