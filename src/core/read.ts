// Runtime-agnostic.
import { locateBlock } from "./lines/block.ts";
import {
  type Lines,
  locateAll,
  locateLines,
  locateTail,
  type Span,
} from "./lines/locate.ts";
import { explainBinary } from "./media/explain.ts";
import { findMatch } from "./find_match.ts";
import type { FoundWindow } from "./pages/found.ts";
import { locatePage } from "./pages/locate.ts";
import { type ReadPolicy, takePolicy, type TextPolicy } from "./base/policy.ts";
import { checkValue } from "./base/check.ts";
import { CHUNK_BYTES } from "./base/limits.ts";
import type { FileIndex } from "./lines/line_index.ts";
import {
  type BlockSelection,
  type LineSelection,
  type PageSelection,
  type Selection,
  takeSelection,
} from "./base/selection.ts";
import { Call } from "./base/call.ts";
import type { Encodings } from "./lines/codec.ts";
import type { Source } from "./lines/source.ts";
import type { BinaryContent } from "./lines/text.ts";
import { isSame } from "./outcome.ts";
import type { WindowMemory } from "./recall.ts";
import { type Reader, readOnce } from "./read_once.ts";
import { sizeOf } from "./lines/unsized.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { TextWindow } from "./lines/window.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";
import { checkEtag, settle, type Version } from "./pages/version.ts";

/** What a read gives: a run of lines, or the bytes of a binary file. */
export type FileContent = TextWindow | BinaryContent;

/** Opens the file, locates the selection, decodes it. Reads again if the file may have changed meanwhile. */
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
export async function readFound(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: ReadPolicy,
): Promise<FileContent> {
  const call = new Call(path, policy.signal);
  const { semaphore, indexes, kernels, encodings, cache } = innerOf(workspace);
  const told = takeEncoding(policy.encoding, path, encodings);
  const place = semaphore.acquire();
  // An aborted call still gets its place, and passes it on.
  if (place !== undefined) await call.wait(place, () => semaphore.release());
  try {
    // Sample the clock before `stat()`; later would make a fresh change look old.
    const now = Date.now();
    let file = await workspace.open(path, call);
    const { stat } = file;
    try {
      if (file.stat.size === 0) file = await sizeOf(file, call);
      if (finder.open !== undefined) file = await finder.open(file, call);
      const { size } = file.stat;
      const { maxFileBytes: limit = Infinity } = policy;
      if (size > limit) {
        const details = { what: "file", size, limit } as const;
        throw new ReadFileError("TOO_LARGE", path, details);
      }
      // One chunk is scanned sooner than an index is looked up.
      const index = size > CHUNK_BYTES ? indexes.of(file.stat, now) : undefined;
      const reader = { file, call, finder, policy, kernels, told };
      // What is read instead of the file is not the file's.
      const windows = file.stat === stat ? cache : undefined;
      const content = await readOneVersion(reader, index, windows, now);
      if (index !== undefined) indexes.keep(index);
      await file.close();
      return content;
    } catch (error) {
      // Best effort: keep the original error.
      await file.close().catch(() => {});
      throw error;
    }
  } finally {
    semaphore.release();
  }
}

/**
 * Reads one version of the file; `CHANGED` if the answer may be a mixture. If the
 * file grew, or only its times changed, it was appended to, renamed or
 * overwritten: nothing tells which. So it is read again, up to its size at
 * opening; both answers must be the same.
 */
async function readOneVersion(
  reader: Reader,
  index: FileIndex | undefined,
  windows: WindowMemory | undefined,
  now: number,
): Promise<FileContent> {
  const { file, call } = reader;
  const known = await windows?.recall(reader, index);
  const first = known ?? await readOnce(reader, index);
  if (await file.checkUnchanged() !== "same") {
    // The index may be of another version.
    const second = await readOnce(reader, undefined);
    if (!await isSame(first, second, call)) throw file.changed("rewritten");
  } else if (known === undefined) windows?.remember(first, reader, now);
  if ("failure" in first) throw first.failure;
  return first.content;
}

/** The encoding of a policy, or what tells it. */
function takeEncoding(
  asked: string | undefined,
  path: string,
  encodings: Encodings | undefined,
): Reader["told"] {
  if (asked === undefined) return undefined;
  const refuse = refuseArgument(path);
  if (encodings !== undefined) {
    return encodings.take(asked, refuse) ?? encodings;
  }
  throw refuse("encoding", "needs a workspace that openWorkspace() opened");
}

