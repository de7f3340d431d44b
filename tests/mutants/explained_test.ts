import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path/posix";
import { describe, it } from "node:test";
import { HOME } from "../support/child.ts";
import explained from "./explained.json" with { type: "json" };
import { mutantsOf } from "./mutants.ts";
import { filesOf, ROOMS } from "./rooms.ts";

describe("explained.json", () => {
  it("explains only mutants that can still be made", () => {
    const paths = Object.values(ROOMS).flatMap((room) => filesOf(room, HOME));
    const mutants = paths.flatMap((path) =>
      mutantsOf(path, readFileSync(join(HOME, path), "utf8"))
    );
    const stale = explained.filter(({ file, was, is }) =>
      !mutants.some((mutant) =>
        basename(mutant.path) === file && mutant.was === was && mutant.is === is
      )
    );
    assertEquals(stale, []);
  });
});
