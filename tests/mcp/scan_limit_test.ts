import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { truncateSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

const MIB = 1024 ** 2;

/** Serves a directory with `a.txt` and a `large.txt` of this text; scans at most 1 MiB of a file. */
async function serveLarge(text: string, ...options: string[]) {
  const place = await onDisk(["ws/a.txt: one"]);
  const { root } = place;
  const path = `${root}/large.txt`;
  writeFileSync(path, text);
  const args = [...options, "--max-scan", String(MIB), root];
  const server = await connect([root], { args });
  return {
    root,
    path,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** So many bytes in lines of 100. */
const linesOf = (bytes: number) => `${"x".repeat(99)}\n`.repeat(bytes / 100);

describe("--max-scan", () => {
  it("bounds what is read of one file, and not where it is read", async () => {
    await using place = await serveLarge("one\ntwo\n");
    const { server } = place;
    truncateSync(place.path, 64 * MIB);
    const far = await server.call({ path: "large.txt", start: 9 });
    assertEquals(far.code, "SCAN_LIMIT");
    assertStringIncludes(far.text, 'Cannot read "large.txt": ');
    assertStringIncludes(far.text, "1048576 bytes");
    assertStringIncludes(far.text, "--max-scan");
    const match = { path: "large.txt", match: "three" };
    assertEquals((await server.call(match)).code, "SCAN_LIMIT");
    assert((await server.call({ path: "a.txt" })).ok);
    // Twice as much as the limit, a part at a time.
    writeFileSync(place.path, linesOf(2 * MIB));
    for (
      const option of [{ start: 3, count: 1 }, { tail: 3, numbered: false }]
    ) {
      const told = await server.call({ path: "large.txt", ...option });
      assert(told.ok, told.text);
    }
  });
  it("bounds what is read to count the lines before a tail", async () => {
    await using place = await serveLarge(linesOf(2 * MIB));
    const { server } = place;
    const tail = await server.call({ path: "large.txt", tail: 3 });
    assert(tail.ok, tail.text);
    assertStringIncludes(tail.text, "lines -3 to -1");
    const numbered = { path: "large.txt", tail: 3, numbered: true };
    const counted = await server.call(numbered);
    assertEquals(counted.code, "SCAN_LIMIT");
    assertStringIncludes(counted.text, '"numbered": false');
  });
  it("allows a file of exactly so many bytes to be read, twice too", async () => {
    await using place = await serveLarge(
      `${"x".repeat(15)}\n`.repeat(MIB / 16),
    );
    const { server } = place;
    for (const option of [{ tail: 3 }, { match: "y" }, { start: MIB / 16 }]) {
      const { ok, text } = await server.call({ path: "large.txt", ...option });
      assert(ok, text);
      assertStringIncludes(text, "of 65536");
    }
  });

  it("names another call that reads less, if there is one", async () => {
    await using place = await serveLarge(linesOf(3 * MIB));
    const { server } = place;
    const file = (name: string) => `${place.root}/${name}`;
    writeFileSync(file("line.txt"), "x".repeat(2 * MIB));
    const source = "print()\n".repeat(MIB / 8);
    const cells = [{ cell_type: "code", metadata: {}, outputs: [], source }];
    const book = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    writeFileSync(file("book.ipynb"), JSON.stringify(book, null, 1));
    const ask = "ask the user for a larger --max-scan (SCAN_LIMIT)";
    const hintOf = async (given: Record<string, unknown>) => {
      const { code, text } = await server.call(given);
      assertEquals(code, "SCAN_LIMIT", text);
      return text.slice(text.indexOf(";") + 2);
    };
    const last = { path: "large.txt", tail: 20_000, numbered: false };
    const fewer = `ask for fewer of the last lines, or ${ask}`;
    assertEquals(await hintOf(last), fewer);
    assert((await server.call({ ...last, tail: 20 })).ok);
    assertEquals(await hintOf({ path: "line.txt", tail: 1 }), ask);
    assertEquals(
      await hintOf({ path: "book.ipynb" }),
      `its view reads the whole file; send "view": "raw", or ${ask}`,
    );
    assert((await server.call({ path: "book.ipynb", view: "raw" })).ok);
  });
  it("leaves the dialect forge calls that are accepted", async () => {
    await using place = await serveLarge(
      linesOf(3 * MIB / 2),
      "--dialect=forge",
    );
    const { server } = place;
    assert((await server.call({ path: "large.txt", tail: 3 }, "Read")).ok);
    let next: Record<string, unknown> = { path: "large.txt", start_line: 1 };
    for (;;) {
      const { ok, text } = await server.call(next, "Read");
      assert(ok, text);
      const [, json] = /continue with (\{.*\})\]$/.exec(text) ?? [];
      if (json === undefined) break;
      next = JSON.parse(json);
    }
    assert(Number(next.start_line) > 6000, JSON.stringify(next));
    const far = await server.call(
      { path: "large.txt", start_line: 15_000 },
      "Read",
    );
    assertStringIncludes(far.text, "where only tail");
  });
  it("does not name arguments that a dialect does not have", async () => {
    await using place = await serveLarge(linesOf(2 * MIB), "--dialect=codex");
    const { server } = place;
    const { text } = await server.call({
      file_path: place.path,
      offset: 20_000,
    });
    assertStringIncludes(text, "\nask the user for a larger --max-scan");
  });
});
