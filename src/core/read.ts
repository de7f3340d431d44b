// Runtime-agnostic.
// Every read takes these steps, in the order of this file: `readWith` opens the file,
// `readOneVersion` makes sure that the answer does not mix two versions of it,
// `tryRead` chooses the encoding, `readAs` prepares the source, and `readContent` has
// the finder of the selection locate the lines and decode them.
import { Call, isPromise } from "./base/call.ts";
import { checkValue } from "./base/check.ts";
import { lazyPart } from "./base/errno.ts";
import { ReadFileError, refuseArgument } from "./base/errors.ts";
import { CHUNK_BYTES } from "./base/limits.ts";
import { takePolicy, takeSelection } from "./base/selection.ts";
import type { ReadPolicy, Selection, TextPolicy } from "./base/selection.ts";
import { type Finder, finderFor, withBinaryKind } from "./finders.ts";
import type { OpenedFile } from "./guard/open.ts";
import type { Encodings, ResolvedEncoding } from "./lines/codec.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import { Source } from "./lines/source.ts";
import { type BinaryContent, readBinary } from "./lines/text.ts";
import { relabel, type TextWindow } from "./lines/window.ts";
import { haveSameResult, type Outcome, outcomeOfError } from "./outcome.ts";
import type { WindowCache } from "./outcome.ts";
import { type FileRoot, internalsOf, WORKSPACE } from "./file_root.ts";

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
  const finder = withBinaryKind(await finderFor(selection, path));
  // Without a named encoding, detect it, but only if invalid bytes are replaced, and
  // if this workspace can detect encodings.
  const isDetected = encoding === undefined && binary === "replace" &&
    internalsOf(workspace).encodings !== undefined;
  return await readWith(workspace, path, finder, {
    ...policy,
    encoding: isDetected ? "auto" : encoding,
  });
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
  const { semaphore, indexes, kernels, encodings, cache } = internalsOf(
    workspace,
  );
  const { encoding: label } = policy;
  let decoding: Decoding = label === undefined
    ? {}
    : await decodingOf(label, path, encodings);
  const slot = semaphore.acquire();
  // A call that is aborted here still gets its slot later, and then releases it.
  if (slot !== undefined) await call.wait(slot, () => semaphore.release());
  try {
    // Sample the clock before `stat()`; later would make a fresh change look old.
    const now = Date.now();
    const opened = await workspace.open(path, call);
    let file = opened;
    try {
      // Files in `/proc` have the size 0, and content. A remote store knows the size,
      // and there a read would cost a request.
      if (file.stat.size === 0 && !file.stat.remote) {
        const { loadAll } = await unsizedPart(path);
        file = await loadAll(file, call);
      }
      if (finder.open !== undefined) {
        const viewed = await finder.open(file, call);
        file = viewed.file;
        // A view that knows its encoding ignores the one that the call names.
        if (viewed.detection !== undefined) {
          decoding = { detection: viewed.detection };
        }
      }
      const { size } = file.stat;
      const { maxFileBytes: limit = Infinity } = policy;
      if (size > limit) {
        const details = { what: "file", size, limit } as const;
        throw new ReadFileError("TOO_LARGE", path, details);
      }
      // One chunk is scanned sooner than an index is looked up.
      const index = size > CHUNK_BYTES ? indexes.of(file.stat, now) : undefined;
      const content = await readOneVersion({
        file,
        call,
        finder,
        policy,
        kernels,
        index,
        // Views, and files of unknown size, are not cached.
        cache: file === opened ? cache : undefined,
        now,
        ...decoding,
      });
      if (index !== undefined) indexes.keep(index);
      await file.close();
      return content;
    } catch (error) {
      // A failed read may have added places to an index that was kept before. A new
      // index is dropped: it may mix two versions.
      indexes.recount(file.stat.id);
      // Best effort: keep the original error.
      await file.close().catch(() => {});
      throw error;
    }
  } finally {
    semaphore.release();
  }
}

/** How bytes become text: in the encoding that the call names, or in the detected one; without both, in UTF-8. */
interface Decoding {
  readonly encoding?: ResolvedEncoding;
  readonly detection?: Encodings;
}

