// Runtime-agnostic.
import { locateBlock } from "./lines/block.ts";
import {
  locateAll,
  locateLines,
  locateTail,
  type Span,
} from "./lines/locate.ts";
import type { Source } from "./lines/source.ts";
import { locatePage } from "./pages/locate.ts";
import { type ReadPolicy, takePolicy, type TextPolicy } from "./base/policy.ts";
import { checkValue, refuseArgument } from "./base/check.ts";
import type { Awaitable } from "./base/port.ts";
import {
  type BlockSelection,
  type LineSelection,
  type PageSelection,
  type Selection,
  takeSelection,
} from "./base/selection.ts";
import { Call, orElse, whenThere } from "./base/call.ts";
import { type BinaryContent, readBinary } from "./lines/text.ts";
import { ReadFileError } from "./base/errors.ts";
import type { OpenedFile } from "./guard/open.ts";
import { readWindow, type TextWindow } from "./lines/window.ts";
import { withFile, withKernel } from "./session.ts";
import type { FileRoot } from "./workspace.ts";
import { checkEtag } from "./pages/version.ts";

/**
 * How the lines of a read are found. Each is by itself, so that a bundle holds
 * those that are used, and no others.
 */
export interface Finder {
  /** Makes sure that it is the file that is meant, before anything is found. */
  readonly check?: (source: Source) => Awaitable<void>;
  readonly find: (source: Source, policy: ReadPolicy) => Awaitable<Span>;
  /** Whether the bytes of the lines will be asked for, and not only their text. */
  readonly keepsBytes?: boolean;
}

type Of<Kind extends LineSelection["kind"]> = Extract<
  LineSelection,
  { kind: Kind }
>;

/** Finds all lines. */
export const findAll: Finder = { find: locateAll };

/** Finds lines by their numbers. */
export function findLines(selection: Of<"lines">): Finder {
  return {
    find: (source, policy) => locateLines(source, selection, policy),
  };
}

/** Finds the last lines. */
function findTail(selection: Of<"tail">): Finder {
  return { find: (source, policy) => locateTail(source, selection, policy) };
}

/** Finds whole lines by their numbers, from either end. */
export function findSome(selection: LineSelection): Finder {
  switch (selection.kind) {
    case "all":
      return findAll;
    case "lines":
      return findLines(selection);
    case "tail":
      return findTail(selection);
  }
}

/** Finds lines from a column on, as far as they may be shown. */
function findPage(selection: PageSelection): Finder {
  return {
    find: (source, policy) => locatePage(source, selection, policy),
    keepsBytes: true,
  };
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(selection: BlockSelection): Finder {
  return { find: (source) => locateBlock(source, selection) };
}

type Content = TextWindow | BinaryContent;

/** What a read came to; a failure that speaks of the content is an answer too. */
type Outcome =
  | { readonly content: Content }
  | { readonly failure: unknown };

/**
 * Reads, and makes sure that the answer is of one version of the file; `CHANGED`
 * if it may be a mixture.
 *
 * A file that is larger by now was appended to, or written over by more: its
 * size and times cannot tell, nor can they of one that was only touched. So it is
 * read once more, as far as it went when it was opened; what was only appended
 * to, or renamed, gives the same answer again.
 */
function readOneVersion(
  file: OpenedFile,
  read: (round: 1 | 2) => Awaitable<Content>,
): Awaitable<Content> {
  return whenThere(outcomeOf(() => read(1)), (first) => {
    const give = (): Content => {
      if ("failure" in first) throw first.failure;
      return first.content;
    };
    return whenThere(file.checkUnchanged(), (state) => {
      if (state === "same") return give();
      return whenThere(outcomeOf(() => read(2)), (second) => {
        if (!isSame(first, second)) throw file.changed("rewritten");
        return give();
      });
    });
  });
}

function outcomeOf(read: () => Awaitable<Content>): Awaitable<Outcome> {
  return orElse<Outcome>(
    () => whenThere(read(), (content) => ({ content })),
    (failure) => {
      if (
        failure instanceof ReadFileError && !ABOUT_CONTENT.has(failure.code)
      ) throw failure;
      // What cannot be, such as lines that do not add up, may be of two versions.
      return { failure };
    },
  );
}

/** The failures that follow from what the file holds. */
const ABOUT_CONTENT: ReadonlySet<ReadFileError["code"]> = new Set(
  ["BINARY", "TOO_LARGE", "RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
);

function isSame(one: Outcome, other: Outcome): boolean {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const { bytes } = other.content;
  return one.content.bytes.every((byte, index) => byte === bytes[index]);
}

/** All but the bytes, to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines } = outcome.content;
  const place = [span, start, next, column, nextColumn, totalLines];
  return JSON.stringify([kind, length, cut, place]);
}

/**
 * What a read gives: a run of lines, or bytes that are no text.
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
  { check, find, keepsBytes = false }: Finder,
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
        (span) => readWindow(source, span, policy, keepsBytes),
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
  asked?: Selection,
  limits?: ReadPolicy,
): Promise<FileContent> {
  const refuse = refuseArgument(path);
  checkValue("workspace", workspace, "workspace", refuse);
  const selection = takeSelection(asked, refuse);
  const policy = takePolicy(limits, refuse);
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
