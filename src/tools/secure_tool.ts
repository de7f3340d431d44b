import {
  checkValue,
  copyOf,
  ownOf,
  type Refuse,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../core/base/check.ts";
import type { ReadFileError } from "../core/base/errors.ts";
import { isRootOfWindows } from "../core/base/windows_paths.ts";
import type { Awaitable } from "../core/base/port.ts";
import type { OpenedFile } from "../core/guard/open.ts";
import {
  type CallContext,
  CONTEXT_RULES,
  takeContext,
} from "../core/read_options.ts";
import { WORKSPACE, type Workspace } from "../core/workspace.ts";
import { asText, badArgument, CallArguments } from "./arguments.ts";
import {
  asReadFileError,
  frozen,
  parametersOf,
  property,
  refuseCall,
  takeToolContext,
} from "./call.ts";
import type { CustomTool, JsonSchema, ToolDefinition } from "./call.ts";
import { checkPolicy, takePolicyFor, type ToolPolicy } from "./call_options.ts";
import { resultOf, type ToolResult } from "./tool_result.ts";

/** The description of a secure tool; policies use its name. */
export type ToolMetadata<Name extends string = string> = {
  readonly name: Name;
  /** Whether it changes files; `true` is refused, since tools only read. */
  readonly isWriteOp: boolean;
  readonly description: string;
};

/** The workspace and the rules of one call of a secure tool. */
export interface SecureContext<Name extends string = string>
  extends CallContext {
  /** The workspace; nothing outside it is touched. */
  readonly workspace: Workspace;
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy<Name> | undefined;
}

/**
 * What a secure tool does once the call is allowed, with a path from the root
 * without `.` and `..`, which may end with a slash. It reads through `read` and
 * `open`. It must not open the path with `node:fs` or similar modules: these
 * follow links out and read denied files. Work that needs such a module takes
 * `resolve: "real"`.
 */
export type SecureWork<Data, Options = unknown> = (
  reader: SecureContext & {
    /** Reads lines of a file of the workspace. */
    readonly read: Workspace["read"];
    /** Opens a file of the workspace; close it. */
    open(path: string): Promise<OpenedFile>;
    /** The path as the caller gave it, for messages. */
    readonly given: string;
  },
  path: string,
  options: Options | undefined,
) => Awaitable<Data>;

/** A secure tool, ready to be called, or to be offered by a toolkit. */
export interface SecureHandler<Data, Options, Name extends string = string> {
  /** Calls it; the promise never rejects. */
  (
    context: SecureContext<Name>,
    path: string,
    options?: Options | null,
  ): Promise<ToolResult<Data>>;
  /** Makes the tool of a workspace, for {@linkcode definitions}, {@linkcode respond} or a toolkit. */
  (workspace: Workspace): CustomTool<Data, {
    /** The file. */
    readonly path: string;
    /** An option of the tool, as its schema names it. */
    readonly [option: string]: unknown;
  }, Name>;
}

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
  /** The schemas of the options that a model may send, by name; none by default. `check` checks them. */
  readonly parameters?: Readonly<Record<string, JsonSchema>> | undefined;
}

const RULES = { name: "text", isWriteOp: "flag", description: "text" } as const;

const SECURE_RULES: Rules<SecureContext> = {
  workspace: WORKSPACE,
  policy: "any",
  ...CONTEXT_RULES,
};

/**
 * Makes a tool from work on one path. It checks the policy, then the arguments,
 * then that the path is inside, and only then does the work. `read` and `open`
 * check where links lead. It is a maker of a tool, too: a toolkit takes it among
 * its `tools`.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, createSecureTool, memoryFs, openWorkspace } from "@agent-tools/read-file";
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
 * const kit = await createAgentToolkit({ workspace, tools: [count] });
 * assertEquals((await kit.respond("count", { path: "a.txt" })).text, "2");
 * ```
 */
export function createSecureTool<
  Data,
  Options = unknown,
  Name extends string = string,
