// Runtime-agnostic.
import { quote } from "../core/base/words.ts";
import { readFile } from "../core/read.ts";
import type { Workspace } from "../core/workspace.ts";
import { memoryFs } from "../fs/memory.ts";
import { openWorkspace } from "../host.ts";
import { createCodexReadFile } from "../tools/codex_read_file.ts";
import { definitions, type VendorTools } from "../tools/definitions.ts";
import { parseForgeConfig } from "../tools/forge_arguments.ts";
import type { ForgeReadConfig } from "../tools/forge_arguments.ts";
import { createForgeRead } from "../tools/forge_read.ts";
import { createOpenFile } from "../tools/open_file.ts";
import type { Tool } from "../tools/call.ts";
import { MAX_TOML_LENGTH } from "../tools/toml.ts";
import { createToolkitReadFile } from "../tools/toolkit_read_file.ts";
import { HostError } from "./target.ts";

export type ToolName = "codex" | "toolkit" | "forge" | "open";

/** Makers of the tools, by their names on the command line: for models, two of them have the same name. */
export const MAKERS: Readonly<
  Record<ToolName, (workspace: Workspace, config?: ForgeReadConfig) => Tool>
> = {
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
  const { text } = await readFile(workspace, path, { kind: "all" }, {
    binary: "reject-invalid",
    maxFileBytes: MAX_TOML_LENGTH,
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
