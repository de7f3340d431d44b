// Runtime-agnostic.
import type { FileRoot } from "../core/workspace.ts";
import {
  badArguments,
  pathOf,
  takeArguments,
  textOf,
  withPath,
} from "./arguments.ts";
import type { CallOptions, Tool, ToolDefinition } from "./call.ts";
import { checkPolicy, ruleAgainst, type ToolPolicy } from "./tool_policy.ts";
import { settle, toolNotFound, type ToolResult } from "./tool_result.ts";
import {
  createToolkitReadFile,
  type ToolkitReadFileOutput,
  type ToolkitReadFileRange,
} from "./toolkit_read_file.ts";
import { quote } from "../core/base/words.ts";
import { createOpenFile } from "./open_file.ts";

/**
 * The tools that a toolkit offers unless it is told others.
 */
export type AgentToolName = "read_file" | "open_file";

/**
 * Makes a tool for a workspace.
 *
 * @example Usage
 * ```ts
 * import type { ToolMaker } from "@agent-tools/read-file";
 * import { createAgentToolkit, createForgeRead, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const plain: ToolMaker = (root) => createForgeRead(root, { show_line_numbers: false });
 * const fs = memoryFs({ "/repo/a.txt": "one\n" });
 * const { invoke } = await createAgentToolkit({ workspaceRoot: "/repo", fs, tools: [plain] });
 * const result = await invoke("Read", { path: "a.txt" });
 * assertEquals(result.status === "success" && Object(result.data).text, "one\n");
 * ```
 */
export type ToolMaker<Name extends string = string> = (
  workspace: FileRoot,
) => Tool & { readonly definition: { readonly name: Name } };

/**
 * Calls one tool with its arguments: an object, or its JSON text.
 */
export type ToolCall = (
  args: unknown,
  options?: CallOptions,
) => Promise<ToolResult>;

/**
 * The lines that {@linkcode AgentToolkit.openFile} is to open, the last one included.
 */
export interface LineRange {
  /** The first line, from 1 on; 1 by default. */
  readonly start?: number | null;
  /** The last line; the last of the file by default. */
  readonly end?: number | null;
}

/**
 * The tools of one agent: one workspace, one policy; no call ever rejects.
 */
export interface AgentToolkit<Name extends string = AgentToolName> {
  /** Every tool, by its own name. */
  readonly tools: Readonly<Record<Name, ToolCall>>;
  /**
   * Calls the tool `read_file`.
   *
   * @param path The file.
   * @param range From which line on, and how many.
   * @param options When to give up.
   * @returns The window of lines, or why there is none.
   */
  readFile(
    path: string,
    range?: ToolkitReadFileRange | null,
    options?: CallOptions,
  ): Promise<ToolResult<ToolkitReadFileOutput>>;
  /**
   * Calls the tool `open_file`.
   *
   * @param path The file.
   * @param range The lines; all of them by default.
   * @param options When to give up.
   * @returns The lines with their endings, or why there are none.
   */
  openFile(
    path: string,
    range?: LineRange | null,
    options?: CallOptions,
  ): Promise<ToolResult<string>>;
  /**
   * Calls whatever tool a model names.
   *
   * @param name The tool's name, or another name that it answers to.
   * @param args Its arguments: an object, or its JSON text.
   * @param options When to give up.
   * @returns The tool's answer, or why there is none.
   */
  invoke(
    name: string,
    args: unknown,
    options?: CallOptions,
  ): Promise<ToolResult>;
  /**
   * Lists the tools to show to a model.
   *
   * @returns What models are told of the tools that the policy allows, in the order in which they were given.
   */
  definitions(): ToolDefinition[];
}

/**
 * Options for a toolkit, whatever its workspace.
 */
export interface ToolkitOptions<Name extends string = AgentToolName> {
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy<NoInfer<Name>> | undefined;
  /** The tools to offer; `read_file` and `open_file` by default. */
  readonly tools?: readonly ToolMaker<Name>[] | undefined;
}

const DEFAULT_TOOLS: readonly ToolMaker[] = [
  createToolkitReadFile,
  createOpenFile,
];

