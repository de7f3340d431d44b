import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { onDisk, RUNTIME } from "../support/disk.ts";
import { connectProgram, serverCommand } from "../support/mcp.ts";

const CONFIG = new URL("../../mcp/deno.json", import.meta.url);

/** Runs the server to its end, with nothing on its standard input. */
function run(folders: readonly string[], args: readonly string[]) {
  const [command = "", ...rest] = serverCommand(folders, args);
  return spawnSync(command, rest, { encoding: "utf8", input: "" });
}

describe("the MCP server as a program", () => {
  it("says its version and how it is used", () => {
    const { version } = JSON.parse(readFileSync(CONFIG, "utf8"));
    const told = run(["."], ["--version"]);
    assertEquals([told.stdout, told.stderr, told.status], [
      `${version}\n`,
      "",
      0,
    ]);
    const help = run(["."], ["--help"]);
    assertMatch(help.stdout, /^Usage: read-file-mcp \[OPTIONS\] \[DIR…\]\n/);
    for (const [option] of help.stdout.matchAll(/--[a-z-]+/g)) {
      assert(
        !run(["."], [option, "1"]).stderr.includes("unknown option"),
        option,
      );
    }
  });

  for (
    const [what, args, sentence] of [
      [
        "an unknown option",
        ["--max-char", "5", "."],
        'Cannot serve: unknown option "--max-char" (--allow-secrets, --deny, --dialect, --encoding, --facts, --follow-roots, --git, --git-allow, --help, --max-chars, --max-scan, --pdf, --session, --version); write "./--max-char" for a directory of that name',
      ],
      ["an unknown letter", ["-x", "."], 'unknown option "-x"'],
      [
        "a folder of git without git",
        [".", "--git-allow=x"],
        "--git-allow means nothing without --git; add it",
      ],
      [
        "no value",
        [".", "--deny"],
        "--deny needs a value; write it as --deny=",
      ],
      ["an option for a value", ["--deny", "--help"], "--deny needs a value"],
      ["a value too many", ["--help=1"], "--help takes no value; leave it out"],
      ["a glob of nothing", [".", "--deny=/x"], 'the glob "/x" begins with a'],
      [
        "an unknown dialect",
        ["--dialect", "none", "."],
        'the dialect "none": name one of codex, toolkit, forge, open',
      ],
      [
        "answers of no size",
        ["--max-chars", "0", "."],
        'answers of "0" characters',
      ],
      [
        "answers that are too long",
        ["--max-chars", "1000001", "."],
        "from 1 to 1000000",
      ],
      ["a size that is not a number", ["--max-chars", "1e3", "."], '"1e3"'],
      ["a scan of too little", ["--max-scan", "5", "."], "from 1048576 on"],
    ] as const
  ) {
    it(`ends with 2 for ${what}, and is silent on standard output`, () => {
      const { status, stdout, stderr } = run(["."], args);
      assertEquals([status, stdout], [2, ""]);
      assertStringIncludes(stderr, sentence);
      assertStringIncludes(stderr, "Usage: read-file-mcp");
    });
  }

  it("says in one line that its usage is not read", () => {
    const command = serverCommand(["."], ["--help"]);
    const pipe = ["-c", '"$@" | :', "sh", ...command];
    const { stderr } = spawnSync("sh", pipe, { encoding: "utf8" });
    assertMatch(stderr, /^(read-file-mcp: .*EPIPE.*\n)?$/);
  });

  it("ends with 1 for a directory that is missing, or a file", async () => {
    await using place = await onDisk(["ws/a.txt: one"]);
    for (const name of ["none", "a.txt"]) {
      const path = `${place.root}/${name}`;
      const { status, stdout, stderr } = run([place.root], [path]);
      assertEquals([status, stdout], [1, ""], stderr);
      assertStringIncludes(stderr, "Cannot");
      assert(!stderr.includes("Usage"), stderr);
    }
  });

  it("ends with 0 when its input ends", async () => {
    await using place = await onDisk([]);
    const { status, stdout, stderr } = run([place.root], [place.root]);
    assertEquals([status, stdout, stderr], [0, "", ""]);
  });

  if (RUNTIME === "Deno") {
    it("says what to allow where only a link to the directory may be read", async () => {
      await using place = await onDisk(["ws/a.txt: one\n", "link -> ws"]);
      const link = `${place.base}/link`;
      const { status, stdout, stderr } = run([link], [link]);
      assertEquals([status, stdout], [1, ""], stderr);
      assertMatch(
        stderr,
        /^read-file-mcp: Cannot [^\n]*; under Deno, allow reading the workspace's real path\n$/,
      );
    });
    it("needs no permission but to read the directories", async () => {
      await using place = await onDisk(["ws/a.txt: one\n", "out: x"]);
      const command = serverCommand([place.root]);
      const allowed = command.filter((word) => word.startsWith("--allow"));
      assertEquals(allowed, [`--allow-read=${place.root}`]);
      await using server = await connectProgram([place.root]);
      const { text } = await server.call({ path: "a.txt" });
      assertStringIncludes(text, "1\tone");
      assertEquals(server.said(), "");
    });
  }
});
