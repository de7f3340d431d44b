import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
} from "../../../mod.ts";

type Sentences = {
  readonly [Code in ReadFileErrorCode]: readonly (readonly [
    ReadFileErrorDetails[Code],
    string,
  ])[];
};

/** The facts behind each code, and what is said of them. */
const SENTENCES: Sentences = {
  INVALID_ARGUMENT: [[
    { argument: "path", problem: "is empty" },
    "path is empty",
  ]],
  OUTSIDE_WORKSPACE: [[
    {},
    "it leads out of the workspace; name a file below its root",
  ]],
  POLICY_DENIED: [[
    { rule: "read" },
    'the rule "read" does not allow it; do without it, or ask whoever made the rule',
  ]],
  NOT_FOUND: [
    [
      { reason: "missing" },
      "nothing is there; check the spelling, or look at what the directory holds",
    ],
    [
      { reason: "not_a_directory" },
      "a part of the path before the last is not a directory; check the path",
    ],
    [
      { reason: "missing", suggestions: ["a.ts"] },
      'nothing is there; did you mean "a.ts"?',
    ],
    [
      { reason: "not_a_directory", suggestions: ["a.ts", "b", 'c"\n'] },
      'nothing is there; did you mean "a.ts", "b" or "c\\"\\n"?',
    ],
  ],
  NOT_A_FILE: [
    [{ kind: "directory" }, "it is a directory; name a file in it"],
    [
      { kind: "directory", entries: ["a.ts", "b/", "more"] },
      'it is a directory, which holds "a.ts", "b/" and "more"; name a file in it',
    ],
    [
      { kind: "other" },
      "it is neither a file nor a directory, and only files can be read; name a file",
    ],
  ],
  PERMISSION_DENIED: [
    [
      { by: "system" },
      "permission denied by the system; read another file, or have its permissions changed",
    ],
    [
      { by: "runtime" },
      "permission denied by the runtime; under Deno, allow reading the workspace's real path",
    ],
  ],
  SYMLINK_LOOP: [[
    {},
    "it leads through too many symbolic links; name the file they should lead to",
  ]],
  TOO_LARGE: [
    [
      { what: "file", size: 3_145_728, limit: 1_048_576 },
      "its 3145728 bytes exceed the limit of 1048576 bytes; read parts of it with a tool for large files",
    ],
    [
      { what: "line", size: 11, limit: 10 },
      "one of its lines is longer than the limit of 10 bytes; read around it",
    ],
  ],
  BINARY: [
    [
      { sign: "nul" },
      "it is binary: it holds a NUL byte; use a tool that gives bytes",
    ],
    [
      { sign: "utf-8" },
      "it is binary: it is not valid UTF-8; use a tool that gives bytes",
    ],
  ],
  RANGE_OUT_OF_BOUNDS: [[
    { start: 3, end: 9, totalLines: 4 },
    "lines 3 to 9 are not in a file of 4 lines; ask for lines that it has",
  ]],
  SCAN_LIMIT: [[
    { limit: 10 },
    "those lines lie more than 10 bytes into it; narrow the range",
  ]],
  CHANGED: (["path", "shrank", "rewritten"] as const).map((how) => [
    { how },
    "it changed while it was read; read it again",
  ]),
  ABORTED: [[{}, "the call was aborted; call again if it is still wanted"]],
  IO: [
    [{ errno: "EIO", passing: true }, "the system failed (EIO); try again"],
    [{ errno: null, passing: false }, "the system failed; read another file"],
    [
      { errno: "ENOTSUP", passing: false, reason: "compressed" },
      "the server sends it compressed, and so not in parts (ENOTSUP); read another file",
    ],
    [
      { errno: "ENOTSUP", passing: false, reason: "no_size" },
      "the server does not tell its size (ENOTSUP); read another file",
    ],
    [
      { errno: "EPROTO", passing: false, reason: "bad_answer" },
      "the server's answer is not one to what was asked (EPROTO); read another file",
    ],
  ],
};

type AnySentence = readonly [ReadFileErrorDetails[ReadFileErrorCode], string];

describe("ReadFileError says", () => {
  for (const [key, sentences] of Object.entries(SENTENCES)) {
    const code = key as ReadFileErrorCode;
    for (const [details, sentence] of sentences as readonly AnySentence[]) {
      it(`of ${code} ${JSON.stringify(details)}: ${sentence}`, () => {
        const error = new ReadFileError(code, "a.txt", details);
        assertEquals(error.message, `Cannot read "a.txt": ${sentence}`);
        assertEquals(error.name, "ReadFileError");
        assertEquals(error.path, "a.txt");
        assertEquals(error.details, details);
        assertEquals("cause" in error, false);
        assertEquals(
          Object.keys(SENTENCES).filter((other) =>
            error.is(other as ReadFileErrorCode)
          ),
          [code],
        );
      });
    }
  }
  it("what a tool says, where it has words of its own", () => {
    const message = "no such file";
    const cause = new Error("ENOENT");
    const details = { reason: "missing", hint: "look again" } as const;
    const options = { message, cause };
    const error = new ReadFileError("NOT_FOUND", "a", details, options);
    assertEquals(error.message, "no such file");
    assertEquals(error.hint, "look again");
    assert(error.cause === cause);
  });
  it("a path so that it cannot pass for more than itself", () => {
    const error = new ReadFileError("ABORTED", 'a": fine\nOK', {});
    assertEquals(
      error.message,
      'Cannot read "a\\": fine\\nOK": the call was aborted; call again if it is still wanted',
    );
  });
  it("at most 256 characters of a path, and all of it in the path", () => {
    const path = "a".repeat(257);
    const error = new ReadFileError("ABORTED", path, {});
    assertEquals(
      error.message,
      `Cannot read "${
        "a".repeat(256)
      }…": the call was aborted; call again if it is still wanted`,
    );
    assertEquals(error.path, path);
    const whole = new ReadFileError("ABORTED", path.slice(1), {});
    assertEquals(
      whole.message,
      `Cannot read "${
        "a".repeat(256)
      }": the call was aborted; call again if it is still wanted`,
    );
  });
  it("its details once it is narrowed", () => {
    const error: ReadFileError = new ReadFileError("TOO_LARGE", "a", {
      what: "file",
      size: 2,
      limit: 1,
    });
    // What is held here is that it compiles.
    const limit: number | undefined = error.is("TOO_LARGE")
      ? error.details.limit
      : undefined;
    assertEquals(limit, 1);
  });
});
