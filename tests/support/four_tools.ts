/** The four tools over one workspace, and their arguments for a whole file. */
import {
  ReadFileError,
  respond,
  type Tool,
  type ToolReply,
  type Workspace,
} from "../../mod.ts";
import { createCodexReadFile } from "../../src/tools/codex_read_file.ts";
import { createForgeRead } from "../../src/tools/forge_read.ts";
import { createOpenFile } from "../../src/tools/open_file.ts";
import { createToolkitReadFile } from "../../src/tools/toolkit_read_file.ts";

/** A tool, and the name of its path argument. */
export interface OneOfFour {
  /** The name of the function that makes it, without `create`. */
  readonly name: string;
  readonly pathName: "file_path" | "path";
  /** Makes it, with the options that are its own. */
  make(workspace: Workspace, options?: object): Tool;
}

/** Each of the four. */
export const FOUR_TOOLS: readonly OneOfFour[] = [
  { name: "CodexReadFile", pathName: "file_path", make: createCodexReadFile },
  { name: "ToolkitReadFile", pathName: "path", make: createToolkitReadFile },
  { name: "ForgeRead", pathName: "path", make: createForgeRead },
  { name: "OpenFile", pathName: "file_path", make: createOpenFile },
];

/** The answer for a model, and the hidden error code. */
export interface OverheardReply extends ToolReply {
  /** The code of the failure; `null` if there was none. */
  readonly code: string | null;
}

/** Calls a tool like a model; never rejects. */
export async function callAsModel(
  tool: Tool,
  args: unknown,
): Promise<OverheardReply> {
  let code: string | null = null;
  const overheard: Tool = {
    ...tool,
    async call(args, options) {
      try {
        return await tool.call(args, options);
      } catch (error) {
        code = error instanceof ReadFileError
          ? error.code
          : `no code: ${error}`;
        throw error;
      }
    },
  };
  return { ...await respond(overheard, args), code };
}
