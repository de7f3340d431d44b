/** The four tools over one workspace, and the arguments that read a whole file. */
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
  /** The name of the function that makes it, without the prefix `create`. */
  readonly name: string;
  readonly pathName: "file_path" | "path";
  /** Makes it, with its own options. */
  make(workspace: Workspace, options?: object): Tool;
}

/** The four tools. */
export const FOUR_TOOLS: readonly OneOfFour[] = [
  { name: "CodexReadFile", pathName: "file_path", make: createCodexReadFile },
  { name: "ToolkitReadFile", pathName: "path", make: createToolkitReadFile },
  { name: "ForgeRead", pathName: "path", make: createForgeRead },
  { name: "OpenFile", pathName: "file_path", make: createOpenFile },
];

/** The answer for a model, and the error code. */
export interface OverheardReply extends ToolReply {
  /** The code of the failure; `null` for a success. */
  readonly code: string | null;
}

/** Calls a tool as a model would; never rejects. No argument is converted, so that each wrong one is refused. */
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
  return { ...await respond(overheard, args, { lenient: false }), code };
}
