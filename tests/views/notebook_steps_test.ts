/** A cell with many small values is told in steps, between which other work can run. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../mod.ts";
import { openNotebook } from "../../src/views/notebook_text.ts";
import { code, notebook } from "../support/notebooks.ts";

/** Many values in one cell, and the most that are looked at in a step. */
const COUNT = 15_000;
const MOST_OF_STEP = 1_000;

const many = <T>(value: (at: number) => T) =>
  Array.from({ length: COUNT }, (_, at) => value(at));
const named = <T>(value: (at: number) => T) =>
  Object.fromEntries(many((at) => [`a/${at}`, value(at)]));
const display = (data: object) => ({ output_type: "display_data", data });

/** Cells, each with many values. */
const CELLS: Readonly<Record<string, object>> = {
  "forms of an output": code("", [display(named(() => "x"))]),
  "forms that are no text": code("", [display(named(() => [1]))]),
  outputs: code("", many(() => ({ output_type: "stream", text: "a" }))),
  "errors": code("", many(() => ({ output_type: "error", ename: "E" }))),
  "displays without data": code("", many(() => display({}))),
  "lines of a traceback": code("", [{
    output_type: "error",
    traceback: many(() => "line"),
  }]),
  attachments: { ...code(""), attachments: named(() => ({})) },
  "lines of a source": { ...code(""), source: many(() => "a\n") },
  "lines of an output": code("", [{
    output_type: "stream",
    text: many(() => "a\n"),
  }]),
};

/** Reads a notebook as text; returns its text and how often it offered a turn. */
async function tell(text: string) {
  const fs = memoryFs({ "/a": text });
  const workspace = await openWorkspace("/", { fs });
  await using file = await workspace.open("a");
  let turns = 0;
  const view = await openNotebook(file, {
    yieldIfDue: () => void turns++ as undefined,
    fail: (problem: string) => new Error(problem) as never,
    tooLarge: (what: string) => new Error(what) as never,
  });
  const bytes = new Uint8Array(view.size);
  for (let at = 0; at < bytes.length;) {
    at += await view.read(bytes.subarray(at), at);
  }
  return { turns, text: new TextDecoder().decode(bytes) };
}

describe("a notebook", () => {
  for (const [what, cell] of Object.entries(CELLS)) {
    it(`gives others a turn between the ${what} of one cell`, async () => {
      const text = notebook([cell as ReturnType<typeof code>]);
      const { turns } = await tell(text);
      const inChunks = Math.ceil(text.length / (64 * 1024));
      const least = COUNT / MOST_OF_STEP;
      assert(turns - inChunks >= least, `${turns} turns`);
    });
  }
  it("leaves out a cell with so many values that parsing it takes long", async () => {
    const forms = (count: number) =>
      Array.from({ length: count }, (_, at) => `"a/${at}":0`).join();
    const cell = (count: number) =>
      `{"cell_type":"code","outputs":[{"data":{${forms(count)}}}]}`;
    const { text } = await tell(`{"cells":[${cell(65_529)},${cell(65_600)}]}`);
    const [first, ...others] = text.split("\n--- cell ").slice(1);
    assertEquals(first, "1: code");
    assertEquals(others.length, 65_529 + 1);
    assertEquals(
      others.at(-1),
      "2: left out, since it has more than 65536 values\n",
    );
  });
  it("gives others a turn between cells", async () => {
    const { turns, text } = await tell(`{"cells":[${many(() => "{}")}]}`);
    assert(turns >= COUNT, `${turns} turns`);
    assertEquals(text.split("\n--- cell ").length, 1 + COUNT);
  });
});
