import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { gitFs, type GitFsOptions } from "../../git/mod.ts";
import type { MemoryEntry } from "../support/git_place.ts";
import {
  commitOf,
  type GitFiles,
  looseFiles,
  objectsOf,
  packFiles,
  packOf,
  repositoryOf,
} from "../support/git_repository.ts";

const GIT = repositoryOf({ "a.txt": "hello" });

/** The files of a repository in a folder. */
function at(folder: string, files: GitFiles): Record<string, MemoryEntry> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      `${folder}/${path}`,
      content,
    ]),
  );
}

/** The text of `a.txt`, or the code of the failure. */
async function answer(
  files: Readonly<Record<string, MemoryEntry>>,
  options: Partial<GitFsOptions> = {},
): Promise<string> {
  try {
    const place = { repository: "/repo", rev: "HEAD", fs: memoryFs(files) };
    const fs = await gitFs({ ...place, ...options });
    const file = await (await openWorkspace("/", { fs })).open("a.txt");
    const buffer = new Uint8Array(99);
    const count = await file.read(buffer, 0);
    await file.close();
    return new TextDecoder().decode(buffer.subarray(0, count));
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error;
    return error.code;
  }
}

const WITHOUT_HEAD = Object.fromEntries(
  Object.entries(GIT).filter(([path]) => path !== "HEAD"),
);
/** A linked worktree: its files are in the repository of another one. */
const WORKTREE = {
  ...at("/main/.git", GIT),
  "/main/.git/worktrees/w/HEAD": "ref: refs/heads/main\n",
  "/main/.git/worktrees/w/commondir": "../..\n",
  "/repo/.git": "gitdir: /main/.git/worktrees/w\n",
};
const OBJECTS = Object.fromEntries(
  Object.entries(GIT).filter(([path]) => path.startsWith("objects/")),
);
const OTHERS = Object.fromEntries(
  Object.entries(GIT).filter(([path]) => !path.startsWith("objects/")),
);
const BORROWING = (path: string) => ({
  ...at("/repo/.git", OTHERS),
  ...at("/other", OBJECTS),
  "/repo/.git/objects/info/alternates": `# from there\n${path}\n`,
});

/** A port that spells paths as Windows does, with these files. */
function windowsFs(files: Readonly<Record<string, MemoryEntry>>): FsPort {
  const fs = memoryFs(files);
  return {
    ...fs,
    spelling: { form: "windows" },
    realPath: (path) =>
      fs.realPath(
        path.replaceAll("\\", "/").replace(/^(?=[A-Z]:)|^\/(?=\/)/, (start) =>
          start === "" ? "/" : ""),
      ),
  };
}

describe("where gitFs() finds a repository on Windows", () => {
  const moved = (root: string, line: string) => ({
    ...at(`${root}/main/.git`, GIT),
    [`${root}/main/.git/worktrees/w/HEAD`]: "ref: refs/heads/main\n",
    [`${root}/main/.git/worktrees/w/commondir`]: "../..\n",
    [`${root}/wt/.git`]: `gitdir: ${line}\n`,
  });
  for (
    const [root, given, line] of [
      ["/C:", "C:\\", "C:/main/.git/worktrees/w"],
      ["/C:", "C:\\", "c:/main/.git/worktrees/w"],
      ["/C:", "C:\\", "../main/.git/worktrees/w"],
      ["/C:", "C:\\", "../../../main/.git/worktrees/w"],
      [
        "/host/share",
        "\\\\host\\share\\",
        "//host/share/main/.git/worktrees/w",
      ],
      ["/host/share", "\\\\host\\share\\", "../main/.git/worktrees/w"],
    ] as const
  ) {
    it(`in a worktree, by ${line} below ${given}`, async () => {
      const fs = windowsFs(moved(root, line));
      const repository = `${given}wt`;
      assertEquals(await answer({}, { fs, repository }), "OUTSIDE_WORKSPACE");
      const error = await assertRejects(
        () => gitFs({ repository, rev: "HEAD", fs }),
        ReadFileError,
      );
      // What the hint names can be allowed.
      const [, allowed = ""] = /allow: \["([^"]+)"\]/.exec(error.hint!)!;
      assertMatch(
        allowed,
        /^(?:[Cc]:|\/\/host\/share)\/main\/\.git\/worktrees\/w$/,
      );
      const allow = [`${given}main\\.git`];
      assertEquals(await answer({}, { fs, repository, allow }), "hello");
    });
  }
});

