import {
  checkValue,
  type Json,
  type Kind,
  listOf,
  type Refuse,
  refuseMistake,
  takeOptions,
} from "../core/base/check.ts";
import { ReadFileError } from "../core/base/errors.ts";
import { quote, visibleJson } from "../core/base/words.ts";
import type { CallContext } from "../core/read_options.ts";
import type { Workspace } from "../core/workspace.ts";
import {
  asText,
  isWhole,
  needArguments,
  parseArguments,
  takeRange,
} from "./arguments.ts";
import {
  asReadFileError,
  callWithArguments,
  refuseCall,
  replyOf,
  runCall,
  sentPath,
  takeDefinition,
  takeTool,
  TOOL,
  writeAnswer,
} from "./call.ts";
import type {
  CallToolOptions,
  CustomTool,
  SentTo,
  Tool,
  ToolDefinition,
  ToolOutcome,
  ToolReply,
} from "./call.ts";
import { createOpenFile, type openFile } from "./open_file.ts";
import { checkPolicy, ruleAgainst, takeToolkitPolicy } from "./call_options.ts";
import type { ToolPolicy } from "./call_options.ts";
import { notOffered, resultOf, toolNotFound } from "./tool_result.ts";
import type { ToolResult } from "./tool_result.ts";
import { createToolkitReadFile } from "./toolkit_read_file.ts";
import type {
  ToolkitReadFileArguments,
  ToolkitReadFileOutput,
} from "./toolkit_read_file.ts";

/** Makes a tool for a workspace, such as {@linkcode createForgeRead}, or several, such as {@linkcode readerTools}. */
export type ToolMaker<
  Made extends CustomTool | readonly CustomTool[] =
    | CustomTool
    | readonly CustomTool[],
> = (workspace: Workspace) => Made;

/** Options for a call. `note` is called with each note, because a {@linkcode ToolResult} holds no notes. */
export type ToolkitCallOptions =
  & Omit<CallToolOptions, "policy">
  & Pick<CallContext, "note">;

/** The tools of one agent: one workspace, one policy; calls never reject. */
export interface AgentToolkit<
  Maker extends ToolMaker | CustomTool =
    | typeof createToolkitReadFile
    | typeof createOpenFile,
> {
  /** Every tool, by its own name. It is called with its arguments: an object, or its JSON text. */
  readonly tools: {
    readonly [
      Made in
        | Extract<Maker, CustomTool>
        | Extract<ReturnType<Extract<Maker, ToolMaker>>, CustomTool>
        | Extract<
          ReturnType<Extract<Maker, ToolMaker>>,
          readonly CustomTool[]
        >[number] as Made["definition"]["name"]
    ]: <const Sent>(
      args: Sent & SentTo<Made, Sent>,
      options?: ToolkitCallOptions,
    ) => Promise<ToolResult<Awaited<ReturnType<Made["call"]>>>>;
  };
  /** Calls the toolkit's `read_file`; an unknown property of `range` is refused. */
  readFile(
    path: string,
    range?: Pick<ToolkitReadFileArguments, "start_line" | "max_lines"> | null,
    options?: ToolkitCallOptions,
  ): Promise<ToolResult<ToolkitReadFileOutput>>;
  /** Calls `open_file`; an unknown property of `range` is refused. */
  openFile(
    path: string,
    range?: Parameters<typeof openFile>[2],
    options?: ToolkitCallOptions,
  ): Promise<ToolResult<string>>;
  /** Calls a tool by its name or alias, for a program. */
  invoke(
    name: string,
    args: unknown,
    options?: ToolkitCallOptions,
  ): Promise<ToolResult>;
  /** Calls a tool by its name or alias, and writes the answer for a model. */
  respond(
    name: string,
    args: unknown,
    options?: ToolkitCallOptions,
  ): Promise<ToolReply>;
  /** The tools that the policy allows, to show to a model. */
  definitions(): ToolDefinition[];
}

const RULES = { signal: "signal", lenient: "flag", note: "function" } as const;

