// Runtime-agnostic.
import type { FileRoot } from "../core/file_root.ts";
import type { CallOptions, Tool, ToolDefinition } from "./tool.ts";
import type { ToolPolicy } from "./tool_policy.ts";
import type { ToolResult } from "./tool_result.ts";
import type {
  ToolkitReadFileOptions,
  ToolkitReadFileOutput,
} from "./toolkit_read_file.ts";

/**
 * The tools that a toolkit offers unless it is told others.
 *
 * @example Usage
 * ```ts
 * import { type AgentToolName, createAgentToolkit, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const pathField: Record<AgentToolName, string> = {
 *   read_file: "path",
 *   open_file: "file_path",
 * };
 * const fs = memoryFs({ "/repo/a.txt": "one" });
 * const { tools } = await createAgentToolkit({ workspaceRoot: "/repo", fs });
 * const call = (name: AgentToolName) => tools[name]({ [pathField[name]]: "a.txt" });
 * assertEquals((await call("open_file")).status, "success");
 * ```
 */
export type AgentToolName = "read_file" | "open_file";

/**
 * Makes a tool for a workspace.
 *
 * @example Usage
 * ```ts
 * import type { ToolMaker } from "@agent-tools/read-file";
 * import { createAgentToolkit, createForgeRead, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const plain: ToolMaker = (root) => createForgeRead(root, { show_line_numbers: false });
 * const fs = memoryFs({ "/repo/a.txt": "one\n" });
 * const { invoke } = await createAgentToolkit({ workspaceRoot: "/repo", fs, tools: [plain] });
 * const result = await invoke("Read", { path: "a.txt" });
 * assertEquals(result.status === "success" && Object(result.data).text, "one\n");
 * ```
 */
export type ToolMaker<Name extends string = string> = (
  workspace: FileRoot,
) => Tool & { readonly definition: { readonly name: Name } };

/**
 * Calls one tool with its arguments: an object, or its JSON text.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, memoryFs, type ToolCall } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\n" });
 * const { tools } = await createAgentToolkit({ workspaceRoot: "/repo", fs });
 * const open: ToolCall = tools.open_file;
 * const result = await open('{"file_path": "a.txt", "start_line": 2}');
 * assertEquals(result, { status: "success", data: "two\n" });
 * ```
 */
export type ToolCall = (
  args: unknown,
  options?: CallOptions,
) => Promise<ToolResult>;

/**
 * The lines that {@linkcode AgentToolkit.openFile} is to open, the last one included.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, type LineRange, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const toolkit = await createAgentToolkit({ workspaceRoot: "/repo", fs });
 * const fromTwo: LineRange = { start: 2 };
 * assertEquals(await toolkit.openFile("a.txt", fromTwo), {
 *   status: "success",
 *   data: "two\nthree\n",
 * });
 * ```
 */
export interface LineRange {
  /** The first line, from 1 on; 1 by default. */
  readonly start?: number | null;
  /** The last line; the last of the file by default. */
  readonly end?: number | null;
}

/**
 * The tools of one agent: one workspace, one policy; no call ever rejects.
 *
 * @example Usage
 * ```ts
 * import { type AgentToolkit, createAgentToolkit, memoryFs } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * async function dispatch(toolkit: AgentToolkit, name: string, args: string): Promise<string> {
 *   return JSON.stringify(await toolkit.invoke(name, args)); // as the model asked for it
 * }
 *
 * const toolkit = await createAgentToolkit({
 *   workspaceRoot: "/",
 *   fs: memoryFs({ "/a": "one" }),
 * });
 * const answer = await dispatch(toolkit, "open_file", '{"file_path": "a"}');
 * assertEquals(answer, '{"status":"success","data":"one"}');
 * ```
 */
export interface AgentToolkit<Name extends string = AgentToolName> {
  /** Every tool, by its own name. */
  readonly tools: Readonly<Record<Name, ToolCall>>;
  /**
   * Calls the tool `read_file`.
   *
   * @param path The file.
   * @param range From which line on, and how many.
   * @param options When to give up.
   * @returns The window of lines, or why there is none.
   */
  readFile(
    path: string,
    range?: ToolkitReadFileOptions | null,
    options?: CallOptions,
  ): Promise<ToolResult<ToolkitReadFileOutput>>;
  /**
   * Calls the tool `open_file`.
   *
   * @param path The file.
   * @param range The lines; all of them by default.
   * @param options When to give up.
   * @returns The lines with their endings, or why there are none.
   */
  openFile(
    path: string,
    range?: LineRange | null,
    options?: CallOptions,
  ): Promise<ToolResult<string>>;
  /**
   * Calls whatever tool a model names.
   *
   * @param name The tool's name, or another name that it answers to.
   * @param args Its arguments: an object, or its JSON text.
   * @param options When to give up.
   * @returns The tool's answer, or why there is none.
   */
  invoke(
    name: string,
    args: unknown,
    options?: CallOptions,
  ): Promise<ToolResult>;
  /**
   * Lists the tools to show to a model.
   *
   * @returns What models are told of the tools that the policy allows, in the order in which they were given.
   */
  definitions(): ToolDefinition[];
}

/**
 * Options for a toolkit, whatever its workspace.
 *
 * @example Usage
 * ```ts
 * import { createAgentToolkit, createForgeRead, createOpenFile } from "@agent-tools/read-file";
 * import { memoryFs, type ToolkitOptions } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const offer: ToolkitOptions<string> = { tools: [createForgeRead, createOpenFile] };
 * const place = { workspaceRoot: "/", fs: memoryFs({}) };
 * const toolkit = await createAgentToolkit({ ...place, ...offer });
 * assertEquals(Object.keys(toolkit.tools), ["Read", "open_file"]);
 * ```
 */
export interface ToolkitOptions<Name extends string = AgentToolName> {
  /** Which tools may be called; all of them by default. */
  readonly policy?: ToolPolicy<NoInfer<Name>>;
  /** The tools to offer; `read_file` and `open_file` by default. */
  readonly tools?: readonly ToolMaker<Name>[];
}
