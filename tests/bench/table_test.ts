import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { Check } from "../../bench/check.ts";
import type { Results } from "../../bench/results.ts";
import { aboutRows, tableOf } from "../../bench/table.ts";

/** A ratio to the result of some program. */
function against(process: string, value: number, limit: number | null): Check {
  return { subject: "ours", against: process, value, unit: "×", limit };
}

function resultsOf(runtime: string, checks: readonly Check[]): Results {
  return {
    date: "2026-01-31",
    runtime,
    runtimeVersion: "1.2.3",
    version: "0.1.0",
    peers: { "other": "4.5.6" },
    quick: false,
    rows: [{ name: "tail", title: "last lines", about: "Reads.", checks }],
  };
}

/** The cells of each row of the table, without its header. */
function cellsOf(runs: readonly Results[]): string[][] {
  const [table = ""] = tableOf(runs).split("\n\n");
  return table.split("\n").slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
}

describe("the table of the bench", () => {
  it("has every ratio, with or without a target, and names each row once", () => {
    const checks = [
      against("wc", 0.5, 1.3),
      against("sed", 0.02, null),
      against("head", 0.03, null),
      against("tail", 0.04, null),
    ];
    assertEquals(cellsOf([resultsOf("Deno", checks)]), [
      ["last lines", "ours", "wc", "≤ 1.3 ×", "0.50 ×"],
      ["", "ours", "sed", "", "0.0200 ×"],
      ["", "ours", "head", "", "0.0300 ×"],
      ["", "ours", "tail", "", "0.0400 ×"],
    ]);
  });
  it("has a row without a ratio if it has a target or isInTable", () => {
    const size = { subject: "ours", unit: "KiB", value: 64 } as const;
    const checks: readonly Check[] = [
      { ...size, against: "bytes", limit: 128 },
      { ...size, against: "all bytes", limit: null },
      { ...size, against: "stated bytes", limit: null, isInTable: true },
      { ...size, against: "stall", unit: "ms", value: 10, limit: 20 },
      { ...size, against: "idle stall", unit: "ms", value: 10, limit: null },
    ];
    const cells = cellsOf([resultsOf("Deno", checks)]);
    // A time is shown relative to its target.
    assertEquals(cells.map(([, , against, , value]) => [against, value]), [
      ["bytes", "64.0 KiB"],
      ["stated bytes", "64.0 KiB"],
      ["stall", "0.50 × of it"],
    ]);
  });
  it("has a column for each runtime, and marks values that miss their target", () => {
    const runs = [
      resultsOf("Deno", [against("wc", 0.5, 1.3)]),
      resultsOf("Bun", [against("wc", 1.4, 1.3), against("sed", 0.5, null)]),
    ];
    assertEquals(cellsOf(runs).map((cells) => cells.slice(-2)), [
      ["0.50 ×", "**1.40 ×**"],
      ["", "0.50 ×"],
    ]);
  });
  it("has one line for targets that differ between the runtimes", () => {
    const runs = [
      resultsOf("Deno", [against("wc", 3, 3.5)]),
      resultsOf("Bun", [against("wc", 3, 2.8)]),
    ];
    assertEquals(cellsOf(runs), [
      ["last lines", "ours", "wc", "≤ 3.5 × / 2.8 ×", "3.00 ×", "**3.00 ×**"],
    ]);
  });
  it("has only the requested lines", () => {
    const checks = [
      against("wc", 0.5, 1.3),
      { ...against("sed", 0.02, null), inReadme: true },
    ];
    const table = tableOf(
      [resultsOf("Deno", checks)],
      ({ inReadme }) => inReadme,
    );
    assert(table.includes("| sed "));
    assert(!table.includes("| wc "));
  });
  it("explains each row", () => {
    const runs = [resultsOf("Deno", []), resultsOf("Bun", [])];
    assertEquals(aboutRows(runs), "- **last lines**: Reads.");
  });
});