describe("where gitFs() finds a repository", () => {
  for (
    const [what, files, options, wanted] of [
      ["in .git", at("/repo/.git", GIT), {}, "hello"],
      ["in a bare repository", at("/repo", GIT), {}, "hello"],
      [
        "in .git itself",
        at("/repo/.git", GIT),
        { repository: "/repo/.git" },
        "hello",
      ],
      ["not above", { ...at("/repo/.git", GIT), "/repo/sub/x": "" }, {
        repository: "/repo/sub",
      }, "NOT_FOUND"],
      ["not without HEAD", at("/repo/.git", WITHOUT_HEAD), {}, "NOT_FOUND"],
      [
        "not where nothing is",
        at("/repo/.git", GIT),
        { repository: "/none" },
        "NOT_FOUND",
      ],
      [
        "in a folder that the file .git names inside",
        { ...at("/repo/real", GIT), "/repo/.git": "gitdir: real\n" },
        {},
        "hello",
      ],
      [
        "in a folder that the link .git leads to inside",
        { ...at("/repo/real", GIT), "/repo/.git": { link: "real" } },
        {},
        "hello",
      ],
      ["not in a worktree of another", WORKTREE, {}, "OUTSIDE_WORKSPACE"],
      [
        "in a worktree of an allowed one",
        WORKTREE,
        { allow: ["/main/.git"] },
        "hello",
      ],
      ["not in a worktree if only another folder is allowed", WORKTREE, {
        allow: ["/main/.git/objects"],
      }, "OUTSIDE_WORKSPACE"],
      ["not in a worktree if only its own folder is allowed", WORKTREE, {
        allow: ["/main/.git/worktrees/w"],
      }, "OUTSIDE_WORKSPACE"],
      [
        "not in alternates outside",
        BORROWING("/other/objects"),
        {},
        "OUTSIDE_WORKSPACE",
      ],
      ["in allowed alternates", BORROWING("/other/objects"), {
        allow: ["/other"],
      }, "hello"],
      [
        "in allowed alternates, by a relative path",
        BORROWING("../../../other/objects"),
        { allow: ["/other/objects"] },
        "hello",
      ],
      [
        "in alternates inside",
        {
          ...BORROWING("/repo/lent"),
          ...at(
            "/repo/lent",
            Object.fromEntries(
              Object.entries(OBJECTS).map((
                [path, bytes],
              ) => [path.slice(8), bytes]),
            ),
          ),
        },
        {},
        "hello",
      ],
      [
        "in alternates that name each other",
        {
          ...BORROWING("/other/objects"),
          "/other/objects/info/alternates": "/repo/.git/objects\n",
        },
        { allow: ["/other"] },
        "hello",
      ],
      ["not in alternates that are gone", BORROWING("/other/gone"), {
        allow: ["/other"],
      }, "NOT_FOUND"],
    ] as const
  ) {
    it(`looks ${what}`, async () => {
      assertEquals(await answer(files, options), wanted);
    });
  }
  it("says what to allow", async () => {
    const fs = memoryFs(WORKTREE);
    const error = await assertRejects(
      () => gitFs({ repository: "/repo", rev: "HEAD", fs }),
      ReadFileError,
    );
    assertEquals(
      [error.message, error.hint],
      [
        'Cannot open the revision "HEAD": its file ".git" names "/main/.git/worktrees/w", which is outside of the repository',
        'allow it, if you trust the repository: { allow: ["/main/.git/worktrees/w"] }',
      ],
    );
  });
  it("reads a repository with SHA-256", async () => {
    const { root, objects } = objectsOf({ "a.txt": "hello" }, "sha256");
    const commit = commitOf(root.oid, [], "one", "sha256");
    const files = {
      "HEAD": "ref: refs/heads/main\n",
      "config":
        '[core]\n\trepositoryformatversion = 1\n[Extensions]\n\tobjectFormat = "sha256" # new\n',
      "packed-refs":
        `# pack-refs with: peeled\n${commit.oid} refs/heads/main\n`,
      ...looseFiles([commit]),
      ...packFiles(packOf(objects, "sha256")),
    };
    assertEquals(await answer(at("/repo/.git", files)), "hello");
    const rev = commit.oid.slice(0, 6);
    assertEquals(await answer(at("/repo/.git", files), { rev }), "hello");
  });
  it("reads many packs, and one that another process has just made", async () => {
    const { root, objects } = objectsOf({ "a.txt": "hello", "b": "x" });
    const commit = commitOf(root.oid);
    const all = [...objects, commit];
    const files: Record<string, MemoryEntry> = {
      "/repo/.git/HEAD": `${commit.oid}\n`,
      "/repo/.git/objects/info/packs": "",
    };
    for (const [i, object] of all.entries()) {
      Object.assign(
        files,
        at("/repo/.git", packFiles(packOf([object]), `p${i}`)),
      );
    }
    assertEquals(await answer(files), "hello");
    // First the packs, then one pack of all.
    const before = memoryFs(files);
    const after = memoryFs({
      "/repo/.git/HEAD": "",
      ...at("/repo/.git", packFiles(packOf(all), "all")),
    });
    let now = before;
    const fs = await gitFs({
      repository: "/repo",
      rev: "HEAD",
      fs: {
        realPath: (path) => now.realPath(path),
        lstat: (path) => now.lstat(path),
        readLink: (path) => now.readLink(path),
        open: (path) => now.open(path),
        list: (path, most) => now.list!(path, most),
      },
    });
    now = after;
    const handle = await fs.open("/a.txt");
    assertEquals((await handle.stat()).size, 5);
    await handle.close();
  });
});

