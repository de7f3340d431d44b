import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { ForgeReadConfig } from "../../src/tools/forge_config.ts";
import { CUTS } from "../support/cuts.ts";
import { forgeFor, outcome } from "../support/forge.ts";

/** Eight bytes: lines of 2, 3 and 3 bytes. */
const EIGHT = "a\nbb\ncc\n";

describe("Read limits", () => {
  for (const most of CUTS) {
    describe(`in reads of ${most} bytes`, () => {
      const rows: readonly [string, object, ForgeReadConfig, string][] = [
        // Whole files.
        [
          "a whole file as large as the limit",
          {},
          { max_file_read_bytes: 8 },
          '"a\\nbb\\ncc\\n"',
        ],
        [
          "a whole file below the limit",
          {},
          { max_file_read_bytes: 9 },
          '"a\\nbb\\ncc\\n"',
        ],
        [
          "a whole file one byte larger",
          {},
          { max_file_read_bytes: 7 },
          "TOO_LARGE",
        ],
        [
          "a whole file past max_scan_bytes",
          {},
          { max_scan_bytes: 1 },
          '"a\\nbb\\ncc\\n"',
        ],
        // Windows of lines.
        [
          "a window as large as the limit",
          { head: 2 },
          { max_file_read_bytes: 5 },
          '"a\\nbb\\n" next 3',
        ],
        [
          "a window one byte larger",
          { head: 2 },
          { max_file_read_bytes: 4 },
          '"a\\n" cut next 2',
        ],
        ["a window to the end, as large as the limit", { start_line: 2 }, {
          max_file_read_bytes: 6,
        }, '"bb\\ncc\\n"'],
        ["a window to the end, one byte larger", { start_line: 2 }, {
          max_file_read_bytes: 5,
        }, '"bb\\n" cut next 3'],
        ["a window whose last line just fits", { start_line: 1 }, {
          max_file_read_bytes: 5,
        }, '"a\\nbb\\n" cut next 3'],
        ["a line as long as the limit", { start_line: 2, limit: 1 }, {
          max_file_read_bytes: 3,
        }, '"bb\\n" next 3'],
        ["a line one byte larger", { start_line: 2, limit: 1 }, {
          max_file_read_bytes: 2,
        }, "TOO_LARGE"],
        // Scans for ranges, including the requested lines.
        [
          "a scan as long as the limit",
          { end_line: 2 },
          { max_scan_bytes: 5 },
          '"a\\nbb\\n" next 3',
        ],
        [
          "a scan one byte larger",
          { end_line: 2 },
          { max_scan_bytes: 4 },
          "SCAN_LIMIT",
        ],
        [
          "a head as large as the limit",
          { head: 1 },
          { max_scan_bytes: 2 },
          '"a\\n" next 2',
        ],
        [
          "a head one byte larger",
          { head: 1 },
          { max_scan_bytes: 1 },
          "SCAN_LIMIT",
        ],
        ["a scan to the end, as long as the limit", { start_line: 3 }, {
          max_scan_bytes: 8,
        }, '"cc\\n"'],
        ["a scan to the end, one byte longer", { start_line: 3 }, {
          max_scan_bytes: 7,
        }, "SCAN_LIMIT"],
        ["a start just past the limit", { start_line: 3, limit: 1 }, {
          max_scan_bytes: 5,
        }, "SCAN_LIMIT"],
        ["a start past the end, in a file as large as the limit", {
          start_line: 9,
        }, {
          max_scan_bytes: 8,
        }, '""'],
        ["a start past the end, in a file one byte larger", { start_line: 9 }, {
          max_scan_bytes: 7,
        }, "SCAN_LIMIT"],
        ["the line after the last, in a file as large as the limit", {
          start_line: 4,
        }, {
          max_scan_bytes: 8,
        }, '""'],
        ["a window that is cut before the scan ends", { start_line: 1 }, {
          max_file_read_bytes: 5,
          max_scan_bytes: 5,
        }, '"a\\nbb\\n" cut next 3'],
        ["a scan that ends before the window is cut", { start_line: 1 }, {
          max_file_read_bytes: 6,
          max_scan_bytes: 5,
        }, "SCAN_LIMIT"],
        // Tails.
        [
          "a tail as large as the scan limit",
          { tail: 2 },
          { max_scan_bytes: 6 },
          '"bb\\ncc\\n"',
        ],
        [
          "a tail one byte larger",
          { tail: 2 },
          { max_scan_bytes: 5 },
          "SCAN_LIMIT",
        ],
        [
          "a tail of all lines, as large as the scan limit",
          { tail: 3 },
          { max_scan_bytes: 8 },
          '"a\\nbb\\ncc\\n"',
        ],
        [
          "a tail of all lines, one byte larger",
          { tail: 3 },
          { max_scan_bytes: 7 },
          "SCAN_LIMIT",
        ],
        [
          "a tail as large as the window",
          { tail: 2 },
          { max_file_read_bytes: 6 },
          '"bb\\ncc\\n"',
        ],
        ["a tail one byte larger than the window", { tail: 2 }, {
          max_file_read_bytes: 5,
        }, '"cc\\n" cut'],
        ["a tail of all lines, one byte larger than the window", { tail: 9 }, {
          max_file_read_bytes: 7,
        }, '"bb\\ncc\\n" cut'],
        [
          "a last line as long as the window",
          { tail: 1 },
          { max_file_read_bytes: 3 },
          '"cc\\n"',
        ],
        ["a last line one byte larger", { tail: 1 }, {
          max_file_read_bytes: 2,
        }, "TOO_LARGE"],
        ["a tail that is cut before the scan ends", { tail: 2 }, {
          max_file_read_bytes: 3,
          max_scan_bytes: 3,
        }, '"cc\\n" cut'],
        ["a tail whose scan ends first", { tail: 2 }, {
          max_file_read_bytes: 4,
          max_scan_bytes: 3,
        }, "SCAN_LIMIT"],
      ];
      for (const [claim, args, config, expected] of rows) {
        it(`apply to ${claim}`, async () => {
          assertEquals(await outcome(EIGHT, args, { most, config }), expected);
        });
      }

      it("number the tail of a file of max_scan_bytes, but of no larger file", async () => {
        for (
          const [limit, numbers] of [[9, true], [8, true], [7, false]] as const
        ) {
          const config = { max_scan_bytes: limit };
          const tool = await forgeFor(EIGHT, { most, config });
          const output = await tool.call({ path: "a.txt", tail: 1 });
          const { start_line, end_line, total_lines } = output;
          assertEquals(output.text, numbers ? "3| cc\n" : "cc\n");
          assertEquals(
            [start_line, end_line, total_lines],
            numbers ? [3, 3, 3] : [null, null, null],
          );
          assertEquals(output.next_start_line, null);
        }
      });

      it("number a cut tail from its first shown line", async () => {
        const config = { max_file_read_bytes: 5 };
        const tool = await forgeFor("a\r\nb\r\nc", { most, config });
        const output = await tool.call({ path: "a.txt", tail: 3 });
        assertEquals(output.text, "2| b\n3| c");
        assertEquals([output.start_line, output.total_lines], [2, 3]);
        assertEquals([output.truncated, output.size], [true, 7]);
      });

      it("count the bytes of the file, not of the shown text", async () => {
        const config = { max_file_read_bytes: 8 };
        const output = await (await forgeFor("é\né\né", { most, config }))
          .call({ path: "a.txt" });
        assertEquals([output.text.length, output.size], [14, 8]);
      });
    });
  }
});
