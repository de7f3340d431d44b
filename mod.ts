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
export { type OpenOptions, Workspace } from "./src/core/workspace.ts";
export { OpenedFile } from "./src/core/opened_file.ts";

// The reader.
export { type FileContent, readFile } from "./src/core/read.ts";
export type { BlockSelection, Selection } from "./src/core/selection.ts";
export type {
  BinaryPolicy,
  ReadPolicy,
  TextPolicy,
} from "./src/core/policy.ts";
export type { Line, TextWindow } from "./src/core/window.ts";
export type { BinaryContent } from "./src/core/binary.ts";

// The tools.
export { createOpenFile, type OpenFileOptions } from "./src/tools/open_file.ts";
export {
  OpenFileError,
  type OpenFileVariant,
} from "./src/tools/open_file_error.ts";
export {
  type CallOptions,
  type JsonSchema,
  respond,
  type Tool,
  type ToolDefinition,
  type ToolReply,
} from "./src/tools/tool.ts";

// What can go wrong.
export {
  ReadFileError,
  type ReadFileErrorCode,
  type ReadFileErrorDetails,
  type ReadFileErrorHint,
  type ReadFileErrorOptions,
} from "./src/core/errors.ts";

// Where files are.
export { bunFs } from "./src/fs/bun.ts";
export { denoFs } from "./src/fs/deno.ts";
export { hostFs } from "./src/fs/host.ts";
export {
  type MemoryEntry,
  type MemoryFile,
  type MemoryFiles,
  memoryFs,
  type MemoryLink,
  type MemoryNode,
} from "./src/fs/memory.ts";
export type { DiskOptions } from "./src/fs/node_api.ts";
export type {
  Awaitable,
  FileHandle,
  FileKind,
  FileStat,
  FsPort,
} from "./src/core/port.ts";

// Run as a program, it is the command line. A bundler may have moved this into
// someone else's main module: there, it is none of our business.
if (import.meta.main && /\/mod\.[jt]s$/.test(import.meta.url)) {
  const { main } = await import("./src/cli/main.ts");
  await main();
}
