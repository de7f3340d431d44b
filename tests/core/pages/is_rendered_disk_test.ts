import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isRendered, renderPage } from "../../../mod.ts";
import { HOME } from "../../support/child.ts";
import { linesOf, pageOf } from "../../support/pages.ts";
import { shareOf, some } from "../../support/share.ts";

/** How many files are looked at, at least. */
const LEAST_FILES = some(10_000, 1000);

/** Larger files would take too long. */
const MOST_BYTES = 200_000;

/** Other projects, and this one; its documents show renderings. */
const FOLDERS = ["node_modules", "src", "mcp/src", "tests", "bench"];

/** Sources and data. */
const NAME =
  /\.([cm]?[jt]sx?|json|md|txt|csv|tsv|ya?ml|html|css|map|wat|snap|svg)$/;

const ALL_FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(HOME, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && NAME.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
).sort();

const STEP = some(1, Math.ceil(ALL_FILES.length / (4 * LEAST_FILES)));
const FILES = shareOf(ALL_FILES.filter((_, at) => at % STEP === 0))
  .filter((file) => statSync(file).size <= MOST_BYTES);

describe("ordinary files", () => {
  it(`are at least ${LEAST_FILES}`, () => {
    assert(FILES.length >= LEAST_FILES, `${FILES.length} files`);
  });
  it("are not recognized as renderings, but their renderings are", () => {
    const wrong = FILES.filter((file) => {
      const text = readFileSync(file, "utf8");
      const isEmpty = text === "";
      return isRendered(text) ||
        isRendered(renderPage(pageOf(linesOf(text)))) === isEmpty;
    });
    assertEquals(wrong, []);
  });
});
