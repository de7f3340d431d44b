import { assertEquals, assertLessOrEqual } from "@std/assert";
import { describe, it } from "node:test";
import type { Told } from "../children/crowd.ts";
import { holdTo, largeFiles, MOST_MIB, nameOf } from "../load/size.ts";
import { CASES } from "../load/sizes.ts";
import { runChild } from "../support/child.ts";
import { onDisk } from "../support/disk.ts";

describe("a thousand concurrent calls on a hundred files", () => {
  const files = Array.from({ length: 100 }, (_, at) => at);
  for (const waits of ["blocking", "nonBlocking"]) {
    it(`all succeed with a limit of 256 open files (${waits})`, async () => {
      const layout = files.map((at) => `ws/${at}.txt: this is file ${at}.\n`);
      await using place = await onDisk(layout);
      const { stdout, stderr } = runChild(
        "tests/children/crowd.ts",
        [place.root, "1000", String(files.length), waits],
        { permissions: ["-A"], before: "ulimit -n 256;" },
      );
      assertEquals(stderr, "");
      const { ends, mostOpen }: Told = JSON.parse(stdout);
      assertEquals(ends, { right: 1000 });
      assertLessOrEqual(mostOpen, 64);
    });
  }
});

// Runs before the tests: the files are created once, and Bun ends each test after
// five seconds.
const failures: (Error | undefined)[] = [];
{
  using files = largeFiles();
  for (const one of CASES) {
    const held = holdTo(one, files.folder);
    failures.push(await held.then(() => undefined, (error) => error));
  }
}

describe(`with at most ${MOST_MIB} MiB of additional memory, without the answer`, () => {
  for (const [at, one] of CASES.entries()) {
    it(`${nameOf(one)} has the right answer`, () => {
      if (failures[at] !== undefined) throw failures[at];
    });
  }
});
