import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createCodexReadFile,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
  respond,
  ToolCatalog,
  type Workspace,
} from "../../mod.ts";
import { encodedIn, utf16Of } from "../support/encoded.ts";
import { replyOf } from "../support/replies.ts";

const TEXT = "one\n上 two\nthree\n";

const fs = memoryFs({
  "/ws/utf16": utf16Of(`\uFEFF${TEXT}`),
  "/ws/gbk": encodedIn("中文\nend\n", "gbk"),
  "/ws/late": Uint8Array.of(
    ...new TextEncoder().encode("x".repeat(99).concat("\n").repeat(100)),
    ...[0x41, 0xff, 0x0a, 0xff, 0x42, 0x0a],
  ),
  "/ws/sign": "a \uFFFD b\n",
});
const workspace = await openWorkspace("/ws", { fs });
const auto = { encoding: "auto" };

describe("a tool with the option encoding", () => {
  it("open_file gives the text, and notes the encoding", async () => {
    const tool = createOpenFile(workspace, auto);
    assertEquals(
      await respond(tool, { file_path: "utf16", start_line: 2, end_line: 2 }),
      replyOf({
        ok: true,
        content: "上 two\n",
        notes: ["the file was read as utf-16le (byte order mark)"],
      }),
    );
    const gbk = createOpenFile(workspace, { encoding: "gbk" });
    assertEquals(await gbk.call({ file_path: "gbk" }), "中文\nend\n");
    await assertRejects(
      () => createOpenFile(workspace, auto).call({ file_path: "gbk" }),
      ReadFileError,
      "binary file cannot be displayed as text",
    );
  });
  it("the toolkit's read_file gives the text, without the BOM", async () => {
    const tool = createToolkitReadFile(workspace, auto);
    const output = await tool.call({ path: "utf16", max_lines: 2 });
    assertEquals(output.content, "one\n上 two");
    assertEquals([output.next_start_line, output.meta.line_count], [3, 3]);
  });
  it("Read gives the text with line numbers, and continues after a cut", async () => {
    const config = { max_file_read_bytes: 20 };
    const tool = createForgeRead(workspace, config, auto);
    const { output } = await callTool(tool, { path: "utf16", start_line: 1 });
    assertEquals(output?.text, "1| \uFEFFone\n");
    assertEquals([output?.binary, output?.next_start_line], [false, 2]);
    const rest = await tool.call({ path: "utf16", tail: 1 });
    assertEquals(rest.text, "3| three\n");
  });
  it("is refused for an unknown label", () => {
    for (
      const make of [
        (at: Workspace, encoding: string) => createOpenFile(at, { encoding }),
        (at: Workspace, encoding: string) =>
          createToolkitReadFile(at, { encoding }),
        (at: Workspace, encoding: string) =>
          createForgeRead(at, {}, { encoding }),
      ]
    ) {
      assertThrows(
        () => make(workspace, "gbkk"),
        TypeError,
        "did you mean gbk",
      );
    }
  });
});

describe("a tool without the option encoding", () => {
  it("does not read UTF-16 as text", async () => {
    const open = createOpenFile(workspace);
    await assertRejects(() => open.call({ file_path: "utf16" }));
    const toolkit = createToolkitReadFile(workspace);
    await assertRejects(() => toolkit.call({ path: "utf16" }));
    const forge = await createForgeRead(workspace).call({ path: "utf16" });
    assertEquals(forge.binary, true);
  });
});

describe("U+FFFD for undecodable bytes", () => {
  const note = "bytes that are not UTF-8 are shown as U+FFFD from line 101 on";
  const path = "late";
  const tools = {
    codex: () =>
      respond(createCodexReadFile(workspace), {
        file_path: "/ws/late",
        offset: 100,
      }),
    toolkit: () =>
      respond(createToolkitReadFile(workspace), { path, start_line: 100 }),
    forge: () => respond(createForgeRead(workspace), { path, start_line: 100 }),
  };
  for (const [name, call] of Object.entries(tools)) {
    it(`is noted by ${name}, also after the first 8,192 bytes`, async () => {
      assertEquals((await call()).notes, [note]);
    });
  }
  it("is noted from the first line on with undecodable bytes, not from a line that contains U+FFFD itself", async () => {
    const bytes = new TextEncoder().encode("\uFFFD\na\n\uFFFD#\n#\n");
    const last = bytes.lastIndexOf(0x23);
    bytes[last] = 0xff;
    const fs = memoryFs({ "/ws/a": bytes });
    const tool = createToolkitReadFile(await openWorkspace("/ws", { fs }));
    const { notes } = await respond(tool, { path: "a" });
    assertEquals(notes, [
      "bytes that are not UTF-8 are shown as U+FFFD from line 4 on",
    ]);
  });
  it("is noted by the functions for programs", async () => {
    const notes: string[] = [];
    const options = { note: (note: string) => void notes.push(note) };
    const tool = createForgeRead(workspace);
    await tool.call({ path, start_line: 101 }, options);
    const context = { workspace, ...options };
    await ToolCatalog.read_file.handler(context, path, { start_line: 101 });
    assertEquals(notes, [note, note]);
  });
  it("is reported by the reader, in any encoding", async () => {
    const lossyOf = async (bytes: readonly number[], encoding: string) => {
      const fs = memoryFs({ "/ws/a": Uint8Array.from(bytes) });
      const root = await openWorkspace("/ws", { fs });
      const page = await root.read("a", { encoding });
      const hits = await root.read("a", { match: "a", encoding });
      const isLost = page.inexact.some(({ reason }) =>
        reason === "not UTF-8" || reason === "undecodable"
      );
      assertEquals(page.text.includes("\uFFFD"), true);
      assertEquals(hits.inexact, page.inexact);
      if (encoding !== "utf-8") assertEquals(page.exact, false);
      return isLost;
    };
    const cases: Readonly<Record<string, readonly [number[], number[]]>> = {
      "utf-8": [[0x61, 0xef, 0xbf, 0xbd], [0x61, 0xff]],
      "utf-16le": [[0x61, 0, 0xfd, 0xff], [0x61, 0, 0x00, 0xd8]],
      gb18030: [[0x61, 0x84, 0x31, 0xa4, 0x37], [0x61, 0xff]],
    };
    for (const [encoding, [itself, lost]] of Object.entries(cases)) {
      assertEquals(await lossyOf(itself, encoding), false, encoding);
      assertEquals(await lossyOf(lost, encoding), true, encoding);
    }
  });
  it("is noted from the right line of UTF-16, in which 0x0A may be half of a character", async () => {
    const text = "\u010A\u0A05\nown \uFFFD\nfour\nlost \uD800\n";
    const fs = memoryFs({ "/ws/a": utf16Of(text) });
    const root = await openWorkspace("/ws", { fs });
    const tool = createToolkitReadFile(root, { encoding: "utf-16le" });
    const { notes } = await respond(tool, { path: "a" });
    assertEquals(
      notes?.at(-1),
      "bytes that are not utf-16le are shown as U+FFFD from line 4 on",
    );
  });
  it("is not noted if the file contains it", async () => {
    const tool = createToolkitReadFile(workspace);
    const reply = await respond(tool, { path: "sign" });
    assertEquals([reply.ok, reply.notes], [true, undefined]);
  });
});
