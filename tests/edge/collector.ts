// Stands in for `node:test` where there is no test runner.

type Body = () => void | Promise<void>;

/** How one test went. */
export interface Outcome {
  /** Its name, after those of the blocks it stands in. */
  readonly name: string;
  /** What it threw; `null` if it passed. */
  readonly error: string | null;
}

interface Block {
  readonly trail: readonly string[];
  readonly body: () => void;
}

const tests: { readonly name: string; readonly body: Body }[] = [];
const blocks: Block[] = [];
let trail: readonly string[] = [];

/** Takes down a block of tests; it is opened when the tests run, and the data is there. */
export function describe(name: string, body: () => void): void {
  blocks.push({ trail: [...trail, name], body });
}

/** Collects a test. Without `skip`, `only` and hooks: whoever uses one hears of it. */
export function it(name: string, body: Body): void {
  tests.push({ name: [...trail, name].join(" > "), body });
}

/** Runs all that was collected, one after the other. */
export async function run(): Promise<Outcome[]> {
  // Blocks in blocks are added on the way.
  for (const block of blocks) {
    trail = block.trail;
    block.body();
  }
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
