import { InMemoryTransport } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import type { FsPort, View } from "../../mod.ts";
import { ENDLESS_LINE_BYTES, endlessFs } from "../support/endless_fs.ts";
import { newClient } from "../support/mcp.ts";

/** A port with slow reads. */
function slow(fs: FsPort, ms: number): FsPort {
  return {
    ...fs,
    async open(path, signal) {
      const handle = await fs.open(path, signal);
      return {
        ...handle,
        async read(buffer, position) {
          await new Promise((done) => setTimeout(done, ms));
          return handle.read(buffer, position);
        },
      };
    },
  };
}

async function connectTo(fs: FsPort, views: readonly View[] = []) {
  const factory = await openServer({ directories: ["/ws"], fs, views });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await factory().connect(far);
  const client = newClient();
  await client.connect(near);
  return client;
}

describe("the progress of a call", () => {
  const LINES = 100_000;
  const size = LINES * ENDLESS_LINE_BYTES;
  const args = { path: "big.txt", start: LINES };

  it("is reported in bytes read, of the bytes of the file", async () => {
    const client = await connectTo(slow(endlessFs(LINES), 150));
    const told: { progress: number; total?: number | undefined }[] = [];
    const began = performance.now();
    await client.callTool({ name: "read_file", arguments: args }, {
      onprogress: (progress) => told.push(progress),
    });
    const halves = Math.floor((performance.now() - began) / 500);
    assert(halves >= 2, `${halves}`);
    assert(told.length >= halves, `${told.length} reports`);
    for (const [at, { progress, total }] of told.entries()) {
      assertEquals(total, size);
      assert(progress <= size && progress > (told[at - 1]?.progress ?? 0));
    }
    await client.close();
  });
  it("counts bytes that are read again, and names that are listed", async () => {
    const fs = endlessFs(LINES);
    const names = Array.from({ length: 500 }, (_, at) => `${at}.txt`);
    const client = await connectTo({
      ...slow(fs, 100),
      async *entries() {
        for (const name of names) {
          await new Promise((done) => setTimeout(done, 3));
          yield [{ name, kind: "file" as const }];
        }
      },
    });
    const ask = async (name: string, args: Record<string, unknown>) => {
      const told: { progress: number; total?: number | undefined }[] = [];
      const began = performance.now();
      await client.callTool({ name, arguments: args }, {
        onprogress: (progress) => told.push(progress),
      });
      const halves = Math.floor((performance.now() - began) / 500);
      assert(halves >= 2 && told.length >= halves, `${told.length} reports`);
      for (const [at, { progress }] of told.entries()) {
        assert(progress > (told[at - 1]?.progress ?? 0));
      }
      return told.at(-1)!;
    };
    const big = { path: "big.txt", start: LINES };
    const twice = await ask("read_files", { files: [big, big] });
    assert(twice.progress <= twice.total!);
    const listed = await ask("list_directory", { limit: 1 });
    assertEquals(listed.total, undefined);
    assert(listed.progress <= names.length);
    await client.close();
  });
  it("counts pages of a document, whose text is made once for a call", async () => {
    let opened = 0;
    const client = await connectTo(endlessFs(10), [{
      name: "doc",
      paged: true,
      matches: () => true,
      async open(_file, { breathe }) {
        opened++;
        for (let page = 0; page < 300; page++) {
          await breathe();
          await new Promise((done) => setTimeout(done, 4));
        }
        return "a line of a document\n".repeat(9000);
      },
    }]);
    const told: { progress: number; total?: number | undefined }[] = [];
    const began = performance.now();
    const { isError } = await client.callTool(
      { name: "read_file", arguments: { path: "big.txt" } },
      { onprogress: (progress) => told.push(progress) },
    );
    const halves = Math.floor((performance.now() - began) / 500);
    assertEquals([isError, opened], [undefined, 1]);
    assert(halves >= 2 && told.length >= halves, `${told.length} reports`);
    assert(told.at(-1)!.progress > told[0]!.progress);
    await client.close();
  });
  it("is not reported to a client that does not ask, or for a short call", async () => {
    const client = await connectTo(slow(endlessFs(10), 1));
    const told: unknown[] = [];
    client.fallbackNotificationHandler = (sent) => {
      told.push(sent);
      return Promise.resolve();
    };
    await client.callTool({ name: "read_file", arguments: args });
    await client.callTool({ name: "read_file", arguments: args }, {
      onprogress: (progress) => told.push(progress),
    });
    assertEquals(told, []);
    await client.close();
  });
  it("does not keep a cancelled call from ending", async () => {
    const client = await connectTo(endlessFs(2 ** 46));
    const controller = new AbortController();
    let reports = 0;
    const call = client.callTool({
      name: "read_file",
      arguments: { path: "big.txt", start: 2 ** 46 },
    }, {
      signal: controller.signal,
      onprogress: () => {
        if (++reports === 2) controller.abort();
      },
    });
    await assertRejects(() => call);
    await new Promise((done) => setTimeout(done, 600));
    assertEquals(reports, 2);
    await client.close();
  });
});