const MAKER: Kind = {
  wanted: "a tool, or a function that makes one, such as createOpenFile",
  fits: (value) => typeof value === "function" || TOOL.fits(value),
};

/** Makes the toolkit of a workspace. */
export function toolkitFor<Maker extends ToolMaker | CustomTool>(
  workspace: Workspace,
  makers: readonly Maker[] | undefined,
  unchecked: ToolPolicy | undefined,
): AgentToolkit<Maker> {
  const refuse = refuseMistake("Cannot make a toolkit");
  const tools = makeTools(makers, workspace, refuse);
  const byName = register(tools, refuse);
  const names = tools.map(({ definition: { name } }) => name);
  const policy = takeToolkitPolicy(unchecked, byName, names, refuse);
  const allowed = () => names.filter((name) => !ruleAgainst(policy, name));

  /** The error of a tool, with the call of another one that reads the file, if there is one. */
  const withOther = (error: unknown, tool: Tool, sent: Json) => {
    if (!(error instanceof ReadFileError)) return error;
    const lines = linesOf(sent);
    for (const name of allowed()) {
      const other = byName.get(name)!;
      const args = other === tool ? undefined : other.insteadOf?.(error, lines);
      if (args === undefined) continue;
      return error.with({ hint: `call ${name} ${visibleJson(args)}` });
    }
    return error;
  };

  const notFound = (name: unknown) => toolNotFound(asText(name), allowed());

  /** Calls a tool and converts its output. */
  async function call<Output>(
    tool: Tool,
    { path, take }: SentArguments,
    options: ToolkitCallOptions | undefined,
    convert: (output: unknown) => Output,
    isLenient = false,
  ): Promise<ToolOutcome<Output>> {
    /** The caller's `note`, once the options are checked. */
    let onNote: CallContext["note"];
    const outcome = await runCall(() => path, async (notes) => {
      const { name } = tool.definition;
      const { note, signal, lenient = isLenient } = takeOptions(
        options,
        RULES,
        refuseCall(name),
      );
      onNote = note;
      checkPolicy(policy, name, path);
      const args = take();
      try {
        return convert(
          await callWithArguments(tool, args, { signal, lenient }, notes),
        );
      } catch (error) {
        throw withOther(error, tool, args);
      }
    });
    try {
      for (const note of outcome.notes) onNote?.(note);
      return outcome;
    } catch (error) {
      // A `note` that throws fails the call.
      return { error: asReadFileError(error, () => ""), notes: [] };
    }
  }

  async function run<Output>(
    tool: Tool,
    sent: SentArguments,
    options: ToolkitCallOptions | undefined,
  ): Promise<ToolResult<Output>> {
    const convert = (output: unknown) => output as Output;
    return resultOf(await call(tool, sent, options, convert));
  }

  /**
   * Calls a tool of this package by its name. A custom tool of the same name is
   * called only if its first required argument is `pathName`.
   */
  async function runOwn<Output>(
    name: string,
    pathName: string,
    sent: SentArguments,
    options: ToolkitCallOptions | undefined,
  ): Promise<ToolResult<Output>> {
    const tool = byName.get(name);
    const { name: own, parameters } = tool?.definition ?? {};
    const isOwn = own === name && parameters?.required?.[0] === pathName;
    return isOwn ? await run(tool!, sent, options) : notFound(name);
  }

  const invoke: AgentToolkit["invoke"] = async (name, args, options) => {
    const tool = byName.get(name);
    if (tool === undefined) return notFound(name);
    return await run(tool, sentTo(tool, args), options);
  };
  const calls = names.map((name) => [name, invoke.bind(null, name)]);
  return {
    // Without a prototype, unknown names such as "toString" are undefined.
    tools: Object.setPrototypeOf(Object.fromEntries(calls), null),
    readFile(path, range, options) {
      const take = () => {
        const lines = takeRange(path, range, ["start_line", "max_lines"]);
        return { ...lines, path };
      };
      const sent = { path: asText(path), take };
      return runOwn("read_file", "path", sent, options);
    },
    openFile(path, range, options) {
      const take = () => {
        const { start, end } = takeRange(path, range, ["start", "end"]);
        // A custom tool might lack these arguments, so send only those that were given.
        return {
          ...(start !== undefined && { start_line: start }),
          ...(end !== undefined && { end_line: end }),
          file_path: path,
        };
      };
      const sent = { path: asText(path), take };
      return runOwn("open_file", "file_path", sent, options);
    },
    invoke,
    async respond(name, args, options) {
      const tool = byName.get(name);
      if (tool === undefined) {
        const content = notOffered(asText(name), allowed());
        return { ok: false, text: content, content };
      }
      const write = (output: unknown) => writeAnswer(tool, output);
      const sent = sentTo(tool, args);
      const outcome = await call(tool, sent, options, write, true);
      return replyOf(tool, outcome);
    },
    definitions: () => allowed().map((name) => byName.get(name)!.definition),
  };
}

