import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../../support/child.ts";

describe("a file of /proc", () => {
  it("is read to its end, although its size is 0", () => {
    const permissions = ["--allow-all"];
    const child = "tests/children/proc_reads.ts";
    const { code, stdout, stderr } = runChild(child, [], { permissions });
    assertEquals([code, stderr], [0, ""]);
    const answers = stdout.trimEnd().split("\n").map((row) => JSON.parse(row));
    assertEquals(answers.length, 2);
    for (const { text, size, lines } of answers) {
      assertMatch(text, /^Linux version .*\n$/);
      assert(size > 0 && lines === 2);
    }
  });
});