async function decodingOf(
  label: string,
  path: string,
  encodings: Encodings | undefined,
): Promise<Decoding> {
  const refuse = refuseArgument(path);
  if (encodings === undefined) {
    throw refuse("encoding", "needs a workspace that openWorkspace() opened");
  }
  const name = encodings.check(label, refuse);
  if (name === "auto") return { detection: encodings };
  return { encoding: await encodings.resolve(name, path) };
}

/** An open file, and how it is read. */
export interface ReadContext extends Decoding {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  readonly index: FileIndex | undefined;
  readonly cache: WindowCache | undefined;
  /** The time, sampled before the file was opened. */
  readonly now: number;
}

/**
 * Reads one version of the file; fails with `CHANGED` if the answer may mix two.
 * If the file grew, or only its times changed, its stat does not show whether it
 * was appended to, renamed or overwritten. So it is read once more, up to its
 * size at opening, and both answers must be equal.
 */
async function readOneVersion(context: ReadContext): Promise<FileContent> {
  const { file, call, finder, cache } = context;
  // The cache has answers of the version that `stat()` described at opening. If the
  // finder has a check, `readAs` asks the cache after it.
  const cached = finder.check === undefined
    ? cache?.recall(context)
    : undefined;
  if (cached !== undefined) return cached;
  const first = await tryRead(context);
  if (await file.checkUnchanged() === "same") {
    cache?.remember(first, context);
  } else {
    // The index and the cache may be of another version.
    const fresh = { ...context, index: undefined, cache: undefined };
    const second = await tryRead(fresh);
    if (!await haveSameResult(first, second, call)) {
      throw file.changed("rewritten");
    }
  }
  if ("failure" in first) throw first.failure;
  return first.content;
}

/** Tries to read in the encoding that the call names; without one, in the detected encoding. */
async function tryRead(context: ReadContext): Promise<Outcome> {
  const { encoding, detection, index } = context;
  if (detection === undefined) return await readAs(encoding, context);
  if (index?.encoding !== undefined) {
    return await readAs(index.encoding, context);
  }
  // Most files are UTF-8; if the read shows another encoding, read again in that one.
  const outcome = await readAs(undefined, context, detection);
  const { detected } = outcome;
  if (detected === undefined) return outcome;
  if (index !== undefined) index.encoding = detected;
  return isNotUtf8(detected) ? await readAs(detected, context) : outcome;
}

/** Whether the file has another encoding than UTF-8, so that it must be read again. */
function isNotUtf8(detected: ResolvedEncoding | undefined): boolean {
  return detected?.codec !== undefined;
}

/** Reads in one encoding: UTF-8 if it is `undefined`. With `detection`, the outcome says which encoding the file has. */
async function readAs(
  encoding: ResolvedEncoding | undefined,
  context: ReadContext,
  detection?: Encodings,
): Promise<Outcome> {
  const { file, call, finder, policy, kernels, index, cache } = context;
  // Making a kernel may take a millisecond.
  const yielding = call.yieldIfDue();
  if (yielding !== undefined) await yielding;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  encoding?.use(source);
  try {
    if (finder.check !== undefined) {
      await finder.check(source, policy);
      const cached = cache?.recall(context);
      if (cached !== undefined) return { content: cached, isCached: true };
    }
    return await readContent(source, finder, policy, detection);
  } catch (error) {
    return await outcomeOfError(error, source, finder, detection);
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** Reads the lines that the finder locates, or the bytes of a binary file. */
async function readContent(
  source: Source,
  finder: Finder,
  policy: ReadPolicy,
  detection: Encodings | undefined,
): Promise<Outcome> {
  const bytes = await readBinary(source, policy);
  if (bytes !== undefined) {
    // Bytes that are not UTF-8 may be text in another encoding.
    return { content: bytes, detected: await detection?.detect(source) };
  }
  const content = await finder.read(source, policy);
  const detecting = detection?.detect(source, content);
  const detected = isPromise(detecting) ? await detecting : detecting;
  if (detected !== undefined) relabel(content, detected.encoding);
  // In another encoding the file is read again, and that read settles.
  if (finder.settle !== undefined && !isNotUtf8(detected)) {
    await finder.settle(source, content);
  }
  return { content, detected };
}
