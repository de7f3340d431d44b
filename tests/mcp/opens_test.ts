/** How often the server opens the files of a call: as often as the tools in process. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { readMessage } from "../../mcp/src/messages.ts";
import { openServer } from "../../mcp/src/server.ts";
import { countingFs } from "../support/counting_fs.ts";
import { utf16Of } from "../support/encoded.ts";

const LINES = Array.from({ length: 9000 }, (_, at) => `line ${at + 1}\n`);
const FILES = {
  "/ws/small.txt": "one\ntwo\n",
  "/ws/many.txt": LINES.join(""),
  "/ws/giant.txt": `${"x".repeat(300_000)}\nshort\n`,
  "/ws/wide.txt": utf16Of("one\ntwo\n"),
};

const CALLS: readonly (readonly [name: string, args: object, opens: number])[] =
  [
    ["read_file", { path: "small.txt" }, 1],
    ["read_file", { path: "many.txt" }, 1],
    ["read_file", { path: "many.txt", start: 5000, maxTokens: 100 }, 1],
    ["read_file", { path: "many.txt", tail: 20 }, 1],
    ["read_file", { path: "many.txt", match: "77" }, 1],
    ["read_file", { path: "giant.txt" }, 1],
    ["read_file", { path: "wide.txt" }, 1],
    ["read_file", { path: "small.txt", start: 99 }, 1],
    ["read_files", { files: ["small.txt", "many.txt"] }, 2],
  ];

describe("a call of the server opens each file once", () => {
  for (const [name, args, opens] of CALLS) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      const fs = countingFs(memoryFs(FILES));
      const connect = await openServer({ directories: ["/ws"], fs });
      const connection = connect({ send() {}, log() {} });
      const ask = async (id: number, method: string, params: object) => {
        const message = readMessage({ jsonrpc: "2.0", id, method, params });
        connection.take(message!);
        await connection.idle();
      };
      await ask(1, "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      });
      await ask(2, "tools/call", { name, arguments: args });
      assertEquals([fs.counts.opened, fs.counts.open], [opens, 0]);
    });
  }
});
