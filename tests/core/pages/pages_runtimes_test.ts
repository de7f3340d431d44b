// Not at the edge: it cannot start processes.
import {
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { execFileSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hostFs, openWorkspace, renderPage } from "../../../mod.ts";
import { isAtRest } from "../../../src/core/guard/proof.ts";
import { readEtag } from "../../../src/core/pages/etag.ts";
import { HOME } from "../../support/child.ts";
import { onDisk } from "../../support/disk.ts";

/** Renders the first page of a file in a runtime. */
function renderIn(command: "deno" | "bun", root: string): string {
  const flags = command === "bun"
    ? ["--preload", join(HOME, "tests/support/bun_std.ts")]
    : [
      ...["run", "--quiet", "--no-prompt", "--no-check", "--no-config"],
      ...["--node-modules-dir=manual", `--allow-read=${root}`],
      `--import-map=${join(HOME, "tests/npm_std.json")}`,
    ];
  const child = join(HOME, "tests/core/pages/render_child.ts");
  return execFileSync(command, [...flags, child, root], {
    cwd: HOME,
    encoding: "utf8",
  });
}

describe("a page of a file on the disk", () => {
  it("renders the same in both runtimes, with its etag", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\nthree\n"]);
    // An mtime with fractions of a second and of a millisecond.
    utimesSync(join(place.root, "a.txt"), 1_700_000_000, 1_700_000_000.1239);
    // Wait until the file is at rest, so that the etag does not depend on the time
    // of the read. Deno rounds times down to seconds, so it counts a file as at rest
    // up to a second earlier.
    for (;;) {
      const now = Date.now() - 1000;
      const stat = await hostFs().lstat(join(place.root, "a.txt"));
      if (isAtRest(stat, now)) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const workspace = await openWorkspace(place.root);
    const page = await workspace.read("a.txt", { count: 2 });
    const here = renderPage(page);
    // The etag relies on the times.
    assertNotEquals(readEtag(page.etag)?.ctime, "---");
    assertStringIncludes(here, `"etag":"${page.etag}"`);
    assertEquals(renderIn("deno", place.root), here);
    assertEquals(renderIn("bun", place.root), here);
  });
});
