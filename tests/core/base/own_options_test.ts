/** What other code adds to `Object.prototype` is no option. */
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  r2Fs,
  readerTools,
  renderPage,
  respond,
} from "../../../mod.ts";
import { FakeR2 } from "../../support/fake_r2.ts";

/** Runs `work` while each object seems to have these properties. */
async function polluted<T>(
  properties: Readonly<Record<string, unknown>>,
  work: () => T | Promise<T>,
): Promise<T> {
  for (const [name, value] of Object.entries(properties)) {
    const property = { value, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, name, property);
  }
  try {
    return await work();
  } finally {
    for (const name of Object.keys(properties)) {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }
}

describe("an option that Object.prototype has", () => {
  const fs = memoryFs({ "/a.txt": "one\ntwo\nthree\n", "/b/.env": "KEY" });
  it("is not one of a read", async () => {
    const workspace = await openWorkspace("/", { fs });
    const added = { start: 2, maxLines: 1, tail: 1, encoding: "utf-16le" };
    const page = await polluted(added, () => workspace.read("a.txt"));
    assertEquals(page.text, "one\ntwo\nthree\n");
    const given = await polluted(
      { count: 1 },
      () => workspace.read("a.txt", { start: 2 }),
    );
    assertEquals(given.text, "two\nthree\n");
  });
  it("is not one of a workspace or a port", async () => {
    const bucket = new FakeR2();
    await bucket.put("in/a.txt", "inside");
    await bucket.put("a.txt", "outside");
    const added = { prefix: "in", deny: ["**"], denied: "hide" };
    const text = await polluted(added, async () => {
      const workspace = await openWorkspace("/", { fs: r2Fs(bucket) });
      return (await workspace.read("a.txt")).text;
    });
    assertEquals(text, "outside");
  });
  it("is not one of a tool or a rendering", async () => {
    const workspace = await openWorkspace("/", { fs });
    const page = await workspace.read("a.txt");
    const [readFile] = readerTools(workspace);
    const plain = await respond(readFile, { path: "a.txt" });
    const added = { maxChars: 1, maxLines: 1, tool: "x", next: null };
    const [rendered, tool] = await polluted(
      added,
      () => [renderPage(page), readerTools(workspace)[0]] as const,
    );
    const reply = await respond(tool, { path: "a.txt" });
    assertEquals([rendered, reply.content], [renderPage(page), plain.content]);
  });
});
