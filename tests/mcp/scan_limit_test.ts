import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { truncateSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

const MIB = 1024 ** 2;

describe("--max-scan", () => {
  it("bounds what is read of one file, and not where it is read", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    const path = `${place.root}/large.txt`;
    writeFileSync(path, "one\ntwo\n");
    truncateSync(path, 64 * MIB);
    const args = ["--max-scan", String(MIB), place.root];
    await using server = await connect([place.root], { args });
    const far = await server.call({ path: "large.txt", start: 9 });
    assertEquals(far.code, "SCAN_LIMIT");
    assertStringIncludes(far.text, 'Cannot read "large.txt": ');
    assertStringIncludes(far.text, "1048576 bytes");
    assertStringIncludes(far.text, "--max-scan");
    const match = { path: "large.txt", match: "three" };
    assertEquals((await server.call(match)).code, "SCAN_LIMIT");
    assert((await server.call({ path: "a.txt" })).ok);
    // Twice as much as the limit, a part at a time.
    const lines = `${"x".repeat(99)}\n`.repeat(2 * MIB / 100);
    writeFileSync(path, lines);
    for (
      const option of [{ start: 3, count: 1 }, { tail: 3, numbered: false }]
    ) {
      const told = await server.call({ path: "large.txt", ...option });
      assert(told.ok, told.text);
    }
  });
  it("bounds what is read to count the lines before a tail", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    const path = `${place.root}/large.txt`;
    writeFileSync(path, `${"x".repeat(99)}\n`.repeat(2 * MIB / 100));
    const args = ["--max-scan", String(MIB), place.root];
    await using server = await connect([place.root], { args });
    const tail = await server.call({ path: "large.txt", tail: 3 });
    assert(tail.ok, tail.text);
    assertStringIncludes(tail.text, "lines -3 to -1");
    const numbered = { path: "large.txt", tail: 3, numbered: true };
    const counted = await server.call(numbered);
    assertEquals(counted.code, "SCAN_LIMIT");
    assertStringIncludes(counted.text, '"numbered": false');
  });
  it("allows a file of exactly so many bytes to be read, twice too", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    const path = `${place.root}/large.txt`;
    writeFileSync(path, `${"x".repeat(15)}\n`.repeat(MIB / 16));
    const args = ["--max-scan", String(MIB), place.root];
    await using server = await connect([place.root], { args });
    for (const option of [{ tail: 3 }, { match: "y" }, { start: MIB / 16 }]) {
      const { ok, text } = await server.call({ path: "large.txt", ...option });
      assert(ok, text);
      assertStringIncludes(text, "of 65536");
    }
  });
});
