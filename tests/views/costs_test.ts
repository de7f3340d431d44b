// Not at the edge: the clock does not advance there.
import { assertEquals, assertLess } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, notebookView, openWorkspace } from "../../mod.ts";
import { code, notebook } from "../support/notebooks.ts";

/** How often the time of an ordinary notebook of the same size a bad one may take. */
const MOST_TIMES = 20;

/** The least of some times that a view takes. */
async function timeOf(text: string): Promise<number> {
  const fs = memoryFs({ "/a": text });
  const workspace = await openWorkspace("/", { fs, views: [notebookView()] });
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const began = performance.now();
    assertEquals((await workspace.read("a")).view, "cells");
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

describe("the time for a notebook", () => {
  const LENGTH = 60_000;
  const withOutput = (text: string) =>
    notebook([code("", [{ output_type: "stream", text }])]);
  const usual = withOutput("short line\r\n".repeat(LENGTH / 12));
  for (
    const [what, text] of [
      ["a long line", "a".repeat(LENGTH)],
      ["a long line that ends with a return", `${"a".repeat(LENGTH)}\r`],
      ["styles that do not end", "\x1b[0".repeat(LENGTH / 3)],
    ] as const
  ) {
    it(`is that of one with short lines, for an output of ${what}`, async () => {
      const times = await timeOf(withOutput(text)) / await timeOf(usual);
      assertLess(times, MOST_TIMES);
    });
  }
});
