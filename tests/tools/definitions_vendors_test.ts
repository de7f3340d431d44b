/** Tests the results of `definitions()` with the vendors' packages. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  ReadFileError,
  type Tool,
} from "../../mod.ts";
import map from "../typed_std.json" with { type: "json" };
import { anyArguments } from "../support/bad_input.ts";
import { workspaceOf } from "../support/bad_answers.ts";
import { HOME } from "../support/child.ts";
import { RUNTIME } from "../support/disk.ts";
import { callAsModel, FOUR_TOOLS } from "../support/four_tools.ts";
import { playAiSdk } from "../support/played_loops.ts";
import { Random } from "../support/random.ts";
import { draws } from "../support/share.ts";

/** Lines that compile only if the result matches the vendor's types. */
const TAKEN = `
import type { Tool as AnthropicTool, ContentBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { ToolListUnion, Part } from "@google/genai";
import type { Tool as McpTool, ContentBlock } from "@modelcontextprotocol/server";
import type { ToolSet, FilePart } from "ai";
import type { ChatCompletionTool, ChatCompletionContentPart } from "openai/resources/chat/completions/completions";
import type { Tool as OpenAiTool, ResponseInputContent } from "openai/resources/responses/responses";
import type { VendorImages, VendorTools } from "@agent-tools/read-file";
export const openaiImage = (part: VendorImages["openai"]): ResponseInputContent => part;
export const chatImage = (part: VendorImages["openai-chat"]): ChatCompletionContentPart => part;
export const anthropicImage = (part: VendorImages["anthropic"]): ContentBlockParam => part;
export const geminiImage = (part: VendorImages["gemini"]): Part => part;
export const mcpImage = (part: VendorImages["mcp"]): ContentBlock => part;
export const sdkImage = (part: VendorImages["ai-sdk"]): FilePart => part;
export const openai = (tools: VendorTools["openai"]): OpenAiTool[] => tools;
export const chat = (tools: VendorTools["openai-chat"]): ChatCompletionTool[] => tools;
export const anthropic = (tools: VendorTools["anthropic"]): AnthropicTool[] => tools;
export const gemini = (tools: VendorTools["gemini"]): ToolListUnion => tools;
export const mcp = (tools: VendorTools["mcp"]): McpTool[] => tools;
export const runner = (tools: VendorTools["anthropic-runner"]): BetaRunnableTool[] => tools;
export const sdk = (tools: VendorTools["ai-sdk"]): ToolSet => tools;
`;

/** A line that must not compile. */
const NOT_TAKEN = `
import type { Tool } from "@anthropic-ai/sdk/resources/messages/messages";
import type { VendorTools } from "@agent-tools/read-file";
export const mistaken = (tools: VendorTools["openai"]): Tool[] => tools;
`;

/** Checks both with TypeScript's own compiler: Deno's cannot handle the types of the AI SDK. */
function complaints(): readonly string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "read-file-")));
  try {
    symlinkSync(join(HOME, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "taken.ts"), TAKEN);
    writeFileSync(join(folder, "not_taken.ts"), NOT_TAKEN);
    const std = Object.entries(map.imports)
      .filter(([name]) => name.startsWith("@std/"))
      .map(([name, types]) => [name, [join(HOME, "tests", types)]]);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      allowImportingTsExtensions: true,
      types: ["node"],
      paths: {
        "@agent-tools/read-file": [join(HOME, "mod.ts")],
        ...Object.fromEntries(std),
      },
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["taken.ts", "not_taken.ts"] }),
    );
    const bun = RUNTIME === "Bun" ? process.execPath : "bun";
    const compiler = join(HOME, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(bun, [compiler, "-p", folder], {
      encoding: "utf8",
      timeout: 110_000,
    });
    return stdout.split("\n").filter((line) => line !== "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the vendors' packages", () => {
  // The compiler gives the same result in every runtime, so one runs it.
  if (RUNTIME === "Deno") {
    it("have types that accept the results of definitions() and imagePart() for them only", () => {
      const found = complaints();
      const mistaken = found.filter((line) =>
        /^\S*not_taken\.ts\(4,/.test(line)
      );
      assert(mistaken.length > 0, "the compiler reported no error");
      assertEquals(found.filter((line) => !/not_taken\.ts|^ /.test(line)), []);
    });
  }
});

describe("the AI SDK's tool loop", () => {
  for (const { name, pathName, make } of FOUR_TOOLS) {
    it(`calls ${name}, and gives the model its answer`, async () => {
      const fs = memoryFs({ "/ws/a.txt": "one\ntwo\n" });
      const tool = make(await openWorkspace("/ws", { fs }));
      const path = name === "CodexReadFile" ? "/ws/a.txt" : "a.txt";
      const args = { [pathName]: path };
      const value = tool.render(await tool.call(args));
      assertEquals(await playAiSdk(tool, args), { type: "text", value });
    });
    it(`gives the model the failure of ${name} for a missing file`, async () => {
      const fs = memoryFs({ "/ws/a.txt": "one\n" });
      const tool = make(await openWorkspace("/ws", { fs }));
      const args = { [pathName]: "/ws/b.txt" };
      const { text: value } = await callAsModel(tool, args);
      assertEquals(await playAiSdk(tool, args), { type: "error-text", value });
    });
  }
});

/** The random calls for each tool. */
const { seed, numRuns: CALLS } = draws(5_000, 3_000);

/** The message for a value of the wrong type; a value out of bounds gets a longer message. */
const TYPE_ERROR =
  /must be (?:a string|an integer|a boolean|an object)(?! (?:>=|up to|between))/;

describe("the schemas of the tools", () => {
  for (const { name, make } of FOUR_TOOLS) {
    it(`${name}: arguments that are valid in draft 2020-12 are not type errors (seed ${seed})`, async () => {
      const { workspace } = await workspaceOf();
      const tool = make(workspace);
      const schema = tool.definition.parameters;
      const takes = new Ajv2020({ strict: true }).compile(schema);
      const random = new Random(seed);
      let taken = 0;
      for (let call = 0; call < CALLS; call++) {
        const args = anyArguments(schema, random);
        const value = valueOf(args);
        if (value === undefined || !takes(value)) continue;
        taken++;
        const problem = await problemOf(tool, value);
        if (!TYPE_ERROR.test(problem) || isFraction(name, value)) continue;
        throw new Error(`${problem}: ${JSON.stringify(value)}`);
      }
      assert(taken > CALLS / 20, `${taken} were taken`);
    });
  }
});

function valueOf(args: unknown): unknown {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    // A schema applies only to values that JSON can represent.
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

async function problemOf(tool: Tool, args: unknown): Promise<string> {
  try {
    await tool.call(args);
    return "";
  } catch (error) {
    return error instanceof ReadFileError ? error.message : String(error);
  }
}

/** The original schemas have the type `number` for integers. */
function isFraction(name: string, value: unknown): boolean {
  return (name === "ToolkitReadFile" || name === "CodexReadFile") &&
    /\d\.\d|e-/.test(JSON.stringify(value));
}
