// Runtime-agnostic.
import {
  checkValue,
  type Kind,
  type Refuse,
  refuseMistake,
  type Rules,
  shown,
  takeOptions,
} from "../core/base/check.ts";
import { quote } from "../core/base/words.ts";
import type { FileRoot } from "../core/workspace.ts";
import { needArguments, takeRange, textOf } from "./arguments.ts";
import {
  type CallToolOptions,
  frozen,
  replyOf,
  runTool,
  TOOL,
  type Tool,
  type ToolDefinition,
  type ToolReply,
} from "./call.ts";
import { createOpenFile } from "./open_file.ts";
import {
  ruleAgainst,
  takeToolkitPolicy,
  type ToolPolicy,
} from "./tool_policy.ts";
import {
  notOffered,
  resultOf,
  toolNotFound,
  type ToolResult,
} from "./tool_result.ts";
import {
  createToolkitReadFile,
  type ToolkitReadFileOutput,
  type ToolkitReadFileRange,
} from "./toolkit_read_file.ts";

/**
 * Makes a tool for a workspace.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, createForgeRead, memoryFs, type ToolMaker } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const plain = ((root) => createForgeRead(root, { show_line_numbers: false })) satisfies ToolMaker;
 * const fs = memoryFs({ "/repo/a.txt": "one\n" });
 * const { tools } = await createAgentToolkit({ workspaceRoot: "/repo", fs, tools: [plain] });
 * const result = await tools.Read({ path: "a.txt" });
 * assertEquals(result.status === "success" && result.data.text, "one\n");
 * ```
 */
export type ToolMaker<Made extends Tool = Tool> = (workspace: FileRoot) => Made;

/** The makers of the tools that a toolkit offers unless it is told others. */
export type DefaultToolMaker =
  | typeof createToolkitReadFile
  | typeof createOpenFile;

/** Options for a call by way of a toolkit. */
export type ToolkitCallOptions = Omit<CallToolOptions, "policy">;

/** Calls one tool with its arguments: an object, or its JSON text. */
export type ToolCall<Output = unknown> = (
  args: unknown,
  options?: ToolkitCallOptions,
) => Promise<ToolResult<Output>>;

/**
 * The lines that {@linkcode AgentToolkit.openFile} is to open, the last one included.
 */
export interface LineRange {
  /** The first line, from 1 on; 1 by default. */
  readonly start?: number | null | undefined;
  /** The last line; the last of the file by default. */
  readonly end?: number | null | undefined;
}

/** The tools of one agent: one workspace, one policy; no call ever rejects. */
export interface AgentToolkit<Maker extends ToolMaker = DefaultToolMaker> {
  /** Every tool, by its own name. */
  readonly tools: {
    readonly [Made in ReturnType<Maker> as Made["definition"]["name"]]:
      ToolCall<Awaited<ReturnType<Made["call"]>>>;
  };
  /** Calls the toolkit's `read_file`; an unknown name in the range is refused. */
  readFile(
    path: string,
    range?: ToolkitReadFileRange | null,
    options?: ToolkitCallOptions,
  ): Promise<ToolResult<ToolkitReadFileOutput>>;
  /** Calls `open_file`; an unknown name in the range is refused. */
  openFile(
    path: string,
    range?: LineRange | null,
    options?: ToolkitCallOptions,
  ): Promise<ToolResult<string>>;
  /** Calls the tool of a name or alias, for a program. */
  invoke(
    name: string,
    args: unknown,
    options?: ToolkitCallOptions,
  ): Promise<ToolResult>;
  /** Calls the tool of a name or alias, and writes the answer for a model. */
  respond(
    name: string,
    args: unknown,
    options?: ToolkitCallOptions,
  ): Promise<ToolReply>;
  /**
   * Lists the tools to show to a model; {@linkcode definitions} writes them for each vendor's API.
   */
  definitions(): ToolDefinition[];
}

/** Options for a toolkit, whatever its workspace. */
export interface ToolkitOptions<Maker extends ToolMaker = DefaultToolMaker> {
  /** Which tools may be called; all of them by default. */
  readonly policy?:
    | NoInfer<ToolPolicy<ReturnType<Maker>["definition"]["name"]>>
    | undefined;
  /** The tools to offer; `read_file` and `open_file` by default. */
  readonly tools?: readonly Maker[] | undefined;
}

const OPTIONS: Rules<ToolkitCallOptions> = {
  signal: "signal",
  lenient: "flag",
};

const MAKER: Kind = {
  wanted: "a function that makes a tool, such as createOpenFile",
  fits: (value) => typeof value === "function",
};

