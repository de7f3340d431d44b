/** Returned bytes are copies of a type that `Response` and `Blob` accept; `deno task check` checks the type. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileBytes,
  memoryFs,
  openWorkspace,
  parsePage,
  readFile,
  renderPage,
} from "../../mod.ts";
import { png } from "../support/images.ts";

/** Accepts only a valid body of a response. */
async function sizeOf(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  assertEquals(bytes.buffer instanceof ArrayBuffer, true);
  return (await new Response(bytes).bytes()).length;
}

describe("the bytes of a file", () => {
  it("are a valid body of a response", async () => {
    const image = png(2, 3);
    const files = { "/a.txt": "one\ntwo\n", "/a.png": image, "/b": "a\0b" };
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const page = await workspace.read("a.txt");
    assertEquals(await sizeOf(page.bytes()), 8);
    assertEquals(await sizeOf(parsePage(renderPage(page)).bytes()!), 8);
    const found = await workspace.read("a.txt", { match: "two" });
    assertEquals(await sizeOf(found.bytes()), 4);
    const window = await readFile(workspace, "a.txt", { kind: "all" });
    const bytes: FileBytes = window.bytes;
    assertEquals(await sizeOf(bytes), 8);
    const all = { kind: "all" } as const;
    const binary = await readFile(workspace, "b", all, { binary: "bytes" });
    assertEquals([binary.kind, await sizeOf(binary.bytes)], ["binary", 3]);
    const shown = await workspace.readImage("a.png");
    assertEquals(await sizeOf(shown.bytes), image.length);
  });
});
