import { assertEquals } from "@std/assert";
import { statSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { CLOCK_GRAIN_MS } from "../../../src/core/base/limits.ts";
import {
  type Case,
  CASES,
  type Order,
  type Told,
} from "../../support/moved_cases.ts";
import { runChild } from "../../support/child.ts";
import { onDisk, RUNTIME } from "../../support/disk.ts";
import { type Wrapping, WRAPPINGS } from "../../support/wrappings.ts";

/** Deno with `-A` learns the paths of open files; with fewer permissions it does not. */
const PERMISSIONS = RUNTIME === "Bun" ? ["-A"] : ["--allow-read=base", "-A"];

const settings = (Object.keys(WRAPPINGS) as Wrapping[]).flatMap((wrapping) =>
  [false, true].map((nonBlocking) => ({ wrapping, nonBlocking }))
);
const names = Object.keys(CASES) as (keyof typeof CASES)[];
const told = new Map<string, readonly Told[]>();

// Runs before the tests, since it takes longer than the timeout of a test.
for (const permission of PERMISSIONS) {
  const tries = names.flatMap((name) =>
    settings.map((setting) => ({ name, ...setting }))
  );
  const layout = tries.flatMap((_, at) => [
    `${at}/ws/a/b/f.txt: INSIDE`,
    `${at}/out/`,
  ]);
  await using place = await onDisk(layout);
  const orders = tries.map((one, at): Order => ({
    ...one,
    base: `${place.base}/${at}`,
  }));
  // Proofs are cached only for files at rest.
  const last = `${orders.at(-1)!.base}/ws/a/b/f.txt`;
  while (Date.now() - statSync(last).ctimeMs <= CLOCK_GRAIN_MS) {
    await setTimeout(100);
  }
  const fence = ["--allow-run=sh", "--allow-env", `--allow-read=${place.base}`];
  const permissions = permission === "-A" ? [permission] : fence;
  const { stdout, stderr } = runChild(
    "tests/children/moved.ts",
    [JSON.stringify(orders)],
    { permissions },
  );
  assertEquals(stderr, "");
  const lines = stdout.split("\n").filter(Boolean);
  told.set(permission, lines.map((line) => JSON.parse(line)));
}

for (const [permission, answers] of told) {
  describe(`a file that was read before, in ${RUNTIME} with ${permission}`, () => {
    for (const name of names) {
      const { after }: Case = CASES[name];
      it(`is ${after} after ${name}`, () => {
        const found = answers.filter(({ order }) => order.name === name);
        assertEquals(found.length, settings.length);
        for (const answer of found) {
          const { before, after: again, order } = answer;
          assertEquals(before, ["INSIDE", "INSIDE"], order.wrapping);
          assertEquals(again, [after, after], JSON.stringify(order));
        }
      });
    }
  });
}