describe("the options of gitFs()", () => {
  const fs = memoryFs(at("/repo/.git", GIT));
  for (
    const [options, says] of [
      [
        { repository: "", rev: "HEAD" },
        /repository must be a string, and not empty/,
      ],
      [{ repository: "/repo" }, /rev must be a string, and not empty/],
      [
        { repository: "/repo", rev: "HEAD", allow: "/x" },
        /allow must be an array of paths/,
      ],
      [
        { repository: "/repo", rev: "HEAD", revision: "x" },
        /"revision" is unknown; the names are repository, rev/,
      ],
      [undefined, /options must be an object/],
    ] as const
  ) {
    it(`are refused: ${says.source}`, async () => {
      // Cast, since a caller without types may write anything.
      const call = () => gitFs(options as never);
      const error = await assertRejects(call, TypeError);
      assertMatch(error.message, /^Cannot open a revision: /);
      assertMatch(error.message, says);
    });
  }
  it("may abort the search while it runs", async () => {
    let aborted = 0;
    for (let isDone = false; !isDone;) {
      const controller = new AbortController();
      const { signal } = controller;
      let left = aborted;
      const counting: FsPort = {
        ...fs,
        lstat(path, role) {
          if (left-- === 0) controller.abort();
          return fs.lstat(path, role);
        },
      };
      const place = { repository: "/repo", rev: "HEAD", fs: counting, signal };
      const [ended] = await Promise.allSettled([gitFs(place)]);
      isDone = ended!.status === "fulfilled";
      if (ended!.status === "rejected") {
        assertEquals(ended!.reason.code, "ABORTED");
        aborted++;
      }
    }
    assert(aborted > 10);
  });
  it("may abort the search", async () => {
    const signal = AbortSignal.abort();
    const place = { repository: "/repo", rev: "HEAD", fs, signal };
    const error = await assertRejects(() => gitFs(place), ReadFileError);
    assertEquals(error.code, "ABORTED");
    assert(error.message.startsWith('Cannot open the revision "HEAD": '));
  });
});
