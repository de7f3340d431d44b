import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type EncodingDetector,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../../mod.ts";

const fs = memoryFs({ "/ws/a": Uint8Array.of(0x61, 0xe9, 0x20, 0x0a) });

const secret = () => {
  throw new Error("secret");
};

describe("a detector of encodings that returns a wrong type", () => {
  const odd: Readonly<Record<string, () => unknown>> = {
    "throws": secret,
    "rejects": () => Promise.reject(new Error("secret")),
    "returns nothing": () => undefined,
    "returns a number": () => 5,
    "returns a list of null": () => [null],
    "returns labels that throw":
      () => [Object.create({}, { label: { get: secret } })],
  };
  for (const [what, detect] of Object.entries(odd)) {
    it(`makes a file UNREADABLE if it ${what}`, async () => {
      const workspace = await openWorkspace("/ws", {
        fs,
        detect: detect as EncodingDetector,
      });
      const error = await assertRejects(
        () => workspace.read("a"),
        ReadFileError,
      );
      assert(error.is("UNREADABLE"), error.code);
      assertEquals([error.message, error.hint], [
        'Cannot read "a": it cannot be shown as "text": the detector of its encoding failed',
        'name the encoding, such as "windows-1252"',
      ]);
      const named = await workspace.read("a", { encoding: "windows-1252" });
      assertEquals(named.lines[0]?.text, "a\xE9 ");
    });
  }
  it("is not called for UTF-8 with one invalid byte after much ASCII", async () => {
    const text = new TextEncoder().encode("Это файл в UTF-8.\n".repeat(20));
    const bytes = new Uint8Array(2 ** 21).fill(0x61).fill(0x0a, -1);
    bytes.set(text, bytes.length - text.length);
    bytes[bytes.length - 3] = 0xff;
    const workspace = await openWorkspace("/ws", {
      fs: memoryFs({ "/ws/a": bytes }),
      detect: secret,
    });
    const auto = { encoding: "auto" } as const;
    const { encoding } = await workspace.read("a", auto);
    assertEquals(encoding.label, "utf-8");
  });
  it("has no effect if it names no encoding of the runtime", async () => {
    const labels: readonly unknown[] = [5, "nope", "utf-16le", "replacement"];
    const detect = () => labels.map((label) => ({ label, confidence: 1 }));
    const workspace = await openWorkspace("/ws", {
      fs,
      detect: detect as EncodingDetector,
    });
    const { encoding, exact } = await workspace.read("a");
    assertEquals([encoding.why, exact], ["nothing else fits", false]);
  });
});
