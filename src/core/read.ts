// Runtime-agnostic.
import { locateAll, locateLines, locateTail } from "./lines/locate.ts";
import type { Lines, Span } from "./lines/locate.ts";
import type { HitSelection } from "./pages/hits.ts";
import type { FoundWindow } from "./pages/page.ts";
import { locatePage } from "./pages/locate_page.ts";
import { takePolicy, takeSelection } from "./base/selection.ts";
import type {
  BlockSelection,
  LineSelection,
  PageSelection,
  ReadPolicy,
  Selection,
  TextPolicy,
} from "./base/selection.ts";
import { checkValue } from "./base/check.ts";
import { CHUNK_BYTES } from "./base/limits.ts";
import { Call } from "./base/call.ts";
import type { Awaitable } from "./base/port.ts";
import type { Encodings } from "./lines/codec.ts";
import type { Source } from "./lines/source.ts";
import type { BinaryContent } from "./lines/text.ts";
import { isSame, type Reader, readOnce } from "./read_once.ts";
import { lazyPart } from "./base/errno.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Viewed } from "./media/view.ts";
import type { TextWindow } from "./lines/window.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";
import { checkEtag, settle, type Version } from "./pages/version.ts";

const blockPart = /* @__PURE__ */ lazyPart(() => import("./lines/block.ts"));
const hitsPart = /* @__PURE__ */ lazyPart(() => import("./pages/hits.ts"));
const signaturesPart = /* @__PURE__ */ lazyPart(() =>
  import("./media/signatures.ts")
);
const unsizedPart = /* @__PURE__ */ lazyPart(() =>
  import("./lines/unsized.ts")
);

/** The result of a read: consecutive lines, or the bytes of a binary file. */
export type FileContent = TextWindow | BinaryContent;

/** Opens the file, locates the selection, decodes it. Reads once more if the file may have changed meanwhile. */
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
  const resolving = takeEncoding(policy.encoding, path, encodings);
  let encoding = resolving instanceof Promise ? await resolving : resolving;
  const slot = semaphore.acquire();
  // A call that is aborted here still gets its slot later, and then releases it.
  if (slot !== undefined) await call.wait(slot, () => semaphore.release());
  try {
    // Sample the clock before `stat()`; later would make a fresh change look old.
    const now = Date.now();
    let file = await workspace.open(path, call);
    const { stat } = file;
    try {
      // Files in `/proc` have the size 0, and content. A remote store knows the size,
      // and there a read would cost a request.
      if (stat.size === 0 && !stat.remote) {
        const { loadAll } = await unsizedPart(path);
        file = await loadAll(file, call);
      }
      if (finder.open !== undefined) {
        const viewed = await finder.open(file, call);
        file = viewed.file;
        // The view's own encoding counts; without one, that of the call.
        encoding = viewed.encoding ?? encoding;
      }
      const { size } = file.stat;
      const { maxFileBytes: limit = Infinity } = policy;
      if (size > limit) {
        const details = { what: "file", size, limit } as const;
        throw new ReadFileError("TOO_LARGE", path, details);
      }
      // One chunk is scanned sooner than an index is looked up.
      const index = size > CHUNK_BYTES ? indexes.of(file.stat, now) : undefined;
      // Views, and files of unknown size, have another `stat` and are not cached.
      const windows = file.stat === stat ? cache : undefined;
      const opened = { file, call, finder, policy, kernels, encoding };
      const reader = { ...opened, index, cache: windows, now };
      const content = await readOneVersion(reader);
      if (index !== undefined) indexes.keep(index);
      await file.close();
      return content;
    } catch (error) {
      // A failed read may have added places to a known index.
      const known = indexes.get(file.stat.id ?? "");
      if (known !== undefined) indexes.keep(known);
      // Best effort: keep the original error.
      await file.close().catch(() => {});
      throw error;
    }
  } finally {
    semaphore.release();
  }
}

/**
 * Reads one version of the file; fails with `CHANGED` if the answer may mix two.
 * If the file grew, or only its times changed, its stat does not show whether it
 * was appended to, renamed or overwritten. So it is read once more, up to its
 * size at opening, and both answers must be equal.
 */
async function readOneVersion(reader: Reader): Promise<FileContent> {
  const { file, call, finder, cache } = reader;
  // Nothing is read: the answer is of the version that `stat()` described at opening.
  // If the finder has a check, `readOnce` asks the cache after it.
  const cached = !finder.check && cache?.recall(reader);
  if (cached) return cached;
  const first = await readOnce(reader);
  if (await file.checkUnchanged() !== "same") {
    // The index and the cache may be of another version.
    const fresh = { ...reader, index: undefined, cache: undefined };
    const second = await readOnce(fresh);
    if (!await isSame(first, second, call)) throw file.changed("rewritten");
  } else {
    cache?.remember(first, reader);
  }
  if ("failure" in first) throw first.failure;
  return first.content;
}

/** Returns the encoding that a policy names, or the detection of `"auto"`. */
function takeEncoding(
  label: string | undefined,
  path: string,
  encodings: Encodings | undefined,
): Awaitable<Reader["encoding"]> {
  if (label === undefined) return undefined;
  const refuse = refuseArgument(path);
  if (encodings === undefined) {
    throw refuse("encoding", "needs a workspace that openWorkspace() opened");
  }
  const name = encodings.check(label, refuse);
  return name === "auto" ? encodings : encodings.resolve(name, path);
}

