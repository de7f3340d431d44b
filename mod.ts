/**
 * Reads files for language-model agents: exactly the lines asked for, numbered
 * right, never from outside the workspace, never cut without saying so.
 *
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const page = await workspace.read("a.txt", { start: 2, count: 1 });
 * assertEquals(page.text, "two\n");
 * assertEquals(page.next?.start, 3);
 * ```
 *
 * @module
 */

// Open a workspace: the right to read the files below one directory.
export { openWorkspace, type WorkspaceOptions } from "./src/open_workspace.ts";
export { SECRET_FILES } from "./src/core/guard/secret_files.ts";
export type { DenyOptions } from "./src/core/guard/root.ts";
export {
  type CacheOptions,
  type NarrowOptions,
  type OpenOptions,
  Workspace,
} from "./src/core/workspace.ts";
export { OpenedFile } from "./src/core/guard/open.ts";

// Read: `workspace.read()` gives a page, and its `next` the page after it.
export type {
  BlockOptions,
  CallContext,
  NextOptions,
  ReadFields,
  ReadOptions,
} from "./src/core/read_options.ts";
export {
  type Gap,
  type Hits,
  type InexactLine,
  Page,
  type PageFacts,
  type PageLine,
  type Shown,
} from "./src/core/pages/page.ts";
export type { HiddenCharacter } from "./src/core/unicode/hidden.ts";
export type { FileEncoding } from "./src/core/lines/codec.ts";
export { type RenderOptions, renderPage } from "./src/core/pages/render.ts";

// Read several files, list a directory, read an image.
export type { GlobRequest, PageRequest } from "./src/core/requests.ts";
export type {
  ManyAnswer,
  PageAnswer,
  ReadManyOptions,
} from "./src/core/read_many.ts";
export type { ErrorAnswer } from "./src/core/requests.ts";
export type { SkippedAnswer } from "./src/core/read_many.ts";
export type {
  ListedEntry,
  Listing,
  ListOptions,
  UnlistedDirectory,
} from "./src/core/list.ts";
export type { ImageContent, ReadImageOptions } from "./src/core/read_image.ts";
export type { ImageType } from "./src/core/media/check_image.ts";

// Offer tools to a model: the reader's own, which the MCP server serves, in the
// form of each vendor's API.
export {
  type ReaderAnswer,
  type ReaderArguments,
  type ReaderHints,
  type ReaderOptions,
  type ReaderTool,
  readerTools,
} from "./src/tools/reader/reader_tools.ts";
export { ReaderMemory } from "./src/tools/reader/memory.ts";
export {
  type ReadPlace,
  type ReadRoot,
  ReadRoots,
} from "./src/tools/reader/roots.ts";
export {
  type AiSdkOutput,
  type AiSdkTool,
  type AnthropicRunnerTool,
  definitions,
  type LangChainPart,
  type MastraTool,
  type OpenAiAgentsTool,
  type ToolSource,
  type VendorTools,
} from "./src/tools/definitions.ts";

// Answer a model with `respond()`; branch on the outcome in code with `callTool()`.
export {
  type ArgumentsSchema,
  type CallOptions,
  callTool,
  type CallToolOptions,
  type CustomTool,
  type JsonSchema,
  type JsonValue,
  type ReplyImage,
  respond,
  type Tool,
  type ToolDefinition,
  type ToolOutcome,
  type ToolReply,
} from "./src/tools/call.ts";
export type { PolicyDecision, ToolPolicy } from "./src/tools/call_options.ts";
export { imagePart, type VendorImages } from "./src/tools/image.ts";

// Errors. A new code belongs in ReadFileErrorDetails; the compiler then names each
// table of messages that must have it.
export {
  type FileMedia,
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
} from "./src/core/base/errors.ts";

// File systems. A new place to read from is an FsPort in src/fs.
export { bunFs, denoFs, hostFs, nodeFs } from "./src/fs/host.ts";
export type { DiskOptions } from "./src/fs/disk.ts";
export { type MemoryFiles, memoryFs } from "./src/fs/memory.ts";
export { httpFs, type HttpFsOptions } from "./src/fs/http/http.ts";
export { type R2BucketLike, r2Fs, type R2Options } from "./src/fs/r2.ts";
export type {
  Awaitable,
  FailureReason,
  FileBytes,
  FileEntry,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
  PathRole,
  PathSpelling,
} from "./src/core/base/port.ts";

