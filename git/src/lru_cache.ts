/** Values by name, of which those used last are kept, up to a sum of weights. */
export class LruCache<Value> {
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  readonly #values = new Map<string, Value>();
  #sum = 0;

  constructor(most: number, weigh: (value: Value) => number) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.#drop(name);
    this.#values.set(name, value);
    this.#sum += this.#weigh(value);
    for (const oldest of this.#values.keys()) {
      if (this.#sum <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const value = this.#values.get(name);
    if (value === undefined) return;
    this.#values.delete(name);
    this.#sum -= this.#weigh(value);
  }
}
