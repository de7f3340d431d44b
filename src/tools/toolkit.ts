// Runtime-agnostic.
import { quote } from "../core/quote.ts";
import type { FileRoot } from "../core/file_root.ts";
import type {
  AgentToolkit,
  LineRange,
  ToolCall,
  ToolkitOptions,
  ToolMaker,
} from "./agent_toolkit.ts";
import { pathOf, takeArguments } from "./args.ts";
import { createOpenFile } from "./open_file.ts";
import type { CallOptions, Tool, ToolDefinition } from "./tool.ts";
import { badArguments, textOf, withPath } from "./with_path.ts";
import { checkPolicy, ruleAgainst, type ToolPolicy } from "./tool_policy.ts";
import { settle, toolNotFound, type ToolResult } from "./tool_result.ts";
import { createToolkitReadFile } from "./toolkit_read_file.ts";

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
      const args = takeArguments(take());
      if (args === undefined) throw badArguments(path);
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
