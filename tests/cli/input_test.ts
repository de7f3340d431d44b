import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { run } from "./run.ts";

const input = new TextEncoder().encode("one\ntwo\r\nthree");

describe("the standard input", () => {
  it("is read as a file", async () => {
    const said = { errors: "", code: 0 };
    for (
      const [arg, output] of [
        ["-", "one\ntwo\r\nthree"],
        ["-:2", "two\r\n"],
        ["-:-1", "three"],
        ["-:/t/", "two\r\nthree"],
      ] as const
    ) assertEquals(await run([arg], { input }), { output, ...said });
    assertEquals(
      (await run(["-:2-3", "-n"], { input })).output,
      "2  two\r\n3  three",
    );
  });

  it("is one of several files, and shown as others are", async () => {
    const { output } = await run(["-:1", "a.txt:1"], { input });
    assertEquals(output, "==> - <==\none\n\n==> a.txt <==\none\n");
    const { output: page } = await run(["-", "--json"], { input });
    assertEquals(JSON.parse(page).totalLines, 3);
  });

  it("has an end", async () => {
    const { errors, code } = await run(["-:9"], { input });
    assertStringIncludes(errors, "3 lines");
    assertEquals(code, 1);
  });

  it("is not a file of the workspace", async () => {
    assertEquals((await run(["./-x"], { input })).output, "a dash\n");
    const { errors, code } = await run(["-", "--follow"], { input });
    assertStringIncludes(errors, "--follow needs one PATH");
    assertEquals(code, 2);
  });
});
