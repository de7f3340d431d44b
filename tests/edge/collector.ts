// Replaces `node:test` in runtimes without a test runner.

type Body = () => void | Promise<void>;

/** The outcome of a test. */
export interface Outcome {
  /** Its name, after the names of its blocks. */
  readonly name: string;
  /** Its error; `null` if it passed. */
  readonly error: string | null;
}

interface Block {
  readonly trail: readonly string[];
  readonly body: () => void;
}

const tests: { readonly name: string; readonly body: Body }[] = [];
const blocks: Block[] = [];
let trail: readonly string[] = [];

/** Collects a block of tests; its function is called when the tests run. */
export function describe(name: string, body: () => void): void {
  blocks.push({ trail: [...trail, name], body });
}

/** Collects a test. `skip`, `only` and hooks do not exist here, so a test that uses them fails. */
export function it(name: string, body: Body): void {
  tests.push({ name: [...trail, name].join(" > "), body });
}

/** Runs the collected tests in order. */
export async function run(): Promise<Outcome[]> {
  // Blocks may add nested blocks.
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
