import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import type { FsPort } from "../../mod.ts";
import { endlessFs } from "../support/endless_fs.ts";
import { newClient, Wire } from "../support/mcp.ts";

/** Too many lines to read in a test. */
const LINES = 2 ** 46;

/** How many turns of the event loop a call may last after it is cancelled. */
const MOST_TURNS = 10;

/** Counts the steps of a port: reads, and batches of names. */
function watch(fs: FsPort) {
  const counts = { steps: 0, open: 0 };
  const started = Promise.withResolvers<void>();
  const step = () => {
    if (++counts.steps === 3) started.resolve();
  };
  const port: FsPort = {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      counts.open++;
      return {
        ...handle,
        read(buffer, position) {
          step();
          return handle.read(buffer, position);
        },
        close() {
          counts.open--;
          return handle.close();
        },
      };
    },
    async *list() {
      counts.open++;
      try {
        for (let at = 0;; at += 100) {
          step();
          yield Array.from({ length: 100 }, (_, more) => ({
            name: `${at + more}.txt`,
            kind: "file" as const,
          }));
        }
      } finally {
        counts.open--;
      }
    },
  };
  return { port, counts, started: started.promise };
}

/** Lets all that is under way take some turns. */
async function turns(count: number): Promise<void> {
  for (; count > 0; count--) await new Promise((turn) => setTimeout(turn));
}

const CALLS = {
  read: ["read_file", { path: "big.txt", start: LINES }],
  "search by a slow pattern": ["read_file", {
    path: "big.txt",
    match: "(?:[0-9]{1,20}[a-z]?){1,20}z",
    regex: true,
  }],
  "read of several files": ["read_files", {
    files: [{ path: "big.txt", start: LINES }, { path: "big.txt", tail: 9 }],
  }],
  listing: ["list_directory", { path: ".", limit: 10 }],
} as const;

describe("a call over MCP that is cancelled", () => {
  for (const [what, [name, args]] of Object.entries(CALLS)) {
    it(`stops after a few yields to the event loop: a ${what}`, async () => {
      const { port, counts, started } = watch(endlessFs(LINES));
      const serve = await openServer({ directories: ["/ws"], fs: port });
      const client = newClient();
      await client.connect(new Wire(serve));
      const controller = new AbortController();
      const call = client.callTool({ name, arguments: args }, {
        signal: controller.signal,
      });
      const refused = assertRejects(() => call);
      await started;
      assert(counts.open > 0);
      controller.abort();
      await refused;
      await turns(MOST_TURNS);
      assertEquals(counts.open, 0);
      const { steps } = counts;
      await turns(MOST_TURNS);
      assertEquals(counts.steps, steps);
      await client.close();
    });
  }
});
