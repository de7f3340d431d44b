// Runtime-agnostic.
import type { ArgumentsSchema } from "./json_schema.ts";
import { respond, type Tool, type ToolDefinition } from "./tool.ts";
import type { AiSdkTool, VendorTools } from "./vendor_tools.ts";

const MAKERS: {
  readonly [Vendor in keyof VendorTools]: (
    tools: readonly Tool[],
  ) => VendorTools[Vendor];
} = {
  openai: (tools) =>
    tools.map(({ definition: { name, description, parameters } }) => ({
      type: "function",
      name,
      description,
      parameters: schemaOf(parameters),
      strict: false,
    })),
  "openai-chat": (tools) =>
    tools.map(({ definition: { name, description, parameters } }) => ({
      type: "function",
      function: { name, description, parameters: schemaOf(parameters) },
    })),
  anthropic: (tools) =>
    tools.map(({ definition: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: schemaOf(parameters),
    })),
  gemini: (tools) => [{
    functionDeclarations: tools.map(
      ({ definition: { name, description, parameters } }) => ({
        name,
        description,
        parametersJsonSchema: schemaOf(parameters),
      }),
    ),
  }],
  mcp: (tools) =>
    tools.map(({ definition: { name, description, parameters } }) => ({
      name,
      description,
      inputSchema: schemaOf(parameters),
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  "ai-sdk": (tools) =>
    Object.fromEntries(
      tools.map((tool) => [tool.definition.name, aiSdkTool(tool)]),
    ),
};

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
 * @param tools The tools; no two of one name.
 * @returns The API's `tools`.
 */
export function definitions<Vendor extends keyof VendorTools>(
  vendor: Vendor,
  tools: readonly Tool[],
): VendorTools[Vendor] {
  if (!Object.hasOwn(MAKERS, vendor)) {
    const known = Object.keys(MAKERS).join(", ");
    throw new TypeError(`Cannot define tools: name one of ${known}`);
  }
  const names = tools.map(({ definition: { name } }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    throw new TypeError(
      `Cannot define tools: two of them are called ${twice}; give one of them`,
    );
  }
  return MAKERS[vendor](tools);
}

function schemaOf(parameters: ToolDefinition["parameters"]): ArgumentsSchema {
  const copy: Partial<ArgumentsSchema> = JSON.parse(JSON.stringify(parameters));
  return { type: "object", properties: {}, required: [], ...copy };
}

function aiSdkTool(tool: Tool): AiSdkTool {
  const { description, parameters } = tool.definition;
  const schema = () => schemaOf(parameters);
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
    async execute(input, { abortSignal: signal }) {
      const { ok, content } = await respond(tool, input, { signal });
      if (!ok) throw new Error(content);
      return content;
    },
  };
}
