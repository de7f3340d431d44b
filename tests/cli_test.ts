import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../mod.ts";
import { runCommand } from "../src/cli/command.ts";

const FS = memoryFs({
  "/ws/a.txt": "one\ntwo\r\nthree",
  "/ws/ten.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
  "/ws/nul.bin": "a\0b",
  "/ws/bell.txt": "\x1b[31mred\x07\u009b\x7f\tend\n",
  "/ws/odd:7": "a colon in its name\n",
  "/else/b.txt": "elsewhere\n",
});

/** Runs a command line on `/ws`: what it printed, said on standard error, and its exit code. */
async function run(args: string[], isTerminal = false) {
  const output: string[] = [];
  const errors: string[] = [];
  const decoder = new TextDecoder();
  const code = await runCommand({
    args: args.includes("--workspace") ? args : ["--workspace=/ws", ...args],
    isTerminal,
    fs: FS,
    print: (part) =>
      output.push(typeof part === "string" ? part : decoder.decode(part)),
    complain: (message) => errors.push(message),
  });
  return { output: output.join(""), errors: errors.join(""), code };
}

const quiet = { errors: "", code: 0 };

describe("the command line", () => {
  it("prints a whole file as it is", async () => {
    const output = "one\ntwo\r\nthree";
    assertEquals(await run(["a.txt"]), { output, ...quiet });
  });

  it("prints one line, or a range of them, as they are", async () => {
    assertEquals(await run(["a.txt:2"]), { output: "two\r\n", ...quiet });
    const output = "two\r\nthree";
    assertEquals(await run(["a.txt:2-3"]), { output, ...quiet });
    assertEquals(await run(["a.txt:2-99"]), { output, ...quiet });
  });

  it("numbers the lines on a terminal, the numbers aligned", async () => {
    const output = " 9  9\n10  10\n";
    assertEquals(await run(["ten.txt:9-10"], true), { output, ...quiet });
  });

  it("shows control characters on a terminal instead of obeying them", async () => {
    const output = "1  ␛[31mred␇\\u{9b}␡\tend\n";
    assertEquals(await run(["bell.txt"], true), { output, ...quiet });
  });

  it("takes another directory", async () => {
    const output = "elsewhere\n";
    const args = ["b.txt", "--workspace", "/else"];
    assertEquals(await run(args), { output, ...quiet });
  });

  it("reads a file with a colon in its name when lines are named too", async () => {
    const output = "a colon in its name\n";
    assertEquals(await run(["odd:7:1"]), { output, ...quiet });
  });

  it("tells how it is used", async () => {
    const { output, errors, code } = await run(["--help"]);
    assertStringIncludes(output, "PATH:120-150");
    assertEquals([errors, code], ["", 0]);
  });

  for (
    const [args, message] of [
      [["none"], 'Cannot read "none": nothing is there'],
      [["../else/b.txt"], "it leads out of the workspace"],
      [["/ws"], "it is a directory; name a file in it"],
      [["nul.bin"], "it holds a NUL byte; use a tool that gives bytes"],
      [
        ["a.txt:9"],
        "lines 9 to 9 are not in a file of 3 lines; ask for lines that it has",
      ],
      [
        ["a.txt:9-12"],
        "lines 9 to 12 are not in a file of 3 lines; ask for lines that it has",
      ],
      [["x", "--workspace", "/none"], 'Cannot read "/none": nothing is there'],
    ] as const
  ) {
    it(`says on standard error, with 1, why it cannot read ${args[0]}`, async () => {
      const { output, errors, code } = await run([...args]);
      assertStringIncludes(errors, message);
      assertEquals([output, code], ["", 1]);
    });
  }

  for (
    const [args, message] of [
      [[], "Cannot read 0 files: name one"],
      [["a.txt", "ten.txt"], "Cannot read 2 files: name one"],
      [["a.txt:0"], "the first line is line 1"],
      [["a.txt:1-0"], "the first line is line 1"],
      [["a.txt:5-4"], "the first comes after the last"],
      [["a.txt:99999999999999999999"], "no file has so many lines"],
      [["--nonsense", "a.txt"], "--nonsense"],
      [["a.txt", "--workspace", ""], "--workspace must name a directory"],
    ] as const
  ) {
    it(`answers ${JSON.stringify(args)} with its usage, and 2`, async () => {
      const { output, errors, code } = await run([...args]);
      assertStringIncludes(errors, message);
      assertStringIncludes(errors, "Usage: read");
      assertEquals([output, code], ["", 2]);
    });
  }
});