/** Makes the tools of one agent. */
export function toolkitFor<Maker extends ToolMaker>(
  workspace: FileRoot,
  options: ToolkitOptions<Maker>,
): AgentToolkit<Maker> {
  const refuse = refuseMistake("Cannot make a toolkit");
  const tools = makeTools(options.tools, workspace, refuse);
  const byName = register(tools, refuse);
  const names = tools.map(({ definition: { name } }) => name);
  const policy = takeToolkitPolicy(
    options.policy,
    (name) => byName.get(name)?.definition.name,
    names,
    refuse,
  );
  const isAllowed = (name: string) => ruleAgainst(policy, name) === undefined;
  const allowed = () => names.filter(isAllowed);

  const takeFor =
    (options: ToolkitCallOptions | undefined) =>
    (refuse: Refuse): CallToolOptions => ({
      ...takeOptions(options, OPTIONS, refuse),
      policy,
    });

  async function run<Output>(
    tool: Tool | undefined,
    name: unknown,
    args: unknown,
    options: ToolkitCallOptions | undefined,
  ): Promise<ToolResult<Output>> {
    if (tool === undefined) return toolNotFound(textOf(name), allowed());
    return resultOf(
      await runTool(tool, args, {
        take: takeFor(options),
        tell: (output) => output as Output,
      }),
    );
  }

  /** Calls a tool of ours; another tool of that name, or an alias, answers in another shape. */
  function runOwn<Output>(
    name: string,
    [field, path]: readonly [string, unknown],
    rest: () => object,
    options: ToolkitCallOptions | undefined,
  ): Promise<ToolResult<Output>> {
    const tool = byName.get(name);
    const isOwn = tool?.definition.name === name &&
      tool.definition.parameters.required?.[0] === field;
    const made: Tool | undefined = isOwn
      ? {
        ...tool,
        call: async (_, given) =>
          await tool.call({ ...rest(), [field]: path }, given),
      }
      : undefined;
    return run(made, name, { [field]: path }, options);
  }

  const invoke: AgentToolkit["invoke"] = (name, args, options) =>
    run(byName.get(name), name, args, options);
  const calls = names.map((name): [string, ToolCall] => [
    name,
    (args, options) => invoke(name, args, options),
  ]);
  return {
    // Without a prototype, a name that no tool has is undefined, "toString" too.
    tools: Object.setPrototypeOf(Object.fromEntries(calls), null),
    readFile(path, range, options) {
      const rest = () =>
        takeRange(textOf(path), range, ["start_line", "max_lines"]);
      return runOwn("read_file", ["path", path], rest, options);
    },
    openFile(path, range, options) {
      const rest = () => {
        const { start, end } = takeRange(textOf(path), range, ["start", "end"]);
        return { start_line: start, end_line: end };
      };
      return runOwn("open_file", ["file_path", path], rest, options);
    },
    invoke,
    async respond(name, args, options) {
      const tool = byName.get(name);
      if (tool === undefined) {
        return { ok: false, content: notOffered(textOf(name), allowed()) };
      }
      return replyOf(
        await runTool(tool, args, {
          take: takeFor(options),
          tell: (output) => tool.render(output),
        }),
      );
    },
    definitions: () =>
      tools.map(({ definition }) => definition)
        .filter(({ name }) => isAllowed(name)),
  };
}

/** Makes the tools, each with a definition that stays as it was when it was made. */
function makeTools(
  given: readonly ToolMaker[] | undefined,
  workspace: FileRoot,
  refuse: Refuse,
): readonly Tool[] {
  const makers: unknown = given === undefined
    ? [createToolkitReadFile, createOpenFile]
    : given;
  if (!Array.isArray(makers)) {
    const problem = "must be an array of functions that make tools";
    throw refuse("tools", `${problem}, not ${shown(makers)}`);
  }
  return Array.from(makers, (make: ToolMaker, at): Tool => {
    checkValue(`tools[${at}]`, make, MAKER, refuse);
    const tool = make(workspace);
    checkValue(`what tools[${at}] makes`, tool, TOOL, refuse);
    return {
      definition: frozen(tool.definition),
      aliases: [...tool.aliases],
      call: async (args, options) =>
        await tool.call(needArguments(args), options),
      render: (output) => tool.render(output),
    };
  });
}

/** The tools by every name they answer to; no name is answered twice. */
function register(
  tools: readonly Tool[],
  refuse: Refuse,
): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { definition: { name: own }, aliases } = tool;
    for (const name of new Set([own, ...aliases])) {
      const other = byName.get(name)?.definition.name;
      if (other !== undefined) {
        throw refuse(
          "the tools",
          `${quote(other)} and ${quote(own)} both answer to ${
            quote(name)
          }; offer one of them`,
        );
      }
      byName.set(name, tool);
    }
  }
  return byName;
}
