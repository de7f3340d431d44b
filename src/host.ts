// Runtime-agnostic.
import type { FsPort } from "./core/port.ts";
import type { DenyOptions } from "./core/guard/root.ts";
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
      readonly deny?: never;
      readonly denied?: never;
    }
    | (WorkspaceOptions & {
      /** The directory to open as the workspace. */
      readonly workspaceRoot: string;
      readonly workspace?: never;
    })
  );

/** What says how a workspace is opened, and nothing to one that is open. */
const OF_OPENING = ["fs", "deny", "denied"] as const;

/**
 * Makes the tools of one agent: one workspace, one policy, and results instead
 * of errors.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, SECRET_FILES } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/src/main.ts": "export {};\r\n", "/repo/.env": "KEY=1" });
 * const place = { workspaceRoot: "/repo", fs, deny: SECRET_FILES };
 * const toolkit = await createAgentToolkit(place);
 * const read = await toolkit.readFile("src/main.ts");
 * assert(read.status === "success");
 * assertEquals(read.data.content, "export {};\n");
 * const outside = await toolkit.invoke("read_file", '{"path": "../secret"}');
 * assert(outside.status === "denied");
 * assertEquals(outside.error.code, "SANDBOX_VIOLATION");
 * const secret = await toolkit.readFile(".env");
 * assert(secret.status === "denied");
 * assertEquals(secret.error.code, "POLICY_DENIED");
 * ```
 *
 * @param options The workspace, the policy and the tools.
 * @returns The toolkit.
 */
export async function createAgentToolkit<Name extends string = AgentToolName>(
  options: AgentToolkitOptions<Name>,
): Promise<AgentToolkit<Name>> {
  if (
    (options.workspace === undefined) === (options.workspaceRoot === undefined)
  ) {
    throw new TypeError(
      "Cannot make a toolkit: name one of workspace and workspaceRoot",
    );
  }
  if (options.workspace === undefined) {
    const opened = await openWorkspace(options.workspaceRoot, options);
    return toolkitFor(opened, options);
  }
  // Left alone, rules that no one follows would pass for a boundary.
  const stray = OF_OPENING.find((name) => options[name] !== undefined);
  if (stray !== undefined) {
    throw new TypeError(
      `Cannot make a toolkit: ${stray} goes with workspaceRoot; open the workspace with it, or narrow it`,
    );
  }
  return toolkitFor(options.workspace, options);
}
