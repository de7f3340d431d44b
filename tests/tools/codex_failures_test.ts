import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  callTool,
  createCodexReadFile,
  type FsPort,
  memoryFs,
  openWorkspace,
  respond,
} from "../../mod.ts";
import {
  CODEX_FILES as FILES,
  codexOn,
  failureOf,
  PROFILES,
  sentenceOf,
} from "../support/codex.ts";
import { replyOf } from "../support/replies.ts";

interface ReadFault {
  readonly path: string;
  readonly code: string;
  readonly ours: string;
  readonly theirs: string;
}

const READ_FAULTS: readonly ReadFault[] = [
  {
    path: "/ws/none.txt",
    code: "NOT_FOUND",
    ours:
      "nothing is there; check the spelling, or look at what the directory holds",
    theirs: "No such file or directory (os error 2)",
  },
  {
    path: "/ws/a.txt/b",
    code: "NOT_FOUND",
    ours:
      "a part of the path before the last is not a directory; check the path",
    theirs: "Not a directory (os error 20)",
  },
  {
    path: "/ws/a.txt/",
    code: "NOT_FOUND",
    ours:
      "a part of the path before the last is not a directory; check the path",
    theirs: "Not a directory (os error 20)",
  },
  {
    path: "/ws/dir",
    code: "NOT_A_FILE",
    ours: "it is a directory; name a file in it",
    theirs: "Is a directory (os error 21)",
  },
  {
    path: "/ws",
    code: "NOT_A_FILE",
    ours: "it is a directory; name a file in it",
    theirs: "Is a directory (os error 21)",
  },
  {
    path: "/ws/pipe",
    code: "NOT_A_FILE",
    ours:
      "it is neither a file nor a directory, and only files can be read; name a file",
    theirs: "it is neither a file nor a directory, and only files can be read",
  },
  {
    path: "/ws/loop",
    code: "SYMLINK_LOOP",
    ours:
      "it leads through too many symbolic links; name the file they should lead to",
    theirs: "Too many levels of symbolic links (os error 40)",
  },
];

describe("codex read_file failures", () => {
  for (const { path, code, ours, theirs } of READ_FAULTS) {
    for (const mode of ["slice", "indentation"]) {
      it(`have the library's message: ${path} (${mode})`, async () => {
        const tool = await codexOn(FILES);
        const error = await failureOf(tool, { file_path: path, mode });
        assertEquals(
          `${error.message}; ${error.hint}`,
          `failed to read file: ${ours}`,
        );
        assertEquals([error.code, error.path], [code, path]);
      });

      it(`have the system's message, in the original profile: ${path} (${mode})`, async () => {
        const tool = await codexOn(FILES, { original: true });
        const error = await failureOf(tool, { file_path: path, mode });
        assertEquals(error.message, `failed to read file: ${theirs}`);
        assertEquals([error.code, error.path], [code, path]);
        assertEquals(error.hint, undefined);
        const { notes } = await callTool(tool, { file_path: path, mode });
        const [, ...hint] = ours.split("; ");
        assertEquals(notes, [hint.join("; ")]);
      });
    }
  }

  const broken: readonly [string, string, string, string][] = [
    [
      "EACCES",
      "PERMISSION_DENIED",
      "permission denied by the system; read another file, or have its permissions changed",
      "Permission denied (os error 13)",
    ],
    [
      "EPERM",
      "PERMISSION_DENIED",
      "permission denied by the system; read another file, or have its permissions changed",
      "Permission denied (os error 13)",
    ],
    [
      "EIO",
      "IO",
      "the system failed (EIO); try again",
      "the system failed (EIO)",
    ],
  ];
  for (const [errno, code, ours, theirs] of broken) {
    for (const [name, options] of PROFILES) {
      it(`of the port do not reveal its paths: ${errno}${name}`, async () => {
        const memory = memoryFs(FILES);
        const fs: FsPort = {
          realPath: (path) => memory.realPath(path),
          lstat: (path) => memory.lstat(path),
          readLink: (path) => memory.readLink(path),
          open() {
            throw Object.assign(new Error(`${errno}: open '/host/secret'`), {
              code: errno,
            });
          },
        };
        const tool = createCodexReadFile(
          await openWorkspace("/ws", { fs }),
          options,
        );
        const error = await failureOf(tool, { file_path: "/ws/a.txt" });
        const told = options.original ? [theirs, undefined] : ours.split("; ");
        assertEquals(
          [error.message, error.hint],
          [`failed to read file: ${told[0]}`, told[1]],
        );
        assertEquals(error.code, code);
        assert(!JSON.stringify([error, `${error.cause}`]).includes("/host"));
      });
    }
  }

  for (const [name, options] of PROFILES) {
    it(`say that the call was aborted${name}`, async () => {
      const tool = await codexOn(FILES, options);
      const signal = AbortSignal.abort();
      const reply = await respond(tool, { file_path: "/ws/a.txt" }, { signal });
      const content = "failed to read file: the call was aborted";
      assertEquals(reply, replyOf({ ok: false, content }));
    });
  }

  it("do not repeat the path", async () => {
    const path = '/ws/no "such": file';
    const sentence = await sentenceOf(await codexOn(FILES), {
      file_path: path,
    });
    assertEquals(sentence, "failed to read file: nothing is there");
  });

  it("contain the details of the arguments", async () => {
    const tool = await codexOn(FILES);
    const error = await failureOf(tool, { file_path: "/ws/a.txt", limit: 0 });
    assertEquals(error.path, "/ws/a.txt");
    assertEquals(error.details, {
      argument: "limit",
      problem: "must be greater than zero",
    });
    assertEquals(error.hint, "ask for at least one line, or leave limit out");
  });

  it("do not affect the next call", async () => {
    const tool = await codexOn(FILES);
    await failureOf(tool, { file_path: "/ws/none.txt" });
    assertEquals(
      (await tool.call({ file_path: "/ws/dir/b.txt" })).content,
      "L1: b",
    );
  });
});
