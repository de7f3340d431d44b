/** Runs the commands of examples/README.md in this runtime; each must print the output below it. */
import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import { RUNTIME } from "../support/disk.ts";
import { runtimeCommand } from "../support/runtime.ts";

/** A section of the README. */
interface Example {
  readonly name: string;
  /** The command, as words. */
  readonly command: readonly string[];
  /** Its output; `undefined` for a test. */
  readonly printed: string | undefined;
}

/** An example that runs longer than this counts as hung. */
const LIMIT_MS = 110_000;

const README = readFileSync(join(HOME, "examples/README.md"), "utf8");

const EXAMPLES = README.split("\n## ").slice(1).map((section): Example => {
  const [, command = ""] = /^```sh\n(.*)\n```$/m.exec(section) ?? [];
  const [, printed] = /^```text\n([^]*?)\n?```$/m.exec(section) ?? [];
  const [name = ""] = section.split("\n");
  return { name, command: command.split(" "), printed };
});

/** The command for this runtime; `undefined` if it is only for another. */
function commandHere({ command }: Example): readonly string[] | undefined {
  const [program, ...words] = command;
  if (program === "deno") {
    return runtimeCommand(words.slice(1, -1), words.at(-1)!);
  }
  return RUNTIME === "Bun" ? [process.execPath, ...words] : undefined;
}

/** The text without spaces at the ends of lines, which `deno fmt` removes. */
function trimmed(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trim();
}

describe("examples/README.md", () => {
  for (const example of EXAMPLES) {
    const command = commandHere(example);
    if (command === undefined) continue;
    it(`shows how to run ${example.name}, and its output`, () => {
      const [program = "", ...words] = command;
      const { status, stdout, stderr } = spawnSync(program, words, {
        cwd: HOME,
        encoding: "utf8",
        timeout: LIMIT_MS,
      });
      assertEquals(status, 0, stderr);
      if (example.printed === undefined) return;
      assertEquals(trimmed(stdout), trimmed(example.printed));
    });
  }
  it("has a section for each example", () => {
    // Files that others import are parts of examples.
    const files = readdirSync(join(HOME, "examples"))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
    const texts = files.map((name) =>
      readFileSync(join(HOME, "examples", name), "utf8")
    );
    const own = files.filter((name) =>
      !texts.some((text) => text.includes(`"./${name}"`))
    );
    const named = EXAMPLES.map(({ name }) => name);
    assert(own.length > 0);
    assertEquals(own.filter((name) => !named.includes(name)), []);
  });
});
