// Contenders that take turns, and what can be said of their times.

/** Something that is timed. */
export interface Contender {
  /** What it is called in the results. */
  readonly name: string;
  /** What is timed. */
  readonly run: () => unknown;
  /** What must be done before each turn, and is not timed. */
  readonly prepare?: () => unknown;
  /** How many calls its turn has, if not as many as those of the others. */
  readonly calls?: number;
}

/** How long a race goes on. */
export interface Distance {
  /** How often every contender has its turn. */
  readonly rounds: number;
  /** How many calls one turn has. */
  readonly calls: number;
  /** How many turns go before that are not counted; a compiler takes its time. */
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

  /** How many times as long one took as another, in the median of the rounds. */
  ratio(name: string, other: string): number {
    const others = this.#of(other);
    return median(
      this.#of(name).map((micros, round) => micros / others[round]!),
    );
  }

  /** How many microseconds longer one took than another, in the median of the rounds. */
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

/** Lets the contenders take turns; another one begins each round. */
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
    // What answers at once must not pay for a turn of the event loop.
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - began) * 1000 / calls;
}

/** The one in the middle. */
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
