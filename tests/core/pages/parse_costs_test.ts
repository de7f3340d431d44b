// Not at the edge: the clock stands still there.
import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type PageOptions,
  parsePage,
  renderPage,
} from "../../../mod.ts";

const LINES = 48_000;
const TEXT = Array.from(
  { length: LINES },
  (_, at) => at % 2 ? `x\x01${at}` : "y",
)
  .join("\n");

/** The shortest of several times of parsing a page. */
async function timeOf(options: PageOptions): Promise<number> {
  const fs = memoryFs({ "/a": TEXT });
  const workspace = await openWorkspace("/", { fs });
  const page = await workspace.read("a", { ...options, escape: true });
  const text = renderPage(page);
  const times = Array.from({ length: 2 }, () => {
    const began = performance.now();
    assertEquals(parsePage(text).inexact.length, LINES / 2);
    return performance.now() - began;
  });
  return Math.min(...times);
}

describe("parsing a page of many hits", () => {
  it("takes about the time of a plain page with as many lines", async () => {
    assertLess(await timeOf({ match: "x" }), 6 * await timeOf({}));
  });
});
