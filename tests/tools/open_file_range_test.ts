import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  type MemoryFiles,
  memoryFs,
  type OpenFileError,
  openWorkspace,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { CUTS } from "../support/cuts.ts";
import { bytes, failureOf, MIB, range, toolFor } from "../support/open_file.ts";

/** The content of the file, the requested first and last line, and the numbers in the message. */
const BAD_RANGES: readonly (readonly [
  string,
  unknown,
  unknown,
  readonly [start: number, end: number, total: number],
])[] = [
  ["1\n2\n3\n4\n", 3, 9, [3, 9, 4]],
  ["1\n2\n3\n4", 3, 9, [3, 9, 4]],
  ["1\n2\n3\n4\n", 3, 2, [3, 2, 4]],
  ["1\n2\n3\n4\n", 0, 2, [0, 2, 4]],
  ["1\n2\n3\n4\n", 0, 0, [0, 0, 4]],
  ["1\n2\n3\n4\n", 5, 5, [5, 5, 4]],
  ["1\n2\n3\n4\n", -1, 2, [-1, 2, 4]],
  ["1\n2\n3\n4\n", -3, -2, [-3, -2, 4]],
  ["1\n2\n3\n4\n", -1e300, 1, [-1e300, 1, 4]],
  ["1\n2\n3\n4\n", 1, 0, [1, 0, 4]],
  ["1\n2\n3\n4\n", undefined, 0, [1, 0, 4]],
  ["1\n2\n3\n4\n", undefined, 5, [1, 5, 4]],
  ["1\n2\n3\n4\n", 0, undefined, [0, 4, 4]],
  ["1\n2", 3, undefined, [3, 2, 2]],
  ["1\n2\n", 3, undefined, [3, 2, 2]],
  ["1", 1, 2 ** 53 - 1, [1, 2 ** 53 - 1, 1]],
  ["1", 2 ** 53 - 1, undefined, [2 ** 53 - 1, 1, 1]],
  ["", 1, 1, [1, 1, 0]],
  ["", 1, undefined, [1, 0, 0]],
  ["", undefined, 1, [1, 1, 0]],
  ["", 2, 1, [2, 1, 0]],
];

describe("open_file refuses the range", () => {
  for (const [content, start, end, [first, last, total]] of BAD_RANGES) {
    it(`${start}..${end} of ${JSON.stringify(content)} with InvalidLineRange`, async () => {
      for (const most of CUTS) {
        const tool = await toolFor(content, {}, most);
        const error = await failureOf(tool, range(start, end));
        assertEquals(error.variant, "InvalidLineRange");
        assertEquals(
          error.message,
          `invalid line range ${first}..=${last} for a file with ${total} lines`,
        );
        assert(error.is("RANGE_OUT_OF_BOUNDS"));
        assertEquals(error.details, {
          start: first,
          end: last,
          totalLines: total,
        });
        assertEquals(
          error.hint,
          total === 0
            ? "the file is empty; open it without a range"
            : `ask for lines from 1 to ${total}, the first not after the last`,
        );
      }
    });
  }
  for (const value of [1.5, "2", true, NaN, Infinity, -Infinity, {}, [1]]) {
    it(`with the number ${nameOf(value)}, without a call`, async () => {
      const fs = countingFs(memoryFs({ "/ws/a.txt": "1\n2\n" }));
      const tool = createOpenFile(await openWorkspace("/ws", { fs }));
      const { calls } = fs.counts;
      for (const args of [range(value, 2), range(1, value), range(value)]) {
        const error = await failureOf(tool, args);
        assertEquals([error.code, error.variant], ["INVALID_ARGUMENT", "Io"]);
        const name = Object.is(args.start_line, value)
          ? "start_line"
          : "end_line";
        assertEquals(error.message, `${name} must be an integer`);
      }
      assertEquals(fs.counts.calls, calls);
    });
  }
  it("with an unsafe integer as an argument", async () => {
    const error = await failureOf(await toolFor("1\n"), range(2 ** 53));
    assertEquals(error.code, "INVALID_ARGUMENT");
    assertEquals(
      error.message,
      "start_line must be at most 9007199254740991",
    );
  });
});

/** For each bad range, the path comes first, then the size, then the range, then the content. */
describe("open_file answers a bad range", () => {
  const where: readonly (readonly [
    string,
    OpenFileError["variant"],
    MemoryFiles[string],
  ])[] = [
    ["a.txt", "InvalidLineRange", "1\n2\n3\n"],
    ["a.txt", "InvalidLineRange", bytes([0xff, 0xfe])],
    ["a.txt", "FileTooLarge", new Uint8Array(MIB + 1)],
    ["a.txt", "FileTooLarge", new Uint8Array(MIB + 1).fill(0xff)],
    ["missing", "FileNotFound", ""],
    ["a.txt/b", "FileNotFound", ""],
    ["dir", "Io", ""],
    ["device", "Io", ""],
    ["loop", "Io", ""],
    ["../secret", "PermissionDenied", ""],
    ["out", "PermissionDenied", ""],
  ];
  for (const [path, variant, content] of where) {
    const { length } = content as Uint8Array | string;
    it(`on ${path} of ${length} bytes with ${variant}`, async () => {
      const tool = await toolFor(content);
      for (const [start, end] of [[3, 2], [0, 2], [0, 0], [-1, 4], [5, 1]]) {
        const args = { file_path: path, start_line: start, end_line: end };
        const error = await failureOf(tool, args);
        assertEquals(error.variant, variant, `${start}..${end}`);
      }
    });
  }
});

function nameOf(value: unknown): string {
  return typeof value === "number" ? `${value}` : JSON.stringify(value);
}
