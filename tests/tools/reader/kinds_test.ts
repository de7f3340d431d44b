/** What a path is, and what to try with bytes that are not text. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  type FileStat,
  memoryFs,
  openWorkspace,
  readerTools,
} from "../../../mod.ts";
import { onDisk } from "../../support/disk.ts";
import { readerOn } from "../../support/reader.ts";

describe("what is no file", () => {
  for (const special of ["FIFO", "socket", "device"] as const) {
    it(`is called a ${special} where the port says so`, async () => {
      const { tools: [readFile, , list] } = await toolsWith(special);
      const { error } = await callTool(readFile, { path: "odd" });
      assertEquals(
        error!.message,
        `Cannot read "odd": it is a ${special}, and only files can be read`,
      );
      const { output } = await callTool(list, {});
      assertStringIncludes(output!.text, `\n${special}\todd\n`);
      // The description lists no kinds, since it has no room for all of them.
      const { description } = list.definition;
      assertStringIncludes(
        description,
        "in bytes, or a kind such as dir, then",
      );
    });
  }

  it("is other where the port does not say more", async () => {
    const { tools: [readFile, , list] } = await toolsWith(undefined);
    const { error } = await callTool(readFile, { path: "odd" });
    assertStringIncludes(
      error!.message,
      "it is neither a file nor a directory",
    );
    const { output } = await callTool(list, {});
    assertStringIncludes(output!.text, "\nother\todd\n");
  });

  it("is text in UTF-16 with a NUL character, which no tool shows", async () => {
    const text = (...codes: number[]) =>
      new Uint8Array(Uint16Array.of(0xfeff, ...codes).buffer);
    const files = { "/ws/a": text(0x61, 0, 0x62), "/ws/b": text(0x61, 0x62) };
    const workspace = await openWorkspace("/ws", { fs: memoryFs(files) });
    const [readFile] = readerTools(workspace);
    const { error } = await callTool(readFile, { path: "a" });
    assertEquals(
      error!.hint,
      "it is text in UTF-16LE with U+0000, which no tool here shows",
    );
    const { output } = await callTool(readFile, { path: "b" });
    assertStringIncludes(output!.text, "ab\nEnd of file.");
  });

  it("is called by its name on the disk", async () => {
    await using place = await onDisk(["ws/pipe|"]);
    const server = await readerOn([place.root]);
    const { text } = await server.call({ path: "pipe" });
    assertStringIncludes(text, "it is a FIFO, and only files can be read");
  });
});

/** The tools over a directory with one odd entry. */
async function toolsWith(special: FileStat["special"]) {
  const fs = memoryFs({ "/ws/odd": { kind: "other" } });
  const workspace = await openWorkspace("/ws", {
    fs: {
      ...fs,
      async lstat(path, role, signal) {
        const stat = await fs.lstat(path, role, signal);
        return stat.kind === "other" ? { ...stat, special } : stat;
      },
    },
  });
  return { tools: readerTools(workspace) };
}

describe("bytes that are not UTF-8", () => {
  const hint = 'name it: "encoding": "windows-1252"';
  const fs = memoryFs({ "/ws/a": Uint8Array.of(0x63, 0x61, 0xe9, 0x0a) });
  it("name encoding as what to try, without a detector", async () => {
    const [readFile] = readerTools(await openWorkspace("/ws", { fs }));
    const { output } = await callTool(readFile, { path: "a" });
    assertStringIncludes(output!.text, hint);
    const args = { path: "a", encoding: "windows-1252" };
    const { output: read } = await callTool(readFile, args);
    assertStringIncludes(read!.text, "\n1\tca\u00e9\n");
  });

  it("name it to a search that finds nothing", async () => {
    const [readFile] = readerTools(await openWorkspace("/ws", { fs }));
    const args = { path: "a", match: "ca\u00e9" };
    const { output } = await callTool(readFile, args);
    assertStringIncludes(output!.text, "no line matches, of 1.");
    assertStringIncludes(output!.text, hint);
  });

  it("do not, where a detector was asked", async () => {
    const workspace = await openWorkspace("/ws", { fs, detect: () => [] });
    const [readFile] = readerTools(workspace);
    const { output } = await callTool(readFile, { path: "a" });
    assert(!output!.text.includes(hint), output!.text);
  });
});
