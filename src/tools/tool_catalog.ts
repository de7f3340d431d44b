// Runtime-agnostic.
import {
  createSecureTool,
  type SecureHandler,
  type ToolMetadata,
} from "./secure_tool.ts";
import type { ToolDefinition } from "./tool.ts";
import {
  createToolkitReadFile,
  READ_FILE_DEFINITION,
  takeReadFileRequest,
  type ToolkitReadFileOptions,
  type ToolkitReadFileOutput,
} from "./toolkit_read_file.ts";
import { withPath } from "./with_path.ts";

/**
 * What models are told of the toolkit's own tools, by name.
 *
 * @example Usage
 * ```ts
 * import { TOOL_DEFINITIONS } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(TOOL_DEFINITIONS.read_file.parameters.required, ["path"]);
 * ```
 */
export const TOOL_DEFINITIONS: {
  /** Reads a window of a file's lines. */
  readonly read_file: ToolDefinition;
} = { read_file: READ_FILE_DEFINITION };

/**
 * A tool as the catalog lists it.
 *
 * @example Usage
 * ```ts
 * import type { CatalogEntry } from "@agent-tools/read-file";
 * import { memoryFs, openWorkspace, ToolCatalog } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.txt": "one" }) });
 * async function run<Data>({ metadata, handler }: CatalogEntry<Data, never>): Promise<string> {
 *   return `${metadata.name}: ${(await handler({ workspace }, "a.txt")).status}`;
 * }
 * assertEquals(await run(ToolCatalog.read_file), "read_file: success");
 * ```
 */
export interface CatalogEntry<Data, Options> {
  /** What it is. */
  readonly metadata: ToolMetadata;
  /** What calls it. */
  readonly handler: SecureHandler<Data, Options>;
}

const METADATA: ToolMetadata = /* @__PURE__ */ metadataOf(
  READ_FILE_DEFINITION,
);

function metadataOf({ name, description }: ToolDefinition): ToolMetadata {
  return { name, isWriteOp: false, description };
}

/**
 * The toolkit's own tools, by name, each with a handler that takes the
 * workspace and the policy at every call.
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
  /** Reads a window of a file's lines. */
  readonly read_file: CatalogEntry<
    ToolkitReadFileOutput,
    ToolkitReadFileOptions
  >;
} = {
  read_file: {
    metadata: METADATA,
    handler: /* @__PURE__ */ createSecureTool(
      METADATA,
      ({ workspace, signal }, path, options) =>
        createToolkitReadFile(workspace)
          .call(withPath("path", path, options), { signal }),
      {
        check(path, options) {
          takeReadFileRequest(withPath("path", path, options));
        },
      },
    ),
  },
};
