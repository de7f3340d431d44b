// Runtime-agnostic.
import { type BinaryContent, readBinary } from "./binary.ts";
import { locateBlock } from "./block.ts";
import { Call } from "./call.ts";
import { ReadFileError } from "./errors.ts";
import { type FileIndex, indexesOf } from "./line_index.ts";
import { CHUNK_BYTES, MAX_OPEN_FILES } from "./limits.ts";
import { locateAll, locateLines, locateTail, type Span } from "./locate.ts";
import { readOneVersion } from "./one_version.ts";
import type { OpenedFile } from "./opened_file.ts";
import { checkPolicy, type ReadPolicy, type TextPolicy } from "./policy.ts";
import { giveKernel, takeKernel } from "./scan.ts";
import { checkSelection, type Selection } from "./selection.ts";
import { Source } from "./source.ts";
import { Turnstile } from "./turnstile.ts";
import { locatePage } from "./pages/locate_page.ts";
import { checkEtag } from "./pages/version.ts";
import { readWindow, type TextWindow } from "./window.ts";
import type { Workspace } from "./workspace.ts";

/** One a workspace: a disk that hangs keeps no other from being read. */
const turnstiles = new WeakMap<Workspace, Turnstile>();

function turnstileOf(workspace: Workspace): Turnstile {
  const found = turnstiles.get(workspace) ?? new Turnstile(MAX_OPEN_FILES);
  turnstiles.set(workspace, found);
  return found;
}

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
  const turnstile = turnstileOf(workspace);
  const turn = turnstile.enter();
  // Whoever gives up in the queue still gets a place, and hands it on.
  if (turn !== undefined) {
    const call = new Call(path, policy.signal);
    await call.wait(turn, () => turnstile.leave());
  }
  try {
    // From before the file is looked at, or its times would prove less.
    const now = Date.now();
    const file = await workspace.open(path, policy);
    let content: FileContent;
    try {
      const indexes = indexesOf(workspace);
      // What one chunk holds is found sooner than an index is asked.
      const index = file.stat.size > CHUNK_BYTES
        ? indexes.of(file.stat, now)
        : undefined;
      content = await readOpened(file, path, selection, policy, index);
      if (index !== undefined) indexes.keep(index);
    } catch (error) {
      // How the closing goes says less than the failure on its way out.
      await file.close().catch(() => {});
      throw error;
    }
    await file.close();
    return content;
  } finally {
    turnstile.leave();
  }
}

async function readOpened(
  file: OpenedFile,
  path: string,
  selection: Selection,
  policy: ReadPolicy,
  index: FileIndex | undefined,
): Promise<FileContent> {
  refuseTooLarge(file, path, policy);
  const kernel = takeKernel(file.stat.size);
  const call = new Call(path, policy.signal);
  let source = new Source(file, kernel, call, index);
  try {
    return await readOneVersion(file, (round) => {
      // What the buffer and the index hold may be of another version.
      if (round === 2) source = new Source(file, kernel, call);
      return readSource(source, selection, policy);
    });
  } finally {
    if (!source.isReading) giveKernel(kernel);
  }
}

async function readSource(
  source: Source,
  selection: Selection,
  policy: ReadPolicy,
): Promise<FileContent> {
  if (policy.etag !== undefined) await checkEtag(source, policy.etag);
  return await readBinary(source, policy) ??
    await readWindow(source, await locate(source, selection, policy), policy);
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
): Promise<Span> {
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
