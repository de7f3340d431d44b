import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../support/said.ts";
import {
  bunFs,
  denoFs,
  type FileHandle,
  type FileStat,
  type FsPort,
  hostFs,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { countingFs } from "../support/counting_fs.ts";
import { failure } from "../support/fake_fs.ts";

const TREE = {
  "/repo/a.txt": "hello",
  "/repo/src/b.txt": "b",
  "/repo/tty": { kind: "other" },
  "/link": { link: "repo" },
  "/secret.txt": "SECRET",
} as const;

const fs = memoryFs(TREE);

async function textOf(root: string, path: string, port = fs): Promise<string> {
  return (await (await openWorkspace(root, { fs: port })).read(path)).text;
}

describe("openWorkspace()", () => {
  const refusal = (root: string, port = fs): Promise<ReadFileError> =>
    assertRejects(() => openWorkspace(root, { fs: port }), ReadFileError);

  it("refuses a missing root", async () => {
    const error = await refusal("/nope");
    assert(error.is("NOT_FOUND"));
    assertEquals(error.details.reason, "missing");
    assertEquals(error.path, "/nope");
    assert((await refusal("/repo/a.txt/b")).is("NOT_FOUND"));
  });
  it("refuses a root that is a file, and says what to do", async () => {
    const error = await refusal("/repo/a.txt");
    assert(error.is("NOT_A_FILE"));
    assertEquals(error.details.kind, "file");
    assertEquals(
      said(error),
      'Cannot open the workspace "/repo/a.txt": it is a file; name a directory',
    );
  });
  it("refuses a root that is a device", async () => {
    const error = await refusal("/repo/tty");
    assert(error.is("NOT_A_FILE"));
    assertEquals(error.details.kind, "other");
    assertEquals(
      said(error),
      'Cannot open the workspace "/repo/tty": it is not a directory; name a directory',
    );
  });
  it("refuses a root whose real path names another directory", async () => {
    // For example /proc/PID/root/repo, if the process has another root.
    const magic: FsPort = {
      ...fs,
      realPath: () => "/repo",
      lstat: (path, role) =>
        path.startsWith("/proc/")
          ? { ...fs.lstat("/repo") as FileStat, id: "another" }
          : fs.lstat(path, role),
    };
    const error = await refusal("/proc/1/root/repo", magic);
    assert(error.is("INVALID_ARGUMENT"));
    assertEquals(
      error.details.problem,
      "has no real path that leads to the same place",
    );
  });
  it("refuses a root that it may not read", async () => {
    const realPath = () => Promise.reject(failure("EACCES"));
    const error = await refusal("/repo", { ...fs, realPath });
    assert(error.is("PERMISSION_DENIED"));
    assert(!error.message.includes("outside"), error.message);
  });
  it("names a file system that gives no answer", async () => {
    for (const verb of ["realPath", "lstat"]) {
      for (const answer of [() => undefined, () => Promise.resolve()]) {
        await assertRejects(
          () => openWorkspace("/repo", { fs: { ...fs, [verb]: answer } }),
          TypeError,
          "Cannot open a workspace: its file system gives no answer",
        );
      }
    }
  });
  it("takes the answers of a port from any promises", async () => {
    /** As of an older library of promises: only `then` is there. */
    const later = <T>(value: T) => {
      const then = (done: (value: T) => void) =>
        void setTimeout(done, 0, value);
      const answer: unknown = { then };
      return answer as Promise<T>;
    };
    const port: FsPort = {
      realPath: (path) => later(fs.realPath(path) as string),
      lstat: (path) => later(fs.lstat(path) as FileStat),
      readLink: (path) => later(fs.readLink(path) as string),
      open(path) {
        const handle = fs.open(path) as FileHandle;
        return later({
          stat: () => later(handle.stat() as FileStat),
          read: (...args) => later(handle.read(...args) as number),
          path: () => later(handle.path() as string),
          close: () => later(handle.close() as void),
        });
      },
    };
    assertEquals(await textOf("/repo", "a.txt", port), "hello");
  });
  it("refuses an empty root as a mistake of the caller", async () => {
    for (const root of ["", undefined, 0] as string[]) {
      await assertRejects(
        () => openWorkspace(root, { fs }),
        TypeError,
        "its root must be named",
      );
    }
  });
  it("refuses a root whose name may not be UTF-8", async () => {
    const port = memoryFs({ "/w\ufffd/a": "x", "/link": { link: "w\ufffd" } });
    for (const root of ["/w\ufffd", "/link"]) {
      await assertRejects(
        () => openWorkspace(root, { fs: port }),
        TypeError,
        "not Unicode",
      );
    }
  });
  it("explains why a path with U+FFFD is refused", async () => {
    const name = "d\uFFFD/a\uFFFD.txt";
    const port = memoryFs({ [`/ws/${name}`]: "x", "/ws/b": "x" });
    const open = async (path: string) => {
      const handle = await port.open(path);
      const stat = () => handle.stat();
      const named = () => path === "/ws/b" ? "/ws/b\uFFFD" : path;
      return { ...handle, stat, path: named };
    };
    const workspace = await openWorkspace("/ws", { fs: { ...port, open } });
    const failureOf = (path: string) =>
      assertRejects(() => workspace.read(path), ReadFileError);
    const error = await failureOf(name);
    assertEquals([error.code, error.message, error.hint], [
      "INVALID_ARGUMENT",
      `Cannot read "${name}": path holds U+FFFD, which may stand for bytes that are not UTF-8`,
      "rename the file or directory: its name must not hold U+FFFD",
    ]);
    assertEquals((await failureOf("b")).code, "CHANGED");
    assertEquals((await failureOf("c\uFFFD")).code, "NOT_FOUND");
  });
  it("accepts a root with trailing slashes", async () => {
    assertEquals(await textOf("/repo///", "/repo/a.txt"), "hello");
    assertEquals(await textOf("/link/", "/link/a.txt"), "hello");
  });
  it("recognizes a root by its given name, with any dots and slashes", async () => {
    const port = memoryFs({ "/r/ws/a": "x", "/r/link": { link: "ws" } });
    for (const root of ["/r//link", "/r/./link", "/r/link/."]) {
      assertEquals(await textOf(root, "/r/link/a", port), "x", root);
    }
  });
  it("allows at most 256 names, also through links", async () => {
    const deep = "d/".repeat(255) + "a";
    const port = memoryFs({
      [`/ws/${deep}`]: "x",
      [`/ws/d/${deep}`]: "y",
      "/ws/l": { link: "d/".repeat(200) },
      "/ws/top": { link: `${"d/".repeat(255)}a` },
    });
    assertEquals(await textOf("/ws", deep, port), "x");
    assertEquals(await textOf("/ws", "top", port), "x");
    const refused = async (path: string) => {
      const error = await assertRejects(
        () => textOf("/ws", path, port),
        ReadFileError,
      );
      assert(error.is("INVALID_ARGUMENT"));
      return error.details.problem;
    };
    assertEquals(await refused(`d/${deep}`), "has more than 256 names");
    assertEquals(
      await refused(`l/${"d/".repeat(56)}a`),
      "leads more than 256 names below the root",
    );
    assertEquals(
      await refused("./d/../d/".repeat(257)),
      "has more than 256 names",
    );
  });
  it("accepts / as a root", async () => {
    assertEquals(await textOf("/", "secret.txt"), "SECRET");
    assertEquals(await textOf("/", "/secret.txt"), "SECRET");
    assertEquals(await textOf("/", "link/a.txt"), "hello");
  });
  it("recognizes a root by its given path and its real path", async () => {
    for (const path of ["a.txt", "/link/a.txt", "/repo/a.txt"]) {
      assertEquals(await textOf("/link", path), "hello");
    }
    // As text, "/repo/../link" is "/link".
    assertEquals(await textOf("/link/../repo", "/repo/a.txt"), "hello");
  });
  it("distinguishes a path relative to the working directory from an absolute one", async () => {
    const here = { ...fs, realPath: () => "/repo" };
    const workspace = await openWorkspace("src", { fs: here });
    assertEquals(workspace.normalize("/repo/a.txt"), "a.txt");
    assertThrows(() => workspace.normalize("/src/a.txt"), Error, "leads out");
  });
  it("keeps its directory, even if the path leads elsewhere later", async () => {
    let target = "/repo";
    const port: FsPort = { ...fs, realPath: () => target };
    const workspace = await openWorkspace("/link", { fs: port });
    target = "/elsewhere";
    assertEquals((await workspace.read("a.txt")).text, "hello");
  });
});

describe("Workspace.normalize()", () => {
  const normal: Readonly<Record<string, string>> = {
    "a.txt": "a.txt",
    "./src//b.txt": "src/b.txt",
    "src/../a.txt": "a.txt",
    "nope/../a.txt": "a.txt",
    "src/": "src",
    "...": "...",
    ".": ".",
    "src/..": ".",
    "/repo/a.txt": "a.txt",
    "/link//src/../a.txt": "a.txt",
    "/repo": ".",
  };
  for (const [path, expected] of Object.entries(normal)) {
    it(`turns ${JSON.stringify(path)} into ${JSON.stringify(expected)}`, async () => {
      const workspace = await openWorkspace("/link", { fs });
      assertEquals(workspace.normalize(path), expected);
      assertEquals(workspace.normalize(expected), expected);
    });
  }
  for (
    const [path, code] of [
      ["..", "OUTSIDE_WORKSPACE"],
      ["src/../../repo/a.txt", "OUTSIDE_WORKSPACE"],
      ["/repository/a.txt", "OUTSIDE_WORKSPACE"],
      ["/", "OUTSIDE_WORKSPACE"],
      ["", "INVALID_ARGUMENT"],
      ["a\0", "INVALID_ARGUMENT"],
      ["\udc00", "INVALID_ARGUMENT"],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(path)} with ${code}`, async () => {
      const workspace = await openWorkspace("/link", { fs });
      const error = assertThrows(
        () => workspace.normalize(path),
        ReadFileError,
      );
      assertEquals(error.code, code);
      assertEquals(error.path, path);
    });
  }
  it("makes no calls", async () => {
    const port = countingFs(fs);
    const workspace = await openWorkspace("/repo", { fs: port });
    const { calls } = port.counts;
    workspace.normalize("src/b.txt");
    assertEquals(port.counts.calls, calls);
  });
});

describe("Workspace.open()", () => {
  it("has the path relative to the root, and closes at the end of the block", async () => {
    const port = countingFs(fs);
    const workspace = await openWorkspace("/repo", { fs: port });
    {
      await using file = await workspace.open("/repo/./src/b.txt");
      assertEquals([file.path, file.stat.size], ["src/b.txt", 1]);
      assertEquals(port.counts.open, 1);
      await file.close();
    }
    // Closing again has no effect.
    assertEquals(port.counts.open, 0);
  });
  it("reads only into a buffer, at a position of the file", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    await using file = await workspace.open("a.txt");
    const bytes = new Uint8Array(2);
    for (
      const [buffer, position, message] of [
        ["ab", 0, "buffer must be a Uint8Array, not a string"],
        [new ArrayBuffer(2), 0, "buffer must be a Uint8Array, not an object"],
        [bytes, -1, "position must be a whole number from 0 on, not -1"],
        [bytes, 0.5, "position must be a whole number from 0 on, not 0.5"],
        [bytes, "0", 'position must be a whole number from 0 on, not "0"'],
      ] as [Uint8Array, number, string][]
    ) {
      const error = assertThrows(
        () => file.read(buffer, position),
        ReadFileError,
      );
      assertEquals(
        [error.code, error.message],
        ["INVALID_ARGUMENT", `Cannot read "a.txt": ${message}`],
      );
    }
  });
  it("explains an invalid path", async () => {
    const workspace = await openWorkspace("/repo", { fs });
    const problemOf = async (path: unknown) => {
      const error: ReadFileError = await assertRejects(
        () => workspace.open(path as string),
        ReadFileError,
      );
      assert(error.is("INVALID_ARGUMENT"));
      assertEquals(error.details.argument, "path");
      return error.details.problem;
    };
    assertEquals(await problemOf(undefined), "is missing");
    assertEquals(await problemOf(7), "must be a string");
    assertEquals(await problemOf({ toString: 1 }), "must be a string");
    assertEquals(await problemOf(""), "must not be empty");
    assertEquals(await problemOf("a\0b"), "holds a NUL character");
    assertEquals(await problemOf("\ud800"), "holds half a surrogate pair");
    const long = "a/".repeat(2049);
    assertEquals(await problemOf(long), "is longer than 4096 bytes");
    const name = "\u00e9".repeat(128);
    assertEquals(await problemOf(name), "has a name longer than 255 bytes");
  });
  it("does not call the file system for a malformed path", async () => {
    const port = countingFs(fs);
    const workspace = await openWorkspace("/repo", { fs: port });
    const { calls } = port.counts;
    for (const path of ["../secret.txt", "/", "a\0", ""]) {
      await assertRejects(() => workspace.open(path), ReadFileError);
    }
    assertEquals(port.counts.calls, calls);
  });
});

describe("hostFs()", () => {
  it("chooses the disk of the runtime, or fails if the runtime has none", () => {
    const { Deno, Bun } = globalThis as { Deno?: unknown; Bun?: unknown };
    if (Deno !== undefined || Bun !== undefined) {
      assertEquals(typeof hostFs().open, "function");
      return;
    }
    const { message } = assertThrows(() => hostFs(), TypeError);
    assertStringIncludes(message, "neither Deno, Bun nor Node.js");
    assertStringIncludes(message, "memoryFs()");
  });
  it("fails with a reason if node:fs is missing", () => {
    const host = globalThis as {
      process?: { getBuiltinModule?: unknown } | undefined;
    };
    const { process } = host;
    try {
      host.process = undefined;
      for (const make of [bunFs, denoFs]) {
        const { message } = assertThrows(() => make(), TypeError);
        assertEquals(
          message,
          "Cannot reach a disk: this runtime has no node:fs",
        );
      }
    } finally {
      host.process = process;
    }
  });
});
