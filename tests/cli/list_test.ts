import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { run } from "./run.ts";

const fs = memoryFs({
  "/ws/b.txt": "two",
  "/ws/src/a.ts": "12345",
  "/ws/src/deep/er.ts": "",
  "/ws/src/odd\nname": "",
  "/ws/link": { link: "src" },
});

const list = (...args: string[]) => run(["--list", ...args], { fs });

describe("--list", () => {
  it("prints sizes or kinds, and names", async () => {
    assertEquals(await list(), {
      output: "3\tb.txt\nlink\tlink\ndir\tsrc\n",
      errors: "",
      code: 0,
    });
  });
  it("prints paths that can be used as they are, one on a line", async () => {
    const { output } = await list("src", "link", "--depth=2");
    const rows = [
      "5\tD/a.ts",
      "dir\tD/deep",
      "0\tD/deep/er.ts",
      '0\t"D/odd\\nname"',
    ].join("\n") + "\n";
    assertEquals(
      output,
      rows.replaceAll("D/", "src/") + rows.replaceAll("D/", "link/"),
    );
  });
  it("prints entries as JSON", async () => {
    const { output } = await list("--json", "--glob=*.ts", "src");
    assertEquals(output, '{"path":"src/a.ts","kind":"file","size":5}\n');
  });
  it("says what it leaves out", async () => {
    const { output, errors, code } = await list("--deny=src");
    assertEquals([output, code], ["3\tb.txt\nlink\tlink\n", 0]);
    assertEquals(errors, "Left out: names that are denied\n");
  });
  it("continues after a path that is not a directory", async () => {
    const { output, errors, code } = await list("none", "b.txt", "src/deep");
    assertEquals([output, code], ["0\tsrc/deep/er.ts\n", 1]);
    assertStringIncludes(errors, "nothing is there");
    assertStringIncludes(errors, "names a file; name a directory, or read it");
  });
  for (
    const [args, sentence] of [
      [["--depth=6"], "--depth must be a whole number from 1 to 5"],
      [["--depth=x"], "--depth must be a whole number from 1 on"],
      [["--glob=["], "--glob has a class"],
      [["--head=1"], "--head means nothing with --list"],
    ] as const
  ) {
    it(`refuses ${args}`, async () => {
      const { output, errors, code } = await list(...args);
      assertEquals([output, code], ["", 2]);
      assertStringIncludes(errors, sentence);
    });
  }
});
