// Runtime-agnostic.
import type { FsPort } from "./core/base/port.ts";
import { type OpenOptions, Workspace } from "./core/workspace.ts";
import type { DenyOptions } from "./core/guard/root.ts";
import { refuseUnknown } from "./core/base/check.ts";
import { hostFs } from "./fs/host.ts";
import {
  type AgentToolkit,
  type AgentToolName,
  toolkitFor,
  type ToolkitOptions,
} from "./tools/toolkit.ts";

/**
 * Options for {@linkcode openWorkspace}.
 */
export interface WorkspaceOptions extends DenyOptions, OpenOptions {
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
 * @param options Where it is, which paths may not be read, and when to give up.
 * @returns The workspace.
 */
export async function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  refuseUnknown("Cannot open a workspace", options, OF_OPENING);
  const { fs = hostFs(), ...rest } = options;
  if (typeof Object(fs).lstat !== "function") {
    throw new TypeError(
      "Cannot open a workspace: fs is no port; pass one, such as memoryFs({})",
    );
  }
  return await Workspace.at(fs, root, rest);
}

/**
 * Options for {@linkcode createAgentToolkit}: a workspace, or where to open one.
 *
 * @example Usage
 * ```ts
 * import type { AgentToolkitOptions } from "@agent-tools/read-file";
 * import { createAgentToolkit, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const options: AgentToolkitOptions = {
 *   workspaceRoot: "/repo",
 *   fs: memoryFs({ "/repo/a.txt": "one" }),
 *   policy: { tools: { open_file: "deny" } },
 * };
 * const toolkit = await createAgentToolkit(options);
 * assertEquals(toolkit.definitions().map(({ name }) => name), ["read_file"]);
 * ```
 */
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
      readonly signal?: never;
    }
    | (WorkspaceOptions & {
      /** The directory to open as the workspace. */
      readonly workspaceRoot: string;
      readonly workspace?: never;
    })
  );

/** What says how a workspace is opened, and nothing to one that is open. */
const OF_OPENING = ["fs", "deny", "denied", "signal"] as const;

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
  refuseUnknown("Cannot make a toolkit", options, [
    ...["workspace", "workspaceRoot", "policy", "tools"],
    ...OF_OPENING,
  ]);
  if (
    (options.workspace === undefined) === (options.workspaceRoot === undefined)
  ) {
    throw new TypeError(
      "Cannot make a toolkit: name one of workspace and workspaceRoot",
    );
  }
  if (options.workspace === undefined) {
    const { workspaceRoot, policy: _, tools: __, ...opening } = options;
    return toolkitFor(await openWorkspace(workspaceRoot, opening), options);
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
