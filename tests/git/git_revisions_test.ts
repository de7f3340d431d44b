import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  changesSince,
  memoryFs,
  openWorkspace,
  ReadFileError,
  SECRET_FILES,
} from "../../mod.ts";
import { gitRevisions } from "../../git/mod.ts";
import { type MemoryEntry, memoryRepository } from "../support/git_place.ts";
import {
  commitOf,
  emptyRepository,
  looseFiles,
  type MadeFile,
  objectsOf,
} from "../support/git_repository.ts";

/** A repository at `/repo` with two commits, and the files of its working tree. */
function repositoryOf(
  old: Readonly<Record<string, MadeFile>>,
  now: Readonly<Record<string, MemoryEntry>>,
) {
  const first = objectsOf(old);
  const second = objectsOf({ "src/a.ts": "second\n" });
  const one = commitOf(first.root.oid);
  const two = commitOf(second.root.oid, [one.oid]);
  const objects = [...first.objects, ...second.objects, one, two];
  const fs = memoryRepository(
    { ...emptyRepository(two.oid), ...looseFiles(objects) },
    Object.fromEntries(
      Object.entries(now).map(([path, entry]) => [`/repo/${path}`, entry]),
    ),
  );
  return { fs, first, one };
}

const OLD = {
  "src/a.ts": "one\ntwo\n",
  "src/.env": "KEY=1\n",
  "b.ts": "b\n",
  "other/src/a.ts": "other\n",
};

async function refused(work: () => Promise<unknown>) {
  const { code, message, hint } = await assertRejects(work, ReadFileError);
  return `${code}: ${message}; ${hint}`;
}

