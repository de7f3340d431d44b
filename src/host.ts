// Runtime-agnostic.
import type { FsPort } from "./core/port.ts";
import type { DenyOptions } from "./core/guard/guard.ts";
import { Workspace } from "./core/workspace.ts";
import { hostFs } from "./fs/host.ts";
import {
  type AgentToolkit,
  type AgentToolName,
  toolkitFor,
  type ToolkitOptions,
} from "./tools/toolkit.ts";

/** Options for {@linkcode openWorkspace}. */
export interface WorkspaceOptions extends DenyOptions {
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
 * @param options Where it is, and which paths may not be read.
 * @returns The workspace.
 */
export function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  return Workspace.at(options.fs ?? hostFs(), root, options);
}

/** Options for {@linkcode createAgentToolkit}: a workspace, or where to open one. */
export type AgentToolkitOptions<Name extends string = AgentToolName> =
  & ToolkitOptions<Name>
  & (
    | {
      /** A workspace that is open already. */
      readonly workspace: Workspace;
      readonly workspaceRoot?: never;
      readonly fs?: never;
    }
    | {
      /** The directory to open as the workspace. */
      readonly workspaceRoot: string;
      /** The file system it is on; the runtime's own disk by default. */
      readonly fs?: FsPort;
      readonly workspace?: never;
    }
  );

/**
 * Makes the tools of one agent: one workspace, one policy, and results instead
 * of errors.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/src/main.ts": "export {};\r\n" });
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/repo", fs });
 * const read = await toolkit.readFile("src/main.ts");
 * assert(read.status === "success");
 * assertEquals(read.data.content, "export {};\n");
 * const outside = await toolkit.invoke("read_file", '{"path": "../secret"}');
 * assert(outside.status === "denied");
 * assertEquals(outside.error.code, "SANDBOX_VIOLATION");
 * ```
 *
 * @param options The workspace, the policy and the tools.
 * @returns The toolkit.
 */
export async function createAgentToolkit<Name extends string = AgentToolName>(
  options: AgentToolkitOptions<Name>,
): Promise<AgentToolkit<Name>> {
  const { workspace, workspaceRoot, fs } = options;
  if ((workspace === undefined) === (workspaceRoot === undefined)) {
    throw new TypeError(
      "Cannot make a toolkit: name one of workspace and workspaceRoot",
    );
  }
  const opened = workspace ??
    await openWorkspace(workspaceRoot, fs === undefined ? {} : { fs });
  return toolkitFor(opened, options);
}
