// Runtime-agnostic.
import type { Awaitable } from "../core/base/port.ts";
import type { FileRoot } from "../core/workspace.ts";
import { badArgument, textOf, withPath } from "./arguments.ts";
import type { ToolDefinition } from "./call.ts";
import { checkPolicy, type ToolPolicy } from "./tool_policy.ts";
import { settle, type ToolResult } from "./tool_result.ts";
import {
  createToolkitReadFile,
  READ_FILE_DEFINITION,
  takeReadFileRequest,
  type ToolkitReadFileOutput,
  type ToolkitReadFileRange,
} from "./toolkit_read_file.ts";

/**
 * What a caller is told of a secure tool.
 */
export interface ToolMetadata {
  /** Its name, by which a policy speaks of it. */
  readonly name: string;
  /** Whether it changes files. */
  readonly isWriteOp: boolean;
  /** What it does. */
  readonly description: string;
}

/**
 * On whose behalf a secure tool works.
 */
export interface SecureContext {
  /** The workspace; nothing outside it is touched. */
  readonly workspace: FileRoot;
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a secure tool does once the call is allowed; it reads through `context.workspace`.
 *
 * @example Usage
 * ```ts
 * import type { SecureWork } from "@agent-tools/read-file";
 * import { createSecureTool, memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const countLines: SecureWork<number, unknown> = async ({ workspace, signal }, path) =>
 *   (await readFile(workspace, path, { kind: "all" }, { signal })).lineCount;
 * const metadata = { name: "count", isWriteOp: false, description: "Counts lines." };
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.txt": "one\ntwo\n" }) });
 * const result = await createSecureTool(metadata, countLines)({ workspace }, "a.txt");
 * assertEquals(result, { status: "success", data: 2 });
 * ```
 */
export type SecureWork<Data, Options> = (
  context: SecureContext,
  path: string,
  options: Options | undefined,
) => Awaitable<Data>;

/**
 * A secure tool, ready to be called; the promise never rejects.
 */
export type SecureHandler<Data, Options> = (
  context: SecureContext,
  path: string,
  options?: Options | null,
) => Promise<ToolResult<Data>>;

/**
 * Options for {@linkcode createSecureTool}.
 */
export interface SecureToolOptions<Options> {
  /**
   * Checks the arguments, before the path is looked at; throws for a bad one.
   *
   * @param path The path, a string that is not empty.
   * @param options The other arguments.
   */
  check?(path: string, options: Options | undefined): void;
}

/**
 * Wraps work on one path: policy first, then arguments, then the workspace's
 * boundary, and only then the work.
 *
 * The boundary is judged twice: by the spelling of the path, here, and by where
 * links lead, in {@linkcode Workspace.open}, which the work reads through.
 *
 * @example Usage
 * ```ts
 * import { createSecureTool, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const metadata = { name: "size", isWriteOp: false, description: "Tells a size." };
 * const size = createSecureTool(metadata, async ({ workspace }, path) => {
 *   await using file = await workspace.open(path);
 *   return file.stat.size;
 * });
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals(await size({ workspace }, "a.txt"), { status: "success", data: 5 });
 * const policy = { defaultPolicy: "deny" } as const;
 * assertEquals((await size({ workspace, policy }, "a.txt")).status, "denied");
 * assertEquals((await size({ workspace }, "../a.txt")).status, "denied");
 * ```
 *
 * @param metadata What the tool is.
 * @param work What it does.
 * @param options How its arguments are checked.
 * @returns The handler.
 */
export function createSecureTool<Data, Options = unknown>(
  metadata: ToolMetadata,
  work: SecureWork<Data, Options>,
  options: SecureToolOptions<Options> = {},
): SecureHandler<Data, Options> {
  return (context, path, given) => {
    const named = textOf(path);
    return settle(() => named, () => {
      checkPolicy(context.policy, metadata.name, named);
      if (named === "") {
        throw badArgument(named, "path", "must be a non-empty string");
      }
      options.check?.(named, given ?? undefined);
      context.workspace.normalize(named);
      return work(context, named, given ?? undefined);
    });
  };
}

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
    ToolkitReadFileRange
  >;
} = {
  read_file: {
    metadata: METADATA,
    handler: /* @__PURE__ */ createSecureTool(
      METADATA,
      ({ workspace, signal }, path, options) =>
        createToolkitReadFile(workspace)
          .call({ ...options, path }, { signal }),
      {
        check(path, options) {
          takeReadFileRequest(withPath("path", path, options));
        },
      },
    ),
  },
};
