import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { SECRET_FILES } from "../../../mod.ts";
import { SECRET_FILES_COMMON } from "../../../src/core/guard/secret_files.ts";

describe("secret_files.md", () => {
  it("has a row for each entry of SECRET_FILES, in order", async () => {
    const page = new URL("./secret_files.md", import.meta.url);
    const [, common = "", strict = ""] = (await readFile(page, "utf8"))
      .split(/^## (?:Common|Strict)$/m);
    const globsOf = (rows: string) =>
      [...rows.matchAll(/^- `([^`]+)`:\s+\S/gm)].map(([, glob]) => glob);
    const isCommon = (glob: string) => SECRET_FILES_COMMON.includes(glob);
    assertEquals(globsOf(common), SECRET_FILES.filter(isCommon));
    const isStrict = (glob: string) => !isCommon(glob);
    assertEquals(globsOf(strict), SECRET_FILES.filter(isStrict));
  });
});
