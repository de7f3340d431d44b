import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { createOpenFile, memoryFs, openWorkspace } from "../../mod.ts";
import { CUTS } from "../support/cuts.ts";
import { bytes, failureOf, MIB, range, toolFor } from "../support/open_file.ts";

describe("open_file distinguishes text from binary", () => {
  const binary = "binary file cannot be displayed as text";
  for (
    const [name, content, start, end] of [
      ["ff fe", bytes([0xff, 0xfe]), undefined, undefined],
      ["ff in the range", bytes("a\n", [0xff], "\nb\n"), 2, 2],
      ["ff before the range", bytes([0xff], "\nb\n"), 2, 2],
      [
        "an incomplete character before the range",
        bytes([0xc3], "\nb\n"),
        2,
        2,
      ],
      ["an incomplete character at the end", bytes("a\n", [0xe6, 0xbc]), 2, 2],
      ["ff at the very end", bytes("a\nb\n", [0xff]), undefined, undefined],
      ["a surrogate", bytes([0xed, 0xa0, 0x80]), undefined, undefined],
      ["an overlong letter", bytes([0xc1, 0xa1]), 1, 1],
    ] as const
  ) {
    it(`refuses ${name} with BinaryFileNotSupported`, async () => {
      for (const most of CUTS) {
        const tool = await toolFor(content, {}, most);
        const error = await failureOf(tool, range(start, end));
        assertEquals(error.variant, "BinaryFileNotSupported");
        assertEquals(error.code, "BINARY");
        assertEquals(error.message, binary);
        const hint = name === "ff fe"
          ? "it is text in UTF-16LE; use a tool that decodes it"
          : "this tool opens only UTF-8 text; ask the user for one that shows bytes, such as Read of createForgeRead";
        assertEquals(error.hint, hint);
      }
    });
  }
  it("does not read past the last line of the range", async () => {
    const content = bytes("é\nb\n", [0xff]);
    for (const most of CUTS) {
      const tool = await toolFor(content, {}, most);
      assertEquals(await tool.call(range(1, 2)), "é\nb\n");
      assertEquals(await tool.call(range(2, 2)), "b\n");
      assertEquals((await failureOf(tool, range(2, 3))).code, "BINARY");
      assertEquals((await failureOf(tool, range())).code, "BINARY");
    }
  });
  it("checks bytes several chunks before the range", async () => {
    const line = "é".repeat(1000) + "\n";
    const good = bytes(line.repeat(300));
    const bad = good.slice();
    bad[1] = 0xff;
    const asked = range(299, 300);
    assertEquals(await (await toolFor(good)).call(asked), line.repeat(2));
    assertEquals((await failureOf(await toolFor(bad), asked)).code, "BINARY");
  });
});

describe("open_file limits the size", () => {
  it("to 1 MiB, inclusive", async () => {
    const tool = await toolFor("a".repeat(MIB));
    assertEquals((await tool.call(range())).length, MIB);
    assertEquals((await tool.call(range(1, 1))).length, MIB);
  });
  for (const args of [range(), range(1, 1)]) {
    const what = args.start_line ? "a range" : "a whole file";
    it(`refuses ${what} one byte above with FileTooLarge`, async () => {
      const tool = await toolFor("a".repeat(MIB + 1));
      const error = await failureOf(tool, args);
      assertEquals([error.variant, error.code], ["FileTooLarge", "TOO_LARGE"]);
      assertEquals(
        error.message,
        "file exceeds maximum allowed size of 1048576 bytes",
      );
      assertEquals(error.details, {
        what: "file",
        size: MIB + 1,
        limit: MIB,
      });
    });
  }
  it("to maxFileBytes: below and at the limit, not above", async () => {
    for (const args of [range(), range(1, 1)]) {
      for (const content of ["12", "123"]) {
        const tool = await toolFor(content, { maxFileBytes: 3 });
        assertEquals(await tool.call(args), content);
      }
      const tool = await toolFor("1234", { maxFileBytes: 3 });
      const error = await failureOf(tool, args);
      assertEquals(
        error.message,
        "file exceeds maximum allowed size of 3 bytes",
      );
    }
  });
  it("to empty files with 0", async () => {
    assertEquals(
      await (await toolFor("", { maxFileBytes: 0 })).call(range()),
      "",
    );
    const error = await failureOf(
      await toolFor("1", { maxFileBytes: 0 }),
      range(),
    );
    assertEquals(error.variant, "FileTooLarge");
  });
  for (const maxFileBytes of [-1, 1.5, NaN, -Infinity, 2 ** 53]) {
    it(`but not to ${maxFileBytes}`, async () => {
      const fs = memoryFs({ "/ws": { kind: "directory" } });
      const workspace = await openWorkspace("/ws", { fs });
      assertThrows(
        () => createOpenFile(workspace, { maxFileBytes }),
        RangeError,
        `maxFileBytes must be a whole number from 0 on, not ${maxFileBytes}`,
      );
    });
  }
});
