import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../mod.ts";
import type { ForgeReadConfig } from "../../src/tools/forge_config.ts";
import { createForgeRead } from "../../src/tools/forge_read.ts";
import { countingFs } from "../support/counting_fs.ts";
import {
  ENDLESS_LINE_BYTES,
  endlessFs,
  endlessLine,
} from "../support/endless_fs.ts";
import { linesOf } from "../support/forge.ts";

describe("Read costs", () => {
  const BLOCK = 64 * 1024;
  const GIB_LINES = 2 ** 30 / ENDLESS_LINE_BYTES;

  async function read(
    lines: number,
    args: object,
    config: ForgeReadConfig = {},
  ) {
    const fs = countingFs(endlessFs(lines));
    const tool = createForgeRead(await openWorkspace("/ws", { fs }), config);
    try {
      const output = await tool.call({ path: "big.txt", ...args });
      return { output, code: null, ...fs.counts };
    } catch (error) {
      assert(error instanceof ReadFileError);
      return { output: null, code: error.code, ...fs.counts };
    }
  }

  it("are a few blocks for the last lines of 1 GiB", async () => {
    const { output, bytes, open } = await read(GIB_LINES, { tail: 10 });
    const numbers = Array.from({ length: 10 }, (_, at) => GIB_LINES - 9 + at);
    assertEquals(output!.text, numbers.map(endlessLine).join(""));
    assertEquals([output!.start_line, output!.total_lines], [null, null]);
    assert(bytes <= 4 * BLOCK, `${bytes} bytes were read`);
    assertEquals(open, 0);
  });

  it("are a few blocks for the last lines of 20 MiB", async () => {
    const lines = 20 * 2 ** 20 / ENDLESS_LINE_BYTES;
    const { output, bytes } = await read(lines, { tail: 10 });
    assertEquals(linesOf(output!.text).at(-1), endlessLine(lines));
    assert(bytes <= 4 * BLOCK, `${bytes} bytes were read`);
  });

  it("end at end_line, at limit and at head", async () => {
    for (const args of [{ end_line: 10 }, { limit: 10 }, { head: 10 }]) {
      const { output, bytes } = await read(GIB_LINES, args);
      assertEquals([output!.end_line, output!.next_start_line], [10, 11]);
      assertEquals(output!.total_lines, null);
      assert(bytes <= 2 * BLOCK, `${bytes} bytes were read`);
    }
  });

  it("end at max_scan_bytes, from either end", async () => {
    const scan = 2_097_152;
    const config = { max_file_read_bytes: 2 ** 30 };
    for (
      const args of [{ start_line: GIB_LINES }, { tail: GIB_LINES }, {
        start_line: 1,
      }]
    ) {
      const { code, bytes, open } = await read(GIB_LINES, args, config);
      assertEquals(code, "SCAN_LIMIT");
      assert(bytes <= scan + 8 * BLOCK, `${bytes} bytes were read`);
      assertEquals(open, 0);
    }
  });

  it("end at max_file_read_bytes, from either end", async () => {
    for (const args of [{ start_line: 1 }, { tail: GIB_LINES }]) {
      const { output, bytes } = await read(GIB_LINES, args);
      assertEquals(output!.truncated, true);
      assertEquals(linesOf(output!.text).length, 204_800 / ENDLESS_LINE_BYTES);
      assert(bytes <= 12 * BLOCK, `${bytes} bytes were read`);
    }
  });

  it("are only the first bytes for a whole file that is too large", async () => {
    const { code, bytes } = await read(GIB_LINES, {});
    assertEquals(code, "TOO_LARGE");
    assert(bytes <= BLOCK, `${bytes} bytes were read`);
  });
});
