// Runtime-agnostic.
import { whenThere } from "./awaitable.ts";
import { type BinaryContent, readBinary } from "./lines/binary.ts";
import { Call } from "./call.ts";
import { ReadFileError } from "./errors.ts";
import { readOneVersion } from "./one_version.ts";
import type { OpenedFile } from "./guard/opened_file.ts";
import type { Awaitable } from "./port.ts";
import type { ReadPolicy, TextPolicy } from "./policy.ts";
import { withFile, withKernel } from "./session.ts";
import type { Source } from "./lines/source.ts";
import { readWindow, type TextWindow } from "./lines/window.ts";
import type { FileRoot } from "./file_root.ts";
import type { Finder } from "./finder.ts";

/**
 * What a read gives: a run of lines, or bytes that are no text.
 *
 * @example Usage
 * ```ts
 * import { type FileContent, memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const measure = (content: FileContent) =>
 *   content.kind === "text" ? `${content.lineCount} lines` : `${content.bytes.length} bytes`;
 * const workspace = await openWorkspace("/", {
 *   fs: memoryFs({ "/a": "one\ntwo\n", "/b": "\0\0\0" }),
 * });
 * const read = (path: string) =>
 *   readFile(workspace, path, { kind: "all" }, { binary: "bytes" });
 * assertEquals([measure(await read("a")), measure(await read("b"))], ["2 lines", "3 bytes"]);
 * ```
 */
export type FileContent = TextWindow | BinaryContent;

/**
 * Reads the lines that a finder finds: the story of every read. The file is
 * opened for as long as it takes, a kernel is lent, and whatever is read is of
 * one version.
 */
export function readFound(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: TextPolicy,
): Promise<TextWindow>;
export function readFound(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: ReadPolicy,
): Promise<FileContent>;
export function readFound(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: ReadPolicy,
): Promise<FileContent> {
  const call = new Call(path, policy.signal);
  return withFile(workspace, call, (file, index) => {
    refuseTooLarge(file, path, policy);
    return withKernel(
      file,
      call,
      (makeSource) =>
        readOneVersion(file, (round) => {
          // What an index says may be of another version.
          const source = makeSource(round === 1 ? index : undefined);
          return readSource(source, finder, policy);
        }),
    );
  });
}

function readSource(
  source: Source,
  { check, find }: Finder,
  policy: ReadPolicy,
): Awaitable<FileContent> {
  const sniffing = whenThere(
    check?.(source),
    () => readBinary(source, policy),
  );
  return whenThere<BinaryContent | undefined, FileContent>(
    sniffing,
    (binary) =>
      binary ?? whenThere(
        find(source, policy),
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
