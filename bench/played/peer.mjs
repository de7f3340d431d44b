// Answers calls of the read tool of another project, in Node.js: peer.mjs TOOL ROOT.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";

const [name, root] = process.argv.slice(2);

/** Each gives the definition of its tool, and answers a call. */
const TOOLS = {
  async anthropic() {
    const { betaReadTool } = await import(
      "@anthropic-ai/sdk/tools/agent-toolset/node"
    );
    const tool = betaReadTool({ workdir: root });
    const { name, description, input_schema } = tool;
    return {
      definition: { name, description, input_schema },
      call: (args) => tool.run(args),
    };
  },
  async pi() {
    // The package's own entry needs Node.js 22; this file does not.
    const tools = "@earendil-works/pi-coding-agent/dist/core/tools/read.js";
    const { createReadTool } = await import(
      new URL(`node_modules/${tools}`, import.meta.url).href
    );
    const tool = createReadTool(root);
    const { name, description, parameters } = tool;
    return {
      definition: { name, description, parameters },
      async call(args) {
        const { content } = await tool.execute("1", args);
        return content.map((part) =>
          part.type === "text" ? part.text : `[${part.mimeType}]`
        ).join("\n");
      },
    };
  },
  async gemini() {
    const { ReadFileTool } = await import(
      "@google/gemini-cli-core/dist/src/tools/read-file.js"
    );
    // The part of its configuration that reading asks for.
    const config = {
      getTargetDir: () => root,
      getFileFilteringOptions: () => ({
        respectGitIgnore: true,
        respectGeminiIgnore: true,
      }),
      validatePathAccess: () => null,
      getFileSystemService: () => ({
        readTextFile: (path) => readFile(path, "utf8"),
      }),
      getMemoryContextManager: () => undefined,
      getUsageStatisticsEnabled: () => false,
      getSessionId: () => "played",
    };
    const tool = new ReadFileTool(config, {});
    const signal = new AbortController().signal;
    return {
      definition: tool.getSchema(),
      async call(args) {
        const { llmContent } = await tool.validateBuildAndExecute(args, signal);
        if (typeof llmContent === "string") return llmContent;
        return [llmContent].flat().map((part) =>
          part.text ?? `[${part.inlineData?.mimeType}]`
        ).join("\n");
      },
    };
  },
};

const { definition, call } = await TOOLS[name]();
for await (const line of createInterface({ input: process.stdin })) {
  const { args } = JSON.parse(line);
  let answer;
  try {
    answer = args === undefined
      ? JSON.stringify(definition)
      : String(await call(args));
  } catch (error) {
    answer = error.message;
  }
  process.stdout.write(`${JSON.stringify({ answer })}\n`);
}
