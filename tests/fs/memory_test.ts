import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { attackSuite, ROWS } from "../suites/attacks.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { attackMemory, LEFT_OUT } from "../support/attack_memory.ts";
import { inMemory } from "../support/layout.ts";

fsPortSuite("memoryFs()", inMemory);

describe("memoryFs()", () => {
  it("opens a device as an empty file", async () => {
    await using place = await inMemory(["ws/p|"]);
    const handle = await place.fs.open(`${place.root}/p`);
    assertEquals((await handle.stat()).kind, "other");
    assertEquals(await handle.read(new Uint8Array(1), 0), 0);
  });
  it("refuses a path that no read can reach", () => {
    for (const path of ["/a/../b", "/a/./b", "/..", "/."]) {
      assertThrows(
        () => memoryFs({ [path]: "x" }),
        TypeError,
        `Cannot make a memory file system: "${path}" has "." or ".." in it`,
      );
    }
    assertThrows(() => memoryFs({ "a": "x" }), TypeError, "absolute path");
    assertEquals(memoryFs({ "/...": "x" }).realPath("/..."), "/...");
  });
  it("reports the path of every open file", async () => {
    await using place = await inMemory(["ws/d/a: x", "ws/l -> d"]);
    const handle = await place.fs.open(`${place.root}/l/a`);
    assertEquals(await handle.path(), `${place.root}/d/a`);
  });
  it("does not follow a link at the end of the path", async () => {
    await using place = await inMemory(["ws/a: x", "ws/l -> a"]);
    let code: unknown;
    try {
      await place.fs.open(`${place.root}/l`);
    } catch (error) {
      code = (error as { readonly code?: unknown }).code;
    }
    assertEquals(code, "ELOOP");
  });
});

attackSuite("memoryFs()", (row) => attackMemory(row), LEFT_OUT);

describe("memoryFs(): attacks", () => {
  it("skips only rows that are impossible in memory", () => {
    assertEquals(Object.keys(LEFT_OUT).length, 6);
    assertEquals(ROWS.length, 96 + 28);
  });
});
