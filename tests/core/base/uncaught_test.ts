import { assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { runChild } from "../../support/child.ts";
import { RUNTIME } from "../../support/disk.ts";

describe(`an uncaught error, in ${RUNTIME}`, () => {
  for (
    const [name, sentence] of [
      ["ReadFileError", 'Cannot read "a.txt": nothing is there'],
      ["OpenFileError", "file not found: a.txt"],
    ] as const
  ) {
    it(`is printed with its name and message: ${name}`, () => {
      const { stderr } = runChild("tests/children/uncaught.ts", [name]);
      assertStringIncludes(stderr, `${name}: ${sentence}`);
    });
  }
});
