import { MAX_CACHE_BYTES } from "./core/base/limits.ts";
import { makeWorkspace } from "./core/workspace.ts";
import type { Workspace, WorkspaceOptions } from "./core/workspace.ts";
import type { View } from "./core/media/view.ts";
import {
  checkValue,
  hasFunctions,
  listOf,
  ownOf,
  propertyOf,
  refuseMistake,
  takeOptions,
} from "./core/base/check.ts";
import type { Kind, Rules } from "./core/base/check.ts";
import { hostFs } from "./fs/host.ts";
import { gunzipView, notebookView } from "./views/named_views.ts";

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
  const taken = takeOptions(options, WORKSPACE_RULES, refuse);
  const { fs = hostFs(), views = [], ...rest } = taken;
  const usual = listOf(views, "views", refuse, "an array of views") as View[];
  for (const [at, view] of usual.entries()) {
    checkValue(`views[${at}]`, view, VIEW, refuse);
  }
  const named = [notebookView(), gunzipView()];
  const shown = { usual, named };
  return await makeWorkspace(fs, root, shown, ownOf(rest));
}

/** The rule of each option. */
export const WORKSPACE_RULES: Rules<WorkspaceOptions> = {
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
