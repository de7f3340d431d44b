import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  isRendered,
  parsePage,
  renderPage,
} from "../../../src/core/pages/frame.ts";
import { HOME } from "../../support/child.ts";
import { shareOf } from "../../support/share.ts";
import { linesOf, pageOf, signed } from "../../support/pages.ts";

const LEAST_FILES = 1000;

/** Larger files are data, not sources. */
const MOST_BYTES = 200_000;

/** Files of other projects. */
const ALL_FILES = readdirSync(join(HOME, "node_modules"), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) =>
    entry.isFile() && /\.(js|ts|mjs|cjs|json|md)$/.test(entry.name)
  )
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort();

const STEP = Math.ceil(ALL_FILES.length / (4 * LEAST_FILES));
const FILES = shareOf(ALL_FILES.filter((_, at) => at % STEP === 0))
  .filter((file) => statSync(file).size <= MOST_BYTES);

describe("ordinary source files", () => {
  it(`are at least ${LEAST_FILES}`, () => {
    assert(FILES.length >= LEAST_FILES, `${FILES.length} files`);
  });
  it("are not recognized as renderings, but their renderings are", () => {
    const wrong = FILES.filter((file) => {
      const text = readFileSync(file, "utf8");
      return isRendered(text) || !isRendered(renderPage(pageOf(linesOf(text))));
    });
    assertEquals(wrong, []);
  });
  it("can be restored from their renderings", () => {
    for (const file of FILES) {
      const text = readFileSync(file, "utf8");
      const page = signed(pageOf(linesOf(text)));
      const parsed = parsePage(renderPage(page));
      const lines = parsed.lines.map((line) => line.text + line.ending);
      assert(lines.join("") === text, file);
    }
  });
});
