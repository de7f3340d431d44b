import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { FILES, run, type RunOptions } from "./run.ts";

const quiet = { errors: "", code: 0 };
const terminal: RunOptions = { isTerminal: true };

describe("the command line, in a pipe", () => {
  it("says that a file has fewer lines than were asked for", async () => {
    const said = await run(["a.txt:2-99"]);
    const errors = '"a.txt" has only 3 lines\n';
    assertEquals(said, { output: "two\r\nthree", errors, code: 0 });
    assertEquals((await run(["a.txt", "--head=9"])).errors, "");
    assertEquals((await run(["a.txt:2-3"])).errors, "");
  });

  it("shows with --color=always what a terminal shows", async () => {
    const args = ["bell.txt", "--color=always"];
    const { output } = await run([...args], { styles: true });
    const shown = await run(["bell.txt"], { styles: true, isTerminal: true });
    assertEquals(output, shown.output);
    const { errors, code } = await run(["a.txt", "--color=never"]);
    assertStringIncludes(errors, "--color takes no value but always");
    assertEquals(code, 2);
  });

  for (
    const [line, output] of [
      ["a.txt", "one\ntwo\r\nthree"],
      ["a.txt:2", "two\r\n"],
      ["a.txt:2-3", "two\r\nthree"],
      ["a.txt:2-", "two\r\nthree"],
      ["ten.txt:-2", "9\n10\n"],
      ["ten.txt:5+1", "4\n5\n6\n"],
      ["ten.txt:1+1", "1\n2\n"],
      ["ten.txt --head=2", "1\n2\n"],
      ["ten.txt --tail=1", "10\n"],
      ["ten.txt:-99", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"],
      ["code.py --indent=4 --levels=1", "    if x:\n        y()\n    z()\n"],
      ["a.txt --column=3", "e\ntwo\r\nthree"],
      ["a.txt:3 --column=3", "ree"],
      ["odd:7:", "a colon in its name\n"],
      ["odd:7:1", "a colon in its name\n"],
      ["odd:7", "a colon in its name\n"],
      ["ten.txt:9,1-2,-1", "9\n1\n2\n10\n"],
      ["ten.txt#L2-L3", "2\n3\n"],
      ["ten.txt:2:1", "2\n"],
      ["file:///ws/ten.txt:2", "2\n"],
      ["-- -x", "a dash\n"],
      ["nul.bin", "a\0b"],
      ["bell.txt", "\x1b[31mred\x07\u009b\x7f\u202e\tend\n"],
      ["empty", ""],
      ["empty:-3", ""],
      ["empty --head=3", ""],
      ["a.txt --numbers", "1  one\n2  two\r\n3  three"],
      ["a.txt --color", "one\ntwo\r\nthree"],
      ["--workspace=/else b.txt", "elsewhere\n"],
    ] as const
  ) {
    it(`gives ${line} as it is`, async () => {
      assertEquals(await run(line.split(" ")), { output, ...quiet });
    });
  }

  it("gives a block of code by its indentation, its comments with it", async () => {
    const { output } = await run(["code.py", "--indent=4"]);
    assertEquals(
      output,
      "# above\ndef f():\n    if x:\n        y()\n    z()\n\ng()\n",
    );
  });

  it("gives several parts of a file, with the arguments for the rest", async () => {
    const first = await run(["ten.txt:1-3,7,9-", "--max-bytes=5"]);
    assertEquals(first.output, "1\n2\n");
    assertMatch(
      first.errors,
      /\n--workspace=\/ws --max-bytes=5 ten\.txt:3,7,9-\n$/,
    );
    const second = await run(["--max-bytes=4", "ten.txt:3,7,9-"]);
    assertEquals(second.output, "3\n7\n");
    assertMatch(second.errors, / ten\.txt:9-\n$/);
  });

  it("gives a block page by page, with the arguments for the rest", async () => {
    const first = await run(["code.py", "--indent=4", "--max-bytes=30"]);
    assertEquals(first.output, "# above\ndef f():\n    if x:\n");
    assertMatch(
      first.errors,
      /\n--workspace=\/ws --max-bytes=30 code\.py:4-7\n$/,
    );
    const second = await run(["--max-bytes=30", "code.py:4-7"]);
    assertEquals(second.output, "        y()\n    z()\n\ng()\n");
  });

  it("says nothing of a block of blank lines only", async () => {
    const fs = memoryFs({ "/ws/a": "x\n\n \n\ny\n" });
    assertEquals(await run(["a", "--indent=3"], { fs }), {
      output: "",
      ...quiet,
    });
  });

  it("puts a heading before each of several files, as head does", async () => {
    const { output, code } = await run(["a.txt:3", "empty", "ten.txt:1"]);
    const rows = ["==> a.txt <==", "three", "==> empty <==", ""];
    assertEquals(output, [...rows, "==> ten.txt <==", "1", ""].join("\n"));
    assertEquals(code, 0);
  });

  it("prints the other files if one cannot be read", async () => {
    const { output, errors, code } = await run([
      "a.txt:1",
      "none",
      "ten.txt:1",
    ]);
    assertEquals(output, "==> a.txt <==\none\n\n==> ten.txt <==\n1\n");
    assertStringIncludes(errors, 'Cannot read "none": nothing is there');
    assertEquals(code, 1);
  });
});

describe("the command line, on a terminal", () => {
  it("numbers the lines, the numbers aligned", async () => {
    const output = " 9  9\n10  10\n";
    assertEquals(await run(["ten.txt:9-10"], terminal), { output, ...quiet });
  });

  it("dims the numbers where styles are taken", async () => {
    const options = { ...terminal, styles: true };
    const output = "\x1b[2m2\x1b[0m  two\n";
    assertEquals(await run(["a.txt:2"], options), { output, ...quiet });
  });

  it("prints no numbers with --no-numbers", async () => {
    const output = "two\nthree\n";
    const args = ["a.txt:2-3", "--no-numbers"];
    assertEquals(await run(args, terminal), { output, ...quiet });
  });

  it("shows hidden characters as escapes", async () => {
    const output = "1  \\u{1B}[31mred\\u{7}\\u{9B}\\u{7F}\\u{202E}\tend\n";
    assertEquals(await run(["bell.txt"], terminal), { output, ...quiet });
  });

  it("shows hidden characters in headings and messages too", async () => {
    const fs = memoryFs({ "/ws/a\x1b[2Jb": "x" });
    const options = { ...terminal, fs };
    const { output, errors } = await run(["a\x1b[2Jb", "no\u202ene"], options);
    assertEquals(output, "==> a\\u{1B}[2Jb <==\n1  x\n");
    assertStringIncludes(errors, 'Cannot read "no\\u202ene": nothing');
  });

  it("does not let a file name forge a line", async () => {
    const fs = memoryFs({ "/ws/a\n1  x": "y", "/ws/b": "z\r\n" });
    const options = { ...terminal, fs };
    const { output } = await run(["a\n1  x", "b"], options);
    assertEquals(output, "==> a\\u{A}1  x <==\n1  y\n\n==> b <==\n1  z\n");
  });

  it("refuses a binary file, and says what to do", async () => {
    const { output, errors, code } = await run(["nul.bin"], terminal);
    assertEquals([output, code], ["", 1]);
    assertStringIncludes(errors, '"nul.bin" on a terminal: it is binary');
    assertStringIncludes(errors, "pipe it to where its bytes are wanted");
  });

  it("refuses only lines that look binary themselves", async () => {
    const fs = memoryFs({ "/ws/mixed": "text\n\0\nmore\n" });
    const options = { ...terminal, fs };
    const { output } = await run(["mixed:1"], options);
    assertEquals(output, "1  text\n");
    for (const lines of ["mixed", "mixed:2", "mixed:9"]) {
      const { output, errors, code } = await run([lines], options);
      assertEquals([output, code], ["", 1]);
      assertStringIncludes(errors, '"mixed" on a terminal: it is binary');
    }
  });

  it("opens a file once, also for a block", async () => {
    for (const args of [["a.txt"], ["code.py", "--indent=4"]]) {
      const fs = countingFs(FILES);
      await run(args, { ...terminal, fs });
      assertEquals(fs.counts.opened, 1);
    }
  });

  it("shows the progress of a long scan, and clears it", async () => {
    const fs = memoryFs({ "/ws/big": "x\n".repeat(3 << 20) });
    const options = { ...terminal, fs, patienceMs: 0 };
    const { output, errors } = await run(["big:-1"], options);
    assertEquals(output, `${3 << 20}  x\n`);
    assertMatch(errors, /^(\r\d+ MiB read, in a file of 6 MiB *)+\r {30,}\r$/);
  });

  it("shows no progress of a short scan, or in a pipe", async () => {
    const fs = memoryFs({ "/ws/big": "x\n".repeat(3 << 20) });
    assertEquals((await run(["big:-1"], { ...terminal, fs })).errors, "");
    assertEquals((await run(["big:-1"], { fs, patienceMs: 0 })).errors, "");
  });
});

describe("the command line", () => {
  it("prints its usage, in lines that fit a terminal", async () => {
    for (
      const [arg, most, ...words] of [
        ["--help", 50, "PATH:120-150", "--deny GLOB", "--help=all"],
        ["--help=all", 80, "PATH:120+10", "--max-bytes N", "Exits with"],
      ] as const
    ) {
      const { output, errors, code } = await run([arg]);
      for (const word of words) assertStringIncludes(output, word);
      const lines = output.trimEnd().split("\n");
      assertEquals(lines.filter(({ length }) => length > 80), []);
      assert(lines.length <= most, `${lines.length} lines`);
      assertEquals([errors, code], ["", 0]);
    }
  });

  it("prints what completes every option in three shells", async () => {
    const { output: all } = await run(["--help=all"]);
    const names = all.match(/(?<=^ {2}(?:-\w, )?)--[a-z-]+/gm)!;
    assert(names.length > 20);
    for (const shell of ["bash", "zsh", "fish"]) {
      const { output, errors, code } = await run(["--completion", shell]);
      for (const name of names) {
        const written = shell === "fish" ? name.replace("--", "-l ") : name;
        assertMatch(output, new RegExp(`${written}\\b`));
      }
      assertEquals([errors, code], ["", 0]);
    }
    const { errors } = await run(["--completion", "csh"]);
    assertStringIncludes(errors, "must be one of bash, zsh, fish");
  });

  it("prints its version", async () => {
    const output = "name 1.2.3\n";
    assertEquals(await run(["--version"]), { output, ...quiet });
  });

  it("prints, with --stats, what was read and how long it took", async () => {
    const { output, errors, code } = await run(["a.txt", "none", "--stats"]);
    assertEquals([output, code], ["==> a.txt <==\none\ntwo\r\nthree", 1]);
    assertMatch(errors, /nothing is there.*\n14 bytes read in \d+\.\d ms\n$/);
  });

  it("prints the statistics of a tool's call too, even if it failed", async () => {
    for (const config of ["forge.toml", "broken.toml", "none"]) {
      const args = ["--tool=forge", "--args={}", `--config=${config}`];
      const { errors, code } = await run([...args, "--stats"]);
      assertMatch(errors, /\d+ bytes read in \d+\.\d ms\n/);
      assertEquals(code, 1);
    }
  });

  it("ends quietly when the reader of its output is gone", async () => {
    const args = ["a.txt", "ten.txt"];
    for (const takes of [0, 1, 2, 3]) {
      const { errors, code } = await run(args, { takes });
      assertEquals([errors, code], ["", 0]);
    }
    assertEquals((await run(["none", ...args], { takes: 1 })).code, 1);
  });

  for (
    const [line, message] of [
      ["none", 'Cannot read "none": nothing is there'],
      ["../else/b.txt", "it leads out of the workspace"],
      ["/ws", 'Cannot read "/ws": it is a directory'],
      ["a.txt:9", "lines 9 to 9 are not in a file of 3 lines; ask for lines"],
      ["a.txt:9-12", "lines 9 to 12 are not in a file of 3 lines"],
      ["a.txt:9-", "lines 9 to 9 are not in a file of 3 lines"],
      ["a.txt:99+2", "lines 99 to 99 are not in a file of 3 lines"],
      ["a.txt --indent=9", "lines 9 to 9 are not in a file of 3 lines"],
      ["empty:1", "lines 1 to 1 are not in a file of 0 lines"],
      ["odder:7", 'Cannot read "odder": nothing is there'],
      [
        "a.tx:7",
        'Cannot read "a.tx": nothing is there; did you mean "a.txt:7"?',
      ],
      ["x --workspace=/none", 'Cannot read "/none": nothing is there'],
      ["a.txt --deny=*.txt", 'the rule "*.txt" does not allow it'],
    ] as const
  ) {
    it(`says on standard error, with 1, why it cannot read ${line}`, async () => {
      const { output, errors, code } = await run(line.split(" "));
      assertStringIncludes(errors, message);
      assertEquals([output, code], ["", 1]);
    });
  }

  for (
    const [line, message] of [
      ["", "No PATH is named; name one"],
      ["a.txt --deny=/x", "begins with a slash"],
      ["a.txt:0", 'Cannot read "a.txt:0": lines are counted from 1'],
    ] as const
  ) {
    it(`answers "${line}" with its usage, and 2`, async () => {
      const { output, errors, code } = await run(
        line.split(" ").filter(Boolean),
      );
      assertStringIncludes(errors, message);
      assertStringIncludes(errors, "\nUsage: read");
      assertEquals([output, code], ["", 2]);
    });
  }
});
