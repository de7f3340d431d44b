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
export { openWorkspace } from "./src/open_workspace.ts";
export {
  type NarrowOptions,
  Workspace,
  type WorkspaceOptions,
} from "./src/core/workspace.ts";
export type { DenyOptions } from "./src/core/guard/root.ts";
export { SECRET_FILES } from "./src/core/guard/secret_files.ts";

// Read: `workspace.read()` gives a page, and its `next` the page after it.
export type {
  CallContext,
  ReadFields,
  ReadOptions,
} from "./src/core/read_options.ts";
export {
  type Hits,
  Page,
  type PageFacts,
  type PageLine,
} from "./src/core/pages/page.ts";
export type { FileEncoding } from "./src/core/lines/codec.ts";
export type { HiddenCharacter } from "./src/core/unicode/hidden.ts";

// Write a page as a model reads it.
export {
  isRendered,
  type RenderOptions,
  renderPage,
} from "./src/core/pages/render.ts";

// Offer tools to a model: the reader's own, which the MCP server serves, in the
// form of each vendor's API.
export {
  type ReaderAnswer,
  type ReaderArguments,
  type ReaderOptions,
  type ReaderTool,
  readerTools,
} from "./src/tools/reader/reader_tools.ts";
export { definitions, type VendorTools } from "./src/tools/definitions.ts";

// Answer a model with `respond()`; branch on the outcome in code with `callTool()`.
export {
  type ArgumentsSchema,
  callTool,
  type CallToolOptions,
  type CustomTool,
  type JsonSchema,
  type JsonValue,
  type ReplyImage,
  respond,
  type SentTo,
  type Tool,
  type ToolDefinition,
  type ToolOutcome,
  type ToolReply,
} from "./src/tools/call.ts";
export type { ToolPolicy } from "./src/tools/call_options.ts";

// Errors. A new code belongs in ReadFileErrorDetails; the compiler then names each
// table of messages that must have it.
export {
  type FileMedia,
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
} from "./src/core/base/errors.ts";

// That was the first hour. What else a workspace gives: several files, directories,
// images, and the open file itself.
export type { ManyAnswer, PageRequest } from "./src/core/requests.ts";
export type { ReadManyOptions } from "./src/core/read_many.ts";
export type { ListedEntry, Listing, ListOptions } from "./src/core/list.ts";
export type { ImageContent, ReadImageOptions } from "./src/core/read_image.ts";
export { OpenedFile } from "./src/core/guard/open.ts";

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
  PathSpelling,
} from "./src/core/base/port.ts";

// Views show files that are no text as text. Encodings.
export {
  type GunzipOptions,
  gunzipView,
  notebookView,
} from "./src/views/named_views.ts";
export type { View, ViewRequest, ViewText } from "./src/core/media/view.ts";
export type { EncodingDetector } from "./src/core/encodings/encodings.ts";

// What a conversation has seen, and what has changed.
export {
  createReadSession,
  type ReadSession,
  type SessionAnswer,
  type SessionOptions,
} from "./src/core/session.ts";
export { type Changes, changesBetween, type Hunk } from "./src/core/changes.ts";
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

// What text costs, and what it hides.
export { boundTokens } from "./src/core/base/tokens.ts";
export { escapeHidden, unescapeHidden } from "./src/core/unicode/escape.ts";
export { visibleJson } from "./src/core/base/words.ts";

// The reader's tools over several directories, and what they remember.
export { ReaderMemory } from "./src/tools/reader/memory.ts";
export {
  type ReadPlace,
  type ReadRoot,
  ReadRoots,
} from "./src/tools/reader/roots.ts";

// The tools of other projects. A new one is a file in src/tools that makes a
// `Tool`; its options hold its own limits.
export {
  createReadImage,
  imagePart,
  type VendorImages,
} from "./src/tools/image.ts";
export {
  type CodexReadFileArguments,
  type CodexReadFileOptions,
  type CodexReadFileOutput,
  createCodexReadFile,
} from "./src/tools/codex_read_file.ts";
export {
  createForgeRead,
  type ForgeReadArguments,
  type ForgeReadOutput,
} from "./src/tools/forge_read.ts";
export {
  type ForgeReadConfig,
  parseForgeConfig,
} from "./src/tools/forge_config.ts";
export {
  createOpenFile,
  openFile,
  type OpenFileArguments,
  OpenFileError,
  type OpenFileOptions,
} from "./src/tools/open_file.ts";
export {
  createToolkitReadFile,
  TOOL_DEFINITIONS,
  type ToolkitReadFileArguments,
  ToolkitReadFileError,
  type ToolkitReadFileOptions,
  type ToolkitReadFileOutput,
} from "./src/tools/toolkit_read_file.ts";

// Several tools behind a policy.
export {
  type AgentToolkitOptions,
  createAgentToolkit,
} from "./src/agent_toolkit.ts";
export type {
  AgentToolkit,
  ToolkitCallOptions,
  ToolMaker,
} from "./src/tools/toolkit.ts";
export type { ToolError, ToolResult } from "./src/tools/tool_result.ts";
export {
  createSecureTool,
  type SecureContext,
  type SecureHandler,
  type SecureToolOptions,
  type SecureWork,
  type ToolMetadata,
} from "./src/tools/secure_tool.ts";
export { ToolCatalog } from "./src/tools/tool_catalog.ts";

// As a program, this module runs the command line. A call that is marked as pure, for
// a name that is not used: bundlers drop it, and with it the command line, whose imports
// by computed names some workers refuse. Bun drops such a call without a name, even if
// it bundles nothing.
const _running = /* @__PURE__ */ runIfMain();

async function runIfMain(): Promise<void> {
  if (import.meta.main) {
    // Nothing awaits it: with --color, the command line imports a package that imports
    // this module, so each would wait for the other.
    const { start } = await import("./src/cli/main.ts");
    await start(import.meta.url);
  }
}
