// Contenders that take turns, and statistics of their times.

/** Something that is timed. */
export interface Contender {
  /** Its name in the results. */
  readonly name: string;
  /** What is timed. */
  readonly run: () => unknown;
  /** Runs before each turn, without being timed. */
  readonly prepare?: () => unknown;
  /** How many calls its turn has; as many as the others by default. */
  readonly calls?: number;
}

/** The length of a race. */
export interface Distance {
  /** How many turns every contender has. */
  readonly rounds: number;
  /** How many calls one turn has. */
  readonly calls: number;
  /** How many turns are run first and not counted, for the JIT compiler. */
  readonly warm?: number;
}

/** The times of a race: in each round, every contender ran under the same load. */
export class Times {
  readonly #micros: ReadonlyMap<string, readonly number[]>;

  constructor(micros: ReadonlyMap<string, readonly number[]>) {
    this.#micros = micros;
  }

  /** Microseconds a call. */
  median(name: string): number {
    return median(this.#of(name));
  }

  /** The median ratio of the times of two contenders. */
  ratio(name: string, other: string): number {
    const others = this.#of(other);
    return median(
      this.#of(name).map((micros, round) => micros / others[round]!),
    );
  }

  /** The median difference of the times of two contenders, in microseconds. */
  difference(name: string, other: string): number {
    const others = this.#of(other);
    return median(
      this.#of(name).map((micros, round) => micros - others[round]!),
    );
  }

  #of(name: string): readonly number[] {
    const micros = this.#micros.get(name);
    if (micros === undefined) throw new TypeError(`No contender is "${name}"`);
    return micros;
  }
}

/** Runs the contenders by turns; each round begins with another one. */
export async function race(
  contenders: readonly Contender[],
  { rounds, calls, warm = 1 }: Distance,
): Promise<Times> {
  const micros = new Map<string, number[]>(
    contenders.map(({ name }) => [name, []]),
  );
  for (let round = -warm; round < rounds; round++) {
    for (let at = 0; at < contenders.length; at++) {
      const contender = contenders[(at + warm + round) % contenders.length]!;
      const took = await turn(contender, contender.calls ?? calls);
      if (round >= 0) micros.get(contender.name)!.push(took);
    }
  }
  return new Times(micros);
}

async function turn(
  { run, prepare }: Contender,
  calls: number,
): Promise<number> {
  await prepare?.();
  const began = performance.now();
  for (let call = 0; call < calls; call++) {
    const answer = run();
    // Do not await a synchronous answer.
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - began) * 1000 / calls;
}

/** The median of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The mean of factors. */
export function geometricMean(values: readonly number[]): number {
  const logs = values.map(Math.log);
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / values.length);
}
