import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import { type FsPort, memoryFs } from "../../mod.ts";
import { onDisk } from "../support/disk.ts";
import { connect, newClient, tell, Wire } from "../support/mcp.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

describe("the server without --session", () => {
  it("always shows everything, and has no refresh", async () => {
    await using place = await onDisk([]);
    writeFileSync(join(place.root, "a.txt"), linesTo(5).join(""));
    await using server = await connect([place.root]);
    const { tools } = await server.client.listTools();
    assert(!JSON.stringify(tools).includes("refresh"));
    const first = await server.call({ path: "a.txt" });
    assertEquals((await server.call({ path: "a.txt" })).text, first.text);
    const refused = await server.call({ path: "a.txt", refresh: true });
    assertEquals(refused.ok, false);
  });
});

describe("the server with --session", () => {
  it("leaves out lines that it showed, and says so", async () => {
    await using place = await onDisk([]);
    const file = join(place.root, "a.txt");
    writeFileSync(file, linesTo(300).join(""));
    await using server = await connect([place.root], {
      args: ["--session", place.root],
    });
    const { tools } = await server.client.listTools();
    assert(tools[0]!.inputSchema.properties?.refresh !== undefined);
    const whole = await server.call({ path: "a.txt", end: 200 });
    assertMatch(whole.text, /^200\tline 200$/m);
    const again = await server.call({ path: "a.txt", end: 200 });
    assertMatch(
      again.text,
      /^"a\.txt": lines 1-200, unchanged since an earlier answer showed them; this line stands for their text\. If they are not above, send "refresh": true\.$/,
    );
    const part = await server.call({ path: "a.txt", start: 150, end: 202 });
    assertMatch(
      part.text,
      /unchanged since an earlier answer, and left out: lines 150-200\. If/,
    );
    assertEquals(part.text.match(/^\d+\t.*$/gm), [
      "201\tline 201",
      "202\tline 202",
    ]);
    writeFileSync(file, linesTo(300).with(9, "new\n").join(""));
    const changed = await server.call({ path: "a.txt", end: 20 });
    assertEquals(changed.text.match(/^\d+\t.*$/gm), ["10\tnew"]);
    const fresh = await server.call({ path: "a.txt", end: 20, refresh: true });
    assertEquals(fresh.text.match(/^\d+\t/gm)?.length, 20);
    writeFileSync(file, ["top\n", ...linesTo(300).with(9, "new\n")].join(""));
    const moved = await server.call({ path: "a.txt", end: 21 });
    assertMatch(
      moved.text,
      /left out: lines 2-21 \(shown as lines 1-20\)\. If/,
    );
    assertEquals(moved.text.match(/^\d+\t.*$/gm), ["1\ttop"]);
  });
  it("shows lines again whose answer was not sent, for a cancelled call", async () => {
    const cancelled = new AbortController();
    let reads = 0;
    const fs = memoryFs({ "/ws/a.txt": linesTo(20).join("") });
    const port: FsPort = {
      ...fs,
      async open(path, signal) {
        const handle = await fs.open(path, signal);
        return {
          ...handle,
          // The last step of a read: the server has the whole page.
          async close() {
            await handle.close();
            if (++reads > 1) return;
            cancelled.abort();
            await new Promise((resolve) => setTimeout(resolve));
          },
        };
      },
    };
    const options = { directories: ["/ws"], fs: port, session: true };
    const client = newClient();
    await client.connect(new Wire(await openServer(options)));
    const call = { name: "read_file", arguments: { path: "a.txt" } };
    const { signal } = cancelled;
    await assertRejects(() => client.callTool(call, { signal }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { text } = tell(await client.callTool(call));
    assertMatch(text, /^1\tline 1$/m);
    const again = tell(await client.callTool(call));
    assertMatch(again.text, /^"a\.txt": lines 1-20, unchanged/);
    await client.close();
  });
  it("names lines that are counted from the end as a page does", async () => {
    await using place = await onDisk([]);
    writeFileSync(join(place.root, "a.txt"), linesTo(9).join(""));
    const args = ["--session", place.root];
    await using server = await connect([place.root], { args });
    const call = { path: "a.txt", tail: 3, numbered: false };
    for (let times = 0; times < 2; times++) {
      const { text } = await server.call(call);
      assertMatch(text, /^"a\.txt": lines -3 to -1/);
    }
  });
  it("continues after the lines that were left out, and reports a loop", async () => {
    await using place = await onDisk([]);
    writeFileSync(join(place.root, "a.txt"), linesTo(9).join(""));
    await using server = await connect([place.root], {
      args: ["--session", place.root],
    });
    const texts: string[] = [];
    for (let times = 0; times < 3; times++) {
      texts.push((await server.call({ path: "a.txt", count: 3 })).text);
    }
    assertMatch(texts[1]!, /\nNext: read_file \{"path":"a\.txt","start":4/);
    assert(!/asked for/.test(texts[1]!), texts[1]);
    assertMatch(
      texts[2]!,
      /these lines were asked for 3 times, and are the same each time/,
    );
  });
  it("refuses a refresh that is not a boolean", async () => {
    await using place = await onDisk([]);
    writeFileSync(join(place.root, "a.txt"), "one\n");
    await using server = await connect([place.root], {
      args: ["--session", place.root],
    });
    const { ok, text } = await server.call({ path: "a.txt", refresh: [1] });
    assertEquals(ok, false);
    assertMatch(text, /refresh must be true or false/);
  });
  it("has no refresh for the files of read_files, which shows every line", async () => {
    await using place = await onDisk([]);
    writeFileSync(join(place.root, "a.txt"), "one\n");
    await using server = await connect([place.root], {
      args: ["--session", place.root],
    });
    const files = [{ path: "a.txt", refresh: true }];
    const { text } = await server.call({ files }, "read_files");
    assertMatch(
      text,
      /"refresh" is not an argument; the arguments are path,/,
    );
    assert(!/the arguments are .*refresh/.test(text), text);
  });
});
