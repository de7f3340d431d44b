import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { isBadEnvelope, isWrong } from "../../mcp/src/clients.ts";
import { openServer, type ServerOptions } from "../../mcp/src/server.ts";
import { type FsPort, memoryFs } from "../../mod.ts";
import { newClient, tell, Wire } from "../support/mcp.ts";

/** Calls the first tool of a server, and returns its answer and the log. */
async function callFirst(options: ServerOptions) {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const serve = await openServer({ directories: ["/ws"], ...options, log });
  const client = newClient();
  await client.connect(new Wire(serve));
  const { tools: [tool] } = await client.listTools();
  const call = { name: tool!.name, arguments: { path: "a.txt" } };
  const { text, code } = tell(await client.callTool(call));
  await client.close();
  return { text, code, logged };
}

describe("a failure that is not of the call, over MCP", () => {
  const fs = memoryFs({ "/ws/a.txt": "one\n" });

  it("is logged with its cause if the system failed", async () => {
    const failing: FsPort = {
      ...fs,
      open() {
        throw Object.assign(new Error("SECRET"), { code: "EIO" });
      },
    };
    assertEquals(await callFirst({ fs: failing }), {
      text: 'Cannot read "a.txt": the system failed (EIO); try again (IO)',
      code: "IO",
      logged: ['read_file failed: "Error: The system said EIO"'],
    });
  });

  for (const maxChars of [1, 4, 5, 6]) {
    it(`has at most ${maxChars} characters if answers may have no more`, async () => {
      for (const dialect of [undefined, "toolkit"] as const) {
        const options = { fs: memoryFs({}), directories: ["/"], maxChars };
        const { text } = await callFirst({ ...options, dialect });
        const most = maxChars - (maxChars === 6 ? 1 : 0);
        assertEquals(text.length, most, text);
      }
    });
  }

  it("is logged with its message, which is not shown, if the server is at fault", async () => {
    const wrong = { fs, dialect: "toolkit", encoding: "SECRET" } as const;
    const { logged, ...shown } = await callFirst(wrong);
    assertEquals(shown, {
      text: "The tool failed for a reason of its own",
      code: "IO",
    });
    assertEquals(logged.map((line) => line.includes("SECRET")), [true]);
  });
});

describe("a client, where Object.prototype has more", () => {
  it("is neither wrong nor a failure", () => {
    const client = { name: "x", hasRoots: false };
    const polluted = Object.prototype as Record<string, unknown>;
    try {
      polluted.problem = "x";
      polluted.code = 1;
      assertEquals([isWrong(client), isBadEnvelope(client)], [false, false]);
    } finally {
      delete polluted.problem;
      delete polluted.code;
    }
  });
});
