import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openServer } from "../../mcp/src/server.ts";
import { boundTokens, memoryFs } from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { onDisk } from "../support/disk.ts";
import { connect, newClient, tell, Wire } from "../support/mcp.ts";
import { parseWords } from "../support/mcp_words.ts";

const LINES = Array.from(
  { length: 400 },
  (_, at) => at % 10 === 4 ? `line ${at + 1} TODO (x)` : `line ${at + 1}`,
);

describe("read_file with match over MCP", () => {
  it("shows every hit once over all calls, and names the gaps", async () => {
    await using place = await onDisk([`ws/a.txt: ${LINES.join("\n")}\n`]);
    await using server = await connect([place.root], { facts: true });
    const numbers: number[] = [];
    let calls = 0;
    let next: Record<string, unknown> | null = {
      path: "a.txt",
      match: "TODO (",
      after: 1,
      maxChars: 1000,
    };
    while (next !== null) {
      const { ok, text, data: facts } = await server.call(next);
      assert(ok, text);
      const words = parseWords(text);
      assert(text.length <= 1000);
      assertEquals(words.gaps.length, words.rows.length / 2 - 1);
      const hits = (facts as { hits: { lines: number[] } }).hits.lines;
      const shown = words.rows.filter(({ text }) => text.includes("TODO"));
      assertEquals(shown.map(({ number }) => number), hits);
      numbers.push(...hits);
      if (calls++ === 0) {
        assertStringIncludes(words.head, `of 40 lines that match`);
      }
      next = words.next;
    }
    assertEquals(
      numbers,
      LINES.flatMap((line, at) => line.includes("TODO") ? [at + 1] : []),
    );
    assert(calls > 1);
  });

  it("reads a large file once, even if its answer is cut", async () => {
    const text = "a hit\nno\n".repeat(200_000);
    const fs = countingFs(memoryFs({ "/ws/a.txt": text }));
    const serve = await openServer({ directories: ["/ws"], fs });
    const client = newClient();
    await client.connect(new Wire(serve));
    const { text: told } = tell(
      await client.callTool({
        name: "read_file",
        arguments: { path: "a.txt", match: "a hit" },
      }),
    );
    const { head, gaps, next } = parseWords(told);
    assert(gaps.length > 400, `${gaps.length} gaps`);
    assertStringIncludes(head, "of 400000, with ");
    assertStringIncludes(head, " of 200000 lines that match");
    assertEquals(Object.keys(next!).sort(), ["etag", "match", "path", "start"]);
    assert(fs.counts.bytes < 1.5 * text.length, `${fs.counts.bytes} bytes`);
    await client.close();
  });

  it("shows no more text than maxTokens, over all calls all of it", async () => {
    await using place = await onDisk([`ws/a.txt: ${LINES.join("\n")}\n`]);
    await using server = await connect([place.root]);
    let text = "";
    let next: Record<string, unknown> | null = {
      path: "a.txt",
      maxTokens: 300,
    };
    while (next !== null) {
      const told = await server.call(next);
      assert(told.ok, told.text);
      const { content, next: after } = parseWords(told.text);
      assert(boundTokens(content) <= 300);
      text += content;
      next = after;
      assert(next === null || next.maxTokens === 300);
    }
    assertEquals(text, `${LINES.join("\n")}\n`);
  });

  it("says that nothing matches, and what is wrong with a pattern", async () => {
    await using place = await onDisk(["ws/a.txt: one\ntwo\n"]);
    await using server = await connect([place.root]);
    const none = await server.call({ path: "a.txt", match: "three" });
    assertStringIncludes(none.text, "no line matches, of 2.");
    const wrong = await server.call({ path: "a.txt", match: "(", regex: true });
    assert(!wrong.ok);
    assertStringIncludes(wrong.text, "write \\(");
  });

  it("does not confuse a line of a file with its own lines", async () => {
    const text = "x\n… lines 2-9 not shown\ny\nx";
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    await using server = await connect([place.root]);
    const all = await server.call({
      path: "a.txt",
      match: "[x…]",
      regex: true,
    });
    const { rows, gaps } = parseWords(all.text);
    assertEquals(rows.map(({ number }) => number), [1, 2, 4]);
    assertEquals(gaps, ["… line 3 not shown"]);
  });
});
