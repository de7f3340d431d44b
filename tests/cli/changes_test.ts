import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { versionedFs } from "../support/git_versions.ts";
import { run } from "./run.ts";

const NUMBERS = Array.from({ length: 12 }, (_, at) => `${at + 1}\n`);

const fs = versionedFs([
  { "src/a.txt": NUMBERS.join(""), "gone.txt": "gone\n" },
  { "src/a.txt": NUMBERS.join(""), "odd:1": "HEAD\n" },
], {
  "src/a.txt": NUMBERS.toSpliced(1, 1, "two\n").toSpliced(9, 0, "new\n").join(
    "",
  ).trimEnd(),
  "src/same.txt": "",
  "b.txt": "b\n",
  "HEAD:b.txt": "of that very name\n",
});

const read = (...args: string[]) => run(["--workspace=/repo", ...args], { fs });

describe("--changes", () => {
  it("prints what changed, as a diff does", async () => {
    const { output, errors, code } = await read(
      "--changes",
      "HEAD",
      "src/a.txt",
    );
    assertEquals([errors, code], ["", 0]);
    assertEquals(output.split("\n"), [
      ...[" 1", "-2", "+two", " 3", " 4", " 5", "--", " 7", " 8", " 9"],
      ...[
        "+new",
        " 10",
        " 11",
        "-12",
        "+12",
        "\\ No newline at end of file",
        "",
      ],
    ]);
    assertEquals(
      (await read("--changes=main", "src/a.txt:2")).output,
      "-2\n+two\n",
    );
    assertEquals(
      (await read("--changes=main", "--head=2", "src/a.txt")).output,
      " 1\n-2\n+two\n",
    );
    assertEquals(
      (await read("--changes=main", "--numbers", "src/a.txt:2,10")).output,
      "-2  2\n+2  two\n+10  new\n",
    );
  });

  it("says if nothing changed, or if the file was not there", async () => {
    const same = await read("src/a.txt:3-5", "--changes=HEAD~1");
    assertEquals(same, {
      output: "",
      errors: '"src/a.txt" is the same in "HEAD~1"\n',
      code: 0,
    });
    const fresh = await read("b.txt", "src/same.txt", "--changes=HEAD");
    assertEquals(fresh.output, "==> b.txt <==\n+b\n");
    assertEquals(
      fresh.errors,
      '"b.txt" is not in "HEAD"\n"src/same.txt" is not in "HEAD"\n',
    );
  });

  it("is red and green on a terminal, with numbers", async () => {
    const terminal = { fs, isTerminal: true };
    const args = ["--workspace=/repo", "src/a.txt:1-2", "--changes=HEAD"];
    const styled = await run(args, { ...terminal, styles: true });
    assertEquals(
      styled.output,
      " 1  1\n\x1b[31m-2  2\x1b[0m\n\x1b[32m+2  two\x1b[0m\n",
    );
    assertEquals((await run(args, terminal)).output, " 1  1\n-2  2\n+2  two\n");
  });

  it("gives the data as JSON", async () => {
    const { output } = await read("--json", "src/a.txt:2", "--changes=HEAD");
    const { rev, lines } = JSON.parse(output);
    assertEquals([rev, lines.length, lines[1].kind], ["HEAD", 2, "changed"]);
  });

  it("refuses what means nothing beside it, and unknown revisions", async () => {
    for (
      const [words, ...args] of [
        ["A search means nothing with --changes", "src/a.txt:/x/"],
        ["--indent means nothing with --changes", "--indent=2", "src/a.txt"],
        [
          "--max-bytes means nothing with --changes",
          "--max-bytes=2",
          "src/a.txt",
        ],
        ["--color means nothing with --changes", "--color", "src/a.txt"],
        ["--column means nothing with --changes", "--column=2", "src/a.txt"],
        ['"HEAD:" means nothing with --changes', "HEAD:src/a.txt:2"],
      ] as const
    ) {
      const { errors, code } = await read("--changes=HEAD", ...args);
      assert(errors.startsWith(words), errors);
      assertEquals(code, 2);
    }
    const { errors, code } = await read("--changes=HAED", "src/a.txt");
    assertEquals(code, 1);
    assertMatch(errors, /there is no "HAED"; did you mean "HEAD"\?/);
    assertEquals((await read("--changes=", "src/a.txt")).code, 2);
    const outside = await run(["--changes=HEAD", "a.txt"]);
    assertMatch(
      outside.errors,
      /no git repository is there, or in a folder above/,
    );
  });
});

describe("REV:PATH", () => {
  it("reads the file as it was, with the lines that it names", async () => {
    assertEquals((await read("HEAD~1:gone.txt")).output, "gone\n");
    assertEquals((await read("HEAD:src/a.txt:2-3")).output, "2\n3\n");
    assertEquals((await read("--tail=1", "main:src/a.txt")).output, "12\n");
    assertEquals((await read("HEAD^{commit}:src/a.txt:/^1$/")).output, "1\n");
    const two = await read("HEAD~1:gone.txt", "b.txt");
    assertEquals(
      two.output,
      "==> HEAD~1:gone.txt <==\ngone\n\n==> b.txt <==\nb\n",
    );
    const cut = await read("--max-bytes=4", "HEAD:src/a.txt");
    assertMatch(cut.errors, / HEAD:src\/a\.txt:3-\n$/);
  });

  it("is a file of that very name, if that is there", async () => {
    assertEquals((await read("HEAD:b.txt")).output, "of that very name\n");
    assertEquals((await read("HEAD:odd:1")).output, "HEAD\n");
  });

  it("is not looked for if the text names lines of a missing file", async () => {
    const asked: string[] = [];
    const watched = {
      ...fs,
      open: (path: string) => (asked.push(path), fs.open(path)),
    };
    const { errors } = await run(
      ["--workspace=/repo", "missing.ts:5", "missing.ts:/x/"],
      { fs: watched },
    );
    assertMatch(errors, /"missing\.ts": nothing is there/);
    assertEquals(asked.filter((path) => path.includes(".git")), []);
    await run(["--workspace=/repo", "missing:b.txt"], { fs: watched });
    assert(asked.some((path) => path.includes(".git")));
  });
  it("names the revision in failures, unless a file was meant", async () => {
    const failed = async (path: string) => (await read(path)).errors;
    assertMatch(
      await failed("HEAD:none"),
      /^Cannot read "HEAD:none": nothing is there/,
    );
    assertMatch(
      await failed("HEAD:src/a.txt:99"),
      /^Cannot read lines 99 to 99|"HEAD:src\/a\.txt"/,
    );
    assertMatch(
      await failed("mian:src/a.txt"),
      /there is no "mian"; did you mean "main"/,
    );
    assertMatch(await failed("HEAD~9:x"), /has no parent/);
    assertMatch(
      await failed("src/a.txt:x"),
      /^Cannot read "src\/a\.txt:x": "x" names no lines; did you mean "src\/a\.txt"\?/,
    );
    assertMatch(
      await failed("none:x"),
      /^Cannot read "none:x": nothing is there/,
    );
    assertMatch(await failed("~/b.txt:1"), /^Cannot read "~\/b\.txt": /);
  });

  it("keeps to --deny, and to the workspace", async () => {
    const denied = await read("--deny=*.txt", "HEAD~1:gone.txt");
    assertMatch(
      denied.errors,
      /^Cannot read "HEAD~1:gone\.txt": the rule "\*\.txt"/,
    );
    const outside = await run(["--workspace=/repo/src", "HEAD~1:../gone.txt"], {
      fs,
    });
    assertMatch(outside.errors, /"HEAD~1:\.\.\/gone\.txt": it leads out/);
  });
});
