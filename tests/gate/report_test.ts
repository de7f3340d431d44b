import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { countPrinted, lastLine } from "./report.ts";

/** Outputs of runners that were ended: how many tests had passed, and where it stood. */
const OUTPUTS: Readonly<Record<string, readonly [string, number, string]>> = {
  "of Deno": [
    `running 2 tests from ./tests/a_test.ts
a block ...
  one ... ok (1ms)
  a block in it ...
    two ... ok (2s)
    three ... FAILED (3ms)
    four ...
------- post-test output -------
said by the test
----- post-test output end -----
    four ... ok (4ms)
  a block in it ... FAILED (9ms)
a block ... FAILED (9ms)
a test (by itself) ... ok (1m2s)
another block ...
  five ... ok (5ms)
  the one that hangs ...`,
    5,
    "the one that hangs ...",
  ],
  "of Bun": [
    `bun test v1.4.4
tests/a_test.ts:
(pass) a block > one [1.00ms]
(fail) a block > two
(pass) a block > three
tests/b_test.ts:
(pass) four [2.00ms]
`,
    3,
    "(pass) four [2.00ms]",
  ],
  "of neither": ["Check file:///a.ts\n", 0, "Check file:///a.ts"],
  "that is empty": ["", 0, ""],
};

describe("the output of a step without a report", () => {
  for (const [name, [output, count, last]] of Object.entries(OUTPUTS)) {
    it(`${name} says what ran, and where it stood`, () => {
      assertEquals([countPrinted(output), lastLine(output)], [count, last]);
    });
  }
});
