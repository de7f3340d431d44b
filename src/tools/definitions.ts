// Runtime-agnostic.
import {
  checkValue,
  type Refuse,
  refuseMistake,
  shown,
} from "../core/base/check.ts";
import {
  type ArgumentsSchema,
  respond,
  TOOL,
  type Tool,
  type ToolDefinition,
  type ToolReply,
} from "./call.ts";
import type { AgentToolkit } from "./toolkit.ts";

/** A tool as OpenAI's Responses API takes it. */
export interface OpenAiTool {
  /** What kind of tool it is. */
  type: "function";
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** What it takes. */
  parameters: ArgumentsSchema;
  /** Off: what is optional here would not be under it. */
  strict: false;
}

/**
 * A tool as OpenAI's Chat Completions API takes it, and many others like it.
 */
export interface OpenAiChatTool {
  /** What kind of tool it is. */
  type: "function";
  /** The tool. */
  function: Pick<OpenAiTool, "name" | "description" | "parameters">;
}

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** What it takes. */
  input_schema: ArgumentsSchema;
}

/** Tools as Google's Gemini API takes them. */
export interface GeminiTool {
  /** The tools. */
  functionDeclarations: {
    /** Its name. */
    name: string;
    /** What it does. */
    description: string;
    /** What it takes. */
    parametersJsonSchema: ArgumentsSchema;
  }[];
}

/** A tool as a server of the Model Context Protocol lists it. */
export interface McpTool {
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** What it takes. */
  inputSchema: ArgumentsSchema;
  /** It changes nothing, and sees nothing but the workspace. */
  annotations: {
    /** It changes nothing. */
    readOnlyHint: true;
    /** It sees nothing but the workspace. */
    openWorldHint: false;
  };
}

/** A tool as the AI SDK takes it: it is called as well. */
export interface AiSdkTool {
  /** What it does. */
  description: string;
  /** What it takes, as Standard Schema has it; the tool itself judges what comes. */
  inputSchema: {
    /** The name of the standard's one property. */
    "~standard": {
      /** The version of the standard. */
      version: 1;
      /** Whose schema it is. */
      vendor: string;
      /** Takes all: a model is told by the tool what is wrong, and what to send. */
      validate(value: unknown): { value: unknown };
      /** The schema in JSON. */
      jsonSchema: {
        /** Of what it takes. */
        input(): ArgumentsSchema;
        /** The same. */
        output(): ArgumentsSchema;
      };
    };
  };
  /** Calls the tool; what went wrong is thrown, for the SDK to tell the model. */
  execute(
    input: unknown,
    options: { abortSignal?: AbortSignal },
  ): Promise<string>;
}

/** What each vendor's API takes as its `tools`. */
export interface VendorTools {
  /** OpenAI's Responses API. */
  openai: OpenAiTool[];
  /** OpenAI's Chat Completions API. */
  "openai-chat": OpenAiChatTool[];
  /** Anthropic's Messages API. */
  anthropic: AnthropicTool[];
  /** Google's Gemini API. */
  gemini: GeminiTool[];
  /** The Model Context Protocol. */
  mcp: McpTool[];
  /** The AI SDK, by name. */
  "ai-sdk": Record<string, AiSdkTool>;
}

/** A tool as every vendor's form is made of it. */
interface Told extends Omit<ToolDefinition, "parameters"> {
  readonly parameters: ArgumentsSchema;
  reply(args: unknown, signal: AbortSignal | undefined): Promise<ToolReply>;
}

const MAKERS: {
  readonly [Vendor in keyof VendorTools]: (
    tools: readonly Told[],
  ) => VendorTools[Vendor];
} = {
  openai: (tools) =>
    tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict: false,
    })),
  "openai-chat": (tools) =>
    tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
  anthropic: (tools) =>
    tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  gemini: (tools) => [{
    functionDeclarations: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parametersJsonSchema: parameters,
    })),
  }],
  mcp: (tools) =>
    tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters,
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  "ai-sdk": (tools) =>
    Object.fromEntries(tools.map((tool) => [tool.name, aiSdkTool(tool)])),
};

/**
 * What can be shown to a model: tools, or an {@linkcode AgentToolkit}, of which
 * only what its policy allows is shown.
 */
export type ToolSource =
  | readonly Tool[]
  | Pick<AgentToolkit, "definitions" | "respond">;

/**
 * Says what the tools are in the words of a model's API: what it gives is that
 * API's `tools`, as it is.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, definitions, memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\n" });
 * const tool = createOpenFile(await openWorkspace("/repo", { fs }));
 * const [definition] = definitions("anthropic", [tool]);
 * assertEquals(definition?.name, "open_file");
 * assertEquals(definition?.input_schema.required, ["file_path"]);
 * ```
 *
 * @param vendor Whose API it is.
 * @param tools The tools, no two of one name; or a toolkit.
 * @returns The API's `tools`.
 */
export function definitions<Vendor extends keyof VendorTools>(
  vendor: Vendor,
  tools: ToolSource,
): VendorTools[Vendor] {
  const refuse = refuseMistake("Cannot define tools");
  checkValue("vendor", vendor, Object.keys(MAKERS), refuse);
  const told = tellTools(tools, refuse);
  const names = told.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw refuse("two of them", `are called ${twice}; give one of them`);
  }
  return MAKERS[vendor](told);
}

function tellTools(tools: ToolSource, refuse: Refuse): readonly Told[] {
  if ("definitions" in Object(tools) && "respond" in Object(tools)) {
    const kit = tools as Exclude<ToolSource, readonly Tool[]>;
    return kit.definitions().map((definition) =>
      tell(
        definition,
        (args, signal) => kit.respond(definition.name, args, { signal }),
      )
    );
  }
  if (!Array.isArray(tools)) {
    throw refuse("tools", `must be an array or a toolkit, not ${shown(tools)}`);
  }
  return Array.from(tools, (tool: Tool, at) => {
    checkValue(`tools[${at}]`, tool, TOOL, refuse);
    return tell(
      tool.definition,
      (args, signal) => respond(tool, args, { signal }),
    );
  });
}

/** Tells a tool, with a schema that is the caller's own. */
function tell(definition: ToolDefinition, reply: Told["reply"]): Told {
  const copy: Partial<ArgumentsSchema> = JSON.parse(
    JSON.stringify(definition.parameters),
  );
  const parameters: ArgumentsSchema = {
    type: "object",
    properties: {},
    required: [],
    ...copy,
  };
  return { ...definition, parameters, reply };
}

function aiSdkTool({ description, parameters, reply }: Told): AiSdkTool {
  const schema = () => structuredClone(parameters);
  return {
    description,
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "agent-tools",
        validate: (value) => ({ value }),
        jsonSchema: { input: schema, output: schema },
      },
    },
    async execute(input, { abortSignal }) {
      const { ok, content } = await reply(input, abortSignal);
      if (!ok) throw new Error(content);
      return content;
    },
  };
}
