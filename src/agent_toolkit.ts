import { refuseMistake, type Rules, takeOptions } from "./core/base/check.ts";
import { WORKSPACE } from "./core/workspace.ts";
import type { Workspace, WorkspaceOptions } from "./core/workspace.ts";
import { openWorkspace, WORKSPACE_RULES } from "./open_workspace.ts";
import type { CustomTool } from "./tools/call.ts";
import type { ToolPolicy } from "./tools/call_options.ts";
import type { createOpenFile } from "./tools/open_file.ts";
import {
  type AgentToolkit,
  toolkitFor,
  type ToolMaker,
} from "./tools/toolkit.ts";
import type { createToolkitReadFile } from "./tools/toolkit_read_file.ts";

/** Options for {@linkcode createAgentToolkit}: a workspace, or where to open one. */
export type AgentToolkitOptions<
  Maker extends ToolMaker | CustomTool = ToolMaker | CustomTool,
> =
  & {
    /** Which tools may be called; all of them by default. */
    readonly policy?:
      | NoInfer<ToolPolicy<keyof AgentToolkit<Maker>["tools"]>>
      | undefined;
    /** The tools to offer, or functions that make them from the workspace; `read_file` and `open_file` by default. */
    readonly tools?: readonly Maker[] | undefined;
  }
  & (
    | {
      /** A workspace that is open already. */
      readonly workspace: Workspace;
      readonly workspaceRoot?: never;
    } & { readonly [Name in keyof WorkspaceOptions]?: never }
    | WorkspaceOptions & {
      /** The directory to open as the workspace. */
      readonly workspaceRoot: string;
      readonly workspace?: never;
    }
  );

/**
 * Makes the tools of one agent: one workspace, one policy, and results instead
 * of errors.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, SECRET_FILES } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.ts": "export {};\r\n", "/repo/.env": "KEY=1" });
 * const place = { workspaceRoot: "/repo", fs, deny: SECRET_FILES };
 * const toolkit = await createAgentToolkit(place);
 * const read = await toolkit.readFile("a.ts");
 * assert(read.status === "success");
 * assertEquals(read.data.content, "export {};\n");
 * const secret = await toolkit.invoke("read_file", '{"path": ".env"}');
 * assert(secret.status === "denied");
 * assertEquals(secret.error.code, "POLICY_DENIED");
 * ```
 */
export async function createAgentToolkit<
  Maker extends ToolMaker | CustomTool =
    | typeof createToolkitReadFile
    | typeof createOpenFile,
>(options: AgentToolkitOptions<Maker>): Promise<AgentToolkit<Maker>> {
  const refuse = refuseMistake("Cannot make a toolkit");
  const rules: Rules<Given<Maker>> = {
    workspace: WORKSPACE,
    workspaceRoot: "any",
    policy: "any",
    tools: "any",
    ...WORKSPACE_RULES,
  };
  const taken = takeOptions<Given<Maker>>(options, rules, refuse);
  const { workspace, workspaceRoot, policy, tools, ...opening } = taken;
  if ((workspace === undefined) === (workspaceRoot === undefined)) {
    // The message says: name one of workspace and workspaceRoot.
    throw refuse("name", "one of workspace and workspaceRoot");
  }
  if (workspaceRoot !== undefined) {
    const opened = await openWorkspace(workspaceRoot, opening);
    return toolkitFor(opened, tools, policy);
  }
  // A deny rule for a workspace that is open already would have no effect.
  for (const [name, value] of Object.entries(opening)) {
    if (value === undefined) continue;
    const problem = "goes with workspaceRoot; open the workspace with it";
    throw refuse(name, `${problem}, or narrow it`);
  }
  return toolkitFor(workspace!, tools, policy);
}

/** The options of a toolkit, unchecked. */
interface Given<Maker extends ToolMaker | CustomTool> extends WorkspaceOptions {
  readonly policy?: ToolPolicy | undefined;
  readonly tools?: readonly Maker[] | undefined;
  readonly workspace?: Workspace;
  readonly workspaceRoot?: string;
}
