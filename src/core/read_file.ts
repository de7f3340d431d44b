// Runtime-agnostic.
import type { FileRoot } from "./file_root.ts";
import { findBlock, type Finder, findPage, findSome } from "./finder.ts";
import type { TextWindow } from "./lines/window.ts";
import { checkPolicy, type ReadPolicy, type TextPolicy } from "./policy.ts";
import { type FileContent, readFound } from "./read.ts";
import { checkSelection, type Selection } from "./selection.ts";
import { checkEtag } from "./pages/version.ts";

/**
 * Reads the selected lines of a file in the workspace.
 *
 * Lines end at LF; CR LF is one ending. Memory grows with what is shown, never
 * with the file. All four tools read through here.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
 * const workspace = await openWorkspace("/repo", { fs });
 * const window = await readFile(workspace, "a.txt", { kind: "tail", count: 2 });
 * assertEquals(window.text, "two\nthree\n");
 * ```
 *
 * @param workspace The workspace the file is in.
 * @param path The path: from the root, or absolute below it.
 * @param selection Which lines; all of them by default.
 * @param policy How much may be read and shown, and what of binary files.
 * @returns The lines.
 */
export function readFile(
  workspace: FileRoot,
  path: string,
  selection?: Selection,
  policy?: TextPolicy,
): Promise<TextWindow>;
/**
 * Reads the selected lines of a file, or the bytes of a binary one.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readFile, type ReadPolicy } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const head: ReadPolicy = { binary: "bytes", maxWindowBytes: 3 };
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/dot.gif": "GIF89a\0" }) });
 * const content = await readFile(workspace, "dot.gif", { kind: "all" }, head);
 * assert(content.kind === "binary");
 * assertEquals([new TextDecoder().decode(content.bytes), content.cut], ["GIF", true]);
 * ```
 *
 * @param workspace The workspace the file is in.
 * @param path The path: from the root, or absolute below it.
 * @param selection Which lines; all of them by default.
 * @param policy How much may be read and shown, and what of binary files.
 * @returns The lines, or the bytes of a binary file.
 */
export function readFile(
  workspace: FileRoot,
  path: string,
  selection?: Selection,
  policy?: ReadPolicy,
): Promise<FileContent>;
export async function readFile(
  workspace: FileRoot,
  path: string,
  selection: Selection = { kind: "all" },
  policy: ReadPolicy = {},
): Promise<FileContent> {
  checkSelection(selection);
  checkPolicy(policy);
  const { etag } = policy;
  const finder = finderOf(selection);
  return await readFound(
    workspace,
    path,
    etag === undefined
      ? finder
      : { ...finder, check: (source) => checkEtag(source, etag) },
    policy,
  );
}

function finderOf(selection: Selection): Finder {
  switch (selection.kind) {
    case "page":
      return findPage(selection);
    case "block":
      return findBlock(selection);
    default:
      return findSome(selection);
  }
}
