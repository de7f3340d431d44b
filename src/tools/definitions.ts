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
  ReplyImage,
  ToolDefinition,
  ToolReply,
} from "./call.ts";
import type { VendorImages } from "./image.ts";
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
  "ai-sdk": Record<string, {
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
    /** Calls the tool; throws a failure, which the SDK shows to the model. An answer is its text, or the text and its images. */
    execute(
      input: unknown,
      call: { abortSignal?: AbortSignal },
    ): Promise<string | { text: string; images: readonly ReplyImage[] }>;
    /** What the model gets of an answer: its text and its images. */
    toModelOutput(given: {
      output: string | { text: string; images: readonly ReplyImage[] };
    }):
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
  }>;
  /** Anthropic's SDK, whose `toolRunner` also calls them. */
  "anthropic-runner": {
    name: string;
    description: string;
    input_schema: ArgumentsSchema;
    /** Gives the arguments as they are: the tool itself checks them. */
    parse(content: unknown): unknown;
    /** Calls the tool; an answer and a failure are what the model gets. */
    run(
      args: unknown,
      context?: { signal?: AbortSignal | null | undefined },
    ): Promise<
      string | ({ type: "text"; text: string } | VendorImages["anthropic"])[]
    >;
  }[];
  /** LangChain.js: the arguments of its function `tool`, for each tool. It checks the arguments by the schema, which accepts all of them; as JSON, the schema is that of the tool. */
  langchain: [
    call: (
      input: unknown,
      config: { signal?: AbortSignal | undefined },
    ) => Promise<
      | string
      | (
        | { type: "text"; text: string }
        | { type: "image"; mimeType: string; data: string }
      )[]
    >,
    about: { name: string; description: string; schema: ArgumentsSchema },
  ][];
  /** Mastra, which also calls them. */
  mastra: Record<string, {
    id: string;
    description: string;
    inputSchema: VendorTools["ai-sdk"][string]["inputSchema"];
    /** Calls the tool; an answer and a failure are what the model gets. */
    execute(
      input: unknown,
      context: { abortSignal?: AbortSignal | undefined },
    ): Promise<string | { text: string; images: readonly ReplyImage[] }>;
    /** What the model gets of an answer: its text and its images. */
    toModelOutput(
      output: string | { text: string; images: readonly ReplyImage[] },
    ):
      | { type: "text"; value: string }
      | {
        type: "content";
        value: (
          | { type: "text"; text: string }
          | { type: "media"; mediaType: string; data: string }
        )[];
      };
  }>;
  /** OpenAI's Agents SDK, which also calls them. */
  "openai-agents": {
    type: "function";
    name: string;
    description: string;
    parameters: ArgumentsSchema & { additionalProperties: boolean };
    /** Strict mode would make optional arguments required. */
    strict: false;
    /** Calls the tool; an answer and a failure are what the model gets. */
    invoke(
      context: unknown,
      input: string,
      details?: { signal?: AbortSignal | undefined },
    ): Promise<
      | string
      | (
        | { type: "text"; text: string }
        | { type: "image"; image: { data: string; mediaType: string } }
      )[]
    >;
    /** No call needs the consent of a user: tools only read. */
    needsApproval(): Promise<boolean>;
    /** Whether the model is told of it. */
    isEnabled(): Promise<boolean>;
  }[];
}

/** A tool, ready to be written in any vendor's form. */
type DescribedTool = ReturnType<typeof definitionOf> & {
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
  "anthropic-runner": (tools) =>
    tools.map(({ about, schema, reply }) => ({
      ...about,
      input_schema: schema,
      parse: (content) => content,
      async run(args, context) {
        const signal = context?.signal ?? undefined;
        return contentParts(
          await reply(args, { signal, lenient: true }),
          (image) => ({
            type: "image",
            source: {
              type: "base64",
              // Tools show only images that models take.
              media_type: image.mimeType as "image/png",
              data: image.data,
            },
          }),
        );
      },
    })),
  langchain: (tools) =>
    tools.map(({ about, schema, reply }) => [
      async (input, { signal }) =>
        contentParts(
          await reply(input, { signal, lenient: true }),
          ({ mimeType, data }) => ({ type: "image", mimeType, data }),
        ),
      { ...about, schema: schemaForLangChain(schema) },
    ]),
  mastra: (tools) =>
    Object.fromEntries(
      tools.map((tool) => [tool.about.name, mastraTool(tool)]),
    ),
  "openai-agents": (tools) =>
    tools.map(({ about, schema, reply }) => ({
      type: "function",
      ...about,
      // The SDK's type of a schema has it.
      parameters: {
        ...schema,
        additionalProperties: schema.additionalProperties !== false,
      },
      strict: false,
      async invoke(_, input, details) {
        const { signal } = details ?? {};
        return contentParts(
          await reply(input, { signal, lenient: true }),
          ({ mimeType: mediaType, data }) => (
            { type: "image", image: { data, mediaType } }
          ),
        );
      },
      needsApproval: () => Promise.resolve(false),
      isEnabled: () => Promise.resolve(true),
    })),
};

