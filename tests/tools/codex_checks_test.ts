import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  type FsPort,
  memoryFs,
  openWorkspace,
} from "../../mod.ts";
import { CODEX_FILES as FILES, codexOn, sentenceOf } from "../support/codex.ts";

/** The faults of a call, in the order of the checks. */
const FAULTS: readonly {
  readonly args: object;
  readonly inner?: object;
  readonly sentence: string;
}[] = [
  {
    args: { mode: "neither" },
    sentence:
      'failed to parse function arguments: mode must be "slice" or "indentation"',
  },
  { args: { offset: 0 }, sentence: "offset must be a 1-indexed line number" },
  { args: { limit: 0 }, sentence: "limit must be greater than zero" },
  {
    args: { file_path: "a.txt" },
    sentence: "file_path must be an absolute path",
  },
  {
    args: { file_path: "/etc/passwd" },
    sentence: "file_path must be inside the workspace",
  },
  {
    args: {},
    inner: { anchor_line: 0 },
    sentence: "anchor_line must be a 1-indexed line number",
  },
  {
    args: {},
    inner: { max_lines: 0 },
    sentence: "max_lines must be greater than zero",
  },
  {
    args: { file_path: "/ws/none.txt" },
    sentence: "failed to read file: No such file or directory (os error 2)",
  },
  {
    args: {},
    inner: { anchor_line: 4 },
    sentence: "anchor_line exceeds file length",
  },
];

describe("codex read_file checks", () => {
  FAULTS.forEach((first, at) => {
    for (const second of FAULTS.slice(at)) {
      const name = first === second ? "alone" : `before "${second.sentence}"`;
      it(`report "${first.sentence}" ${name}`, async () => {
        const tool = await codexOn(FILES, { original: true });
        const args = {
          file_path: "/ws/a.txt",
          mode: "indentation",
          ...second.args,
          ...first.args,
          indentation: { ...second.inner, ...first.inner },
        };
        assertEquals(await sentenceOf(tool, args), first.sentence);
      });
    }
  });

  it("report an offset of 0 as a wrong offset, not as a wrong anchor", async () => {
    const args = { file_path: "/ws/a.txt", offset: 0, mode: "indentation" };
    const sentence = "offset must be a 1-indexed line number";
    assertEquals(await sentenceOf(await codexOn(FILES), args), sentence);
  });

  it("make no calls before step 7", async () => {
    const untouchable = (): never => {
      throw new Error("touched");
    };
    const memory = memoryFs(FILES);
    let ready = false;
    const fs: FsPort = {
      realPath: (path) => memory.realPath(path),
      lstat: (path) => ready ? untouchable() : memory.lstat(path),
      readLink: untouchable,
      open: untouchable,
    };
    const tool = createCodexReadFile(await openWorkspace("/ws", { fs }));
    ready = true;
    for (const { args, inner, sentence } of FAULTS.slice(0, 7)) {
      const call = {
        file_path: "/ws/a.txt",
        mode: "indentation",
        ...args,
        indentation: inner,
      };
      assertEquals(await sentenceOf(tool, call), sentence);
    }
  });
});