/** How the lines of a read are located. Separate functions, so that unused selections tree-shake away. */
export interface Finder {
  /** Opens what is read instead of the file: a view of it. */
  readonly open?: (file: OpenedFile, call: Call) => Promise<OpenedFile>;
  /** Checks the version of the file before anything is located. */
  readonly check?: (source: Source, policy: ReadPolicy) => Promise<void>;
  readonly find: (source: Source, policy: ReadPolicy) => Promise<Span>;
  /** Finds and reads lines that are no single run of them. */
  readonly read?: (source: Source, policy: ReadPolicy) => Promise<FoundWindow>;
  /** Tells all that the answer depends on but the file and the policy; without it, nothing is cached. */
  readonly key?: () => string | undefined;
  /** Checks what a check left to the end. */
  readonly settle?: (source: Source, window: TextWindow) => Promise<void>;
  /** Whether the bytes of the lines will be needed, and not only their text. */
  readonly keepsBytes?: boolean;
  /** Adds to a failure that follows from the content. */
  readonly explain?: (
    failure: ReadFileError,
    source: Source,
  ) => Promise<ReadFileError>;
}

/** Finds all lines. */
export const findAll: Finder = { find: locateAll, key: () => "all" };

/** Finds lines by their numbers. */
export function findLines(lines: Lines): Finder {
  const find: Finder["find"] = (source, policy) =>
    locateLines(source, lines, policy);
  return { find, key: () => JSON.stringify(lines) };
}

/** Finds whole lines by their numbers, from either end. */
export function findSome(selection: LineSelection): Finder {
  if (selection.kind === "all") return findAll;
  if (selection.kind === "lines") return findLines(selection);
  const find: Finder["find"] = (source, policy) =>
    locateTail(source, selection, policy);
  return { find, key: () => JSON.stringify(selection) };
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(block: BlockSelection): Finder {
  const find: Finder["find"] = (source) => locateBlock(source, block);
  return { find, key: () => JSON.stringify(block) };
}

/** Finds lines from a column on, as far as they fit. */
export function findPage(page: PageSelection): Finder {
  const find: Finder["find"] = (source, policy) =>
    locatePage(source, page, policy);
  return { find, keepsBytes: true, key: () => JSON.stringify(page) };
}

/**
 * Finds the page after the one of `etag`, if the file is still that version.
 *
 * @param end The last line of the walk.
 */
export function findNextPage(
  page: PageSelection,
  etag: string,
  end = Infinity,
): Finder {
  let owed: Version | undefined;
  return {
    keepsBytes: true,
    // A page that owes a comparison may be of a version that is none.
    key: () => owed === undefined ? JSON.stringify(page) : undefined,
    async check(source, policy) {
      owed = await checkEtag(source, etag, { selection: page, policy });
    },
    find: (source, policy) => locatePage(source, page, policy, owed?.end),
    async settle(source, { next }) {
      const isLast = next === null || next > end;
      if (owed !== undefined && isLast) await settle(source, owed);
    },
  };
}

/** Finds the same, and says of a binary file what it is. */
export function findText(finder: Finder): Finder {
  return { ...finder, explain: explainBinary };
}

/** The same finder, which first fails if the file is not the version of `etag`. */
export function checked(finder: Finder, etag: string | undefined): Finder {
  if (etag === undefined) return finder;
  return {
    ...finder,
    async check(source) {
      await checkEtag(source, etag);
    },
  };
}

/**
 * Reads the selected lines of a file in the workspace.
 *
 * Lines end at LF; CR LF is one ending. Memory grows with what is shown, not with
 * the file.
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
 * import { memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const workspace = await openWorkspace("/", { fs: memoryFs({ "/dot.gif": "GIF89a\0" }) });
 * const content = await readFile(workspace, "dot.gif", { kind: "all" }, { binary: "bytes" });
 * assert(content.kind === "binary");
 * assertEquals(content.bytes.length, 7);
 * ```
 *
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
  checkValue("workspace", workspace, WORKSPACE, refuse);
  const selection = takeSelection(asked, refuse);
  const policy = withEncoding(takePolicy(limits, refuse), workspace);
  const finder = selection.kind === "page"
    ? findPage(selection)
    : selection.kind === "block"
    ? findBlock(selection)
    : selection.kind === "match"
    ? findMatch(selection, path)
    : findSome(selection);
  const text = findText(checked(finder, policy.etag));
  return await readFound(workspace, path, text, policy);
}

/** What reads any file as text tells its encoding, where the workspace can. */
function withEncoding(policy: ReadPolicy, workspace: FileRoot): ReadPolicy {
  const { binary = "replace", encoding } = policy;
  const tells = encoding === undefined && binary === "replace" &&
    innerOf(workspace).encodings !== undefined;
  return tells ? { ...policy, encoding: "auto" } : policy;
}