// Files that are no text: views show them as text. Encodings.
export {
  type GunzipOptions,
  gunzipView,
  notebookView,
} from "./src/views/named_views.ts";
export type {
  View,
  ViewedKind,
  ViewRequest,
  ViewText,
} from "./src/core/media/view.ts";
export type {
  DetectOptions,
  EncodingDetector,
} from "./src/core/encodings/encodings.ts";

// What a conversation has seen, what has changed, and what text costs and hides.
export {
  createReadSession,
  type ReadSession,
  type SessionAnswer,
  type SessionOptions,
} from "./src/core/session.ts";
export {
  type Changes,
  changesBetween,
  type ComparedLines,
  type EditedHunk,
  type KeptHunk,
} from "./src/core/changes.ts";
export {
  type ChangedLine,
  type ChangesOptions,
  type ChangesSince,
  changesSince,
} from "./src/core/changes_since.ts";
export {
  renderChanges,
  type RenderChangesOptions,
} from "./src/core/render_changes.ts";
export type { Revisions } from "./src/core/revisions.ts";
export { boundTokens, type CountTokens } from "./src/core/base/tokens.ts";
export { isRendered } from "./src/core/pages/render.ts";
export { escapeHidden, unescapeHidden } from "./src/core/unicode/escape.ts";
export { visibleJson } from "./src/core/base/words.ts";

// The tools of other projects. A new one is a file in src/tools that makes a
// `Tool`; its options hold its own limits.
export {
  createReadImage,
  type ReadImageToolOptions,
} from "./src/tools/image.ts";
export {
  type CodexReadFileOptions,
  createCodexReadFile,
} from "./src/tools/codex_read_file.ts";
export type { CodexReadFileArguments } from "./src/tools/codex_arguments.ts";
export type { CodexReadFileOutput } from "./src/tools/codex_read_file.ts";
export { createForgeRead } from "./src/tools/forge_read.ts";
export type { ForgeReadConfig } from "./src/tools/forge_config.ts";
export type { ForgeReadArguments } from "./src/tools/forge_arguments.ts";
export type { ForgeReadOutput } from "./src/tools/forge_read.ts";
export { parseForgeConfig } from "./src/tools/forge_config.ts";
export {
  createOpenFile,
  openFile,
  type OpenFileArguments,
  OpenFileError,
  type OpenFileOptions,
  type OpenFileVariant,
} from "./src/tools/open_file.ts";
export type { LineRange } from "./src/tools/toolkit.ts";
export type { EncodingOption } from "./src/tools/shown_text.ts";
export {
  createToolkitReadFile,
  TOOL_DEFINITIONS,
  TOOLKIT_MAX_FILE_BYTES,
  type ToolkitReadFileArguments,
  type ToolkitReadFileCode,
  ToolkitReadFileError,
  type ToolkitReadFileOptions,
  type ToolkitReadFileOutput,
  type ToolkitReadFileRange,
} from "./src/tools/toolkit_read_file.ts";

// Several tools behind a policy.
export {
  type AgentToolkitOptions,
  createAgentToolkit,
} from "./src/agent_toolkit.ts";
export type {
  AgentToolkit,
  DefaultToolMaker,
  MadeTool,
  ToolCall,
  ToolkitCallOptions,
  ToolkitOptions,
  ToolMaker,
} from "./src/tools/toolkit.ts";
export type {
  ToolDenial,
  ToolError,
  ToolFailure,
  ToolFailureCode,
  ToolResult,
  ToolSuccess,
} from "./src/tools/tool_result.ts";
export {
  type CatalogEntry,
  createSecureTool,
  type SecureArguments,
  type SecureContext,
  type SecureHandler,
  type SecureReader,
  type SecureToolOptions,
  type SecureWork,
  ToolCatalog,
  type ToolMetadata,
} from "./src/tools/secure_tool.ts";

// As a program, this module runs the command line. A call that is marked as pure, for
// a name that is not used: bundlers drop it, and the command line with it. A statement
// without a name would be dropped by Bun, even if it bundles nothing.
const _running = /* @__PURE__ */ runIfMain();

async function runIfMain(): Promise<void> {
  if (import.meta.main) {
    // Nothing awaits it: with --color, the command line imports a package that imports
    // this module, so each would wait for the other.
    const { start } = await import("./src/cli/main.ts");
    await start(import.meta.url);
  }
}
