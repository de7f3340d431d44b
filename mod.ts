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
export { type CacheOptions, Workspace } from "./src/core/workspace.ts";
export { FileRoot, type OpenOptions } from "./src/core/file_root.ts";
export type { NarrowOptions } from "./src/core/file_root.ts";
export type { DenyOptions } from "./src/core/guard/root.ts";
export type { DenyMode } from "./src/core/guard/deny.ts";
export { SECRET_FILES } from "./src/core/guard/secret_files.ts";
export { SECRET_FILES_COMMON } from "./src/core/guard/secret_files.ts";
export { OpenedFile } from "./src/core/guard/open.ts";

// The tools. A new one is a file in src/tools that makes a `Tool`. The options of
// a tool hold its own limits. The list `tools` in mcp/src/server.ts holds what is
// served over MCP.
export { createCodexReadFile } from "./src/tools/codex_read_file.ts";
export type { CodexReadFileOptions } from "./src/tools/codex_read_file.ts";
export type { CodexReadFileOutput } from "./src/tools/codex_read_file.ts";
export type { CodexIndentationArguments } from "./src/tools/codex_arguments.ts";
export type { CodexReadFileArguments } from "./src/tools/codex_arguments.ts";
export { createToolkitReadFile } from "./src/tools/toolkit_read_file.ts";
export { toolkitFind } from "./src/tools/toolkit_read_file.ts";
export { TOOLKIT_MAX_FILE_BYTES } from "./src/tools/toolkit_read_file.ts";
export { ToolkitReadFileError } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitFind } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileOptions } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileArguments } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileCode } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileMeta } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileOutput } from "./src/tools/toolkit_read_file.ts";
export type { ToolkitReadFileRange } from "./src/tools/toolkit_read_file.ts";
export { parseForgeConfig } from "./src/tools/forge_arguments.ts";
export type { ForgeReadConfig } from "./src/tools/forge_arguments.ts";
export type { ForgeReadArguments } from "./src/tools/forge_arguments.ts";
export { createForgeRead, readForge } from "./src/tools/forge_read.ts";
export type { ForgeReadOutput } from "./src/tools/forge_read.ts";
export { createOpenFile, type OpenFileOptions } from "./src/tools/open_file.ts";
export { openFile, type OpenFileCallOptions } from "./src/tools/open_file.ts";
export type { OpenFileArguments } from "./src/tools/open_file.ts";
export type { EncodingOption } from "./src/tools/shown_text.ts";
export { OpenFileError, type OpenFileVariant } from "./src/tools/open_file.ts";
export { createReadImage, type ReadImageArguments } from "./src/tools/image.ts";
export type { ReadImageToolOptions } from "./src/tools/image.ts";
export { callTool, respond, type Tool } from "./src/tools/call.ts";
export type { CallOptions, ToolOutcome, ToolReply } from "./src/tools/call.ts";
export type { CallToolOptions, ToolDefinition } from "./src/tools/call.ts";
export type { ArgumentsSchema, JsonSchema } from "./src/tools/call.ts";
export type { JsonValue } from "./src/tools/call.ts";

// The definitions of tools, for each vendor's API.
export { definitions } from "./src/tools/definitions.ts";
export type { AiSdkTool, McpTool } from "./src/tools/definitions.ts";
export type { AnthropicTool, OpenAiChatTool } from "./src/tools/definitions.ts";
export type { GeminiTool, VendorTools } from "./src/tools/definitions.ts";
export type { OpenAiTool, ToolSource } from "./src/tools/definitions.ts";

// Several tools behind a policy.
export { type AgentToolkitOptions, createAgentToolkit } from "./src/host.ts";
export type { AgentToolkit, ToolkitCallOptions } from "./src/tools/toolkit.ts";
export type { DefaultToolMaker, ToolkitOptions } from "./src/tools/toolkit.ts";
export type { LineRange, ToolCall, ToolMaker } from "./src/tools/toolkit.ts";
export { TOOL_DEFINITIONS } from "./src/tools/toolkit_read_file.ts";
export { createSecureTool, ToolCatalog } from "./src/tools/secure_tool.ts";
export type { CatalogEntry, SecureReader } from "./src/tools/secure_tool.ts";
export type { SecureContext, SecureHandler } from "./src/tools/secure_tool.ts";
export type { SecureToolOptions, SecureWork } from "./src/tools/secure_tool.ts";
export type { ToolMetadata } from "./src/tools/secure_tool.ts";
export type { PolicyDecision, ToolPolicy } from "./src/tools/call_options.ts";
export type { ToolDenial, ToolSuccess } from "./src/tools/tool_result.ts";
export type { ToolError, ToolResult } from "./src/tools/tool_result.ts";
export type { ToolFailure, ToolFailureCode } from "./src/tools/tool_result.ts";

