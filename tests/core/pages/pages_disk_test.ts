import { assert, assertEquals, assertRejects } from "@std/assert";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import { onDisk } from "../../support/disk.ts";

describe("a file that is overwritten within one tick of the disk's clock", () => {
  it("is never joined with its old version if a line before the page was divided", async () => {
    await using place = await onDisk(["a=x"]);
    const { fs, root } = place;
    const workspace = await openWorkspace(root, { fs });
    const path = join(root, "a");
    for (let left = 50; left > 0; left--) {
      writeFileSync(path, "aXb\nc\nd\ne\n");
      const page = await workspace.read("a", { start: 2, count: 1 });
      assertEquals(page.lines[0]?.text, "c");
      const file = openSync(path, "r+");
      writeSync(file, "\n", 1);
      closeSync(file);
      const error = await assertRejects(
        () => workspace.read("a", page.next!),
        ReadFileError,
      );
      assert(error.is("CHANGED"), error.message);
      assertEquals(error.details, { how: "rewritten" });
    }
  });
});
