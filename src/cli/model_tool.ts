import { quote } from "../core/base/words.ts";
import type { Workspace } from "../core/workspace.ts";
import { memoryFs } from "../fs/memory.ts";
import { openWorkspace } from "../open_workspace.ts";
import { createCodexReadFile } from "../tools/codex_read_file.ts";
import { definitions, type VendorTools } from "../tools/definitions.ts";
import { MAX_BYTES, parseForgeConfig } from "../tools/forge_config.ts";
import type { ForgeReadConfig } from "../tools/forge_config.ts";
import { createForgeRead } from "../tools/forge_read.ts";
import { createOpenFile } from "../tools/open_file.ts";
import { readerTools } from "../tools/reader/reader_tools.ts";
import type { Tool } from "../tools/call.ts";
import { createToolkitReadFile } from "../tools/toolkit_read_file.ts";
import { HostError } from "./shell.ts";

/** The reader's own tools, which models know by these names. */
export const OWN_TOOLS = ["read_file", "read_files", "list_directory"] as const;

export type ToolName =
  | typeof OWN_TOOLS[number]
  | "codex"
  | "toolkit"
  | "forge"
  | "open";

/** Makes one of the reader's tools. Another process knows no etags of this one, so they are full. */
function ownTool(at: 0 | 1 | 2): (workspace: Workspace) => Tool {
  return (workspace) => readerTools(workspace, { etags: "full" })[at];
}

/** Makers of the tools, by their names on the command line: for models, codex and toolkit are called `read_file`, too. */
export const MAKERS: Readonly<
  Record<ToolName, (workspace: Workspace, config?: ForgeReadConfig) => Tool>
> = {
  read_file: ownTool(0),
  read_files: ownTool(1),
  list_directory: ownTool(2),
  codex: (workspace) => createCodexReadFile(workspace),
  toolkit: (workspace) => createToolkitReadFile(workspace),
  forge: createForgeRead,
  open: (workspace) => createOpenFile(workspace),
};

/** Reads the configuration of `Read` from a file of the workspace. */
export async function readConfig(
  workspace: Workspace,
  path: string,
): Promise<Required<ForgeReadConfig>> {
  const { text } = await workspace.read(path, {
    binary: "refuse-invalid",
    encoding: "utf-8",
    maxFileBytes: MAX_BYTES,
  });
  try {
    return parseForgeConfig(text);
  } catch (cause) {
    // The error of invalid TOML, or of an unknown key.
    const { message } = Object(cause) as Error;
    const advice = `mend ${quote(path)}`;
    throw new HostError(`${message}; ${advice}`, { cause });
  }
}

export async function definitionsOf(
  vendor: keyof VendorTools,
  names: readonly ToolName[],
): Promise<unknown> {
  // A definition does not depend on the workspace.
  const nowhere = await openWorkspace("/", { fs: memoryFs({}) });
  return definitions(vendor, names.map((name) => MAKERS[name](nowhere)));
}