describe("gitRevisions()", () => {
  it("gives the files as they were, at the paths that they have", async () => {
    const { fs } = repositoryOf(OLD, { "src/a.ts": "one\n2\n" });
    for (const repository of [undefined, "/repo", "/repo/.git"]) {
      for (const root of ["/repo", "/repo/src"]) {
        const path = root === "/repo" ? "src/a.ts" : "a.ts";
        const revisions = gitRevisions({ repository, fs });
        const workspace = await openWorkspace(root, { fs, revisions });
        const { lines } = await changesSince(workspace, path, "HEAD~1");
        assertEquals(
          lines.map(({ kind, text }) => `${kind} ${text}`),
          ["same one", "gone two", "changed 2"],
        );
        const before = await workspace.at("main~");
        assertEquals(before.root, root);
        assertEquals((await before.read(path)).text, "one\ntwo\n");
        const page = await before.read(`${root}/${path}`);
        assertEquals(page.text, "one\ntwo\n");
        const { entries } = await before.list(".");
        assertEquals(
          entries.map(({ path }) => path).includes("b.ts"),
          root === "/repo",
        );
      }
    }
  });

  it("keeps to the directory of the workspace, and to its rules", async () => {
    const { fs } = repositoryOf({
      ...OLD,
      "src/up.ts": { link: "../b.ts" },
      "src/in.ts": { link: "a.ts" },
      "src/env.ts": { link: ".env" },
    }, { "src/a.ts": "" });
    const revisions = gitRevisions({ fs });
    const workspace = await openWorkspace("/repo/src", {
      fs,
      revisions,
      deny: SECRET_FILES,
    });
    const before = await workspace.at("HEAD~1");
    assertEquals((await before.read("in.ts")).text, "one\ntwo\n");
    const codes = await Promise.all(
      ["up.ts", "../b.ts", "/repo/b.ts", "env.ts", ".env", "none.ts"]
        .map((path) => refused(() => before.read(path))),
    );
    assertEquals(codes.map((text) => text.split(":")[0]), [
      ...Array(3).fill("OUTSIDE_WORKSPACE"),
      ...Array(2).fill("POLICY_DENIED"),
      "NOT_FOUND",
    ]);
    const { entries } = await before.list(".");
    assertEquals(entries.map(({ path }) => path).includes(".env"), false);
  });

  it("takes no revision that would give files other names", async () => {
    const { fs, first, one } = repositoryOf(OLD, { "src/a.ts": "" });
    const tree = first.objects.find(({ bytes, type }) =>
      type === "tree" && new TextDecoder().decode(bytes).includes(".env")
    )!;
    const revisions = gitRevisions({ fs });
    const workspace = await openWorkspace("/repo", {
      fs,
      revisions,
      deny: ["src/.env"],
    });
    // The control: the commit itself.
    assertEquals(
      (await (await workspace.at(one.oid)).read("b.ts")).text,
      "b\n",
    );
    for (
      const rev of [
        tree.oid,
        tree.oid.slice(0, 10),
        first.root.oid,
        "HEAD^{tree}",
        "HEAD~1^{tree}",
      ]
    ) {
      const text = await refused(() => workspace.at(rev));
      assert(
        text.startsWith("INVALID_ARGUMENT") || text.startsWith("NOT_FOUND"),
        text,
      );
    }
    for (const rev of ["HEAD~1:src", "HEAD~1:other", "HEAD~1:", ":src"]) {
      const text = await refused(() => workspace.at(rev));
      assert(text.startsWith("INVALID_ARGUMENT"), text);
    }
  });

  it("suggests near names, and says where there is no repository", async () => {
    const { fs } = repositoryOf(OLD, { "src/a.ts": "" });
    const workspace = await openWorkspace("/repo/src", {
      fs,
      revisions: gitRevisions({ fs }),
    });
    assertEquals(
      await refused(() => changesSince(workspace, "a.ts", "mian")),
      'NOT_FOUND: Cannot open the revision "mian": there is no "mian"; did you mean "main"?',
    );
    const empty = memoryFs({ "/ws/a.ts": "" });
    const other = await openWorkspace("/ws", {
      fs: empty,
      revisions: gitRevisions({ fs: empty }),
    });
    const text = await refused(() => changesSince(other, "a.ts", "HEAD"));
    assert(
      text.endsWith(
        "no git repository is there, or in a folder above; read the file as it is, without its changes",
      ),
      text,
    );
    // A repository elsewhere does not have the directory.
    const all = memoryFs({ "/ws/a.ts": "a\n" });
    const told = async (options: object) => {
      const revisions = gitRevisions({ fs, ...options });
      const beside = await openWorkspace("/ws", { fs: all, revisions });
      return await refused(() => changesSince(beside, "a.ts", "HEAD"));
    };
    assertMatch(
      await told({ repository: "/repo" }),
      /the workspace is not in the repository "\/repo"/,
    );
    assertMatch(
      await told({ repository: "/none" }),
      /the folder "\/none" is not there/,
    );
  });

  it("reads a working tree that the workspace has elsewhere", async () => {
    const { fs } = repositoryOf(OLD, {});
    const mounted = memoryFs({ "/mnt/src/a.ts": "one\n2\n" });
    const options = { repository: "/repo", worktree: "/mnt", fs };
    const revisions = gitRevisions(options);
    for (const root of ["/mnt/src", "/mnt", "/"]) {
      const workspace = await openWorkspace(root, { fs: mounted, revisions });
      const path = "/mnt/src/a.ts".slice(root.length).replace(/^\//, "");
      const { lines } = await changesSince(workspace, path, "HEAD~1");
      assertEquals(lines.length, 3);
    }
  });

  it("reads nothing that the repository names elsewhere, unless it is allowed", async () => {
    const { fs: inner } = repositoryOf(OLD, {});
    const files = {
      "/tree/.git": "gitdir: /repo/.git\n",
      "/tree/src/a.ts": "one\n",
    };
    const more = memoryFs(files);
    const fs = {
      ...inner,
      ...Object.fromEntries(
        (["realPath", "lstat", "readLink", "open", "list"] as const).map((
          name,
        ) => [
          name,
          (path: string, ...rest: never[]) =>
            // deno-lint-ignore no-explicit-any
            ((path.startsWith("/tree") ? more : inner)[name] as any)(
              path,
              ...rest,
            ),
        ]),
      ),
    };
    const read = async (allow?: string[]) => {
      const revisions = gitRevisions({ fs, allow });
      const workspace = await openWorkspace("/tree/src", { fs, revisions });
      return await changesSince(workspace, "a.ts", "HEAD~1");
    };
    const text = await refused(() => read());
    assert(text.startsWith("OUTSIDE_WORKSPACE"), text);
    assertEquals((await read(["/repo/.git"])).lines.length, 2);
  });

  it("takes no option from Object.prototype", async () => {
    const { fs } = repositoryOf(OLD, { "src/a.ts": "" });
    const added = { repository: "/none", worktree: "/mnt", allow: ["/"] };
    const polluted = Object.prototype as Record<string, unknown>;
    for (const [name, value] of Object.entries(added)) {
      polluted[name] = value;
      try {
        const revisions = gitRevisions({ fs });
        const workspace = await openWorkspace("/repo", { fs, revisions });
        const before = await workspace.at("HEAD~1");
        assertEquals((await before.read("b.ts")).text, "b\n", name);
      } finally {
        delete polluted[name];
      }
    }
  });

  it("ends when it is aborted, and refuses wrong options", async () => {
    const { fs } = repositoryOf(OLD, { "src/a.ts": "" });
    const workspace = await openWorkspace("/repo", {
      fs,
      revisions: gitRevisions({ fs }),
    });
    const signal = AbortSignal.abort();
    const text = await refused(() => workspace.at("HEAD", { signal }));
    assert(text.startsWith("ABORTED"), text);
    assertThrows(
      () => gitRevisions({ repositry: "." } as never),
      TypeError,
      "did you mean repository?",
    );
    assertThrows(
      () => gitRevisions({ repository: "" }),
      TypeError,
      "not empty",
    );
    assertThrows(
      () => gitRevisions({ allow: "x" } as never),
      TypeError,
      "allow",
    );
    assertThrows(() => gitRevisions(3 as never), TypeError, "an object");
  });
});
