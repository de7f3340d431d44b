import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type View,
  type ViewText,
  type WorkspaceOptions,
} from "../../mod.ts";

const NEVER = new Promise<never>(() => {});

/** Reads a file that is not UTF-8, aborts once `begun` settles, and returns the error code. */
async function codeOf(
  options: WorkspaceOptions,
  begun: Promise<void>,
): Promise<string> {
  const fs = memoryFs({ "/a": new Uint8Array(99).fill(0xe9) });
  const workspace = await openWorkspace("/", { fs, ...options });
  const controller = new AbortController();
  const { signal } = controller;
  const read = () => workspace.read("a", {}, { signal });
  const failing = assertRejects(read, ReadFileError);
  await begun;
  controller.abort();
  return (await failing).code;
}

describe("an abort", () => {
  it("ends a call whose detector does not answer", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const detect = () => {
      resolve();
      return NEVER;
    };
    assertEquals(await codeOf({ detect }, promise), "ABORTED");
  });
  for (const [part, late] of [["open", true], ["read", false]] as const) {
    it(`ends a call whose view does not answer ${part}(), and closes the view`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<ViewText>();
      const text: ViewText = {
        size: 9,
        read() {
          resolve();
          return NEVER;
        },
        close: closed.resolve,
      };
      const view: View = {
        name: "slow",
        matches: () => true,
        open() {
          if (!late) return text;
          resolve();
          return opened.promise;
        },
      };
      assertEquals(await codeOf({ views: [view] }, promise), "ABORTED");
      opened.resolve(text);
      await closed.promise;
    });
  }
});
