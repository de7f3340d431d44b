import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { SECRET_FILES } from "../../../mod.ts";
import { SECRET_FILES_COMMON } from "../../../src/core/guard/secret_files.ts";

describe("docs/secrets.md", () => {
  it("has a row for each entry of SECRET_FILES, in order", async () => {
    const page = new URL("../../../docs/secrets.md", import.meta.url);
    const rows = (await readFile(page, "utf8"))
      .matchAll(/^\| `([^`]+)` +\| (\w+) +\| \S/gm);
    const entries = SECRET_FILES.map((glob) => [
      glob,
      SECRET_FILES_COMMON.includes(glob) ? "common" : "strict",
    ]);
    assertEquals([...rows].map(([, glob, list]) => [glob, list]), entries);
  });
});
