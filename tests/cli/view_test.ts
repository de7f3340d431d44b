// Not at the edge: it compresses a file when it is loaded.
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { gzip } from "../support/gzip.ts";
import { code, notebook } from "../support/notebooks.ts";
import { run } from "./run.ts";

const fs = memoryFs({
  "/ws/a.ipynb": notebook([code("x = 1"), code("y = 2")]),
  "/ws/a.log.gz": await gzip("one\ntwo\nthree\n"),
  "/ws/code.py.gz": await gzip("def f():\n    if x:\n        y()\n\ng()\n"),
});

const CELLS =
  "notebook of 2 cells\n--- cell 1: code\nx = 1\n--- cell 2: code\ny = 2\n";

describe("--view", () => {
  it("shows the view of a file, and lines of it", async () => {
    const whole = await run(["--view=cells", "a.ipynb"], { fs });
    assertEquals(whole, { output: CELLS, errors: "", code: 0 });
    const tail = await run(["--view", "gunzip", "a.log.gz:-2"], { fs });
    assertEquals(tail.output, "two\nthree\n");
    const shown = await run(["--view=gunzip", "a.log.gz:2"], {
      fs,
      isTerminal: true,
    });
    assertEquals(shown.output, "2  two\n");
    const json = await run(["--view=gunzip", "--json", "a.log.gz:1"], { fs });
    assertEquals(JSON.parse(json.output).view, "gunzip");
  });
  it("is what a terminal names for a file of gzip, and no other", async () => {
    const files = memoryFs({
      "/ws/a.gz": await gzip("one\n"),
      "/ws/a.bin": "a\0b",
    });
    const terminal = { fs: files, isTerminal: true };
    const { errors } = await run(["a.gz", "a.bin"], terminal);
    const [first, second] = errors.split("\n");
    assertMatch(first!, /; it is gzip data; add --view=gunzip$/);
    assertMatch(second!, /; pipe it to where its bytes are wanted$/);
    const named = await run(["--view=gunzip", "a.gz"], terminal);
    assertEquals(named.output, "1  one\n");
  });
  it("is in the next command", async () => {
    const { errors } = await run(
      ["--view=cells", "--max-bytes=30", "a.ipynb"],
      { fs },
    );
    assertMatch(errors, / --view=cells .*a\.ipynb:2-$/m);
  });
  it("says what was left out", async () => {
    const unknown = await run(["--view=cell", "a.ipynb"], { fs });
    assertEquals(unknown.code, 1);
    assertMatch(
      unknown.errors,
      /view must be one of "raw", "cells", "gunzip", not "cell"/,
    );
    const other = await run(["--view=cells", "a.log.gz"], { fs });
    assertMatch(other.errors, /it cannot be shown as "cells": it is gzip data/);
  });
  it("shows blocks by their indentation, too", async () => {
    const args = ["--view=gunzip", "--indent=3", "--levels=1", "code.py.gz"];
    const { output, code } = await run(args, { fs });
    assertEquals([output, code], ["    if x:\n        y()\n", 0]);
  });
});