/** How the lines of a read are located. Separate functions, so that unused selections tree-shake away. */
export interface Finder {
  /** Opens a view, which is read instead of the file; it may have an encoding of its own. */
  readonly open?: (file: OpenedFile, call: Call) => Promise<Viewed>;
  /** Checks the version of the file before anything is located. */
  readonly check?: (source: Source, policy: ReadPolicy) => Promise<unknown>;
  readonly find: (source: Source, policy: ReadPolicy) => Promise<Span>;
  /** Finds and reads lines that are not consecutive. */
  readonly read?: (source: Source, policy: ReadPolicy) => Promise<FoundWindow>;
  /** Makes the cache key: all that the answer depends on besides the file and the policy. Without a key, nothing is cached. */
  readonly key?: () => string | undefined;
  /** Completes a check that `check` postponed until the window is known. */
  readonly settle?: (source: Source, window: TextWindow) => Promise<void>;
  /** Whether the bytes of the lines are needed besides their text. */
  readonly keepsBytes?: boolean;
  /** Adds details to a failure that follows from the content. */
  readonly explain?: (
    failure: ReadFileError,
    source: Source,
  ) => Promise<ReadFileError>;
}

export const findAll: Finder = { find: locateAll, key: () => "all" };

/** A finder of a selection, which is plain JSON. */
function finderOf(selection: object, find: Finder["find"]): Finder {
  return { find, key: () => JSON.stringify(selection) };
}

export function findLines(lines: Lines): Finder {
  return finderOf(
    lines,
    (source, policy) => locateLines(source, lines, policy),
  );
}

/** Finds whole lines by their numbers, from either end. */
export function findByNumber(selection: LineSelection): Finder {
  if (selection.kind === "all") return findAll;
  if (selection.kind === "lines") return findLines(selection);
  return finderOf(
    selection,
    (source, policy) => locateTail(source, selection, policy),
  );
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(block: BlockSelection): Finder {
  return finderOf(block, async (source) => {
    const { locateBlock } = await blockPart(source.path);
    return await locateBlock(source, block);
  });
}

/**
 * Finds lines, from a column of the first one, as many as fit. With the `etag`
 * of an earlier page, checks that the file is still that version; `lastLine` is
 * the last line of the last page.
 */
export function findPage(
  page: PageSelection,
  etag?: string,
  lastLine = Infinity,
): Finder {
  let pending: Version | undefined;
  const checks: Partial<Finder> = etag === undefined ? {} : {
    async check(source, policy) {
      pending = await checkEtag(source, etag, page, policy);
    },
    async settle(source, { next }) {
      const isLast = next === null || next > lastLine;
      if (pending !== undefined && isLast) await settle(source, pending);
    },
  };
  return {
    ...checks,
    keepsBytes: true,
    // While a comparison is postponed, the window may mix two versions.
    key: () => pending === undefined ? JSON.stringify(page) : undefined,
    // A postponed comparison tells at which byte the page begins.
    find: (source, policy) => locatePage(source, page, policy, pending?.end),
  };
}

/** Finds the lines that match, or that have the given numbers, and lines around them. With `etag`, checks that the file is still that version. */
export async function findMatch(
  selection: HitSelection,
  path: string,
  etag?: string,
): Promise<Finder> {
  const hits = await hitsPart(path);
  const finder: Finder = hits.findMatch(selection, path);
  if (etag === undefined) return finder;
  return { ...finder, check: (source) => checkEtag(source, etag) };
}

/** The same finder, whose failure for a binary file names the kind of file. */
export function findText(finder: Finder): Finder {
  return {
    ...finder,
    async explain(failure, source) {
      if (!failure.is("BINARY")) return failure;
      const { explainBinary } = await signaturesPart(source.path);
      return await explainBinary(failure, source);
    },
  };
}

/**
 * Reads the selected lines of a file in the workspace. Lines end at LF; CR LF is one
 * ending. Memory grows with what is shown, not with the file.
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
  selected?: Selection,
  limits?: ReadPolicy,
): Promise<FileContent> {
  const refuse = refuseArgument(path);
  checkValue("workspace", workspace, WORKSPACE, refuse);
  const selection = takeSelection(selected, refuse);
  const policy = takePolicy(limits, refuse);
  const { binary = "replace", encoding } = policy;
  // If binary files are shown as text too, the encoding is detected, where the
  // workspace can.
  const detects = encoding === undefined && binary === "replace" &&
    innerOf(workspace).encodings !== undefined;
  const finder = findText(await finderFor(selection, path));
  const detecting = detects ? { ...policy, encoding: "auto" } : policy;
  return await readFound(workspace, path, finder, detecting);
}

async function finderFor(selection: Selection, path: string): Promise<Finder> {
  switch (selection.kind) {
    case "page":
      return findPage(selection);
    case "block":
      return findBlock(selection);
    case "match":
      return await findMatch(selection, path);
    default:
      return findByNumber(selection);
  }
}
