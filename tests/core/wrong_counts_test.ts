import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";

/** A port whose reads return a wrong count and write nothing. */
function wrongFs(countOf: (length: number) => number): FsPort {
  const inner = memoryFs({ "/a": "x".repeat(9) });
  return {
    ...inner,
    async open(path) {
      const handle = await inner.open(path);
      return { ...handle, read: ({ length }) => countOf(length) };
    },
  };
}

describe("a port that gives a wrong count of bytes", () => {
  for (
    const [what, countOf] of [
      ["more than requested", (length: number) => length + 9],
      ["a negative count", () => -1],
      ["no number", () => NaN],
    ] as const
  ) {
    it(`shows no bytes of another file: ${what}`, async () => {
      const secrets = memoryFs({ "/s": "SECRET".repeat(9) });
      const other = await openWorkspace("/", { fs: secrets, cacheBytes: 0 });
      await other.read("s");
      const fs = wrongFs(countOf);
      const workspace = await openWorkspace("/", { fs });
      for (
        const read of [
          () => workspace.read("a"),
          () => workspace.read("a", { tail: 1 }),
          () => createOpenFile(workspace).call({ file_path: "a" }),
        ]
      ) {
        const error = await assertRejects(read);
        const { code } = error instanceof ReadFileError
          ? error
          : { code: "Io" };
        assertEquals(/^(CHANGED|Io)$/.test(code), true, code);
      }
    });
  }
});
