/** A call that fails with each code; docs/errors.md shows the call in each function. */
import {
  createOpenFile,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadFileErrorCode,
} from "../../mod.ts";
import { assertRejects } from "@std/assert";

/** What the page says about a code, besides the example. */
interface ErrorCase {
  readonly about: string;
  readonly advice: string;
  /** Makes the error. */
  run(): Promise<ReadFileError>;
}

export const ERROR_CASES = {
  INVALID_ARGUMENT: {
    about: "an argument, an option or the path itself cannot be used",
    advice: "send what the message asks for",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\n" }),
      });
      const error = await assertRejects(
        () => workspace.read("a.txt", { start: 0 }),
        ReadFileError,
      );
      return error;
    },
  },
  OUTSIDE_WORKSPACE: {
    about: "the path, or a link in it, leads out of the workspace",
    advice: "name a file below the root",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\n", "/b.txt": "two\n" }),
      });
      const error = await assertRejects(
        () => workspace.read("../b.txt"),
        ReadFileError,
      );
      return error;
    },
  },
  POLICY_DENIED: {
    about: "a `deny` rule or a policy forbids it; `details` names the rule",
    advice: "use another file, or change the rule",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/key.pem": "KEY" }),
        deny: ["**/*.pem"],
      });
      const error = await assertRejects(
        () => workspace.read("key.pem"),
        ReadFileError,
      );
      return error;
    },
  },
  NOT_FOUND: {
    about: "the file is missing, or a part of the path is not a directory",
    advice: "check the spelling; `details.suggestions` has similar names",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/src/main.ts": "" }),
      });
      const error = await assertRejects(
        () => workspace.read("main.ts"),
        ReadFileError,
      );
      return error;
    },
  },
  NOT_A_FILE: {
    about: "a directory, FIFO, socket or device",
    advice: "name a file; `details.entries` has some names in a directory",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/src/main.ts": "" }),
      });
      const error = await assertRejects(
        () => workspace.read("src"),
        ReadFileError,
      );
      return error;
    },
  },
  PERMISSION_DENIED: {
    about: "the system or the runtime refuses; `details.by` says which",
    advice: "change the permissions; in Deno, `--allow-read` the real root",
    async run() {
      const fs = memoryFs({ "/repo/a.txt": "one\n" });
      const refused = Object.assign(new Error(), { code: "EACCES" });
      const workspace = await openWorkspace("/repo", {
        fs: { ...fs, open: () => Promise.reject(refused) },
      });
      const error = await assertRejects(
        () => workspace.read("a.txt"),
        ReadFileError,
      );
      return error;
    },
  },
  SYMLINK_LOOP: {
    about: "the path leads through more than 40 symbolic links",
    advice: "name the target of the links",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a": { link: "b" }, "/repo/b": { link: "a" } }),
      });
      const error = await assertRejects(
        () => workspace.read("a"),
        ReadFileError,
      );
      return error;
    },
  },
  TOO_LARGE: {
    about: "the file, or one line, is larger than the limit of the call",
    advice:
      "read it with a larger limit, or parts of it: `Read`, `readerTools`",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\ntwo\n" }),
      });
      const error = await assertRejects(
        () => workspace.read("a.txt", { maxFileBytes: 7 }),
        ReadFileError,
      );
      return error;
    },
  },
  BINARY: {
    about: "the file is not text, and the call gives only text",
    advice: 'read it with `binary: "bytes"`, or with `Read`',
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.png": Uint8Array.of(0x89, 0x50, 0x00) }),
      });
      const error = await assertRejects(
        () => workspace.read("a.png", { binary: "refuse-nul" }),
        ReadFileError,
      );
      return error;
    },
  },
  UNREADABLE: {
    about: "the file cannot be shown as an image, or by the requested view",
    advice:
      '`workspace.read` shows it with view "raw"; `details.problem` says what is wrong',
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.png": Uint8Array.of(0x89, 0x50, 0x00) }),
      });
      const error = await assertRejects(
        () => workspace.readImage("a.png"),
        ReadFileError,
      );
      return error;
    },
  },
  RANGE_OUT_OF_BOUNDS: {
    about: "the file does not have the requested lines",
    advice: "request existing lines; `details.totalLines` is their number",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\ntwo\n" }),
      });
      const tool = createOpenFile(workspace);
      const error = await assertRejects(
        () => tool.call({ file_path: "a.txt", start_line: 2, end_line: 3 }),
        ReadFileError,
      );
      return error;
    },
  },
  SCAN_LIMIT: {
    about: "the lines are deeper in the file than the call may scan",
    advice: "ask for lines before, or for a larger `maxScanBytes`",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" }),
      });
      const error = await assertRejects(
        () => workspace.read("a.txt", { start: 3, maxScanBytes: 8 }),
        ReadFileError,
      );
      return error;
    },
  },
  CHANGED: {
    about: "the file or its path changed during a read, or between reads",
    advice: "read it again from the beginning",
    async run() {
      const open = (content: string, mtimeMs: number) =>
        openWorkspace("/repo", {
          fs: memoryFs({ "/repo/a.txt": { content, mtimeMs } }),
        });
      const before = await open("one\ntwo\n", 1);
      const { next } = await before.read("a.txt", { count: 1 });
      const after = await open("ONE\nTWO\n", 2);
      const error = await assertRejects(
        () => after.read("a.txt", next!),
        ReadFileError,
      );
      return error;
    },
  },
  ABORTED: {
    about: "the signal of the call was aborted",
    advice: "nothing",
    async run() {
      const workspace = await openWorkspace("/repo", {
        fs: memoryFs({ "/repo/a.txt": "one\n" }),
      });
      const signal = AbortSignal.abort();
      const error = await assertRejects(
        () => workspace.read("a.txt", {}, { signal }),
        ReadFileError,
      );
      return error;
    },
  },
  IO: {
    about: "the system failed for another reason; `details.errno` has the code",
    advice: "try again if `details.passing` is true",
    async run() {
      const fs = memoryFs({ "/repo/a.txt": "one\n" });
      const failed = Object.assign(new Error(), { code: "EMFILE" });
      const workspace = await openWorkspace("/repo", {
        fs: { ...fs, open: () => Promise.reject(failed) },
      });
      const error = await assertRejects(
        () => workspace.read("a.txt"),
        ReadFileError,
      );
      return error;
    },
  },
} as const satisfies Record<ReadFileErrorCode, ErrorCase>;
