// Runtime-agnostic.
import { Call, isPromise } from "./base/call.ts";
import { checkValue } from "./base/check.ts";
import { lazyPart } from "./base/errno.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { CHUNK_BYTES } from "./base/limits.ts";
import type { Awaitable } from "./base/port.ts";
import { takePolicy, takeSelection } from "./base/selection.ts";
import type { ReadPolicy, Selection, TextPolicy } from "./base/selection.ts";
import { type Finder, finderFor, findText } from "./finders.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Encodings, ResolvedEncoding } from "./lines/codec.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { type BinaryContent, readBinary } from "./lines/text.ts";
import { readWindow, relabel, type TextWindow } from "./lines/window.ts";
import { isSame, type Outcome, type WindowCache } from "./outcome.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";

const unsizedPart = /* @__PURE__ */ lazyPart(() =>
  import("./lines/unsized.ts")
);

/** The result of a read: consecutive lines, or the bytes of a binary file. */
export type FileContent = TextWindow | BinaryContent;

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
  return await readWith(workspace, path, finder, detecting);
}

/** Opens the file, locates the selection, decodes it. Reads once more if the file may have changed meanwhile. */
export function readWith(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: TextPolicy,
): Promise<TextWindow>;
export function readWith(
  workspace: FileRoot,
  path: string,
  finder: Finder,
  policy: ReadPolicy,
): Promise<FileContent>;
export async function readWith(
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

/** What a read of an open file needs. */
export interface Reader {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  readonly index: FileIndex | undefined;
  readonly cache: WindowCache | undefined;
  /** The time, sampled before the file was opened. */
  readonly now: number;
  /** The encoding that was asked for, or the detection of it; `undefined` for UTF-8. */
  readonly encoding: ResolvedEncoding | Encodings | undefined;
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

/** Reads in the encoding that was asked for, or in the detected one. */
function readOnce(reader: Reader): Promise<Outcome> {
  const { encoding, index } = reader;
  if (encoding === undefined || "encoding" in encoding) {
    return readIn(reader, encoding);
  }
  const known = index?.encoding;
  return known ? readIn(reader, known) : readDetected(reader, encoding);
}

/** Reads as UTF-8, since most files are, and then detects the encoding by what was read. */
async function readDetected(
  reader: Reader,
  encodings: Encodings,
): Promise<Outcome> {
  const { index } = reader;
  const outcome = await readIn(reader, undefined, encodings);
  const { detected } = outcome;
  if (detected === undefined) return outcome;
  if (index !== undefined) index.encoding = detected;
  return detected.codec ? await readIn(reader, detected) : outcome;
}

/** Finds the lines, and reads them into a window; `encodings` detect the encoding by what was read. */
async function readIn(
  reader: Reader,
  encoding: ResolvedEncoding | undefined,
  encodings?: Encodings,
): Promise<Outcome> {
  const { file, call, finder, policy, kernels, index } = reader;
  // Making a kernel may take a millisecond.
  const yielding = call.yieldIfDue();
  if (yielding !== undefined) await yielding;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  encoding?.use(source);
  const { binary = "replace" } = policy;
  let detected: ResolvedEncoding | undefined;
  try {
    if (finder.check) {
      await finder.check(source, policy);
      // Without a check, the cache was asked before.
      const cached = reader.cache?.recall(reader);
      if (cached) return { content: cached, isCached: true };
    }
    // Bytes that are not UTF-8 may be text in another encoding.
    if (encodings !== undefined && binary !== "replace") {
      detected = await encodings.detect(source);
    }
    const bytes = detected?.codec === undefined
      ? await readBinary(source, policy)
      : undefined;
    if (bytes !== undefined) return { content: bytes, detected };
    const { keepsBytes = false } = finder;
    const content = finder.read === undefined
      ? await readWindow(
        source,
        await finder.find(source, policy),
        policy,
        keepsBytes,
      )
      : await finder.read(source, policy);
    const detecting = encodings?.detect(source, content);
    detected = isPromise(detecting) ? await detecting : detecting;
    if (detected !== undefined) relabel(content, detected.encoding);
    if (!detected?.codec && finder.settle) await finder.settle(source, content);
    return { content, detected };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.includes(failure.code)) throw failure;
    const isLarge = isOurs && failure.is("TOO_LARGE") &&
      failure.details.what === "file";
    // A file that is too large is so in every encoding.
    if (!isLarge) detected = await encodings?.detect(source);
    // Another error is an impossible result, such as lines that do not add up: the
    // read may mix two versions.
    const explained = isOurs
      ? await finder.explain?.(failure, source)
      : undefined;
    return { failure: explained ?? failure, detected };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** The codes of failures that follow from the content of a file. */
const ABOUT_CONTENT: readonly ReadFileError["code"][] = [
  "BINARY",
  "TOO_LARGE",
  "UNREADABLE",
  "RANGE_OUT_OF_BOUNDS",
  "SCAN_LIMIT",
];
