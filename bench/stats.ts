// Runs contenders alternately, with statistics of their times.

/** Something that is timed. */
export interface Contender {
  /** The name in the results. */
  readonly name: string;
  /** The work that is timed. */
  readonly run: () => unknown;
  /** Runs before each turn, and is not timed. */
  readonly prepare?: () => unknown;
  /** The number of calls in one of its turns; by default that of the race. */
  readonly calls?: number;
}

/** The length of a race. */
export interface Distance {
  /** The number of turns of each contender. */
  readonly rounds: number;
  /** The number of calls in one turn. */
  readonly calls: number;
  /** The number of first turns that are not timed, for the JIT compiler. */
  readonly warm?: number;
}

/** The times of a race: in each round, all contenders ran under the same load. */
export class Times {
  readonly #micros: ReadonlyMap<string, readonly number[]>;

  constructor(micros: ReadonlyMap<string, readonly number[]>) {
    this.#micros = micros;
  }

  /** The median time of a call in microseconds. */
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
    if (micros === undefined) {
      throw new TypeError(`Unknown contender "${name}"`);
    }
    return micros;
  }
}

/** Runs the contenders alternately; each round begins with another contender. */
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
    // Awaiting a synchronous answer would add to its time.
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

/** The geometric mean. */
export function geometricMean(values: readonly number[]): number {
  const logs = values.map(Math.log);
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / values.length);
}
