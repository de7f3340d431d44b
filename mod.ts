/**
 * Reads files for language-model agents: exactly the lines asked for, numbered
 * right, never from outside the workspace, never cut without saying so.
 *
 * ```ts
 * import { memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const window = await readFile(workspace, "a.txt", { kind: "lines", start: 2, count: 1 });
 * assertEquals(window.text, "two\n");
 * assertEquals(window.next, 3);
 * ```
 *
 * @module
 */

// The boundary.
export { openWorkspace, type WorkspaceOptions } from "./src/host.ts";
export { Workspace } from "./src/core/workspace.ts";
export {
  FileRoot,
  type NarrowOptions,
  type OpenOptions,
} from "./src/core/workspace.ts";
export type { DenyOptions } from "./src/core/guard/root.ts";
export type { DenyMode } from "./src/core/guard/deny.ts";
export {
  SECRET_FILES,
  SECRET_FILES_COMMON,
} from "./src/core/guard/secret_files.ts";
export { OpenedFile } from "./src/core/guard/open.ts";

// The pages of a file.
export type {
  InexactLine,
  Page,
  PageLine,
  Shown,
} from "./src/core/pages/page.ts";
export type { PageOptions } from "./src/core/pages/page.ts";
export type {
  ErrorAnswer,
  ManyAnswer,
  PageAnswer,
  PageRequest,
  ReadManyOptions,
  SkippedAnswer,
} from "./src/core/read_many.ts";
export type {
  ListedEntry,
  Listing,
  ListOptions,
  UnlistedDirectory,
} from "./src/core/list.ts";
export type { HiddenCharacter } from "./src/core/unicode/hidden.ts";
export { isRendered, renderPage } from "./src/core/pages/frame.ts";
export { type ParsedPage, parsePage } from "./src/core/pages/parse_page.ts";
export { escapeHidden, unescapeHidden } from "./src/core/unicode/escape.ts";

// The reader.
export type { FileContent } from "./src/core/read.ts";
export { readFile } from "./src/core/read.ts";
export type {
  BlockSelection,
  PageSelection,
  Selection,
} from "./src/core/base/selection.ts";
export type {
  BinaryPolicy,
  ReadPolicy,
  TextPolicy,
} from "./src/core/base/policy.ts";
export type { Line } from "./src/core/lines/window.ts";
export type { TextWindow } from "./src/core/lines/window.ts";
export type { BinaryContent } from "./src/core/lines/text.ts";

// The tools.
export {
  type CodexReadFileOptions,
  type CodexReadFileOutput,
  createCodexReadFile,
} from "./src/tools/codex_read_file.ts";
export type {
  CodexIndentationArguments,
  CodexReadFileArguments,
} from "./src/tools/codex_arguments.ts";
export {
  createToolkitReadFile,
  TOOLKIT_MAX_FILE_BYTES,
  type ToolkitReadFileArguments,
  type ToolkitReadFileMeta,
  type ToolkitReadFileOutput,
  type ToolkitReadFileRange,
} from "./src/tools/toolkit_read_file.ts";
export {
  type ToolkitReadFileCode,
  ToolkitReadFileError,
} from "./src/tools/toolkit_read_file.ts";
export {
  type ForgeReadConfig,
  parseForgeConfig,
} from "./src/tools/forge_config.ts";
export type { ForgeReadArguments } from "./src/tools/forge_arguments.ts";
export type { ForgeReadOutput } from "./src/tools/forge_read.ts";
export { createForgeRead } from "./src/tools/forge_read.ts";
export {
  createOpenFile,
  type OpenFileArguments,
  type OpenFileOptions,
} from "./src/tools/open_file.ts";
export { OpenFileError, type OpenFileVariant } from "./src/tools/open_file.ts";
export {
  type CallOptions,
  callTool,
  type CallToolOptions,
  respond,
  type Tool,
  type ToolDefinition,
  type ToolOutcome,
  type ToolReply,
} from "./src/tools/call.ts";

