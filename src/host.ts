import { MAX_CACHE_BYTES } from "./core/base/limits.ts";
import type { FsPort } from "./core/base/port.ts";
import { makeWorkspace, WORKSPACE } from "./core/workspace.ts";
import type { CacheOptions, OpenOptions, Workspace } from "./core/workspace.ts";
import type { DenyOptions } from "./core/guard/root.ts";
import type { DetectOptions } from "./core/encodings/encodings.ts";
import type { View } from "./core/media/view.ts";
import type { Revisions } from "./core/revisions.ts";
import {
  checkValue,
  hasFunctions,
  listOf,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "./core/base/check.ts";
import type { Kind, Rules } from "./core/base/check.ts";
import { hostFs } from "./fs/host.ts";
import { gunzipView, notebookView } from "./views/named_views.ts";
import { toolkitFor } from "./tools/toolkit.ts";
import type {
  AgentToolkit,
  DefaultToolMaker,
  ToolkitOptions,
  ToolMaker,
} from "./tools/toolkit.ts";

/** Options for {@linkcode openWorkspace}. */
export interface WorkspaceOptions
  extends DenyOptions, OpenOptions, DetectOptions, CacheOptions {
  /** The file system it is on; the runtime's own disk by default. */
  readonly fs?: FsPort;
  /**
   * Views that show files of some kinds as text, unless a call names another view, or
   * `"raw"`; the first that matches is used. A call may always name `"cells"` and `"gunzip"`.
   */
  readonly views?: readonly View[];
  /** Where the versions of the files are, such as `gitRevisions()` of `@agent-tools/read-file-git`: then tools can show what changed. */
  readonly revisions?: Revisions;
}

/**
 * Opens a directory as a workspace: what lies below it can be read, and nothing else.
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
 */
export async function openWorkspace(
  root: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const refuse = refuseMistake("Cannot open a workspace");
  const taken = takeOptions(options, OPENING, refuse);
  const { fs = hostFs(), views = [], revisions, ...rest } = taken;
  const usual = listOf(views, "views", refuse, "an array of views") as View[];
  for (const [at, view] of usual.entries()) {
    checkValue(`views[${at}]`, view, VIEW, refuse);
  }
  const named = [notebookView(), gunzipView()];
  const shown = { usual, named };
  return await makeWorkspace(fs, root, { ...rest, views: shown, revisions });
}

const OPENING: Rules<WorkspaceOptions> = {
  fs: "port",
  deny: "any",
  denied: "any",
  signal: "signal",
  detect: "function",
  views: "any",
  revisions: {
    wanted: "revisions, such as gitRevisions() gives",
    fits: (value) => hasFunctions(value, ["open"]),
  },
  cacheBytes: { least: 0, most: MAX_CACHE_BYTES },
};

const VIEW: Kind = {
  wanted: 'a view, whose name is not "raw", such as notebookView()',
  fits: (value) => {
    const name = propertyOf(value, "name");
    return typeof name === "string" && name !== "raw" &&
      hasFunctions(value, ["matches", "open"]);
  },
};

/** Options for {@linkcode createAgentToolkit}: a workspace, or where to open one. */
export type AgentToolkitOptions<Maker extends ToolMaker = DefaultToolMaker> =
  & ToolkitOptions<Maker>
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
  Maker extends ToolMaker = DefaultToolMaker,
>(options: AgentToolkitOptions<Maker>): Promise<AgentToolkit<Maker>> {
  const refuse = refuseMistake("Cannot make a toolkit");
  const rules: Rules<Given<Maker>> = {
    workspace: WORKSPACE,
    workspaceRoot: "any",
    policy: "any",
    tools: "any",
    ...OPENING,
  };
  const taken = takeOptions<Given<Maker>>(options, rules, refuse);
  const { workspace, workspaceRoot, policy, tools, ...opening } = taken;
  if ((workspace === undefined) === (workspaceRoot === undefined)) {
    // The message says: name one of workspace and workspaceRoot.
    throw refuse("name", "one of workspace and workspaceRoot");
  }
  const kit = { policy, tools };
  if (workspaceRoot !== undefined) {
    return toolkitFor(await openWorkspace(workspaceRoot, opening), kit);
  }
  // A deny rule for a workspace that is open already would have no effect.
  for (const [name, value] of Object.entries(opening)) {
    if (value === undefined) continue;
    const problem = "goes with workspaceRoot; open the workspace with it";
    throw refuse(name, `${problem}, or narrow it`);
  }
  return toolkitFor(workspace!, kit);
}

/** The options of a toolkit, unchecked. */
interface Given<Maker extends ToolMaker>
  extends ToolkitOptions<Maker>, WorkspaceOptions {
  readonly workspace?: Workspace;
  readonly workspaceRoot?: string;
}
