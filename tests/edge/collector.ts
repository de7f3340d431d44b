// Stands in for `node:test` where there is no test runner.

type Body = () => void | Promise<void>;

/** How one test went. */
export interface Outcome {
  /** Its name, after those of the blocks it stands in. */
  readonly name: string;
  /** What it threw; `null` if it passed. */
  readonly error: string | null;
}

const tests: { readonly name: string; readonly body: Body }[] = [];
const trail: string[] = [];

/** Opens a block of tests. */
export function describe(name: string, body: () => void): void {
  trail.push(name);
  body();
  trail.pop();
}

/** Collects a test. Without `skip`, `only` and hooks: whoever uses one hears of it. */
export function it(name: string, body: Body): void {
  tests.push({ name: [...trail, name].join(" > "), body });
}

/** Runs all that was collected, one after the other. */
export async function run(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, body } of tests) {
    outcomes.push({ name, error: await failureOf(body) });
  }
  return outcomes;
}

async function failureOf(body: Body): Promise<string | null> {
  try {
    await body();
    return null;
  } catch (error) {
    return error instanceof Error ? error.stack ?? `${error}` : `${error}`;
  }
}
