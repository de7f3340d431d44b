import {
  checkValue,
  hasFunctions,
  listOf,
  propertyOf,
  type Refuse,
  refuseMistake,
} from "../core/base/check.ts";
import { respond, takeDefinition, takeTool } from "./call.ts";
import type {
  ArgumentsSchema,
  CallToolOptions,
  CustomTool,
  ToolDefinition,
  ToolReply,
} from "./call.ts";
import type { AgentToolkit } from "./toolkit.ts";

/** The `tools` of each vendor's API; the AI SDK has them by name. */
export interface VendorTools {
  /** OpenAI's Responses API; strict mode would make optional arguments required. */
  openai: {
    type: "function";
    name: string;
    description: string;
    parameters: ArgumentsSchema;
    strict: false;
  }[];
  /** OpenAI's Chat Completions API, and compatible ones. */
  "openai-chat": {
    type: "function";
    function: {
      name: string;
      description: string;
      parameters: ArgumentsSchema;
    };
  }[];
  /** Anthropic's Messages API. */
  anthropic: {
    name: string;
    description: string;
    input_schema: ArgumentsSchema;
  }[];
  /** Google's Gemini API. */
  gemini: {
    functionDeclarations: {
      name: string;
      description: string;
      parametersJsonSchema: ArgumentsSchema;
    }[];
  }[];
  /** The list of a server of the Model Context Protocol. A tool changes nothing, and reads nothing outside the workspace. */
  mcp: {
    name: string;
    description: string;
    inputSchema: ArgumentsSchema;
    annotations: { readOnlyHint: true; openWorldHint: false };
  }[];
  /** The AI SDK, which also calls them. */
  "ai-sdk": Record<string, AiSdkTool>;
}

/** A tool for the AI SDK, which also calls it. */
export interface AiSdkTool {
  /** What it does, for the model. */
  description: string;
  /** The schema of its arguments, as a Standard Schema; the tool itself checks them. */
  inputSchema: {
    "~standard": {
      version: 1;
      vendor: string;
      /** Accepts everything: the tool tells the model about wrong arguments. */
      validate(value: unknown): { value: unknown };
      jsonSchema: { input(): ArgumentsSchema; output(): ArgumentsSchema };
    };
  };
  /** Calls the tool; throws a failure, which the SDK shows to the model. */
  execute(
    input: unknown,
    call: { abortSignal?: AbortSignal },
  ): Promise<AiSdkOutput>;
  /** What the model gets of an answer: its text and its images. */
  toModelOutput(given: { output: AiSdkOutput }):
    | { type: "text"; value: string }
    | {
      type: "content";
      value: (
        | { type: "text"; text: string }
        | {
          type: "file";
          mediaType: string;
          data: { type: "data"; data: string };
        }
      )[];
    };
}

/** An answer, as the AI SDK keeps it: the text, or the text and its images. */
export type AiSdkOutput =
  | string
  | Required<Pick<ToolReply, "images">> & { text: string };

/** A tool, ready to be written in any vendor's form. */
type DescribedTool = ReturnType<typeof describe> & {
  reply(
    args: unknown,
    given: Pick<CallToolOptions, "signal" | "lenient">,
  ): Promise<ToolReply>;
};

const MAKERS: {
  readonly [Vendor in keyof VendorTools]: (
    tools: readonly DescribedTool[],
  ) => VendorTools[Vendor];
} = {
  openai: (tools) =>
    tools.map(({ about, schema: parameters }) => (
      { type: "function", ...about, parameters, strict: false }
    )),
  "openai-chat": (tools) =>
    tools.map(({ about, schema: parameters }) => (
      { type: "function", function: { ...about, parameters } }
    )),
  anthropic: (tools) =>
    tools.map(({ about, schema }) => ({ ...about, input_schema: schema })),
  gemini(tools) {
    // The API refuses an empty list of declarations.
    if (tools.length === 0) return [];
    const functionDeclarations = tools.map(({ about, schema }) => (
      { ...about, parametersJsonSchema: schema }
    ));
    return [{ functionDeclarations }];
  },
  mcp: (tools) =>
    tools.map(({ about, schema }) => ({
      ...about,
      inputSchema: schema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  "ai-sdk": (tools) =>
    Object.fromEntries(tools.map((tool) => [tool.about.name, aiSdkTool(tool)])),
};

/** Tools, or an {@linkcode AgentToolkit}, which shows those that its policy allows. */
export type ToolSource =
  | readonly CustomTool[]
  | Pick<AgentToolkit, "definitions" | "respond">;

/**
 * Makes the `tools` of a vendor's API from tools with different names, or from a toolkit.
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
 */
export function definitions<Vendor extends keyof VendorTools>(
  vendor: Vendor,
  tools: ToolSource,
): VendorTools[Vendor] {
  const refuse = refuseMistake("Cannot define tools");
  checkValue("vendor", vendor, Object.keys(MAKERS), refuse);
  const described = describeTools(tools, refuse);
  const names = described.map(({ about }) => about.name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw refuse("two of them", `are called ${twice}; give one of them`);
  }
  return MAKERS[vendor](described);
}

function describeTools(tools: ToolSource, refuse: Refuse): DescribedTool[] {
  if (hasFunctions(tools, ["definitions", "respond"])) {
    const kit = tools as Exclude<ToolSource, readonly CustomTool[]>;
    const list = listOf(kit.definitions(), "definitions()", refuse);
    return list.map((given, at): DescribedTool => {
      const of = `definitions()[${at}]`;
      const tool = describe(given as ToolDefinition, of, refuse);
      const { name } = tool.about;
      return { ...tool, reply: (...sent) => kit.respond(name, ...sent) };
    });
  }
  const list = listOf(tools, "tools", refuse, "an array or a toolkit");
  return list.map((given, at): DescribedTool => {
    const of = `tools[${at}]`;
    const tool = takeTool(given as CustomTool, of, refuse);
    const described = describe(tool.definition, of, refuse);
    return { ...described, reply: (...sent) => respond(tool, ...sent) };
  });
}

/** Describes a tool, with a copy of its schema for the caller. */
function describe(given: ToolDefinition, of: string, refuse: Refuse) {
  const { name, description, parameters } = takeDefinition(given, of, refuse);
  const schema: ArgumentsSchema = {
    type: "object",
    properties: {},
    required: [],
    ...JSON.parse(JSON.stringify(parameters)),
  };
  return { about: { name, description }, schema };
}

function aiSdkTool({ about, schema, reply }: DescribedTool): AiSdkTool {
  const copy = () => structuredClone(schema);
  return {
    description: about.description,
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "agent-tools",
        validate: (value) => ({ value }),
        jsonSchema: { input: copy, output: copy },
      },
    },
    async execute(input, options) {
      // `reply` refuses a wrong signal.
      const signal = propertyOf(options, "abortSignal") as AbortSignal;
      const { ok, text, images } = await reply(input, {
        signal,
        lenient: true,
      });
      if (!ok) throw failureOf(text);
      return images === undefined ? text : { text, images };
    },
    toModelOutput({ output }) {
      if (typeof output === "string") return { type: "text", value: output };
      const { text, images } = output;
      const files = images.map(({ data, mimeType }) => ({
        type: "file" as const,
        mediaType: mimeType,
        data: { type: "data" as const, data },
      }));
      return { type: "content", value: [{ type: "text", text }, ...files] };
    },
  };
}

/** The SDK shows a model the error as a string: without a name, that is the text alone. */
function failureOf(text: string): Error {
  return Object.assign(new Error(text), { name: "" });
}
