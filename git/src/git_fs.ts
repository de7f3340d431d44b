import type { FsPort } from "@agent-tools/read-file";
import { quoted, toError } from "./fault.ts";
import { Objects } from "./objects.ts";
import { OpenFiles } from "./reading.ts";
import { Refs } from "./refs.ts";
import { findRepository } from "./repository.ts";
import { takeGitOptions } from "./options.ts";
import { findTree } from "./revision.ts";
import { treePort } from "./tree_port.ts";

/** Options for {@linkcode gitFs}. */
export interface GitFsOptions {
  /** The folder of the repository: one with `.git` in it, a bare repository, or a `.git` folder itself. */
  readonly repository: string;
  /** The revision: a branch, a tag, a hash or the beginning of one, `HEAD~3`, `HEAD^2`, `v1^{commit}`, or a folder in one, as in `HEAD:src`. */
  readonly rev: string;
  /** The file system that the repository is on; the runtime's own disk by default. */
  readonly fs?: FsPort;
  /** Folders outside of `repository` that it may name: the common folder of a linked worktree, the folder of a submodule, or that of alternates. None by default. */
  readonly allow?: readonly string[];
  /** Ends the search for the revision, with `ABORTED`. */
  readonly signal?: AbortSignal;
}

/**
 * A file system of one revision of a git repository, without git: no process is
 * started. All of the repository is read through a workspace of its own, and the
 * hash of each object is checked.
 *
 * Links are links, and an absolute one begins at the root of the revision. A
 * submodule is neither a file nor a directory. Files have no times, and their
 * identity names their content: none ever changes.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { gitFs } from "@agent-tools/read-file-git";
 * import { assertEquals } from "@std/assert";
 *
 * // On a disk, without `fs`: gitFs({ repository: ".", rev: "HEAD~1" }).
 * const object = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
 * const git = "/repo/.git";
 * const fs = memoryFs({
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
 * const revision = await gitFs({ repository: "/repo", rev: "main", fs });
 * const workspace = await openWorkspace("/", { fs: revision, deny: ["**\/.env"] });
 * const { lines } = await workspace.read("a.txt");
 * assertEquals(lines.map(({ text }) => text), ["hello"]);
 * ```
 */
export async function gitFs(options: GitFsOptions): Promise<FsPort> {
  const { repository, rev, allow, fs, signal } = takeOptions(options);
  const failed = `Cannot open the revision ${quoted(rev)}`;
  const files = new OpenFiles();
  try {
    return await files.run(signal, async (reading) => {
      const found = await findRepository(reading, { repository, allow, fs });
      const objects = new Objects(found.stores, found.hash);
      const refs = new Refs(found, reading);
      const root = await findTree({ reading, objects, refs }, rev);
      return treePort(files, objects, root);
    });
  } catch (error) {
    throw toError(error, rev, failed);
  }
}

/** Checks the options. */
function takeOptions(options: GitFsOptions) {
  const failed = "Cannot open a revision";
  const names = ["repository", "rev", "fs", "allow", "signal"] as const;
  const taken = takeGitOptions(failed, options, names);
  for (const name of ["repository", "rev"] as const) {
    if (typeof taken[name] === "string" && taken[name] !== "") continue;
    throw new TypeError(`${failed}: ${name} must be a string, and not empty`);
  }
  const { repository, rev, fs, allow = [], signal } = taken;
  return { repository, rev, fs, allow, signal };
}
