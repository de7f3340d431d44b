import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { CUTS } from "../support/cuts.ts";
import { forgeFor, linesOf, utf8 } from "../support/forge.ts";

/** A hundred lines; the contract gives the 50th, 51st, 99th and 100th. */
const HUNDRED = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);
const PAGE = (HUNDRED.with(49, "middle").with(50, "end")).with(98, "a")
  .with(99, "b").join("\n");

describe("Read view", () => {
  for (const most of CUTS) {
    describe(`in reads of ${most} bytes`, () => {
      const views: readonly [string, string, object, string][] = [
        [
          "three lines from 1 on",
          "line one\nline two\nline three",
          { start_line: 1 },
          "1| line one\n2| line two\n3| line three",
        ],
        [
          "lines 50 to 51",
          linesOf(PAGE).slice(0, 51).join("").trimEnd(),
          { start_line: 50, end_line: 51 },
          "50| middle\n51| end",
        ],
        [
          "numbers aligned to the right of the last shown number",
          PAGE,
          { start_line: 99, end_line: 100 },
          " 99| a\n100| b",
        ],
        ["one line without an ending", "hello", {}, "1| hello"],
        [
          "the width of the last shown number, not of the last in the file",
          PAGE,
          { start_line: 8, end_line: 9 },
          "8| line 8\n9| line 9\n",
        ],
        ["CR LF as LF", "a\r\nb\r\n", {}, "1| a\n2| b\n"],
        ["a lone CR unchanged", "a\rb\r\r\n", {}, "1| a\rb\r\n"],
        [
          "U+2028 and U+0085 as ordinary characters",
          "a\u2028\u0085b",
          {},
          "1| a\u2028\u0085b",
        ],
        ["empty lines", "\n\n", {}, "1| \n2| \n"],
        ["a BOM", "\uFEFFa\n", {}, "1| \uFEFFa\n"],
        ["letters of two, three and four bytes", "é\n€\n😀\n", {
          start_line: 2,
        }, "2| €\n3| 😀\n"],
        ["an empty file as empty text", "", {}, ""],
        ["the head", "a\nb\nc\n", { head: 2 }, "1| a\n2| b\n"],
        ["a head longer than the file", "a\nb", { head: 9 }, "1| a\n2| b"],
        [
          "limit alone as lines 1 to limit",
          "a\nb\nc\n",
          { limit: 2 },
          "1| a\n2| b\n",
        ],
        [
          "limit from start_line on",
          "a\nb\nc\n",
          { start_line: 2, limit: 1 },
          "2| b\n",
        ],
        [
          "end_line alone as lines 1 to end_line",
          "a\nb\nc\n",
          { end_line: 2 },
          "1| a\n2| b\n",
        ],
        ["the smaller end: limit", "a\nb\nc\nd\n", {
          start_line: 2,
          end_line: 4,
          limit: 2,
        }, "2| b\n3| c\n"],
        ["the smaller end: end_line", "a\nb\nc\nd\n", {
          start_line: 2,
          end_line: 3,
          limit: 3,
        }, "2| b\n3| c\n"],
        ["an end past the file as its end", "a\nb\n", {
          start_line: 2,
          end_line: 99,
        }, "2| b\n"],
        ["the largest possible numbers", "a\nb\n", {
          start_line: 2,
          end_line: 2 ** 53 - 1,
          limit: 2 ** 53 - 1,
        }, "2| b\n"],
        ["the last line of a\\nb\\n", "a\nb\n", { tail: 1 }, "2| b\n"],
        ["a tail without a last ending", "a\nb\nc", { tail: 2 }, "2| b\n3| c"],
        ["a tail longer than the file", "a\nb\n", { tail: 9 }, "1| a\n2| b\n"],
        ["a tail of exactly the file", "a\nb\n", { tail: 2 }, "1| a\n2| b\n"],
        ["a tail of CR LF", "a\r\nb\r\n", { tail: 1 }, "2| b\n"],
        ["a tail of empty lines", "a\n\n\n", { tail: 2 }, "2| \n3| \n"],
        ["a tail of an empty file", "", { tail: 3 }, ""],
      ];
      for (const [claim, content, args, view] of views) {
        it(`shows ${claim}`, async () => {
          const tool = await forgeFor(content, { most });
          const output = await tool.call({ path: "a.txt", ...args });
          assertEquals(output.text, view);
          assertEquals(output.truncated, false);
        });
      }

      const originals: readonly [string, string, object, string][] = [
        ["all of a file", "\uFEFFa\r\nb\nc", {}, "\uFEFFa\r\nb\nc"],
        ["a range", "a\r\nb\r\nc\r\n", { start_line: 2, end_line: 2 }, "b\r\n"],
        ["a head", "a\r\nb\r\n", { head: 1 }, "a\r\n"],
        ["a tail", "a\nb\n", { tail: 1 }, "b\n"],
      ];
      for (const [claim, content, args, text] of originals) {
        it(`returns ${claim} unchanged without numbers`, async () => {
          const tool = await forgeFor(content, { most });
          const plain = { path: "a.txt", show_line_numbers: false, ...args };
          assertEquals((await tool.call(plain)).text, text);
        });
      }
      it("shows invalid UTF-8 after the first 8192 bytes as U+FFFD", async () => {
        const bytes = Uint8Array.of(
          ...utf8("a".repeat(8191)),
          0x0a,
          0xff,
          0x62,
        );
        const tool = await forgeFor(bytes, { most });
        const output = await tool.call({ path: "a.txt", start_line: 2 });
        assertEquals(output.text, "2| \uFFFDb");
      });
    });
  }

  it("decides on line numbers by the request, then the configuration, then the default", async () => {
    const cases: readonly [
      boolean | undefined,
      boolean | undefined,
      boolean,
    ][] = [
      [undefined, undefined, true],
      [undefined, false, false],
      [undefined, true, true],
      [true, false, true],
      [false, true, false],
      [false, undefined, false],
    ];
    for (const [asked, configured, numbered] of cases) {
      const config = configured === undefined
        ? {}
        : { show_line_numbers: configured };
      const tool = await forgeFor("a\n", { config });
      const output = await tool.call({
        path: "a.txt",
        show_line_numbers: asked ?? null,
      });
      assertEquals(output.text, numbered ? "1| a\n" : "a\n");
    }
  });
});
