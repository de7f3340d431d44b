// Runtime-agnostic.
import type { FsPort } from "./core/port.ts";
import { Workspace } from "./core/workspace.ts";
import { hostFs } from "./fs/host.ts";

/** Options for {@linkcode openWorkspace}. */
export interface WorkspaceOptions {
  /** The file system it is on; the runtime's own disk by default. */
  readonly fs?: FsPort;
}

/**
 * Makes a directory the boundary of what can be read.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/src/a.ts": "export {};\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals(workspace.normalize("./src//a.ts"), "src/a.ts");
 * ```
 *
 * @param root The directory.
 * @param options Where it is, if not on the runtime's own disk.
 * @returns The workspace.
 */
export function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  return Workspace.at(options.fs ?? hostFs(), root);
}
