import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  createOpenFile,
  memoryFs,
  type OpenFileError,
  openWorkspace,
} from "../../mod.ts";
import { failureOf, range, toolFor } from "../support/open_file.ts";

describe("the variants of open_file's errors", () => {
  const failures: readonly (readonly [
    path: string,
    code: string,
    variant: OpenFileError["variant"],
    message: string,
    hint: string | undefined,
  ])[] = [
    [
      "no.txt",
      "NOT_FOUND",
      "FileNotFound",
      "file not found: no.txt",
      "check the spelling, or look at what the directory holds",
    ],
    [
      "a.txt/b",
      "NOT_FOUND",
      "FileNotFound",
      "file not found: a.txt/b",
      "check the path",
    ],
    [
      "a.txt/",
      "NOT_FOUND",
      "FileNotFound",
      "file not found: a.txt/",
      "check the path",
    ],
    ...["../secret", "../missing", "/secret", "/etc/missing", "out"].map((
      path,
    ) =>
      [
        path,
        "OUTSIDE_WORKSPACE",
        "PermissionDenied",
        `permission denied: ${path}`,
        `it leads out of the workspace; name a file below the workspace's root${
          path.startsWith("/")
            ? ", by its path from there, without a slash"
            : ""
        }`,
      ] as const
    ),
    [
      "dir",
      "NOT_A_FILE",
      "Io",
      'Cannot read "dir": it is a directory',
      "name a file in it",
    ],
    [
      ".",
      "NOT_A_FILE",
      "Io",
      'Cannot read ".": it is a directory',
      "name a file in it",
    ],
    [
      "device",
      "NOT_A_FILE",
      "Io",
      'Cannot read "device": it is neither a file nor a directory, and only files can be read',
      "name a file",
    ],
    [
      "loop",
      "SYMLINK_LOOP",
      "Io",
      'Cannot read "loop": it leads through too many symbolic links',
      "name the file they should lead to",
    ],
  ];
  for (const [path, code, variant, message, hint] of failures) {
    it(`${path}: ${code} as ${variant}`, async () => {
      const tool = await toolFor("1\n");
      for (const end of [undefined, 1]) {
        const error = await failureOf(tool, { file_path: path, end_line: end });
        assertEquals(error.message, message);
        assertEquals(
          [error.code, error.variant, error.path, error.hint],
          [code, variant, path, hint],
        );
        assertEquals(error.name, "OpenFileError");
      }
    });
  }
  for (
    const [by, failure, code] of [
      ["system", { code: "EACCES" }, "EACCES"],
      ["system", { code: "EPERM" }, "EPERM"],
      ["runtime", { name: "NotCapable" }, undefined],
    ] as const
  ) {
    it(`a refusal by the ${by} (${code}): PERMISSION_DENIED as PermissionDenied`, async () => {
      const fs = memoryFs({ "/ws/a.txt": "1\n" });
      const refusing = {
        ...fs,
        open: () => {
          throw Object.assign(new Error("/ws/a.txt"), failure);
        },
      };
      const tool = createOpenFile(await openWorkspace("/ws", { fs: refusing }));
      const error = await failureOf(tool, range());
      assertEquals(
        [error.code, error.variant],
        ["PERMISSION_DENIED", "PermissionDenied"],
      );
      assertEquals(error.message, "permission denied: a.txt");
      assertEquals(
        error.hint,
        `permission denied by the ${by}; ${
          by === "system"
            ? "read another file, or have its permissions changed"
            : "under Deno, allow reading the workspace's real path"
        }`,
      );
      assertEquals((error.cause as { code?: string }).code, code);
    });
  }
  it("a failure of the system: IO as Io, with the reason", async () => {
    const fs = memoryFs({ "/ws/a.txt": "1\n" });
    const failing = {
      ...fs,
      open: () => Promise.reject(Object.assign(new Error(), { code: "EIO" })),
    };
    const tool = createOpenFile(await openWorkspace("/ws", { fs: failing }));
    const error = await failureOf(tool, range());
    assertEquals([error.code, error.variant], ["IO", "Io"]);
    assertEquals(
      error.message,
      'Cannot read "a.txt": the system failed (EIO)',
    );
  });
  it("an aborted call: ABORTED as Io", async () => {
    const tool = await toolFor("1\n");
    for (const args of [range(), range(1, 1), range(2, 1)]) {
      const error = await failureOf(tool, args, AbortSignal.abort());
      assertEquals([error.code, error.variant], ["ABORTED", "Io"]);
      assertEquals(
        error.message,
        'Cannot read "a.txt": the call was aborted',
      );
    }
  });
});

describe("open_file checks its arguments", () => {
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["nothing", undefined, "arguments must be an object, or its JSON text"],
    ["null", null, "arguments must be an object, or its JSON text"],
    ["a list", [], "arguments must be an object, or its JSON text"],
    ["a number", 1, "arguments must be an object, or its JSON text"],
    [
      "bad JSON",
      "{",
      "arguments must be an object, or its JSON text; the JSON breaks off after 1 characters",
    ],
    ["JSON of a list", "[]", "arguments must be an object, or its JSON text"],
    ["no path", {}, "file_path must be a non-empty string"],
    [
      "an empty path",
      { file_path: "" },
      "file_path must be a non-empty string",
    ],
    [
      "a path that is null",
      '{"file_path":null}',
      "file_path must be a non-empty string",
    ],
    [
      "a path that is a number",
      { file_path: 1 },
      "file_path must be a non-empty string",
    ],
    [
      "an inherited path",
      Object.create({ file_path: "a.txt" }),
      "file_path must be a non-empty string",
    ],
    [
      "another name",
      { file_path: "a.txt", line: 1 },
      'arguments hold "line", which open_file does not take; it takes file_path, start_line, end_line; did you mean start_line?',
    ],
    [
      "a name that every object inherits",
      '{"file_path":"a.txt","__proto__":1}',
      'arguments hold "__proto__", which open_file does not take; it takes file_path, start_line, end_line',
    ],
    [
      "a path with a NUL",
      { file_path: "a\0" },
      'Cannot read "a\\u0000": path holds a NUL character',
    ],
  ];
  for (const [name, args, message] of bad) {
    it(`refuses ${name} with INVALID_ARGUMENT`, async () => {
      const error = await failureOf(await toolFor("1\n"), args);
      assertEquals([error.code, error.variant], ["INVALID_ARGUMENT", "Io"]);
      assertEquals(error.message, message);
    });
  }
});
