import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path/posix";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import explained from "./explained.json" with { type: "json" };
import { mutantsOf } from "./mutants.ts";

describe("explained.json", () => {
  it("explains only mutants that the guard still has", () => {
    const folder = join(HOME, "src/core/guard");
    const mutants = readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return mutantsOf(path, readFileSync(path, "utf8"));
    });
    const stale = explained.filter(({ file, was, is }) =>
      !mutants.some((mutant) =>
        basename(mutant.path) === file && mutant.was === was && mutant.is === is
      )
    );
    assertEquals(stale, []);
  });
});
