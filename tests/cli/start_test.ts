import { assertEquals } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { start } from "../../src/cli/main.ts";

describe("the start of the command line", () => {
  it("does nothing in a program of others, whatever its name", async () => {
    const { exitCode } = process;
    // Otherwise it would read the arguments of this test.
    for (const program of ["mod.ts", "mod.js", "src/cli/main.ts"]) {
      await start(`file:///elsewhere/${program}`);
    }
    await start(new URL("../../src/cli/main.ts", import.meta.url).href);
    assertEquals(process.exitCode, exitCode);
  });
});