/** Makes the tools of one agent. */
export function toolkitFor<Name extends string>(
  workspace: FileRoot,
  options: ToolkitOptions<Name>,
): AgentToolkit<Name> {
  const policy: ToolPolicy | undefined = options.policy;
  refuseNoPolicy(policy);
  const makers: readonly ToolMaker[] = options.tools ?? DEFAULT_TOOLS;
  const offered = makers.map((make) => make(workspace));
  const byName = register(offered);
  refuseAliases(policy, byName);

  function allowed(): ToolDefinition[] {
    return offered.map(({ definition }) => definition)
      .filter(({ name }) => ruleAgainst(policy, name) === undefined);
  }

  async function run<Data = unknown>(
    name: string,
    { pathIn, take }: Asked,
    options?: CallOptions,
  ): Promise<ToolResult<Data>> {
    const tool = byName.get(name);
    if (tool === undefined) {
      return toolNotFound(textOf(name), allowed().map(({ name }) => name));
    }
    let path = "";
    return await settle(() => path, () => {
      const { definition } = tool;
      path = pathIn(definition.parameters.required?.[0] ?? "path");
      checkPolicy(policy, definition.name, path);
      const given = take();
      const args = takeArguments(given);
      if (args === undefined) throw badArguments(path, given);
      return tool.call(args, options) as Promise<Data>;
    });
  }

  // Another tool's alias would answer in another tool's shape.
  const runOwn: typeof run = (name, asked, options) =>
    byName.get(name)?.definition.name === name
      ? run(name, asked, options)
      : Promise.resolve(toolNotFound(name, allowed().map(({ name }) => name)));

  const invoke: AgentToolkit["invoke"] = (name, args, options) => {
    const pathIn = (field: string) => pathOf(args, field);
    return run(name, { pathIn, take: () => args }, options);
  };
  const calls = offered.map(({ definition: { name } }): [string, ToolCall] => [
    name,
    (args, options) => invoke(name, args, options),
  ]);
  return {
    // Without a prototype, a name that no tool has is undefined, "toString" too.
    tools: Object.setPrototypeOf(Object.fromEntries(calls), null),
    readFile(path, range, options) {
      const take = () => withPath("path", path, range);
      return runOwn("read_file", { pathIn: () => textOf(path), take }, options);
    },
    openFile(path, range, options) {
      const take = () => withPath("file_path", path, spell(range));
      return runOwn("open_file", { pathIn: () => textOf(path), take }, options);
    },
    invoke,
    definitions: allowed,
  };
}

/** A call as it was asked for; whatever looking at it throws is part of the call. */
interface Asked {
  /** The path, for messages; `field` is the argument that the tool has it in. */
  pathIn(field: string): string;
  /** Gives the arguments. */
  take(): unknown;
}

/** The tools by every name they answer to; no name is answered twice. */
function register(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of new Set([tool.definition.name, ...tool.aliases])) {
      const other = byName.get(name);
      if (other !== undefined) {
        throw new TypeError(
          `Cannot make a toolkit: the tools ${
            quote(other.definition.name)
          } and ${quote(tool.definition.name)} both answer to ${
            quote(name)
          }; offer one of them`,
        );
      }
      byName.set(name, tool);
    }
  }
  return byName;
}

/** A policy that is none would deny nothing, or fail every call. */
function refuseNoPolicy(policy: unknown): void {
  const { tools = {} } = Object(policy ?? {}) as { tools?: unknown };
  if (isObject(policy ?? {}) && isObject(tools)) return;
  throw new TypeError(
    "Cannot make a toolkit: policy and policy.tools must be objects",
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A rule under an alias would never be asked for, and a "deny" would deny nothing. */
function refuseAliases(
  policy: ToolPolicy | undefined,
  byName: ReadonlyMap<string, Tool>,
): void {
  for (const name of Object.keys(policy?.tools ?? {})) {
    const own = byName.get(name)?.definition.name ?? name;
    if (own === name) continue;
    throw new TypeError(
      `Cannot make a toolkit: the policy names ${
        quote(name)
      }, which is an alias of ${quote(own)}; name the tool itself`,
    );
  }
}

/** A range as the tool `open_file` spells it; what is no range is left for it to refuse. */
function spell(range: LineRange | null | undefined): unknown {
  const object = takeArguments(range ?? {});
  if (object === undefined) return range;
  const { start, end, ...rest } = object;
  return { ...rest, start_line: start, end_line: end };
}
