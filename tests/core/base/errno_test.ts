import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import {
  type FileHandle,
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadFileErrorCode,
} from "../../../mod.ts";

const ROOT = "/host/ws";

/** The places where a port can fail. */
const VERBS = ["lstat", "open", "stat", "path", "read", "close"] as const;

/** A port that fails in one call, with the path of the file in the message. */
function failingFs(verb: (typeof VERBS)[number], failure: unknown): FsPort {
  const fs = memoryFs({ [`${ROOT}/a.txt`]: "1\n" });
  const fail = () => {
    throw failure;
  };
  const isFile = (path: string) => path.endsWith("/a.txt");
  return {
    ...fs,
    lstat: (path) => verb === "lstat" && isFile(path) ? fail() : fs.lstat(path),
    async open(path) {
      if (verb === "open") fail();
      const handle: FileHandle = await fs.open(path);
      return { ...handle, ...(verb in handle ? { [verb]: fail } : {}) };
    },
  };
}

async function failureAt(
  verb: (typeof VERBS)[number],
  failure: unknown,
): Promise<ReadFileError> {
  const fs = failingFs(verb, failure);
  const workspace = await openWorkspace(ROOT, { fs });
  return await assertRejects(
    () => workspace.read("a.txt"),
    ReadFileError,
  );
}

function systemError(words: object): Error {
  return Object.assign(new Error(`failed: '${ROOT}/a.txt'`), words);
}

const REFUSED = "path is not one the system can take";

/** Failures of a port, and the resulting errors. */
const SYSTEM: readonly (readonly [object, ReadFileErrorCode, object])[] = [
  [{ code: "ENOENT" }, "NOT_FOUND", { reason: "missing" }],
  [{ code: "ENOTDIR" }, "NOT_FOUND", { reason: "not_a_directory" }],
  [{ code: "EISDIR" }, "NOT_A_FILE", { kind: "directory" }],
  [{ code: "ENXIO" }, "NOT_A_FILE", { kind: "other" }],
  [{ code: "ENODEV" }, "NOT_A_FILE", { kind: "other" }],
  [{ code: "EACCES" }, "PERMISSION_DENIED", { by: "system" }],
  [{ code: "EPERM" }, "PERMISSION_DENIED", { by: "system" }],
  [{ name: "NotCapable" }, "PERMISSION_DENIED", { by: "runtime" }],
  [{ name: "NotCapable", reason: "no_net" }, "PERMISSION_DENIED", {
    by: "runtime",
    reason: "no_net",
  }],
  [{ code: "EACCES", reason: "redirected" }, "PERMISSION_DENIED", {
    by: "system",
    reason: "redirected",
  }],
  [{ code: "ENOTSUP", reason: "compressed" }, "IO", {
    errno: "ENOTSUP",
    passing: false,
    reason: "compressed",
  }],
  // A reason that is not known may be a secret, so it is dropped.
  [{ code: "EACCES", reason: "/host/ws" }, "PERMISSION_DENIED", {
    by: "system",
  }],
  [{ code: "EPROTO", reason: "toString" }, "IO", {
    errno: "EPROTO",
    passing: false,
  }],
  [{ code: "ELOOP" }, "SYMLINK_LOOP", {}],
  [{ code: "EXDEV" }, "OUTSIDE_WORKSPACE", {}],
  [{ code: "ESTALE" }, "CHANGED", { how: "replaced" }],
  ...["ENAMETOOLONG", "EINVAL", "ERR_INVALID_ARG_VALUE"].map((code) =>
    [
      { code },
      "INVALID_ARGUMENT",
      { argument: "path", problem: "is not one the system can take" },
    ] as const
  ),
  [{ name: "InvalidData" }, "INVALID_ARGUMENT", {
    argument: "path",
    problem: "leads through a name that is not Unicode",
  }],
  ...[
    "EAGAIN",
    "EBUSY",
    "EINTR",
    "EIO",
    "EMFILE",
    "ENFILE",
    "ENOMEM",
    "ETIMEDOUT",
  ].map((code) => [{ code }, "IO", { errno: code, passing: true }] as const),
  [{ code: "EBADF" }, "IO", { errno: "EBADF", passing: false }],
  [{}, "IO", { errno: null, passing: false }],
  [{ code: 5 }, "IO", { errno: null, passing: false }],
  [{ code: `no ${ROOT}` }, "IO", { errno: null, passing: false }],
  [{ name: ROOT }, "IO", { errno: null, passing: false }],
];

describe("a port's failure", () => {
  for (const [words, code, details] of SYSTEM) {
    it(`with ${JSON.stringify(words)} becomes ${code} ${JSON.stringify(details)}`, async () => {
      const error = await failureAt("lstat", systemError(words));
      assertEquals([error.code, error.path], [code, "a.txt"]);
      assertEquals(error.details, details);
      assertEquals(error.message.startsWith('Cannot read "a.txt": '), true);
    });
  }
  for (const verb of VERBS) {
    it(`of ${verb} shows only the path that the caller gave`, async () => {
      for (const [words] of SYSTEM) {
        const error = await failureAt(verb, systemError(words));
        const cause = error.cause as Error & { code?: string };
        // If a path changed during the walk, the error has no cause.
        const isPath = error.is("CHANGED") && error.details.how === "path";
        if (!isPath) assert(cause instanceof Error);
        const { details, message } = error;
        const told = [message, details, `${cause}`, cause?.message, {
          ...cause,
        }];
        assertEquals(JSON.stringify(told).includes("host"), false);
      }
    });
    for (const failure of [undefined, null, "EIO", 7, Symbol("EIO")]) {
      it(`of ${verb} may be ${String(failure)}`, async () => {
        const error = await failureAt(verb, failure);
        assertEquals(error.code, "IO");
        assertEquals(error.details, { errno: null, passing: false });
      });
    }
  }
  it("keeps its code in the cause", async () => {
    const error = await failureAt("read", systemError({ code: "EIO" }));
    const cause = error.cause as Error & { code?: string };
    assertEquals([cause.message, cause.code], ["The system said EIO", "EIO"]);
  });
  it("keeps Deno's name of it in the cause", async () => {
    const error = await failureAt("read", systemError({ name: "NotCapable" }));
    const cause = error.cause as Error;
    assertEquals(cause.message, "The system said NotCapable");
    assertEquals("code" in cause, false);
  });
  it("of a path names the argument that cannot be used", async () => {
    const error = await failureAt("lstat", systemError({ code: "EINVAL" }));
    assertEquals(error.message, `Cannot read "a.txt": ${REFUSED}`);
  });
  for (const code of ["EMFILE", "ENFILE"]) {
    it(`with ${code} says that too many files are open`, async () => {
      const error = await failureAt("open", systemError({ code }));
      assertEquals(
        said(error),
        `Cannot read "a.txt": too many files are open, so close some (${code}); try again`,
      );
    });
  }
  it("that is already a ReadFileError is passed on unchanged", async () => {
    const ours = new ReadFileError("SCAN_LIMIT", "a.txt", { limit: 1 });
    assert(await failureAt("read", ours) === ours);
  });
});
