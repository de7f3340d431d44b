import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { readTarget, UsageError, writeTarget } from "../../src/cli/target.ts";

const all = {} as const;

describe("PATH:LINES", () => {
  for (
    const [text, path, part] of [
      ["a.txt", "a.txt", all],
      ["a.txt:120", "a.txt", { start: 120, end: 120 }],
      ["a.txt:120-150", "a.txt", { start: 120, end: 150 }],
      ["a.txt:120-", "a.txt", { start: 120 }],
      ["a.txt:-20", "a.txt", { tail: 20 }],
      ["a.txt:120+10", "a.txt", { around: 120, before: 10, after: 10 }],
      ["a.txt:120+0", "a.txt", { around: 120, before: 0, after: 0 }],
      ["a.txt:", "a.txt", all],
      ["odd:7:", "odd:7", all],
      ["odd:7:3", "odd:7", { start: 3, end: 3 }],
      ["odd::", "odd:", all],
      [":5", ":5", all],
      ["a:b", "a:b", all],
      ["a:+5", "a:+5", all],
      ["a:1-2-3", "a:1-2-3", all],
      ["a:--5", "a:--5", all],
      ["a\nb:2", "a\nb", { start: 2, end: 2 }],
    ] as const
  ) {
    it(`${JSON.stringify(text)} is ${JSON.stringify([path, part])}`, () => {
      assertEquals(readTarget(text), { text, path, part });
    });
  }

  for (
    const [text, message] of [
      ["a:0", "lines are counted from 1; name one from there on"],
      ["a:1-0", "lines are counted from 1; name one from there on"],
      ["a:-0", "lines are counted from 1; name one from there on"],
      ["a:0+3", "lines are counted from 1; name one from there on"],
      ["a:5-4", "line 5 comes after line 4; turn them round"],
      ["a:99999999999999999999", "no file has so many lines"],
      ["a:1-99999999999999999999", "no file has so many lines"],
      ["a:1+99999999999999999999", "no file has so many lines"],
      ["a:-99999999999999999999", "no file has so many lines"],
    ] as const
  ) {
    it(`${text} is a mistake`, () => {
      assertThrows(() => readTarget(text), UsageError, message);
    });
  }

  it("is read as it is written, whatever the path", () => {
    for (const path of ["a", "odd:7", "odd:", "-x:-3", "a b'c"]) {
      for (const [start, end] of [[1, 1], [3, 9], [7, undefined]] as const) {
        const target = readTarget(writeTarget(path, start, end));
        const part = { start, ...(end ? { end } : {}) };
        assertEquals({ path: target.path, part: target.part }, { path, part });
      }
    }
  });
});
