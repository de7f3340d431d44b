import {
  checkValue,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../core/base/check.ts";
import { isRootOfWindows } from "../core/base/windows_paths.ts";
import type { Awaitable } from "../core/base/port.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import type { Page } from "../core/pages/page.ts";
import { takeContext } from "../core/read_options.ts";
import type { CallContext, ReadOptions } from "../core/read_options.ts";
import { WORKSPACE, type Workspace } from "../core/workspace.ts";
import { badArgument, takeRange, textOf } from "./arguments.ts";
import { asReadFileError, type CallOptions, refuseCall } from "./call.ts";
import { checkPolicy, takePolicyFor, type ToolPolicy } from "./call_options.ts";
import { resultOf, type ToolResult } from "./tool_result.ts";
import {
  createToolkitReadFile,
  takeReadFileRequest,
  TOOL_DEFINITIONS,
} from "./toolkit_read_file.ts";
import type {
  ToolkitReadFileOutput,
  ToolkitReadFileRange,
} from "./toolkit_read_file.ts";

/** The description of a secure tool; policies use its name. */
export type ToolMetadata = {
  readonly name: string;
  /** Whether it changes files; `true` is refused, since tools only read. */
  readonly isWriteOp: boolean;
  readonly description: string;
};

/** The workspace and the rules of one call of a secure tool. */
export interface SecureContext extends CallOptions {
  /** The workspace; nothing outside it is touched. */
  readonly workspace: Workspace;
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy | undefined;
}

/** Reads the files of one workspace for the work of a secure tool. */
export interface SecureReader extends SecureContext {
  /** Reads lines of a file, like {@linkcode Workspace.read}. */
  read(
    path: string,
    options?: ReadOptions,
    context?: CallContext,
  ): Promise<Page>;
  /** Opens a file, like {@linkcode Workspace.open}; close it. */
  open(path: string): Promise<OpenedFile>;
  /** The path as the caller gave it, for messages. */
  readonly given: string;
}

/**
 * What a secure tool does once the call is allowed, with a path from the root
 * without `.` and `..`, which may end with a slash. It reads through `read` and
 * `open`. It must not open the path with `node:fs` or similar modules: these
 * follow links out and read denied files. Work that needs such a module takes
 * `resolve: "real"`.
 */
export type SecureWork<Data, Options> = (
  reader: SecureReader,
  path: string,
  options: Options | undefined,
) => Awaitable<Data>;

/** A secure tool, ready to be called; the promise never rejects. */
export type SecureHandler<Data, Options> = (
  context: SecureContext,
  path: string,
  options?: Options | null,
) => Promise<ToolResult<Data>>;

/** Options for {@linkcode createSecureTool}. */
export interface SecureToolOptions<Options> {
  /** Checks the arguments before the path; throws for a bad one. */
  check?(path: string, options: Options | undefined): void;
  /**
   * `"real"` passes the canonical path of a regular file inside, for work that
   * must open it without the workspace. Before the work opens it, a link may
   * replace the file or a directory above it, and other paths that the work makes
   * are not checked.
   */
  readonly resolve?: "real" | undefined;
}

const RULES = { name: "text", isWriteOp: "flag", description: "text" } as const;

const CONTEXT_RULES: Rules<SecureContext> = {
  workspace: WORKSPACE,
  policy: "any",
  signal: "signal",
  note: "function",
};

/**
 * Makes a tool from work on one path. It checks the policy, then the arguments,
 * then that the path is inside, and only then does the work. `read` and `open`
 * check where links lead.
 *
 * @example Usage
 * ```ts
 * import { createSecureTool, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const metadata = { name: "count", isWriteOp: false, description: "Counts lines." };
 * const count = createSecureTool(metadata, async ({ read }, path) =>
 *   (await read(path)).lineCount
 * );
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals(await count({ workspace }, "./a.txt"), { status: "success", data: 2 });
 * assertEquals((await count({ workspace }, "../a.txt")).status, "denied");
 * ```
 */
export function createSecureTool<Data, Options = unknown>(
  metadata: ToolMetadata,
  work: SecureWork<Data, Options>,
  options: SecureToolOptions<Options> = {},
): SecureHandler<Data, Options> {
  const refuse = refuseMistake("Cannot make a secure tool");
  const { name, isWriteOp } = takeOptions(metadata, RULES, refuse, "metadata");
  checkValue("metadata.name", name, "text", refuse);
  if (isWriteOp) {
    throw refuse("metadata.isWriteOp", "must be false: tools only read");
  }
  checkValue("work", work, "function", refuse);
  const rules = { check: "function", resolve: ["real"] } as const;
  const { check, resolve } = takeOptions(options, rules, refuse);
  const fail = refuseCall(name);
  return async (unchecked, path, givenOptions) => {
    const callOptions = givenOptions ?? undefined;
    const given = textOf(path);
    let normalized = given;
    try {
      const context = takeOptions(unchecked, CONTEXT_RULES, fail, "context");
      const { workspace, policy, signal } = context;
      checkValue("workspace", workspace, WORKSPACE, fail);
      checkPolicy(takePolicyFor(policy, name, [], fail), name, given);
      if (given === "") {
        throw badArgument(given, "path", "must be a non-empty string");
      }
      check?.(given, callOptions);
      // Keep the slash: "a.txt/" is not the file "a.txt".
      const end = isRootOfWindows(workspace.root)
        ? /[\\/]\.{0,2}$/
        : /\/\.{0,2}$/;
      const slash = end.test(given) ? "/" : "";
      normalized = workspace.normalize(given) + slash;
      const resolved = resolve === "real"
        ? await workspace.realPath(given, { signal })
        : normalized;
      const reader: SecureReader = {
        async read(path, options, context) {
          const own = takeContext(path, context);
          const both = { ...own, signal: own.signal ?? signal };
          return await workspace.read(path, options, both);
        },
        open: (path) => workspace.open(path, { signal }),
        given,
        ...context,
      };
      const data = await work(reader, resolved, callOptions);
      return { status: "success", data };
    } catch (error) {
      const failure = asReadFileError(error, () => given);
      // Errors show the path as it was given.
      const isNormalized = failure.path === normalized;
      const shown = isNormalized ? failure.with({ path: given }) : failure;
      return resultOf<Data>({ error: shown, notes: [] });
    }
  };
}

/** A tool in the catalog: its description, and the function that calls it. */
export type CatalogEntry<Data, Options> = {
  readonly metadata: ToolMetadata;
  readonly handler: SecureHandler<Data, Options>;
};

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
  /** Reads a window of a file's lines. */
  readonly read_file: CatalogEntry<
    ToolkitReadFileOutput,
    ToolkitReadFileRange
  >;
} = Object.freeze({
  read_file: Object.freeze({
    metadata: METADATA,
    handler: createSecureTool(METADATA, readRange, { check: checkRange }),
  }),
});

function readRange(
  { workspace, signal, note, given }: SecureReader,
  _: string,
  range?: ToolkitReadFileRange,
): Promise<ToolkitReadFileOutput> {
  const args = { ...range, path: given };
  return createToolkitReadFile(workspace).call(args, { signal, note });
}

function checkRange(path: string, range?: ToolkitReadFileRange): void {
  const taken = takeRange(path, range, ["start_line", "max_lines"]);
  takeReadFileRequest({ ...taken, path });
}