/** What a model gets of a reply: its text, or the text and its images in the form of a vendor. */
function contentParts<Part>(
  { text, images = [] }: ToolReply,
  make: (image: ReplyImage) => Part,
): string | ({ type: "text"; text: string } | Part)[] {
  return images.length === 0
    ? text
    : [{ type: "text", text }, ...images.map(make)];
}

/** Tools, or a toolkit, which shows those that its policy allows. */
type ToolSource = Parameters<typeof definitions>[1];

/**
 * Makes the `tools` of a vendor's API from tools with different names, or from an
 * {@linkcode AgentToolkit}, which shows those that its policy allows.
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
  tools: readonly CustomTool[] | Pick<AgentToolkit, "definitions" | "respond">,
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
      const tool = definitionOf(given as ToolDefinition, of, refuse);
      const { name } = tool.about;
      return { ...tool, reply: (...sent) => kit.respond(name, ...sent) };
    });
  }
  const list = listOf(tools, "tools", refuse, "an array or a toolkit");
  return list.map((given, at): DescribedTool => {
    const of = `tools[${at}]`;
    const tool = takeTool(given as CustomTool, of, refuse);
    const described = definitionOf(tool.definition, of, refuse);
    return { ...described, reply: (...sent) => respond(tool, ...sent) };
  });
}

/** Describes a tool, with a copy of its schema for the caller. */
function definitionOf(given: ToolDefinition, of: string, refuse: Refuse) {
  const { name, description, parameters } = takeDefinition(given, of, refuse);
  const schema: ArgumentsSchema = {
    type: "object",
    properties: {},
    required: [],
    ...JSON.parse(JSON.stringify(parameters)),
  };
  return { about: { name, description }, schema };
}

/** The schema as a Standard Schema that accepts everything. */
function standardSchema(
  schema: ArgumentsSchema,
): VendorTools["ai-sdk"][string]["inputSchema"] {
  const copy = () => structuredClone(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "agent-tools",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}

/**
 * The schema for LangChain, which refuses a call by it before the tool can tell
 * the model what is wrong, or take "2" as 2: so it accepts everything. A model is
 * shown the schema of the tool, by packages that ask for a Standard JSON Schema,
 * and by those that send it as JSON.
 */
function schemaForLangChain(schema: ArgumentsSchema): ArgumentsSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      { anyOf: [property, {}] },
    ]),
  );
  const checked: ArgumentsSchema = { type: "object", properties, required: [] };
  return Object.defineProperties(checked, {
    "~standard": { value: standardSchema(schema)["~standard"] },
    toJSON: { value: () => structuredClone(schema) },
  });
}

function mastraTool(
  { about, schema, reply }: DescribedTool,
): VendorTools["mastra"][string] {
  return {
    id: about.name,
    description: about.description,
    inputSchema: standardSchema(schema),
    async execute(input, { abortSignal: signal }) {
      const { text, images } = await reply(input, { signal, lenient: true });
      return images === undefined ? text : { text, images };
    },
    toModelOutput(output) {
      if (typeof output === "string") return { type: "text", value: output };
      const { text, images } = output;
      const media = images.map(({ data, mimeType: mediaType }) => (
        { type: "media" as const, mediaType, data }
      ));
      return { type: "content", value: [{ type: "text", text }, ...media] };
    },
  };
}

function aiSdkTool(
  { about, schema, reply }: DescribedTool,
): VendorTools["ai-sdk"][string] {
  return {
    description: about.description,
    inputSchema: standardSchema(schema),
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
