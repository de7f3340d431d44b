import { takeRange } from "./arguments.ts";
import {
  createSecureTool,
  type SecureContext,
  type SecureHandler,
  type ToolMetadata,
} from "./secure_tool.ts";
import {
  createToolkitReadFile,
  takeReadFileRequest,
  TOOL_DEFINITIONS,
  type ToolkitReadFileArguments,
  type ToolkitReadFileOutput,
} from "./toolkit_read_file.ts";

type LineWindow = Pick<ToolkitReadFileArguments, "start_line" | "max_lines">;

const METADATA: ToolMetadata = Object.freeze({
  name: TOOL_DEFINITIONS.read_file.name,
  isWriteOp: false,
  description: TOOL_DEFINITIONS.read_file.description,
});

/**
 * The toolkit's own tools, by name; handlers take the workspace at every call.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, ToolCatalog } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const context = { workspace: await openWorkspace("/repo", { fs }) };
 * const result = await ToolCatalog.read_file.handler(context, "a.txt", { start_line: 2 });
 * assert(result.status === "success");
 * assertEquals(result.data.content, "two\n");
 * ```
 */
export const ToolCatalog: {
  /** Reads a window of a file's lines: its description, and the function that calls it. */
  readonly read_file: {
    readonly metadata: ToolMetadata;
    readonly handler: SecureHandler<
      ToolkitReadFileOutput,
      Pick<ToolkitReadFileArguments, "start_line" | "max_lines">
    >;
  };
} = Object.freeze({
  read_file: Object.freeze({
    metadata: METADATA,
    handler: createSecureTool(METADATA, readRange, { check: checkRange }),
  }),
});

function readRange(
  { workspace, signal, note, given }: SecureContext & {
    readonly given: string;
  },
  _: string,
  range?: LineWindow,
): Promise<ToolkitReadFileOutput> {
  const args = { ...range, path: given };
  return createToolkitReadFile(workspace).call(args, { signal, note });
}

function checkRange(path: string, range?: LineWindow): void {
  const taken = takeRange(path, range, ["start_line", "max_lines"]);
  takeReadFileRequest({ ...taken, path });
}
