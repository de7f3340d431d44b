// Not at the edge: the clock does not advance there.
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, notebookView, openWorkspace } from "../../mod.ts";
import { assertTimes } from "../support/growth.ts";
import { code, notebook } from "../support/notebooks.ts";

/** A bad notebook may take this many times as long as an ordinary one of the same size. */
const MOST_TIMES = 20;

/** Reads a notebook as cells. */
async function read(text: string): Promise<void> {
  const fs = memoryFs({ "/a": text });
  const workspace = await openWorkspace("/", { fs, views: [notebookView()] });
  assertEquals((await workspace.read("a")).view, "cells");
}

describe("the time for a notebook", () => {
  const LENGTH = 60_000;
  const withOutput = (text: string) =>
    notebook([code("", [{ output_type: "stream", text }])]);
  const usual = withOutput("short line\r\n".repeat(LENGTH / 12));
  for (
    const [what, text] of [
      ["a long line", "a".repeat(LENGTH)],
      [
        "a long line that ends with a carriage return",
        `${"a".repeat(LENGTH)}\r`,
      ],
      ["unterminated styles", "\x1b[0".repeat(LENGTH / 3)],
    ] as const
  ) {
    it(`is that of a notebook with short lines, for an output of ${what}`, async () => {
      const bad = withOutput(text);
      await assertTimes(MOST_TIMES, () => read(bad), () => read(usual));
    });
  }
});
