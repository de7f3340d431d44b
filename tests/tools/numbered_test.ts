import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { cacheLabels, numberLines } from "../../src/tools/shown_text.ts";

/** The expected result, by splitting the text into lines. */
function bySplitting(text: string, first: number): string {
  if (text === "") return "";
  return text.replace(/\r?\n$/, "").split(/\r?\n/)
    .map((line, at) => `${first + at}:${line}`).join("\n");
}

function number(text: string, first: number): string {
  return numberLines(text, first, (number, line) => `${number}:${line}`);
}

describe("numberLines()", () => {
  const texts = ["", "a", "\n", "a\n", "\n\n", "a\n\n", "\na", "a\r\n", "\r\n"];
  const odd = ["a\r\r\nb", "a\rb\n", "\r", "a\n\r\n", "é\r\n😀", "a\u2028b\n"];
  for (const text of [...texts, ...odd]) {
    it(`numbers ${JSON.stringify(text)} like splitting`, () => {
      assertEquals(number(text, 7), bySplitting(text, 7));
    });
  }
  for (const line of ["\n", "a\r\n", `${"b".repeat(999)}\n`]) {
    it(`loses none of very many lines of ${line.length}`, () => {
      for (const end of ["", "end"]) {
        const text = line.repeat(40_000) + end;
        assertEquals(number(text, 1), bySplitting(text, 1));
      }
    });
  }
});

describe("cacheLabels()", () => {
  it("caches the labels of the first lines", () => {
    const made: number[] = [];
    const label = cacheLabels((number) => `L${made.push(number)} ${number}`);
    assertEquals([label(9), label(9)], ["L1 9", "L1 9"]);
    assertEquals([label(1e9), label(1e9)], ["L2 1000000000", "L3 1000000000"]);
    assertEquals(made, [9, 1e9, 1e9]);
  });
});