// What models are told of them, in each vendor's words.
export { definitions } from "./src/tools/definitions.ts";
export type { JsonSchema } from "./src/tools/schema.ts";
export type { ArgumentsSchema, JsonValue } from "./src/tools/call.ts";
export type {
  AiSdkTool,
  AnthropicTool,
  GeminiTool,
  McpTool,
  OpenAiChatTool,
  OpenAiTool,
  ToolSource,
  VendorTools,
} from "./src/tools/definitions.ts";

// Several tools behind a policy.
export { type AgentToolkitOptions, createAgentToolkit } from "./src/host.ts";
export type {
  AgentToolkit,
  DefaultToolMaker,
  LineRange,
  ToolCall,
  ToolkitCallOptions,
  ToolkitOptions,
  ToolMaker,
} from "./src/tools/toolkit.ts";
export {
  type CatalogEntry,
  TOOL_DEFINITIONS,
  ToolCatalog,
} from "./src/tools/secure_tool.ts";
export {
  createSecureTool,
  type SecureContext,
  type SecureHandler,
  type SecureReader,
  type SecureToolOptions,
  type SecureWork,
  type ToolMetadata,
} from "./src/tools/secure_tool.ts";
export type { PolicyDecision, ToolPolicy } from "./src/tools/tool_policy.ts";
export type {
  ToolDenial,
  ToolError,
  ToolFailure,
  ToolFailureCode,
  ToolResult,
  ToolSuccess,
} from "./src/tools/tool_result.ts";

// What can go wrong.
export { ReadFileError } from "./src/core/base/errors.ts";
export type {
  ReadFileErrorChanges,
  ReadFileErrorCode,
  ReadFileErrorConstructor,
  ReadFileErrorDetails,
  ReadFileErrorFacts,
  ReadFileErrorOf,
  ReadFileErrorOptions,
  ReadFileErrorSentence,
  ReadFileErrorWords,
} from "./src/core/base/errors.ts";

// Where files are.
export { bunFs, denoFs, hostFs, nodeFs } from "./src/fs/host.ts";
export { httpFs, type HttpFsOptions } from "./src/fs/http/http.ts";
export { memoryFs } from "./src/fs/memory.ts";
export type {
  MemoryEntry,
  MemoryFile,
  MemoryFiles,
  MemoryLink,
  MemoryNode,
} from "./src/fs/memory.ts";
export type { DiskOptions } from "./src/fs/disk.ts";
export { mountFs } from "./src/fs/layers/mount.ts";
export type { Mount, Mounts } from "./src/fs/layers/mount.ts";
export { overlayFs } from "./src/fs/layers/overlay.ts";
export type { Edit, Edits } from "./src/fs/layers/edits.ts";
export { r2Fs, type R2Options } from "./src/fs/r2.ts";
export type {
  R2BucketLike,
  R2GetOptionsLike,
  R2ListOptionsLike,
  R2ObjectLike,
} from "./src/fs/r2.ts";
export type {
  Awaitable,
  FailureReason,
  FileHandle,
  FsPort,
  PathRole,
} from "./src/core/base/port.ts";
export type { FileEntry, FileKind, FileStat } from "./src/core/base/port.ts";

// Run as a program, it is the command line. Its address is computed, so that a
// bundler leaves it out of what a consumer ships; a bundle is never a program of ours.
// Its types are asked for, so that whoever compiles the package for npm finds it.
// At the edge, a module has no address at all, and `main` is not true.
import type {} from "./src/cli/main.ts";
const [, home, suffix] =
  (import.meta.main ? /^(.*\/)mod(\.[jt]s)$/.exec(import.meta.url) : null) ??
    [];
if (home !== undefined) {
  const address = `${home}src/cli/main${suffix}`;
  await import(address).then(({ main }) => main(), (error) => {
    // On a disk, Deno must be let read what it did not foresee.
    if (!/read access/.test(error)) throw error;
    const path = decodeURI(`${home}src/cli`).replace("file://", "");
    // The types of a runtime are not ours to name; both have this part of it.
    const { process } = globalThis as unknown as {
      readonly process: {
        exitCode: number;
        readonly stderr: { write(message: string): void };
      };
    };
    process.exitCode = 1;
    process.stderr.write(
      `Cannot start: Deno may not read "${path}"; add it to --allow-read\n`,
    );
  });
}
