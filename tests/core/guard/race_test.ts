import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Plan, race, SETTINGS } from "../../race/race.ts";
import { CONTROL, READERS, SEARCH } from "../../race/reader.ts";
import { MODES } from "../../race/stage.ts";
import { faultsOf, wasAttacked } from "../../race/verdict.ts";
import { RUNTIME } from "../../support/disk.ts";
import { IS_FULL } from "../../support/share.ts";

// Each runtime runs short races with itself; `deno task test:race` runs long ones.
const settings = SETTINGS.filter((setting) =>
  setting.startsWith(RUNTIME.toLowerCase())
);
const bounds = { count: 150, seconds: 0.4 };

const [open, list, ...tools] = [...READERS, SEARCH];

/** The guard itself and, alternately, a tool that reads through it: another one in each runtime. */
function readersOf(turn: number): readonly string[] {
  const turns = IS_FULL ? [turn, turn + 1] : [turn];
  const some = turns.map((at) => tools[at % tools.length]!);
  return [open!, list!, ...some, CONTROL];
}

/** The results of the races of one plan. */
interface Result {
  readonly plan: Plan;
  readonly faults: readonly string[];
  readonly wasAttacked: boolean;
}

// Runs before the tests, since Bun limits each test to five seconds.
const results: Result[] = [];
for (const [index, setting] of settings.entries()) {
  for (const [at, mode] of MODES.entries()) {
    // Deno has two settings: the gate races each attack with one of them, alternately.
    if (!IS_FULL && at % settings.length !== index) continue;
    const isBun = RUNTIME === "Bun";
    const readers = readersOf(at + 2 * index + Number(isBun));
    const pace = "turns" as const;
    const plan = { mode, pace, setting, readers, ...bounds };
    results.push(
      await race(plan).then((outcome) => ({
        plan,
        faults: faultsOf(plan, outcome),
        wasAttacked: wasAttacked(plan, outcome),
      }), (error) => ({ plan, faults: [String(error)], wasAttacked: true })),
    );
  }
}

describe("a workspace that is rewritten during reads", () => {
  for (const { plan: { mode, setting }, faults, wasAttacked } of results) {
    it(`neither leaks nor hangs: ${mode}, ${setting}`, () => {
      assertEquals(faults, []);
      assert(wasAttacked, "the control never leaked: the attack did not work");
    });
  }
});
