// Runtime-agnostic.
import { whenThere } from "./awaitable.ts";
import { type BinaryContent, readBinary } from "./lines/binary.ts";
import { locateBlock } from "./lines/block.ts";
import { Call } from "./call.ts";
import { ReadFileError } from "./errors.ts";
import {
  locateAll,
  locateLines,
  locateTail,
  type Span,
} from "./lines/locate.ts";
import { readOneVersion } from "./one_version.ts";
import type { OpenedFile } from "./guard/opened_file.ts";
import type { Awaitable } from "./port.ts";
import { checkPolicy, type ReadPolicy, type TextPolicy } from "./policy.ts";
import { checkSelection, type Selection } from "./selection.ts";
import { withFile, withKernel } from "./session.ts";
import type { Source } from "./lines/source.ts";
import { locatePage } from "./pages/locate_page.ts";
import { checkEtag } from "./pages/version.ts";
import { readWindow, type TextWindow } from "./lines/window.ts";
import type { Workspace } from "./workspace.ts";

/** What a read gives: a run of lines, or bytes that are no text. */
export type FileContent = TextWindow | BinaryContent;

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
  workspace: Workspace,
  path: string,
  selection?: Selection,
  policy?: TextPolicy,
): Promise<TextWindow>;
/**
 * Reads the selected lines of a file, or the bytes of a binary one.
 *
 * @param workspace The workspace the file is in.
 * @param path The path: from the root, or absolute below it.
 * @param selection Which lines; all of them by default.
 * @param policy How much may be read and shown, and what of binary files.
 * @returns The lines, or the bytes of a binary file.
 */
export function readFile(
  workspace: Workspace,
  path: string,
  selection?: Selection,
  policy?: ReadPolicy,
): Promise<FileContent>;
export async function readFile(
  workspace: Workspace,
  path: string,
  selection: Selection = { kind: "all" },
  policy: ReadPolicy = {},
): Promise<FileContent> {
  checkSelection(selection);
  checkPolicy(policy);
  const call = new Call(path, policy.signal);
  return await withFile(workspace, call, policy.signal, (file, index) => {
    refuseTooLarge(file, path, policy);
    return withKernel(
      file,
      call,
      (makeSource) =>
        readOneVersion(file, (round) => {
          // What an index says may be of another version.
          const source = makeSource(round === 1 ? index : undefined);
          return readSource(source, selection, policy);
        }),
    );
  });
}

function readSource(
  source: Source,
  selection: Selection,
  policy: ReadPolicy,
): Awaitable<FileContent> {
  const { etag } = policy;
  const checking = etag === undefined ? undefined : checkEtag(source, etag);
  const sniffing = whenThere(checking, () => readBinary(source, policy));
  return whenThere<BinaryContent | undefined, FileContent>(
    sniffing,
    (binary) =>
      binary ?? whenThere(
        locate(source, selection, policy),
        (span) => readWindow(source, span, policy),
      ),
  );
}

function refuseTooLarge(
  { stat: { size } }: OpenedFile,
  path: string,
  { maxFileBytes: limit = Infinity }: ReadPolicy,
): void {
  if (size <= limit) return;
  throw new ReadFileError("TOO_LARGE", path, { what: "file", size, limit });
}

function locate(
  source: Source,
  selection: Selection,
  policy: ReadPolicy,
): Awaitable<Span> {
  switch (selection.kind) {
    case "all":
      return locateAll(source, policy);
    case "lines":
      return locateLines(source, selection, policy);
    case "tail":
      return locateTail(source, selection, policy);
    case "page":
      return locatePage(source, selection, policy);
    case "block":
      return locateBlock(source, selection);
  }
}
