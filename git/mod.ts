/**
 * Reads revisions of git repositories for `@agent-tools/read-file`, without git:
 * a revision is a file system like any other.
 *
 * ```ts ignore
 * import { openWorkspace } from "@agent-tools/read-file";
 * import { gitFs } from "@agent-tools/read-file-git";
 *
 * const fs = await gitFs({ repository: ".", rev: "HEAD~1" });
 * const workspace = await openWorkspace("/", { fs });
 * const page = await workspace.read("README.md");
 * ```
 *
 * @module
 */
export { gitFs, type GitFsOptions } from "./src/git_fs.ts";
export { gitRevisions, type GitRevisionsOptions } from "./src/git_revisions.ts";
