import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createOpenFile, memoryFs, openWorkspace, respond } from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { CUTS } from "../support/cuts.ts";
import { type Args, MIB, range, toolFor } from "../support/open_file.ts";
import { replyOf } from "../support/replies.ts";

/** The content of the file, the first and last requested line, and the answer. */
const LINES: readonly (readonly [string, unknown, unknown, string])[] = [
  ["a\r\nb\r\nc\r\n", undefined, undefined, "a\r\nb\r\nc\r\n"],
  ["a\r\nb\r\nc\r\n", 2, 2, "b\r\n"],
  ["a\r\nb\r\nc\r\n", 1, 3, "a\r\nb\r\nc\r\n"],
  ["a\r\nb\nc", 1, 2, "a\r\nb\n"],
  ["a\r\nb\nc", 3, 3, "c"],
  ["a\nb\nc\n", 3, 3, "c\n"],
  ["1\n2\n3\n4", 3, undefined, "3\n4"],
  ["1\n2\n3\n4", undefined, 2, "1\n2\n"],
  ["1\n2\n3\n4", null, null, "1\n2\n3\n4"],
  ["1\n2\n3\n4", 4, null, "4"],
  ["", undefined, undefined, ""],
  ["\n\n\n", 2, 2, "\n"],
  ["\n\n\n", 2, 3, "\n\n"],
  ["\uFEFFa\nb\n", undefined, undefined, "\uFEFFa\nb\n"],
  ["\uFEFFa\nb\n", 1, 1, "\uFEFFa\n"],
  ["a\n\uFEFFb\n", 2, 2, "\uFEFFb\n"],
  ["a\0b\nc\n", undefined, undefined, "a\0b\nc\n"],
  ["a\0b\nc\n", 1, 1, "a\0b\n"],
  ["a\rb\nc", 1, 1, "a\rb\n"],
  ["a\u2028b\u0085c\vd\fe\nf", 1, 1, "a\u2028b\u0085c\vd\fe\n"],
  ["é\n漢\n😀\n", 2, 3, "漢\n😀\n"],
];

describe("open_file gives lines", () => {
  for (const [content, start, end, expected] of LINES) {
    const asked = start === undefined && end === undefined
      ? "all"
      : `${start}..${end}`;
    it(`${asked} of ${JSON.stringify(content)} exactly`, async () => {
      for (const most of CUTS) {
        const tool = await toolFor(content, {}, most);
        assertEquals(await tool.call(range(start, end)), expected, `${most}`);
      }
    });
  }
  it("whose ranges join to the whole file", async () => {
    const content = "\uFEFFa\r\n\né\n\r\n\rb\0\n漢字\r\n\n\nend";
    const total = 9;
    for (const most of CUTS) {
      const tool = await toolFor(content, {}, most);
      for (let k = 1; k < total; k++) {
        const head = await tool.call(range(1, k));
        const rest = await tool.call(range(k + 1, total));
        assertEquals(head + rest, content, `${most}, ${k}`);
        assertEquals(await tool.call(range(k + 1)), rest, `${most}, ${k}`);
      }
    }
  });
  it("also from the JSON text of its arguments", async () => {
    const tool = await toolFor("1\n2\n3\n");
    const text = '{"file_path":"a.txt","start_line":2,"end_line":null}';
    assertEquals(await tool.call(text), "2\n3\n");
  });
  it("by every spelling of a path in the workspace", async () => {
    const tool = await toolFor("1\n");
    for (const path of ["./dir//../a.txt", "/ws/a.txt", "dir/../a.txt"]) {
      assertEquals(await tool.call({ file_path: path }), "1\n", path);
    }
  });
});

describe("open_file reads only what it needs", () => {
  async function bytesRead(content: string, args: Args): Promise<number> {
    const fs = countingFs(memoryFs({ "/ws/a.txt": content }));
    const tool = createOpenFile(await openWorkspace("/ws", { fs }));
    await respond(tool, args);
    assertEquals(fs.counts.open, 0);
    return fs.counts.bytes;
  }
  const large = ("x".repeat(63) + "\n").repeat(MIB / 64);

  it("at most one chunk for lines 1 to 10 of a 1 MiB file", async () => {
    const count = await bytesRead(large, range(1, 10));
    assert(count >= 640 && count <= 64 * 1024, `${count}`);
  });
  it("nothing of a file that is too large", async () => {
    assertEquals(await bytesRead(large + "x", range(1, 10)), 0);
    assertEquals(await bytesRead(large + "x", range()), 0);
  });
  it("each byte once for the whole file", async () => {
    assertEquals(await bytesRead(large, range()), MIB);
  });
  it("the whole file if an error names the total", async () => {
    assertEquals(await bytesRead(large, range(2, 1)), MIB);
  });
});

describe("open_file's definition", () => {
  it("is that of the contract, without aliases", async () => {
    const { definition, aliases } = await toolFor("");
    const { name, description, parameters } = definition;
    assertEquals(name, "open_file");
    assert(description.length > 0 && !description.includes("\n"));
    const { type, properties = {}, required, additionalProperties } =
      parameters;
    assertEquals(
      Object.entries(properties).map(([name, { type, minimum }]) => [
        name,
        type,
        minimum,
      ]),
      [
        ["file_path", "string", undefined],
        ["start_line", "integer", 1],
        ["end_line", "integer", 1],
      ],
    );
    assertEquals(
      [type, required, additionalProperties],
      ["object", ["file_path"], false],
    );
    assertEquals(aliases, []);
    assertEquals(JSON.parse(JSON.stringify(definition)), definition);
  });
  it("gives the same string through respond()", async () => {
    const tool = await toolFor("1\r\n2\r\n");
    assertEquals(
      await respond(tool, range(2, 2)),
      replyOf({ ok: true, content: "2\r\n" }),
    );
    const content =
      "invalid line range 2..=3 for a file with 2 lines\nask for lines from 1 to 2, the first not after the last";
    assertEquals(
      await respond(tool, range(2, 3)),
      replyOf({ ok: false, content }),
    );
  });
});
