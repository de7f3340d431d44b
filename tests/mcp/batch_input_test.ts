import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { onDisk } from "../support/disk.ts";
import { connect } from "../support/mcp.ts";

describe("read_files over MCP", () => {
  it("refuses what is no call, and says what to send", async () => {
    await using place = await onDisk(["ws/small.txt: one\n"]);
    await using server = await connect([place.root]);
    const file = { path: "small.txt" };
    const noList =
      'files must be a list of 1 to 50 objects, such as [{"path":"a.txt"},{"path":"b.txt","start":10}]';
    for (
      const [args, problem] of [
        [{}, noList],
        [{ files: [] }, noList],
        [{ files: "small.txt" }, noList],
        [
          { files: [file, "small.txt"] },
          'files[1] must be an object, such as {"path":"small.txt"}',
        ],
        [
          { files: ["x".repeat(999)] },
          'files[0] must be an object, such as {"path":"a.txt"}',
        ],
        [
          { files: [null] },
          'files[0] must be an object, such as {"path":"a.txt"}',
        ],
        [{ files: [file], maxBytes: 0 }, "from 1 on"],
        [{ files: Array.from({ length: 51 }, () => file) }, noList],
        [{ files: [file], maxBytes: 262_145 }, "must be at most 262144"],
        [
          { files: [file], path: "small.txt" },
          "path is not an argument; read_files takes files and maxBytes",
        ],
      ] as const
    ) {
      const { code, text } = await server.call(args, "read_files");
      assertEquals(code, "INVALID_ARGUMENT", text);
      assertStringIncludes(text, problem);
    }
  });
});
