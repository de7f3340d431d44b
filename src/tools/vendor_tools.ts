// Runtime-agnostic.
import type { ArgumentsSchema } from "./json_schema.ts";

/**
 * A tool as OpenAI's Responses API takes it.
 *
 * @example Usage
 * ```ts
 * import { createForgeRead, definitions } from "@agent-tools/read-file";
 * import { FileRoot, memoryFs, type OpenAiTool } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const root = await FileRoot.at(memoryFs({}), "/");
 * const tools: OpenAiTool[] = definitions("openai", [createForgeRead(root)]);
 * const body = JSON.stringify({ input: "Read a.txt", tools });
 * assertEquals(JSON.parse(body).tools[0].name, "Read");
 * ```
 */
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
 *
 * @example Usage
 * ```ts
 * import { createCodexReadFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, memoryFs, type OpenAiChatTool } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const nameOf = ({ function: { name } }: OpenAiChatTool) => name;
 * const tool = createCodexReadFile(await FileRoot.at(memoryFs({}), "/"));
 * assertEquals(definitions("openai-chat", [tool]).map(nameOf), ["read_file"]);
 * ```
 */
export interface OpenAiChatTool {
  /** What kind of tool it is. */
  type: "function";
  /** The tool. */
  function: Pick<OpenAiTool, "name" | "description" | "parameters">;
}

/**
 * A tool as Anthropic's Messages API takes it.
 *
 * @example Usage
 * ```ts
 * import { type AnthropicTool, createOpenFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const cached = (tool: AnthropicTool) => ({ ...tool, cache_control: { type: "ephemeral" } });
 * const root = await FileRoot.at(memoryFs({}), "/");
 * const [last] = definitions("anthropic", [createOpenFile(root)]).map(cached);
 * assertEquals([last?.name, last?.cache_control.type], ["open_file", "ephemeral"]);
 * ```
 */
export interface AnthropicTool {
  /** Its name. */
  name: string;
  /** What it does. */
  description: string;
  /** What it takes. */
  input_schema: ArgumentsSchema;
}

/**
 * Tools as Google's Gemini API takes them.
 *
 * @example Usage
 * ```ts
 * import { createForgeRead, createOpenFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, type GeminiTool, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const root = await FileRoot.at(memoryFs({}), "/");
 * const tools = [createForgeRead(root), createOpenFile(root)];
 * const [declared]: GeminiTool[] = definitions("gemini", tools); // one holds them all
 * assertEquals(declared?.functionDeclarations.map(({ name }) => name), ["Read", "open_file"]);
 * ```
 */
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

/**
 * A tool as a server of the Model Context Protocol lists it.
 *
 * @example Usage
 * ```ts
 * import { createToolkitReadFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, type McpTool, memoryFs } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * const needsNoLeave = ({ annotations }: McpTool) => annotations.readOnlyHint;
 * const root = await FileRoot.at(memoryFs({}), "/");
 * assert(definitions("mcp", [createToolkitReadFile(root)]).every(needsNoLeave));
 * ```
 */
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

/**
 * A tool as the AI SDK takes it: it is called as well.
 *
 * @example Usage
 * ```ts
 * import { type AiSdkTool, createOpenFile, definitions } from "@agent-tools/read-file";
 * import { FileRoot, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const root = await FileRoot.at(memoryFs({ "/repo/a.txt": "one" }), "/repo");
 * const tools: Record<string, AiSdkTool> = definitions("ai-sdk", [createOpenFile(root)]);
 * assertEquals(await tools.open_file?.execute({ file_path: "a.txt" }, {}), "one");
 * ```
 */
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

/**
 * What each vendor's API takes as its `tools`.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, definitions, FileRoot } from "@agent-tools/read-file";
 * import { memoryFs, type VendorTools } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const tool = createOpenFile(await FileRoot.at(memoryFs({}), "/"));
 * const bodyFor = <Vendor extends keyof VendorTools>(vendor: Vendor) => ({
 *   tools: definitions(vendor, [tool]),
 * });
 * assertEquals(bodyFor("openai").tools[0]?.name, "open_file");
 * assertEquals(bodyFor("openai-chat").tools[0]?.function.name, "open_file");
 * ```
 */
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