/** The lines that a call of one of these tools asks for. */
function linesOf({ start_line, end_line, max_lines }: Json) {
  const start = isWhole(start_line, 1) ? start_line : undefined;
  const count = isWhole(end_line) ? end_line + 1 - (start ?? 1) : max_lines;
  return {
    ...(start !== undefined && { start }),
    ...(isWhole(count, 1) && { count }),
  };
}

/** The arguments of a call, before they are checked. */
interface SentArguments {
  /** The path, for messages. */
  readonly path: string;
  /** Checks and copies the arguments; is called once the policy allows the call. */
  readonly take: () => Json;
}

function sentTo(tool: Tool, args: unknown): SentArguments {
  const sent = parseArguments(args);
  return { path: sentPath(tool, sent), take: () => needArguments(sent) };
}

function makeTools(
  given: readonly (ToolMaker | CustomTool)[] | undefined,
  workspace: Workspace,
  refuse: Refuse,
): readonly Tool[] {
  const makers = given === undefined
    ? [createToolkitReadFile, createOpenFile]
    : listOf(
      given,
      "tools",
      refuse,
      "an array of tools, or of functions that make them",
    );
  return makers.flatMap((make, at) => {
    const name = `tools[${at}]`;
    checkValue(name, make, MAKER, refuse);
    if (typeof make !== "function") {
      return copyOfTool(make as CustomTool, name, refuse);
    }
    const made = (make as ToolMaker)(workspace);
    const what = `what ${name} makes`;
    if (TOOL.fits(made)) return copyOfTool(made as CustomTool, what, refuse);
    return listOf(made, what, refuse, TOOL.wanted).map((one, at) =>
      copyOfTool(one as CustomTool, `${what}[${at}]`, refuse)
    );
  });
}

/** Checks and copies a tool: what becomes of it later does not change the toolkit. */
function copyOfTool(given: CustomTool, name: string, refuse: Refuse): Tool {
  const tool = takeTool(given, name, refuse);
  const { images, facts, failure, insteadOf } = tool;
  return {
    definition: takeDefinition(tool.definition, name, refuse),
    aliases: [...tool.aliases],
    call: (args, options) => tool.call(args, options),
    render: (output) => tool.render(output),
    ...(images && { images: images.bind(tool) }),
    ...(facts && { facts: facts.bind(tool) }),
    ...(failure && { failure: failure.bind(tool) }),
    ...(insteadOf && { insteadOf: insteadOf.bind(tool) }),
  };
}

/** Maps each name and alias to its tool; refuses duplicates. */
function register(tools: readonly Tool[], refuse: Refuse) {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { definition: { name: own }, aliases } = tool;
    for (const name of new Set([own, ...aliases])) {
      const other = byName.get(name)?.definition.name;
      if (other !== undefined) {
        const both = `${quote(other)} and ${quote(own)} both answer to`;
        throw refuse("the tools", `${both} ${quote(name)}; offer one of them`);
      }
      byName.set(name, tool);
    }
  }
  return byName;
}
