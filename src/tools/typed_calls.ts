// Runtime-agnostic.
import { type Rules, takeOptions } from "../core/base/check.ts";
import { refuseArgument } from "../core/base/errors.ts";
import type { FileRoot, OpenOptions } from "../core/workspace.ts";
import { takeRange } from "./arguments.ts";
import type { ForgeReadArguments, ForgeReadConfig } from "./forge_arguments.ts";
import { createForgeRead, type ForgeReadOutput } from "./forge_read.ts";
import { createOpenFile, type OpenFileOptions } from "./open_file.ts";
import type { LineRange } from "./toolkit.ts";

/** Options for {@linkcode openFile}. */
export interface OpenFileCallOptions extends OpenFileOptions, OpenOptions {}

/**
 * Opens a text file, or an inclusive range of its lines, exactly as they are: the
 * `open_file` tool for a program.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openFile, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\r\ntwo\r\nthree\r\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * assertEquals(await openFile(workspace, "a.txt", { start: 2, end: 2 }), "two\r\n");
 * assertEquals(await openFile(workspace, new URL("file:///repo/a.txt"), { start: 3 }), "three\r\n");
 * ```
 *
 * @param path A path from the root, or absolute below it, or a `file:` URL of such a path.
 * @param range The first and the last line; all of the file by default.
 * @throws {OpenFileError} If it cannot be opened, or has no such lines.
 */
export async function openFile(
  workspace: FileRoot,
  path: string | URL,
  range?: LineRange | null,
  options: OpenFileCallOptions = {},
): Promise<string> {
  const refuse = refuseArgument(path);
  const { signal, ...rest } = takeOptions(options, OPEN_RULES, refuse);
  const tool = createOpenFile(workspace, rest);
  const file_path = pathOf(path);
  const { start, end } = takeRange(file_path, range, ["start", "end"]);
  const args = { file_path, start_line: start, end_line: end };
  return await tool.call(args as never, { signal });
}

/** The names of the options; the tool checks their values. */
const OPEN_RULES: Rules<OpenFileCallOptions> = {
  maxFileBytes: "any",
  context: "any",
  lineNumbers: "any",
  encoding: "any",
  signal: "signal",
};

/** The path of a `file:` URL; a string is a path already. */
function pathOf(path: string | URL): string {
  if (typeof path === "string") return path;
  const refuse = refuseArgument("");
  const problem = "must be a string, or a file: URL without a host";
  if (!isUrl(path)) throw refuse("path", problem);
  const { protocol, host, pathname, search, hash } = path;
  if (protocol !== "file:" || host + search + hash !== "") {
    throw refuse("path", problem);
  }
  try {
    // An escaped slash would be part of a name.
    if (!/%2f/i.test(pathname)) return decodeURIComponent(pathname);
  } catch {
    // The escaped bytes are not UTF-8.
  }
  throw refuse("path", "must be a file: URL whose escapes are UTF-8");
}

function isUrl(value: unknown): boolean {
  try {
    return value instanceof URL;
  } catch {
    // A revoked proxy throws.
    return false;
  }
}

const RULES: Rules<OpenOptions> = { signal: "signal" };

/**
 * Calls Forge's `Read` tool, for a program.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readForge } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const { text } = await readForge(workspace, { path: "a.txt", tail: 1 });
 * assertEquals(text.includes("three"), true);
 * ```
 *
 * @param request The arguments that a model would send.
 * @param config The limits of the tool.
 */
export async function readForge(
  workspace: FileRoot,
  request: ForgeReadArguments,
  config: ForgeReadConfig = {},
  options: OpenOptions = {},
): Promise<ForgeReadOutput> {
  const { signal } = takeOptions(options, RULES, refuseArgument(""));
  return await createForgeRead(workspace, config).call(request, { signal });
}
