import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import library from "../../deno.json" with { type: "json" };
import { MODULES, replacedModules } from "../../src/cli/main.ts";

const REMOTE = "https://jsr.io/@scope/name/1.2.3/src/cli/main.ts";

describe("modules that a configuration replaces", () => {
  it("are reported, each in a sentence that says what to do", () => {
    for (const replaced of MODULES) {
      const place = "file:///repo/evil.ts";
      const [sentence = "", ...others] = replacedModules(
        REMOTE,
        (name) => name === replaced ? place : name,
      );
      assertMatch(
        sentence,
        new RegExp(RegExp.escape(`${replaced} is taken from ${place},`)),
      );
      assertMatch(sentence, /--no-config/);
      assertEquals(others, []);
    }
  });
  it("are not those from the registry", () => {
    assertEquals(replacedModules(REMOTE, (name) => name), []);
  });
  it("do not exist in a checkout, where all modules are files", () => {
    const here = "file:///repo/src/cli/main.ts";
    assertEquals(replacedModules(here, () => here), []);
  });
  it("are all modules that the library imports from other packages", () => {
    const imports = Object.entries(library.imports)
      .filter(([name]) => name !== "@std/assert")
      .map(([, source]) => source);
    assertEquals(MODULES, imports);
  });
});