// The pages of a file.
export { applyDelta } from "./src/core/pages/delta.ts";
export type { Delta, KeptLines, NewLines } from "./src/core/pages/delta.ts";
export { createReadSession, type SessionAnswer } from "./src/core/session.ts";
export type { ReadSession, ReadSessionOptions } from "./src/core/session.ts";
export type { Rechecked, RecheckOptions } from "./src/core/recheck.ts";
export type { PageLine, PageOptions, Shown } from "./src/core/pages/page.ts";
export type { Gap, Hits, InexactLine, Page } from "./src/core/pages/page.ts";
export type { ErrorAnswer, PageRequest } from "./src/core/requests.ts";
export type { FoundLine, GlobRequest } from "./src/core/requests.ts";
export type { ManyAnswer, PageAnswer } from "./src/core/read_many.ts";
export type { ReadManyOptions, SkippedAnswer } from "./src/core/read_many.ts";
export { boundTokens } from "./src/core/base/tokens.ts";
export type { ReadAroundOptions } from "./src/core/read_many.ts";
export type { CountTokens, Quote, QuoteAnswer } from "./src/core/cost.ts";
export type { ReadLimits } from "./src/core/read_page.ts";
export type { ListedEntry, UnlistedDirectory } from "./src/core/list.ts";
export type { Listing, ListOptions } from "./src/core/list.ts";
export type { ImageContent, ReadImageOptions } from "./src/core/read_image.ts";
export type { ImageType } from "./src/core/media/check_image.ts";
export type { View, ViewedKind, ViewRequest } from "./src/core/media/view.ts";
export type { ViewText } from "./src/core/media/view.ts";
export { gunzipView, notebookView } from "./src/views/named_views.ts";
export type { GunzipOptions } from "./src/views/named_views.ts";
export type { HiddenCharacter } from "./src/core/unicode/hidden.ts";
export { isRendered, parsePage, renderPage } from "./src/core/pages/frame.ts";
export type { ParsedPage } from "./src/core/pages/frame.ts";
export { escapeHidden, unescapeHidden } from "./src/core/unicode/escape.ts";

// The reader. A limit of every read is a constant in src/core/base/limits.ts. A limit
// that a call chooses is a field of ReadPolicy, or, for pages, of PageOptions. A new
// encoding belongs in src/core/encodings/charsets.ts.
export { type FileContent, readFile } from "./src/core/read.ts";
export type { BlockSelection, ReadPolicy } from "./src/core/base/selection.ts";
export type { MatchSelection, TextPolicy } from "./src/core/base/selection.ts";
export type { BinaryPolicy, PageSelection } from "./src/core/base/selection.ts";
export type { Selection } from "./src/core/base/selection.ts";
export type { EncodingSign, FileEncoding } from "./src/core/lines/codec.ts";
export type { DetectOptions } from "./src/core/encodings/charsets.ts";
export type { EncodingDetector } from "./src/core/encodings/charsets.ts";
export type { LikelyEncoding } from "./src/core/encodings/charsets.ts";
export type { Line, TextWindow } from "./src/core/lines/window.ts";
export type { BinaryContent } from "./src/core/lines/text.ts";

// An image, for each vendor's API.
export { imagePart, type VendorImages } from "./src/tools/image.ts";

// Errors. A new code belongs in ReadFileErrorDetails; the compiler then names each
// table of messages that must have it.
export { ReadFileError, type ReadFileErrorOf } from "./src/core/base/errors.ts";
export type { FileMedia, ReadFileErrorWords } from "./src/core/base/errors.ts";
export type { ReadFileErrorFacts } from "./src/core/base/errors.ts";
export type { ReadFileErrorChanges } from "./src/core/base/errors.ts";
export type { ReadFileErrorCode } from "./src/core/base/errors.ts";
export type { ReadFileErrorDetails } from "./src/core/base/errors.ts";
export type { ReadFileErrorOptions } from "./src/core/base/errors.ts";
export type { ReadFileErrorSentence } from "./src/core/base/errors.ts";

// File systems. A new place to read from is an FsPort in src/fs.
export { bunFs, denoFs, hostFs, nodeFs } from "./src/fs/host.ts";
export { httpFs, type HttpFsOptions } from "./src/fs/http/http.ts";
export { memoryFs, type MemoryLink, type MemoryNode } from "./src/fs/memory.ts";
export type { MemoryEntry, MemoryFile, MemoryFiles } from "./src/fs/memory.ts";
export type { DiskOptions } from "./src/fs/disk.ts";
export { type Mount, mountFs, type Mounts } from "./src/fs/layers/mount.ts";
export { type Edit, type Edits, overlayFs } from "./src/fs/layers/overlay.ts";
export { type R2BucketLike, r2Fs, type R2ListingLike } from "./src/fs/r2.ts";
export type { R2GetOptionsLike, R2ListOptionsLike } from "./src/fs/r2.ts";
export type { R2ObjectLike, R2Options } from "./src/fs/r2.ts";
export type { Awaitable, FailureReason, FsPort } from "./src/core/base/port.ts";
export type { FileBytes, FileStat, PathRole } from "./src/core/base/port.ts";
export type { FileEntry, FileHandle, FileKind } from "./src/core/base/port.ts";

// As a program, this module runs the command line. The URL is computed, so that
// bundlers leave the command line out; the type import makes compilers for npm
// include it. At the edge, `import.meta.main` is not true.
import type {} from "./src/cli/main.ts";
const parts = import.meta.main &&
  /^(.*\/)mod(\.[jt]s)$/.exec(import.meta.url);
if (parts) {
  const [, home = "", suffix = ""] = parts;
  const address = `${home}src/cli/main${suffix}`;
  // Not awaited: with --color, the command line imports a package that imports
  // this module, so each would wait for the other.
  import(address).then(({ main }) => main());
}
