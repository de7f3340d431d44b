/** Returned bytes are copies of a type that `Response` and `Blob` accept; `deno task check` checks the type. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type FileBytes, memoryFs, openWorkspace } from "../../mod.ts";
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
    const found = await workspace.read("a.txt", { match: "two" });
    assertEquals(await sizeOf(found.bytes()), 4);
    const binary = await workspace.read("b", { binary: "bytes" });
    const bytes: FileBytes = binary.bytes();
    assertEquals([binary.empty, await sizeOf(bytes)], ["binary", 3]);
    const shown = await workspace.readImage("a.png");
    assertEquals(await sizeOf(shown.bytes), image.length);
  });
});
