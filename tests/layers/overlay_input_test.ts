import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type ReadFileError } from "../../mod.ts";
import { type Edit, overlayFs } from "../../layers/mod.ts";
import { SAVED } from "../support/edited_tree.ts";

describe("a wrong edit", () => {
  for (const path of ["a.txt", "", "/", "/a/", "//a", "/a/../b", "file:///a"]) {
    it(`at ${JSON.stringify(path)} is refused`, () => {
      const error = assertThrows(
        () => overlayFs(memoryFs({}), { [path]: "x" }),
        TypeError,
      );
      assertEquals(
        error.message,
        `Cannot overlay an edit of ${
          JSON.stringify(path)
        }: it is not an absolute path of a file; write it as "/repo/a.txt"`,
      );
    });
  }

  const base = memoryFs({});
  for (
    const [what, ask, message] of [
      [
        "a number",
        () => overlayFs(base, { "/a": 5 as never }),
        'Cannot overlay an edit of "/a": it must be a string, a Uint8Array, or null where the file is gone, not 5',
      ],
      [
        "undefined, in a map",
        () => overlayFs(base, new Map([["/a", undefined as never]])),
        'Cannot overlay an edit of "/a": it must be a string, a Uint8Array, or null where the file is gone, not undefined',
      ],
      [
        "at a key that is not a string",
        () => overlayFs(base, new Map([[1 as never, "x"]])),
        'Cannot overlay an edit of 1: it is not an absolute path of a file; write it as "/repo/a.txt"',
      ],
      [
        "null instead of edits",
        () => overlayFs(base, null as never),
        "Cannot overlay edits: edits must be a Map or a plain object of edits, by path, not null",
      ],
      [
        "a string instead of edits",
        () => overlayFs(base, "typed" as never),
        "Cannot overlay edits: edits must be a Map or a plain object of edits, by path, not a string",
      ],
      [
        "a promise of edits",
        () => overlayFs(base, Promise.resolve({}) as never),
        "Cannot overlay edits: edits must be a Map or a plain object of edits, by path, not a promise; await it",
      ],
      [
        "null as the port below",
        () => overlayFs(null as never, {}),
        "Cannot overlay edits: what is below them must be a file system, such as memoryFs({}), not null",
      ],
    ] as const
  ) {
    it(`is refused: ${what}`, () => {
      assertEquals(assertThrows(ask, TypeError).message, message);
    });
  }
  it("that later becomes a number is refused by the read", async () => {
    const edits = new Map<string, Edit>([["/ws/a.txt", "typed"]]);
    const fs = overlayFs(memoryFs(SAVED), edits);
    const workspace = await openWorkspace("/ws", { fs });
    edits.set("/ws/a.txt", 5 as never);
    const read = workspace.read("a.txt");
    const code = await read.catch(({ code }: ReadFileError) => code);
    assertEquals(code, "IO");
  });
});
