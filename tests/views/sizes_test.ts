import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { holdViewTo, viewCases, writeViewed } from "../load/views.ts";

/** `deno task test:load` reads larger files. */
const SIZES = { cells: 100_000, bombMib: 64, logLines: 2_000_000 };

describe("a file that is read through a view or a detector", () => {
  let folder = "";
  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
    await writeViewed(folder, SIZES);
  });
  after(() => rmSync(folder, { recursive: true }));
  for (const one of viewCases(SIZES)) {
    it(`takes little memory: ${one.file} gives ${one.answer}`, () => {
      holdViewTo(one, folder);
    });
  }
});
