/** Files that a caller keeps open. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../support/child.ts";
import { onDisk, RUNTIME } from "../support/disk.ts";

describe("a thousand files opened by a caller, with a limit of 256 open files", () => {
  it("fail with advice, and can be read once some files are closed", async () => {
    await using place = await onDisk(["ws/a.txt: here\n"]);
    const { stdout, stderr } = runChild(
      "tests/children/many_open.ts",
      [place.root, "1000"],
      { permissions: ["-A"], before: "ulimit -n 256;" },
    );
    assertEquals(stderr, "");
    const { opened, messages, meanwhile, listed, after } = JSON.parse(stdout);
    assert(opened > 0 && opened < 256, `${opened} were opened`);
    assertEquals(messages, [
      'IO Cannot read "a.txt": too many files are open, so close some (EMFILE); try again',
    ]);
    assertEquals([meanwhile, after], ["IO", "here\n"]);
    assertEquals(listed, ["IO", "a.txt"]);
  });
});

describe("a part of the library that is loaded while no file can be opened", () => {
  it("fails with IO, and loads once a file can be opened", () => {
    const { stdout, stderr } = runChild(
      "tests/children/lazy_parts.ts",
      [],
      { permissions: ["-A"], before: "ulimit -n 256;" },
    );
    assertEquals(stderr, "");
    const { meanwhile, after } = JSON.parse(stdout);
    for (const [part, code] of Object.entries(meanwhile)) {
      // Bun has some parts in memory.
      assert(code === "IO" || RUNTIME === "Bun" && code === "ok", part);
      assertEquals(after[part], "ok", part);
    }
  });
});
