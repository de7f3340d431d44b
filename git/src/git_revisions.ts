import {
  type FsPort,
  hostFs,
  ReadFileError,
  type Revisions,
} from "@agent-tools/read-file";
import { mountedAt } from "./mounted.ts";
import { type Fault, missing, quoted, toError } from "./fault.ts";
import { Objects } from "./objects.ts";
import { OpenFiles } from "./reading.ts";
import { Refs } from "./refs.ts";
import { findRepository } from "./repository.ts";
import { findCommit } from "./revision.ts";
import { takeGitOptions } from "./options.ts";
import { treePort } from "./tree_port.ts";

/** Options for {@linkcode gitRevisions}. */
export interface GitRevisionsOptions {
  /** The working tree: a folder with `.git` in it. By default the nearest one, from the directory of the workspace upwards. */
  readonly repository?: string | undefined;
  /** The file system that it is on; the runtime's own disk by default. */
  readonly fs?: FsPort | undefined;
  /** Folders outside of `repository` that it may name, as for {@linkcode gitFs}. */
  readonly allow?: readonly string[] | undefined;
  /** The path of the working tree in the file system of the workspace, if that has another path for it, as `mountFs()` may. */
  readonly worktree?: string | undefined;
}

/**
 * The revisions of a git repository, for the option `revisions` of a workspace:
 * then `changesSince()`, the tools and `workspace.at()` read its files as they
 * were.
 *
 * A revision that a model names must be a commit. So nothing outside of the
 * workspace's directory is read, and its deny rules hold for the names that the
 * files had: a tree, or a folder of a commit, would give them other names.
 *
 * @example Usage
 * ```ts
 * import { changesSince, memoryFs, openWorkspace, renderChanges } from "@agent-tools/read-file";
 * import { gitRevisions } from "@agent-tools/read-file-git";
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 *
 * // On a disk, without `fs`: { revisions: gitRevisions() }.
 * const object = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
 * const git = "/repo/.git";
 * const fs = memoryFs({
 *   "/repo/a.txt": "hello\nworld\n",
 *   [`${git}/HEAD`]: "ref: refs/heads/main\n",
 *   [`${git}/refs/heads/main`]: "c67d8a584ac91b22370f96cd99c9d6b142f444b7\n",
 *   [`${git}/objects/c6/7d8a584ac91b22370f96cd99c9d6b142f444b7`]: object(
 *     "eJxtzEEKwyAQBdCsPcXsC2VGxRgIoT3KqF+aRQjY6f0DXWf94NXzOHYj4TTZAMgji8wSY0ZZugdC9oLQYpxVU/EdobWi4vRnn3PQm1Z9lWfdiOnBzOzqfzTcmev7+Jq7AMrhIPA=",
 *   ),
 *   [`${git}/objects/2e/81171448eb9f2ee3821e3d447aa6b2fe3ddba1`]: object(
 *     "eJwrKUpNVTA2ZjA0MDAzMVFI1CupKGE4x2imysy94vZKtu9h0+rnzVk8xc0LAP+FDkI=",
 *   ),
 *   [`${git}/objects/ce/013625030ba8dba906f756967f9e9ca394464a`]: object(
 *     "eJxLyslPUjBjyEjNycnnAgAdxQQU",
 *   ),
 * });
 * const revisions = gitRevisions({ repository: "/repo", fs });
 * const workspace = await openWorkspace("/repo", { fs, revisions });
 * const changes = await changesSince(workspace, "a.txt", "main");
 * assertStringIncludes(renderChanges(changes), "world");
 * const before = await workspace.at("main");
 * assertEquals((await before.read("a.txt")).text, "hello\n");
 * ```
 */
export function gitRevisions(options: GitRevisionsOptions = {}): Revisions {
  const { repository, allow = [], fs, worktree } = takeGitOptions(
    "Cannot read revisions",
    options,
    ["repository", "allow", "fs", "worktree"],
  );
  return {
    async open(rev, root, signal) {
      const disk = fs ?? hostFs();
      const files = new OpenFiles();
      try {
        return await files.run(signal, async (reading) => {
          const folder = await realPathOf(
            repository ?? await nearestTo(root, disk),
            disk,
          );
          const base = worktree ?? folder.replace(/(.)\/\.git$/, "$1");
          if (!isWithin(root, base) && !isWithin(base, root)) {
            const name = quoted(base);
            throw withoutOne(`the workspace is not in the repository ${name}`);
          }
          const place = { repository: folder, allow, fs };
          const found = await findRepository(reading, place);
          const objects = new Objects(found.stores, found.hash);
          const refs = new Refs(found, reading);
          const tree = await findCommit({ reading, objects, refs }, rev);
          return mountedAt(base, treePort(files, objects, tree));
        });
      } catch (error) {
        throw toError(error, rev, `Cannot open the revision ${quoted(rev)}`);
      }
    },
  };
}

async function realPathOf(folder: string, fs: FsPort): Promise<string> {
  try {
    return await fs.realPath(folder);
  } catch {
    throw withoutOne(`the folder ${quoted(folder)} is not there`);
  }
}

/** Whether a path is another one, or below it. */
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(other.replace(/\/*$/, "/"));
}

/** The nearest folder with `.git` in it, from a folder upwards. */
async function nearestTo(root: string, fs: FsPort): Promise<string> {
  for (let folder = root;; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    try {
      await fs.lstat(`${folder.replace(/\/$/, "")}/.git`);
      return folder === "" ? "/" : folder;
    } catch (error) {
      // Above, there may be no permission to look.
      if (error instanceof ReadFileError && error.is("ABORTED")) throw error;
    }
    if (!folder.includes("/")) {
      throw withoutOne("no git repository is there, or in a folder above");
    }
  }
}

/** The failure of a workspace without a repository, of which a model may be told. */
function withoutOne(problem: string): Fault {
  return missing(problem, [], "read the file as it is, without its changes");
}
