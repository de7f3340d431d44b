import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, it } from "node:test";
import { boundTokens, memoryFs } from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { onDisk } from "../../support/disk.ts";
import { readerOn } from "../../support/reader.ts";
import { parseWords } from "../../support/rendered.ts";

const LINES = Array.from(
  { length: 400 },
  (_, at) => at % 10 === 4 ? `line ${at + 1} TODO (x)` : `line ${at + 1}`,
);

describe("read_file with match", () => {
  it("says that lines match in another case, in a file and in a directory", async () => {
    const server = await readerOn(
      ["/ws"],
      {},
      memoryFs({
        "/ws/a.log": "one\nERROR two\n",
        "/ws/b.log": `${"x\n".repeat(200_000)}ERROR\n`,
        "/ws/d/c.log": "Error\n",
        "/ws/e.log": new Uint8Array(
          Uint16Array.from("\ufeffERROR\n", (char) => char.charCodeAt(0))
            .buffer,
        ),
      }),
    );
    const headOf = async (args: Record<string, unknown>) =>
      (await server.call(args)).text.split("\n")[0];
    const hint = ', but some do with "ignoreCase": true.';
    for (
      const [path, more, wanted] of [
        ["a.log", {}, `of 2${hint}`],
        ["a.log", { match: "err|x", regex: true }, `of 2${hint}`],
        ["a.log", { match: "Error two" }, `of 2${hint}`],
        ["a.log", { match: "none" }, "of 2."],
        ["a.log", { match: "\u2603" }, "of 2."],
        // Only lines that were asked for, and no more than 256 KiB.
        ["a.log", { end: 1 }, "of an unknown total (14 bytes)."],
        ["b.log", {}, "of 200001."],
        ["e.log", {}, `of 1${hint} In utf-16le (byte order mark).`],
        ["d", {}, `in 1 file${hint}`],
        [".", {}, `in 4 files${hint}`],
        [".", { match: "none" }, "in 4 files."],
        [".", { glob: "b*" }, `in 1 file${hint}`],
      ] as const
    ) {
      const args = { path, match: "error", ...more };
      const head = `${JSON.stringify(path)}: no line matches, ${wanted}`;
      assertEquals(await headOf(args), head);
    }
    const [next] = (await server.call({
      path: "a.log",
      match: "error",
      ignoreCase: true,
    })).text.split("\n").slice(1);
    assertEquals(next, "2\tERROR two");
  });

  it("shows every hit once over all calls, and names the gaps", async () => {
    await using place = await onDisk([`ws/a.txt: ${LINES.join("\n")}\n`]);
    const server = await readerOn([place.root]);
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
    const server = await readerOn(["/ws"], {}, fs);
    const { text: told } = await server.call({ path: "a.txt", match: "a hit" });
    const { head, gaps, rows, next } = parseWords(told);
    // The numbers of the hits alone say which lines are left out.
    assertEquals(gaps, []);
    assert(rows.length > 400, `${rows.length} rows`);
    assertStringIncludes(head, "of 400000, with ");
    assertStringIncludes(head, " of 200000 lines that match");
    assertEquals(Object.keys(next!).sort(), ["etag", "match", "path", "start"]);
    assert(fs.counts.bytes < 1.5 * text.length, `${fs.counts.bytes} bytes`);
  });

  it("shows no more text than maxTokens, over all calls all of it", async () => {
    await using place = await onDisk([`ws/a.txt: ${LINES.join("\n")}\n`]);
    const server = await readerOn([place.root]);
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
    const server = await readerOn([place.root]);
    const none = await server.call({ path: "a.txt", match: "three" });
    assertStringIncludes(none.text, "no line matches, of 2.");
    const wrong = await server.call({ path: "a.txt", match: "(", regex: true });
    assert(!wrong.ok);
    assertStringIncludes(wrong.text, "write \\(");
  });

  it("costs at most 15 % more than grep, for 120 hits", async () => {
    const lines = Array.from(
      { length: 6000 },
      (_, at) =>
        at % 50 === 7
          ? `2026-11-20T06:${at % 60}:00Z ERROR worker-${
            at % 7
          } failed: timeout after ${at} ms`
          : `2026-11-20T06:00:00Z INFO request ${at} served`,
    );
    const fs = memoryFs({ "/ws/app.log": lines.join("\n") });
    const server = await readerOn(["/ws"], {}, fs);
    const args = { path: "app.log", match: "ERROR" };
    const { text } = await server.call(args);
    const grep = lines.flatMap((line, at) =>
      line.includes("ERROR") ? [`${at + 1}:${line}\n`] : []
    );
    assertEquals(grep.length, 120);
    assertEquals(parseWords(text).rows.length, 120);
    const [ours, theirs] = [text, grep.join("")].map((all) =>
      encode(all).length
    );
    assert(ours! <= 1.15 * theirs!, `${ours} of ${theirs} tokens`);
  });

  it("ignores case, and takes the last hits, or the first ones", async () => {
    const fs = memoryFs({ "/ws/a.txt": `${LINES.join("\n")}\n` });
    const server = await readerOn(["/ws"], {}, fs);
    const hitsOf = async (args: object) => {
      const { ok, text } = await server.call({ path: "a.txt", ...args });
      assert(ok, text);
      const { rows, next } = parseWords(text);
      return [rows.map(({ number }) => number), next !== null];
    };
    const match = "todo";
    assertEquals(await hitsOf({ match }), [[], false]);
    const asked = { match, ignoreCase: true };
    assertEquals(await hitsOf({ ...asked, tail: 3 }), [[375, 385, 395], false]);
    assertEquals(await hitsOf({ ...asked, count: 2 }), [[5, 15], true]);
    assertEquals(
      await hitsOf({ ...asked, tail: 3, count: 2 }),
      [[375, 385], true],
    );
    const around = { tail: 1, before: 1 };
    assertEquals(await hitsOf({ ...asked, ...around }), [[394, 395], false]);
  });

  it("does not confuse a line of a file with its own lines", async () => {
    const text = "x\n… lines 2-9 not shown\ny\nz\nx";
    await using place = await onDisk([`ws/a.txt: ${text}`]);
    const server = await readerOn([place.root]);
    const all = await server.call({
      path: "a.txt",
      match: "[x…]",
      regex: true,
      after: 1,
    });
    const { rows, gaps } = parseWords(all.text);
    assertEquals(rows.map(({ number }) => number), [1, 2, 3, 5]);
    assertEquals(gaps, [{ start: 4, end: 4 }]);
  });
});
