import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type View,
  type ViewText,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";

const VIEW: View = { name: "odd", matches: () => true, open: () => "text\n" };

async function failureOf(parts: object) {
  const fs = memoryFs({ "/a": "file" });
  const views = [{ ...VIEW, ...parts }];
  const workspace = await openWorkspace("/", { fs, views });
  return await assertRejects(() => workspace.read("a"), ReadFileError);
}

describe("a view that violates its interface", () => {
  const secret = () => {
    throw new Error("secret");
  };
  const read = () => 0;
  const odd: Readonly<Record<string, object>> = {
    "throws in open()": { open: secret },
    "throws in matches()": { matches: secret },
    "returns nothing": { open: () => null },
    "returns a number": { open: () => 5 },
    "returns no size": { open: () => ({ read }) },
    "returns a size below 0": { open: () => ({ size: -1, read }) },
    "has no read()": { open: () => ({ size: 1 }) },
  };
  for (const [what, parts] of Object.entries(odd)) {
    it(`is UNREADABLE if it ${what}`, async () => {
      const error = await failureOf(parts);
      assert(error.is("UNREADABLE"), error.code);
      assertEquals(error.details, { as: "odd", problem: "the view failed" });
      assertEquals(error.hint, 'read the file itself with view "raw"');
      assert(!error.message.includes("secret"));
    });
  }
});

describe("the text of a view", () => {
  it("names the lines of a string with lone surrogates", async () => {
    const text = "one\n\uFFFD\n\uDC00a\uD800\n\u{1F600}\n\uD83D";
    const views = [{ ...VIEW, open: () => text }];
    const fs = memoryFs({ "/a": "file" });
    const detect = () => [{ label: "windows-1252", confidence: 1 }];
    const workspace = await openWorkspace("/", { fs, views, detect });
    const { lines, inexact, exact } = await workspace.read("a");
    assertEquals(lines.map(({ text }) => text), [
      ...["one", "\uFFFD", "\uFFFDa\uFFFD", "\u{1F600}", "\uFFFD"],
    ]);
    assertEquals([exact, inexact.map(({ number }) => number)], [false, [3, 5]]);
  });
  it("names the lines of bytes that are not UTF-8, and detects no encoding", async () => {
    const bytes = Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a);
    const read = (buffer: Uint8Array, position: number) => {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    };
    const views = [{ ...VIEW, open: () => ({ size: bytes.length, read }) }];
    const fs = memoryFs({ "/a": "file" });
    const detect = () => [{ label: "windows-1252", confidence: 1 }];
    const workspace = await openWorkspace("/", { fs, views, detect });
    const { lines, inexact } = await workspace.read("a");
    assertEquals(lines[1]?.text, "\uFFFD");
    assertEquals(inexact, [{ number: 2, reason: "not UTF-8" }]);
  });
});

describe("a view that delivers fewer bytes than its size", () => {
  it("fails the read of one file, and of several", async () => {
    const bytes = new TextEncoder().encode("one\ntwo\n");
    const read = (buffer: Uint8Array, position: number) => {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    };
    const views = [{ ...VIEW, open: () => ({ size: 100, read }) }];
    const fs = memoryFs({ "/a": "file" });
    const workspace = await openWorkspace("/", { fs, views });
    const alone = await assertRejects(() => workspace.read("a"), ReadFileError);
    const [answer] = await workspace.readMany([{ path: "a" }]);
    assert(alone.is("CHANGED"));
    assert(answer?.kind === "error" && answer.error.is("CHANGED"));
    assertEquals(answer.error.message, alone.message);
  });
});

describe("a view whose close() fails", () => {
  it("leaves no file open", async () => {
    const close = () => {
      throw new Error("secret");
    };
    const text = { size: 0, read: () => 0, close };
    const fs = countingFs(memoryFs({ "/a": "file" }));
    const views = [{ ...VIEW, open: () => text }];
    const workspace = await openWorkspace("/", { fs, views });
    const error = await assertRejects(() => workspace.read("a"), ReadFileError);
    assert(error.is("IO") && !error.message.includes("secret"));
    assertEquals(fs.counts.open, 0);
  });
});

describe("a view that transfers the buffer of read()", () => {
  it("fails without affecting later reads", async () => {
    const read = ({ buffer }: Uint8Array<ArrayBuffer>) => {
      structuredClone(buffer, { transfer: [buffer] });
      return 1;
    };
    const open = () => ({ size: 100, read: read as ViewText["read"] });
    const fs = memoryFs({ "/a": "file" });
    const broken = await openWorkspace("/", { fs, views: [{ ...VIEW, open }] });
    await assertRejects(() => broken.read("a"), ReadFileError);
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("a")).lines[0]?.text, "file");
  });
});
