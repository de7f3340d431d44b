import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createAgentToolkit,
  createForgeRead,
  createOpenFile,
  createToolkitReadFile,
  definitions,
  memoryFs,
  openWorkspace,
  type Tool,
  type VendorTools,
} from "../../mod.ts";
import { FOUR_TOOLS } from "../support/four_tools.ts";

async function makeTools(): Promise<readonly Tool[]> {
  const fs = memoryFs({ "/ws/a.txt": "one\ntwo\n" });
  const workspace = await openWorkspace("/ws", { fs });
  return [
    createToolkitReadFile(workspace),
    createForgeRead(workspace),
    createOpenFile(workspace),
  ];
}

describe("definitions()", () => {
  it("describes a tool in the same way for each vendor", async () => {
    const tools = await makeTools();
    const told = tools.map(({ definition: { name, description } }) => ({
      name,
      description,
    }));
    const named = (
      { name, description }: { name: string; description: string },
    ) => ({ name, description });
    assertEquals(definitions("openai", tools).map(named), told);
    assertEquals(
      definitions("openai-chat", tools).map((tool) => named(tool.function)),
      told,
    );
    assertEquals(definitions("anthropic", tools).map(named), told);
    assertEquals(
      definitions("gemini", tools).map((tool) =>
        tool.functionDeclarations.map(named)
      ),
      [told],
    );
    assertEquals(definitions("mcp", tools).map(named), told);
    assertEquals(
      Object.entries(definitions("ai-sdk", tools)).map((
        [name, { description }],
      ) => ({ name, description })),
      told,
    );
  });
  it("gives each vendor the schema of the tool itself", async () => {
    for (const tool of await makeTools()) {
      const { parameters } = tool.definition;
      const [openai] = definitions("openai", [tool]);
      assertEquals<unknown>(openai!.parameters, parameters);
      const [chat] = definitions("openai-chat", [tool]);
      assertEquals<unknown>(chat!.function.parameters, parameters);
      const [anthropic] = definitions("anthropic", [tool]);
      assertEquals<unknown>(anthropic!.input_schema, parameters);
      const [gemini] = definitions("gemini", [tool]);
      assertEquals<unknown>(
        gemini!.functionDeclarations[0]!.parametersJsonSchema,
        parameters,
      );
      const [mcp] = definitions("mcp", [tool]);
      assertEquals<unknown>(mcp!.inputSchema, parameters);
      const [sdk] = Object.values(definitions("ai-sdk", [tool]));
      const { jsonSchema } = sdk!.inputSchema["~standard"];
      assertEquals<unknown>(jsonSchema.input(), parameters);
    }
  });
  it("marks the tools over MCP as read-only and limited to the workspace", async () => {
    for (const { annotations } of definitions("mcp", await makeTools())) {
      assertEquals(annotations, { readOnlyHint: true, openWorldHint: false });
    }
  });
  it("returns copies, so that changes of a caller have no effect", async () => {
    const [tool] = await makeTools();
    const [first] = definitions("openai", [tool!]);
    first!.parameters.required.push("spoilt");
    first!.parameters.properties.path!.type = "number";
    const [second] = definitions("openai", [tool!]);
    assertEquals<unknown>(second!.parameters, tool!.definition.parameters);
    assert(!second!.parameters.required.includes("spoilt"));
  });
  it("gives plain JSON, except for the AI SDK", async () => {
    const tools = await makeTools();
    for (
      const vendor of [
        "openai",
        "openai-chat",
        "anthropic",
        "gemini",
        "mcp",
      ] as const
    ) {
      const made: unknown = definitions(vendor, tools);
      assertEquals(JSON.parse(JSON.stringify(made)), made, vendor);
    }
  });
  it("calls the tool for the AI SDK, and throws the message for the model", async () => {
    const { open_file: tool } = definitions("ai-sdk", await makeTools());
    assertEquals(await tool!.execute({ file_path: "a.txt" }, {}), "one\ntwo\n");
    const message = await tool!.execute({ file_path: "b.txt" }, {})
      .then(() => "answered", (error: Error) => error.message);
    assertEquals(message, 'file not found: b.txt\ndid you mean "a.txt"?');
    const abortSignal = AbortSignal.abort();
    const aborted = await tool!.execute({ file_path: "a.txt" }, { abortSignal })
      .then(() => "answered", (error: Error) => error.message);
    assert(aborted.includes("abort") || aborted.includes("cancel"), aborted);
  });
  it("refuses two tools of the same name", async () => {
    const fs = memoryFs({ "/ws/a.txt": "one\n" });
    const workspace = await openWorkspace("/ws", { fs });
    const tools = FOUR_TOOLS.map(({ make }) => make(workspace));
    assertThrows(
      () => definitions("openai", tools),
      TypeError,
      "Cannot define tools: two of them are called read_file; give one of them",
    );
  });
  it("names the known vendors if it refuses another", () => {
    // The cast allows what untyped code may pass.
    const call = definitions as (vendor: string, tools: []) => unknown;
    for (const vendor of ["cohere", "toString", "__proto__", ""]) {
      assertThrows(
        () => call(vendor, []),
        TypeError,
        'Cannot define tools: vendor must be one of "openai", "openai-chat", "anthropic", "gemini", "mcp", "ai-sdk", "anthropic-runner", "langchain", "mastra", "openai-agents", not ',
      );
    }
  });
  it("defines the tools that a toolkit's policy allows, and calls them through the toolkit", async () => {
    const fs = memoryFs({ "/ws/a.txt": "one\ntwo\n" });
    const kit = await createAgentToolkit({
      workspaceRoot: "/ws",
      fs,
      tools: [createForgeRead, createOpenFile],
      policy: { tools: { open_file: "deny" } },
    });
    const vendors = ["openai", "openai-chat", "anthropic", "gemini", "mcp"];
    const [tool] = await makeTools().then((tools) =>
      tools.filter(({ definition }) => definition.name === "Read")
    );
    for (const vendor of vendors as ("openai" | "mcp")[]) {
      assertEquals(definitions(vendor, kit), definitions(vendor, [tool!]));
    }
    const { Read, ...others } = definitions("ai-sdk", kit);
    assertEquals(Object.keys(others), []);
    const text = await Read!.execute({ path: "a.txt", head: 1 }, {});
    assertEquals(
      text,
      '1| one\n\nNote: more lines follow; continue with {"start_line":2,"limit":1,"path":"a.txt"}',
    );
    const denied = await createAgentToolkit({
      workspaceRoot: "/ws",
      fs,
      policy: { defaultPolicy: "deny" },
    });
    assertEquals(definitions("mcp", denied), []);
    assertEquals(definitions("gemini", denied), []);
  });
  it("returns nothing for no tools", () => {
    const none: Omit<VendorTools, "openai-chat"> = {
      openai: definitions("openai", []),
      anthropic: definitions("anthropic", []),
      gemini: definitions("gemini", []),
      mcp: definitions("mcp", []),
      "ai-sdk": definitions("ai-sdk", []),
      "anthropic-runner": definitions("anthropic-runner", []),
      langchain: definitions("langchain", []),
      mastra: definitions("mastra", []),
      "openai-agents": definitions("openai-agents", []),
    };
    assertEquals(none, {
      openai: [],
      anthropic: [],
      // Gemini refuses a request with an empty list of declarations.
      gemini: [],
      mcp: [],
      "ai-sdk": {},
      "anthropic-runner": [],
      langchain: [],
      mastra: {},
      "openai-agents": [],
    });
  });
});
