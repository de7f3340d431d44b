import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { ReadFileError } from "../../mod.ts";
import type { ForgeReadConfig } from "../../src/tools/forge_config.ts";
import { forgeFor } from "../support/forge.ts";

/** Eight bytes: lines of 2, 3 and 3 bytes. */
const EIGHT = "a\nbb\ncc\n";

describe("Read failures at a limit", () => {
  const failures: readonly [
    string,
    object,
    ForgeReadConfig,
    string,
    string,
  ][] = [
    [
      "a whole file",
      {},
      { max_file_read_bytes: 7 },
      "File too large; use start_line/end_line, head or tail",
      'continue with {"start_line":1,"path":"a.txt"}',
    ],
    [
      "a line",
      { start_line: 2 },
      { max_file_read_bytes: 2 },
      'Cannot read "a.txt": line 2 is longer than the limit of 2 bytes',
      'continue with {"start_line":3,"path":"a.txt"}',
    ],
    [
      "a last line",
      { tail: 2 },
      { max_file_read_bytes: 2 },
      'Cannot read "a.txt": its last line is longer than the limit of 2 bytes',
      'continue with {"start_line":2,"end_line":2,"path":"a.txt"}',
    ],
    [
      "a scan",
      { start_line: 3 },
      { max_scan_bytes: 7 },
      "Scan limit exceeded; narrow the range",
      "the lines from 3 on are more than 7 bytes into the file, where only tail or a larger max_scan_bytes reaches",
    ],
  ];
  for (const [claim, args, config, message, hint] of failures) {
    it(`say what to do after ${claim}`, async () => {
      const tool = await forgeFor(EIGHT, { config });
      const call = () => tool.call({ path: "a.txt", ...args });
      const error = await assertRejects(call, ReadFileError);
      assertEquals([error.message, error.path], [message, "a.txt"]);
      assertEquals(error.hint, hint);
    });
  }

  it("contain the numbers in the details", async () => {
    const config = { max_file_read_bytes: 7, max_scan_bytes: 4 };
    const tool = await forgeFor(EIGHT, { config });
    const detailsOf = async (args: object) => {
      const call = () => tool.call({ path: "a.txt", ...args });
      return (await assertRejects(call, ReadFileError)).details;
    };
    assertEquals(await detailsOf({}), {
      what: "file",
      size: 8,
      limit: 7,
    });
    assertEquals(await detailsOf({ head: 2 }), {
      limit: 4,
      lines: 1,
    });
  });
});
