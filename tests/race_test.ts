import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Plan, race, SETTINGS } from "./race/race.ts";
import { CONTROL, READERS } from "./race/reader.ts";
import { MODES } from "./race/stage.ts";
import { faultsOf, wasAttacked } from "./race/verdict.ts";
import { RUNTIME } from "./support/disk.ts";

// Each runtime races itself. A short run: `deno task test:race` is the long one.
const settings = SETTINGS.filter((setting) =>
  setting.startsWith(RUNTIME.toLowerCase())
);
const readers = [...READERS, CONTROL];
const bounds = { count: 500, seconds: 2 };

/** A busy machine may give the attacker no turn; then the race is run again. */
const MOST_RACES = 8;

describe("a workspace that is rewritten while it is read", () => {
  for (const setting of settings) {
    for (const mode of MODES) {
      it(`leaks nothing and hangs never: ${mode}, ${setting}`, async () => {
        const plan: Plan = { mode, setting, readers, ...bounds };
        for (let races = 0; races < MOST_RACES; races++) {
          const outcome = await race(plan);
          assertEquals(faultsOf(plan, outcome), []);
          if (wasAttacked(plan, outcome)) return;
        }
        assert(false, "even the control never leaked: was there an attack?");
      });
    }
  }
});
