// Runtime-agnostic.
import type { Awaitable } from "../core/port.ts";
import type { FileRoot } from "../core/file_root.ts";
import { badArgument } from "./args.ts";
import { checkPolicy, type ToolPolicy } from "./tool_policy.ts";
import { settle, type ToolResult } from "./tool_result.ts";
import { textOf } from "./with_path.ts";

/**
 * What a caller is told of a secure tool.
 *
 * @example Usage
 * ```ts
 * import { ToolCatalog, type ToolMetadata } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const isSafe = ({ isWriteOp }: ToolMetadata) => !isWriteOp;
 * const listed = Object.values(ToolCatalog).map(({ metadata }) => metadata);
 * assertEquals(listed.filter(isSafe).map(({ name }) => name), ["read_file"]);
 * ```
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
 *
 * @example Usage
 * ```ts
 * import type { SecureContext } from "@agent-tools/read-file";
 * import { memoryFs, openWorkspace, ToolCatalog } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const guest: SecureContext = {
 *   workspace: await openWorkspace("/repo", { fs: memoryFs({ "/repo/a.txt": "one" }) }),
 *   policy: { tools: { read_file: "deny" } },
 * };
 * const result = await ToolCatalog.read_file.handler(guest, "a.txt");
 * assertEquals(result.status === "denied" && result.reason, "policy");
 * ```
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
 *
 * @example Usage
 * ```ts
 * import type { SecureHandler } from "@agent-tools/read-file";
 * import { memoryFs, openWorkspace, ToolCatalog } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const calls: string[] = [];
 * function logged<Data, Options>(handler: SecureHandler<Data, Options>): typeof handler {
 *   return (context, path, options) => (calls.push(path), handler(context, path, options));
 * }
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/a.txt": "one" }) });
 * await logged(ToolCatalog.read_file.handler)({ workspace }, "a.txt");
 * assertEquals(calls, ["a.txt"]);
 * ```
 */
export type SecureHandler<Data, Options> = (
  context: SecureContext,
  path: string,
  options?: Options | null,
) => Promise<ToolResult<Data>>;

/**
 * Options for {@linkcode createSecureTool}.
 *
 * @example Usage
 * ```ts
 * import { createSecureTool, FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { ReadFileError, type SecureToolOptions } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const options: SecureToolOptions<number> = {
 *   check(path, size = 1) {
 *     const details = { argument: "size", problem: "must be positive" };
 *     if (size < 1) throw new ReadFileError("INVALID_ARGUMENT", path, details);
 *   },
 * };
 * const metadata = { name: "part", isWriteOp: false, description: "Gives a part." };
 * const part = createSecureTool(metadata, (_context, path) => path, options);
 * const workspace = await FileRoot.at(memoryFs({}), "/");
 * assertEquals((await part({ workspace }, "a.txt", 0)).status, "failure");
 * ```
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
