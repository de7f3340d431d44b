import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { ReadFileError, type Workspace } from "../../mod.ts";
import { linesOf, openOn, pagesIn, told } from "../support/many.ts";

describe("Workspace.readMany() of several workspaces", () => {
  it("shares one limit among them, which every next contains", async () => {
    const one = await openOn({ a: linesOf(90), small: linesOf(1) });
    const other = await openOn({ a: linesOf(900), b: linesOf(2) });
    const answers = await one.readMany([
      { path: "a" },
      { path: "a", workspace: other },
      { path: "small", workspace: one },
      { path: "b", workspace: other },
      { path: "b" },
    ], { maxBytes: 130 });
    assertEquals(told(answers), [50, 50, 10, 20, "NOT_FOUND"]);
    const nexts = pagesIn(answers).map(({ page: { next } }) => next?.maxBytes);
    assertEquals(nexts, [130, 130, undefined, undefined]);
  });
  it("gives no additional rights", async () => {
    const one = await openOn({ "in/a": "one\n", out: "two\n" });
    const narrow = await one.narrow({ root: "in" });
    const [above, below] = await one.readMany([
      { path: "../out", workspace: narrow },
      { path: "a", workspace: narrow },
    ]);
    assert(above?.kind === "error" && above.error.is("OUTSIDE_WORKSPACE"));
    assert(below?.kind === "page");
  });
  it("refuses a value that is not a workspace, and answers the others", async () => {
    const one = await openOn({ a: "one\n" });
    for (const wrong of [null, {}, "/", 1, { read: () => "x" }]) {
      const [bad, good] = await one.readMany([
        // A model may send any value.
        { path: "a", workspace: wrong as unknown as Workspace },
        { path: "a" },
      ]);
      assert(bad?.kind === "error" && bad.error instanceof ReadFileError);
      assertStringIncludes(
        bad.error.message,
        'Cannot read "a": workspace must be a workspace, such as openWorkspace() gives, not ',
      );
      assertEquals(good?.kind, "page");
    }
  });
});
