// Not at the edge: there, time stands still while a worker works.
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../../mod.ts";

describe("workspace.read() with a match", () => {
  it("is aborted in time, whatever the pattern", async () => {
    const line = Array.from(
      { length: 4_000_000 },
      (_, at) => at * at % 7 < 3 ? "a" : "b",
    );
    const fs = memoryFs({ "/a": line.join("") });
    const workspace = await openWorkspace("/", { fs });
    for (const match of ["(a+)+$", "(a|b)*a(a|b){14}$", "((a|b)*b){9}c"]) {
      const ender = new AbortController();
      const timer = setTimeout(() => ender.abort(), 1);
      const { signal } = ender;
      const error = await assertRejects(
        () => workspace.read("a", { match, regex: true }, { signal }),
        ReadFileError,
      );
      clearTimeout(timer);
      assertEquals(error.code, "ABORTED", match);
    }
  });
});
