/** A path that was opened before and now leads to a denied file. */
import { assertEquals, assertRejects } from "@std/assert";
import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import { onDisk } from "../../support/disk.ts";

describe("a path that was opened before", () => {
  for (const [name, to] of [["d/a.txt", "../secret/a.txt"], ["d", "secret"]]) {
    it(`is denied once ${name} is a link to ${to}`, async () => {
      await using place = await onDisk([
        "ws/d/a.txt: open",
        "ws/secret/a.txt: KEY",
      ]);
      const { root } = place;
      const workspace = await openWorkspace(root, { deny: ["secret"] });
      const read = () => workspace.read("d/a.txt");
      await read();
      assertEquals((await read()).lines[0]?.text, "open");
      renameSync(join(root, name!), join(root, "aside"));
      symlinkSync(to!, join(root, name!));
      const error = await assertRejects(read, ReadFileError);
      assertEquals(error.code, "POLICY_DENIED");
    });
  }
});
