import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, memoryFs } from "../../mod.ts";
import { run, type RunOptions, type Said } from "./run.ts";

/** A step of a log: what the file holds then; `null` if it is gone. */
type Step = string | null | { readonly content: string; readonly id: number };

/** Follows a log through its steps. */
async function follow(
  args: readonly string[],
  steps: readonly Step[],
  options: RunOptions = {},
): Promise<Said> {
  const ports = steps.map((step, at) => {
    if (step === null) return memoryFs({ "/ws/other": "" });
    const { content, id } = typeof step === "string"
      ? { content: step, id: 1 }
      : step;
    const port = memoryFs({ "/ws/log": { content, mtimeMs: 1000 + at } });
    return { ...port, ...withId(port, id) };
  });
  let at = 0;
  const now = () => ports[Math.min(at, ports.length - 1)]!;
  const fs: FsPort = {
    realPath: (path) => now().realPath(path),
    lstat: (path, role) => now().lstat(path, role),
    readLink: (path) => now().readLink(path),
    open: (path, signal) => now().open(path, signal),
  };
  const pause = () => Promise.resolve(++at < steps.length);
  return await run(args, { fs, pause, ...options });
}

/** The same port, with an identity for its file. */
function withId(port: FsPort, id: number): Partial<FsPort> {
  const named = <Stat extends object>(stat: Stat) => ({ ...stat, id: `${id}` });
  return {
    async lstat(path, role) {
      const stat = await port.lstat(path, role);
      return stat.kind === "file" ? named(stat) : stat;
    },
    async open(path, signal) {
      const handle = await port.open(path, signal);
      return {
        stat: async () => named(await handle.stat()),
        read: (buffer, position) => handle.read(buffer, position),
        path: () => handle.path(),
        close: () => handle.close(),
      };
    },
  };
}

describe("--follow", () => {
  it("prints what is appended, also to a line without an ending", async () => {
    const steps = ["one\ntw", "one\ntwo\n", "one\ntwo\nthree\n"];
    const said = await follow(["log:-1", "--follow"], steps);
    assertEquals(said, { output: "two\nthree\n", errors: "", code: 0 });
    const numbered = await follow(["log:2-", "-n", "--follow"], steps);
    assertEquals(numbered.output, "2  two\n3  three\n");
  });

  it("begins with an empty file, and follows more than a page at once", async () => {
    const lines = "123456789\n".repeat(50_000);
    const { output } = await follow(["log", "--follow"], ["", lines]);
    assertEquals(output, lines);
  });

  it("says that a file was replaced, cut off or rewritten, and begins again", async () => {
    for (
      const [fresh, how] of [
        [{ content: "a\n", id: 2 }, "replaced by another file"],
        ["a\n", "cut off"],
        ["two\n", "rewritten"],
      ] as const
    ) {
      const { output, errors } = await follow(["log", "--follow"], [
        "one\n",
        fresh,
      ]);
      const text = typeof fresh === "string" ? fresh : fresh.content;
      assertEquals(output, `one\n${text}`);
      assertStringIncludes(errors, `"log" was ${how}; it is shown from`);
    }
  });

  it("waits for a file that is gone, and says so once", async () => {
    const steps = ["one\n", null, null, { content: "new\n", id: 2 }];
    const { output, errors, code } = await follow(["log", "--follow"], steps);
    assertEquals([output, code], ["one\nnew\n", 0]);
    assertEquals(errors.split("is gone; waiting").length, 2);
  });

  it("needs one file, to its end", async () => {
    for (const args of [["a", "b"], ["a:3-4"], ["a:/x/"], ["a:1,3-"]]) {
      const { errors, code } = await follow([...args, "--follow"], [""]);
      assertStringIncludes(
        errors,
        "--follow needs one PATH, PATH:N- or PATH:-N",
      );
      assertEquals(code, 2);
    }
    const { errors } = await follow(["log", "--follow", "--json"], [""]);
    assertStringIncludes(errors, "--follow means nothing with --json");
  });
});
