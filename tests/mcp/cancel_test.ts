import { InMemoryTransport } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import type { FsPort } from "../../mod.ts";
import { endlessFs } from "../support/endless_fs.ts";
import { newClient } from "../support/mcp.ts";

/** More lines than a test has time for. */
const LINES = 2 ** 46;

/** Counts the reads of a port, and the files of it that are open. */
function watch(fs: FsPort) {
  const counts = { reads: 0, open: 0 };
  const started = Promise.withResolvers<void>();
  const port: FsPort = {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      counts.open++;
      return {
        ...handle,
        read(buffer, position) {
          if (++counts.reads === 3) started.resolve();
          return handle.read(buffer, position);
        },
        close() {
          counts.open--;
          return handle.close();
        },
      };
    },
  };
  return { port, counts, started: started.promise };
}

/** Lets all that is under way take some turns. */
async function turns(count: number): Promise<void> {
  for (; count > 0; count--) await new Promise((turn) => setTimeout(turn));
}

describe("a call over MCP that is cancelled", () => {
  it("stops reading the file, and closes it", async () => {
    const { port, counts, started } = watch(endlessFs(LINES));
    const factory = await openServer({ directories: ["/ws"], fs: port });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await factory().connect(far);
    const client = newClient();
    await client.connect(near);
    const controller = new AbortController();
    const call = client.callTool({
      name: "read_file",
      arguments: { path: "big.txt", start: LINES },
    }, { signal: controller.signal });
    const refused = assertRejects(() => call);
    await started;
    assertEquals(counts.open, 1);
    controller.abort();
    await refused;
    for (let left = 1000; left > 0 && counts.open > 0; left--) await turns(1);
    assertEquals(counts.open, 0);
    const { reads } = counts;
    await turns(20);
    assert(reads === counts.reads, "it reads on");
    await client.close();
  });
});
