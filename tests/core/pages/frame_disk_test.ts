import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isRendered, renderPage } from "../../../src/core/pages/frame.ts";
import { parsePage } from "../../../src/core/pages/parse_page.ts";
import { HOME } from "../../support/child.ts";
import { linesOf, pageOf, signed } from "../../support/pages.ts";

const LEAST_FILES = 1000;

/** Ordinary files, none of them ours. */
const FILES: readonly string[] = readdirSync(join(HOME, "node_modules"), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) =>
    entry.isFile() && /\.(js|ts|mjs|cjs|json|md)$/.test(entry.name)
  )
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort();

describe("ordinary source files", () => {
  it(`are at least ${LEAST_FILES}`, () => {
    assert(FILES.length >= LEAST_FILES, `${FILES.length} files`);
  });
  it("are not taken for renderings, and their renderings are", () => {
    const wrong = FILES.filter((file) => {
      const text = readFileSync(file, "utf8");
      return isRendered(text) || !isRendered(renderPage(pageOf(linesOf(text))));
    });
    assertEquals(wrong, []);
  });
  it("come back from their renderings", () => {
    for (const file of FILES) {
      const text = readFileSync(file, "utf8");
      const page = signed(pageOf(linesOf(text)));
      const parsed = parsePage(renderPage(page));
      const lines = parsed.lines.map((line) => line.text + line.ending);
      assert(lines.join("") === text, file);
    }
  });
});
