import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  memoryFs,
  OpenFileError,
  openWorkspace,
} from "../mod.ts";
import { cutFs, CUTS } from "./support/cuts.ts";

async function toolFor(content: string | Uint8Array, most = 64 * 1024) {
  const fs = cutFs(memoryFs({ "/ws/a.txt": content }), most);
  return createOpenFile(await openWorkspace("/ws", { fs }));
}

describe("open_file", () => {
  for (const most of CUTS) {
    it(`keeps the ending of every line (reads of ${most})`, async () => {
      const tool = await toolFor("a\r\nb\r\nc\r\n", most);
      const range = { file_path: "a.txt", start_line: 2, end_line: 2 };
      assertEquals(await tool.call(range), "b\r\n");
    });
  }
  it("refuses a range past the end, and tells the total", async () => {
    const tool = await toolFor("1\n2\n3\n4\n");
    const range = { file_path: "a.txt", start_line: 3, end_line: 9 };
    const error = await assertRejects(() => tool.call(range), OpenFileError);
    assertEquals(error.variant, "InvalidLineRange");
    assertEquals(
      error.message,
      "invalid line range 3..=9 for a file with 4 lines",
    );
  });
});
