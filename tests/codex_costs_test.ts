import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createCodexReadFile, memoryFs, openWorkspace } from "../mod.ts";
import {
  type BlockArguments,
  PROFILES,
  rangeOf,
  show,
  showBlock,
  sketch,
} from "./support/codex.ts";
import { countingFs } from "./support/counting_fs.ts";
import { CUTS } from "./support/cuts.ts";

describe("codex read_file costs", () => {
  it("reads a large file no further than the block goes", async () => {
    const block = sketch("0 4 8 4 0");
    const rest = "0123456789\n".repeat(1_000_000);
    const fs = countingFs(memoryFs({ "/ws/a": block + rest }));
    const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
    const indentation = { anchor_line: 3, max_levels: 1 };
    const args = { file_path: "/ws/a", mode: "indentation", indentation };
    assertEquals(rangeOf((await tool.call(args)).content), "2-4");
    assert(fs.counts.bytes <= 256 * 1024, `${fs.counts.bytes} bytes were read`);
    assertEquals(fs.counts.open, 0);
  });

  for (const line of ["\n", "    some code here\n", `${"y".repeat(9000)}\n`]) {
    for (const [where, share] of [["end", 1], ["middle", 0.5]] as const) {
      it(`reads no byte often, on the way from the ${where} of lines of ${line.length}`, async () => {
        const count = Math.floor(4_000_000 / (line.length + 3));
        const content = `x\n${line.repeat(count)}    y\n`;
        const fs = countingFs(memoryFs({ "/ws/a": content }));
        const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
        const args = {
          file_path: "/ws/a",
          limit: 1e10,
          mode: "indentation",
          indentation: { anchor_line: 2 + Math.floor(count * share) },
        };
        const { content: shown } = await tool.call(args);
        assertEquals(shown.split("\n").length, count + 2);
        const times = fs.counts.bytes / content.length;
        assert(times < 16, `each byte was read ${times} times`);
      });
    }
  }
});
