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
      ["a:50-52+2", "a", { start: 50, end: 52, before: 2, after: 2 }],
      ["a:/TODO/", "a", { match: "TODO", regex: true }],
      ["a:/b/c/", "a", { match: "b/c", regex: true }],
      [
        "a:/TODO/i+3",
        "a",
        { match: "TODO", regex: true, ignoreCase: true, before: 3, after: 3 },
      ],
      ["a:9-/x/", "a", { start: 9, match: "x", regex: true }],
      ["a:9-12/x/", "a", { start: 9, end: 12, match: "x", regex: true }],
      ["a:/x", "a:/x", all],
      ["a://", "a://", all],
      ["a:5-+2", "a:5-+2", all],
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
      ["a:5-4+1", "line 5 comes after line 4; turn them round"],
      ["a:5-4/x/", "line 5 comes after line 4; turn them round"],
      ["a:0-4/x/", "lines are counted from 1; name one from there on"],
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

  it("is read back as written, for any path", () => {
    for (const path of ["a", "odd:7", "odd:", "-x:-3", "a b'c"]) {
      for (const [start, end] of [[1, 1], [3, 9], [7, undefined]] as const) {
        const part = { start, ...(end ? { end } : {}) };
        const target = readTarget(writeTarget(path, part));
        assertEquals({ path: target.path, part: target.part }, { path, part });
        if (end === start) continue;
        const around = { before: 2, after: 2 };
        const match = { ...part, match: "a/b", regex: true, ...around };
        const found = readTarget(writeTarget(path, match));
        assertEquals({ path: found.path, part: found.part }, {
          path,
          part: match,
        });
      }
    }
  });
});
