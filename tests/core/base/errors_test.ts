import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  OpenFileError,
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  ToolkitReadFileError,
} from "../../../mod.ts";

type Sentences = {
  readonly [Code in ReadFileErrorCode]: readonly (readonly [
    ReadFileErrorDetails[Code],
    string,
  ])[];
};

/** The details of each code, and the resulting sentence. */
const SENTENCES: Sentences = {
  INVALID_ARGUMENT: [[
    { argument: "path", problem: "is empty" },
    "path is empty; name the file by another path",
  ]],
  OUTSIDE_WORKSPACE: [[
    {},
    "it leads out of the workspace; name a file below the workspace's root",
  ]],
  POLICY_DENIED: [[
    { rule: "read" },
    'the rule "read" does not allow it; use another file, or ask the user to change the rule',
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
      'it is a directory; name a file in it; it holds "a.ts", "b/" and "more"',
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
      "its 3145728 bytes exceed the limit of 1048576 bytes; read it with a larger maxFileBytes",
    ],
    [
      { what: "line", size: 11, limit: 10 },
      "one of its lines is longer than the limit of 10 bytes; read around it",
    ],
  ],
  BINARY: [
    [
      { sign: "nul" },
      'it is binary: it holds a NUL byte; read it with "binary": "bytes"',
    ],
    [
      { sign: "utf-8" },
      'it is binary: it is not valid UTF-8; read it with "binary": "bytes"',
    ],
  ],
  UNREADABLE: [[
    { as: "image", problem: "it is empty" },
    'it cannot be shown as "image": it is empty',
  ]],
  RANGE_OUT_OF_BOUNDS: [[
    { start: 3, end: 9, totalLines: 4 },
    "lines 3 to 9 are not in a file of 4 lines; ask for lines that it has",
  ]],
  SCAN_LIMIT: [[
    { limit: 10 },
    "those lines lie more than 10 bytes into it; ask for a larger maxScanBytes",
  ]],
  CHANGED: (["path", "shrank", "rewritten"] as const).map((how) => [
    { how },
    "it changed while it was read; read it again",
  ]),
  ABORTED: [[{}, "the call was aborted"]],
  IO: [
    [{ errno: "EIO", passing: true }, "the system failed (EIO); try again"],
    [{ errno: null, passing: false }, "the system failed; read another file"],
    [
      { errno: "ENOSYS", passing: false },
      "directories cannot be listed there (ENOSYS); read a file by its path",
    ],
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

describe("ReadFileError", () => {
  for (const [key, sentences] of Object.entries(SENTENCES)) {
    const code = key as ReadFileErrorCode;
    for (const [details, sentence] of sentences as readonly AnySentence[]) {
      it(`says of ${code} ${JSON.stringify(details)}: ${sentence}`, () => {
        // Cast, since the compiler does not pair a code with its details.
        const error = new ReadFileError(
          code as "IO",
          "a.txt",
          details as never,
        );
        const [what, ...next] = sentence.split("; ");
        assertEquals(error.message, `Cannot read "a.txt": ${what}`);
        assertEquals(error.hint, next.join("; ") || undefined);
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
  it("begins its stack with the sentence", () => {
    const error = new ReadFileError("ABORTED", "a", {});
    const sentence = 'Cannot read "a": the call was aborted';
    assertEquals(String(error), `ReadFileError: ${sentence}`);
    assertStringIncludes(
      `${error.stack}`.startsWith("ReadFileError") ? error.stack! : sentence,
      sentence,
    );
  });
  it("uses a tool's words instead of the core's", () => {
    const cause = new Error("ENOENT");
    const words: Parameters<ReadFileError["with"]>[0]["words"] = {
      NOT_FOUND: ({ path, details }) => [`${path} ${details.reason}`, "go on"],
    };
    const error = new ReadFileError("NOT_FOUND", "a", { reason: "missing" }, {
      words,
      cause,
    });
    assertEquals([error.message, error.hint], ["a missing", "go on"]);
    assert(error.cause === cause);
    const other = new ReadFileError("ABORTED", "a", {}, { words });
    assertEquals(other.message, 'Cannot read "a": the call was aborted');
  });
  it("gives a custom hint, or none", () => {
    const details = { reason: "missing" } as const;
    const hints = ["look again", null].map((hint) =>
      new ReadFileError("NOT_FOUND", "a", details, { hint }).hint
    );
    assertEquals(hints, ["look again", undefined]);
  });
  it("refuses details that its words cannot put into a sentence", () => {
    assertThrows(
      // @ts-expect-error The details lack the problem.
      () => new ReadFileError("INVALID_ARGUMENT", "a", { argument: Symbol() }),
      TypeError,
    );
  });
  it("changes the path, the words and the details in with()", () => {
    const cause = new Error("ENOENT");
    const error = new ReadFileError("NOT_FOUND", "a", { reason: "missing" }, {
      cause,
    });
    const moved = error.with({ path: "b" });
    assertEquals(moved.message, 'Cannot read "b": nothing is there');
    assertEquals([error.path, moved.path], ["a", "b"]);
    assert(moved.cause === cause);
    const reworded = moved.with({
      words: { NOT_FOUND: ({ path }) => [`no ${path}`] },
    });
    assertEquals([reworded.message, reworded.hint], ["no b", undefined]);
    assertEquals(reworded.with({ path: "c" }).message, "no c");
    const suggestions = ["bb"];
    const helped = moved.with({ details: { reason: "missing", suggestions } });
    assertEquals(helped.hint, 'did you mean "bb"?');
    assertEquals(moved.with({ hint: "x" }).with({ path: "c" }).hint, "x");
  });
  it("quotes a path, and escapes its control characters", () => {
    const error = new ReadFileError("ABORTED", 'a": fine\nOK\u202e', {});
    assertEquals(
      error.message,
      'Cannot read "a\\": fine\\nOK\\u202e": the call was aborted',
    );
  });
  it("shows at most 256 characters of a path, and keeps it whole in `path`", () => {
    const path = "a".repeat(257);
    const error = new ReadFileError("ABORTED", path, {});
    assertEquals(
      error.message,
      `Cannot read "${"a".repeat(256)}…": the call was aborted`,
    );
    assertEquals(error.path, path);
    const divided = new ReadFileError(
      "ABORTED",
      `${path.slice(2)}\u{1F600}b`,
      {},
    );
    assertEquals(
      divided.message,
      `Cannot read "${"a".repeat(255)}…": the call was aborted`,
    );
    const whole = new ReadFileError("ABORTED", path.slice(1), {});
    assertEquals(
      whole.message,
      `Cannot read "${"a".repeat(256)}": the call was aborted`,
    );
  });
});

// These tests check types only.
describe("the type of a caught error", () => {
  it("has a code of the union, and details that is() narrows", () => {
    const caught: unknown = new ReadFileError("NOT_FOUND", "a", {
      reason: "missing",
      suggestions: ["b"],
    });
    assert(caught instanceof ReadFileError);
    const code: ReadFileErrorCode = caught.code;
    // @ts-expect-error This code does not exist.
    assertEquals(caught.code === "NO_SUCH_CODE", false);
    // @ts-expect-error Only some codes have this detail.
    assertEquals(caught.details.suggestions, ["b"]);
    assertThrows(() =>
      // @ts-expect-error No code has this detail.
      caught.details.nonsense.foo
    );
    assertEquals(code, "NOT_FOUND");
    const suggestions: readonly string[] | undefined = caught.is("NOT_FOUND")
      ? caught.details.suggestions
      : undefined;
    const limit: number | undefined = caught.is("TOO_LARGE")
      ? caught.details.limit
      : undefined;
    assertEquals([suggestions, limit], [["b"], undefined]);
  });
  it("is narrow where the code is known", () => {
    const error = new ReadFileError("SCAN_LIMIT", "a", { limit: 1 });
    assert(error.is("SCAN_LIMIT"));
    assertEquals([error.details.limit, error.code], [1, "SCAN_LIMIT"]);
    // @ts-expect-error Another code has these details.
    new ReadFileError("SCAN_LIMIT", "a", { sign: "nul" });
  });
  it("also fits the errors of a tool", () => {
    for (const Failure of [OpenFileError, ToolkitReadFileError]) {
      const caught: unknown = new Failure(
        new ReadFileError("SCAN_LIMIT", "a", { limit: 1 }),
      );
      assert(caught instanceof ReadFileError && caught instanceof Failure);
      assert(caught.is("SCAN_LIMIT"));
      const limit: number = caught.details.limit;
      assertEquals(limit, 1);
      // @ts-expect-error Another code has this detail.
      assertEquals(caught.details.sign, undefined);
      assert(caught.with({ path: "b" }) instanceof Failure);
      assertEquals(caught.with({ path: "b" }).path, "b");
    }
    // Runtimes and test libraries print the name of the class.
    assertEquals(ReadFileError.name, "ReadFileError");
    for (const shown of [OpenFileError, new OpenFileError(aborted)]) {
      assertEquals(shown.name, "OpenFileError");
    }
    const failure = new ToolkitReadFileError(aborted);
    for (const shown of [ToolkitReadFileError, failure]) {
      assertEquals(shown.name, "ToolkitReadFileError");
    }
  });
});

const aborted = new ReadFileError("ABORTED", "a", {});