>(
  metadata: ToolMetadata<Name>,
  work: SecureWork<Data, Options>,
  options: SecureToolOptions<Options> = {},
): SecureHandler<Data, Options, Name> {
  const refuse = refuseMistake("Cannot make a secure tool");
  const taken = takeOptions<ToolMetadata<Name>>(
    metadata,
    RULES,
    refuse,
    "metadata",
  );
  const { name, isWriteOp, description } = taken;
  checkValue("metadata.name", name, "text", refuse);
  if (isWriteOp) {
    throw refuse("metadata.isWriteOp", "must be false: tools only read");
  }
  checkValue("work", work, "function", refuse);
  const { check, resolve, parameters } = takeOptions<
    SecureToolOptions<Options>
  >(
    options,
    { check: "function", resolve: ["real"], parameters: "any" },
    refuse,
  );
  const definition = defineSecure({ name, description }, parameters, refuse);
  const fail = refuseCall(name);

  /** Checks a call, and does the work; throws a `ReadFileError`. */
  async function run(
    unchecked: SecureContext,
    path: string,
    callOptions: Options | undefined,
  ): Promise<Data> {
    const given = asText(path);
    let normalized = given;
    try {
      const context = takeOptions(unchecked, SECURE_RULES, fail, "context");
      const { workspace, policy, signal, countTokens } = context;
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
      return await work(
        ownOf<Parameters<typeof work>[0]>({
          async read(path, options, context) {
            const own = takeContext(path, context);
            return await workspace.read(path, options, {
              signal: own.signal ?? signal,
              countTokens: own.countTokens ?? countTokens,
            });
          },
          open: (path) => workspace.open(path, { signal }),
          given,
          ...context,
        }),
        resolved,
        callOptions,
      );
    } catch (error) {
      const failure = asReadFileError(error, () => given);
      // Errors show the path as it was given.
      const isNormalized = failure.path === normalized;
      throw isNormalized ? failure.with({ path: given }) : failure;
    }
  }

  /** Makes the tool of a workspace. */
  const toolOf = (
    workspace: Workspace,
  ): ReturnType<SecureHandler<Data, Options, Name>> => ({
    definition,
    async call(args, unchecked) {
      const context = takeToolContext(name, unchecked);
      const taken = new CallArguments(args, definition.parameters);
      taken.refuseUnknown(name);
      const path = taken.needPath();
      const names = Object.keys(definition.parameters.properties ?? {}).slice(
        1,
      );
      const sent = names.map((name) => [name, taken.get(name)] as const)
        .filter(([, value]) => value !== undefined);
      const given = sent.length === 0 ? undefined : Object.fromEntries(sent);
      // The options that the schema names; `check` checks their values.
      const own = ownOf({ workspace, ...context });
      return await run(own, path, given as Options);
    },
  });

  async function handle(
    context: SecureContext,
    path: string,
    options?: Options | null,
  ): Promise<ToolResult<Data>> {
    try {
      const data = await run(context, path, options ?? undefined);
      return { status: "success", data };
    } catch (error) {
      return resultOf<Data>({ error: error as ReadFileError, notes: [] });
    }
  }
  const either = (
    first: SecureContext | Workspace,
    path?: string,
    options?: Options | null,
  ) =>
    path === undefined && WORKSPACE.fits(first)
      ? toolOf(first as Workspace)
      : handle(first as SecureContext, path as string, options);
  // Cast, since the compiler does not tell the two signatures apart.
  return either as SecureHandler<Data, Options, Name>;
}

/** Defines the tool for a model: the path, and the options of the host. */
function defineSecure<Name extends string>(
  about: { readonly name: Name; readonly description: string },
  parameters: SecureToolOptions<unknown>["parameters"],
  refuse: Refuse,
): ToolDefinition<Name> {
  const options = copyOf(parameters, "parameters", refuse);
  if (Object.hasOwn(options, "path")) {
    throw refuse("parameters", 'hold "path", which every secure tool has');
  }
  const path = property(
    "string",
    "Path of the file, relative to the workspace.",
  );
  return frozen({ ...about, parameters: parametersOf({ path, ...options }) });
}
