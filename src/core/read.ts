// Runtime-agnostic.
import { locateBlock } from "./lines/block.ts";
import {
  type Lines,
  locateAll,
  locateLines,
  locateTail,
  type Span,
} from "./lines/locate.ts";
import { Source } from "./lines/source.ts";
import { locatePage } from "./pages/locate.ts";
import { type ReadPolicy, takePolicy, type TextPolicy } from "./base/policy.ts";
import { checkValue, refuseArgument } from "./base/check.ts";
import { CHUNK_BYTES } from "./base/limits.ts";
import type { FileIndex } from "./lines/line_index.ts";
import type { KernelPool } from "./lines/scan.ts";
import {
  type BlockSelection,
  type LineSelection,
  type PageSelection,
  type Selection,
  takeSelection,
} from "./base/selection.ts";
import { Call } from "./base/call.ts";
import { type BinaryContent, readBinary } from "./lines/text.ts";
import type { Encodings, Told } from "./lines/codec.ts";
import { sizeOf } from "./lines/unsized.ts";
import { ReadFileError } from "./base/errors.ts";
import type { OpenedFile } from "./guard/open.ts";
import { readWindow, type TextWindow } from "./lines/window.ts";
import { type FileRoot, innerOf, WORKSPACE } from "./workspace.ts";
import { checkEtag } from "./pages/version.ts";

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
  const { semaphore, indexes, kernels, encodings } = innerOf(workspace);
  const told = takeEncoding(policy.encoding, path, encodings);
  const place = semaphore.acquire();
  // An aborted call still gets its place, and passes it on.
  if (place !== undefined) await call.wait(place, () => semaphore.release());
  try {
    // Sample the clock before `stat()`; later would make a fresh change look old.
    const now = Date.now();
    let file = await workspace.open(path, call);
    try {
      if (file.stat.size === 0) file = await sizeOf(file, call);
      const { size } = file.stat;
      const { maxFileBytes: limit = Infinity } = policy;
      if (size > limit) {
        const details = { what: "file", size, limit } as const;
        throw new ReadFileError("TOO_LARGE", path, details);
      }
      // One chunk is scanned sooner than an index is looked up.
      const index = size > CHUNK_BYTES ? indexes.of(file.stat, now) : undefined;
      const reader = { file, call, finder, policy, kernels, told };
      const content = await readOneVersion(reader, index);
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

/** All that a read of an open file needs. */
interface Reader {
  readonly file: OpenedFile;
  readonly call: Call;
  readonly finder: Finder;
  readonly policy: ReadPolicy;
  readonly kernels: KernelPool;
  /** The encoding that was asked for, or what tells it; `undefined` for UTF-8. */
  readonly told: Told | Encodings | undefined;
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

/**
 * Reads one version of the file; `CHANGED` if the answer may be a mixture. If the
 * file grew, or only its times changed, it was appended to, renamed or
 * overwritten: nothing tells which. So it is read again, up to its size at
 * opening; both answers must be the same.
 */
async function readOneVersion(
  reader: Reader,
  index: FileIndex | undefined,
): Promise<FileContent> {
  const { file, call } = reader;
  const first = await readOnce(reader, index);
  if (await file.checkUnchanged() !== "same") {
    // The index may be of another version.
    const second = await readOnce(reader, undefined);
    if (!await isSame(first, second, call)) throw file.changed("rewritten");
  }
  if ("failure" in first) throw first.failure;
  return first.content;
}

/** The result of one reading; a failure that follows from the content is a result too. */
type Outcome =
  | { readonly content: FileContent }
  | { readonly failure: unknown };

/** Reads, and reads again if what was read shows another encoding than the beginning of the file. */
async function readOnce(
  reader: Reader,
  index: FileIndex | undefined,
): Promise<Outcome> {
  const outcome = await readIn(reader, index);
  if (!("better" in outcome)) return outcome;
  const again = await readIn(reader, index, outcome.better);
  // A file that was told is not told again.
  if ("better" in again) throw reader.file.changed("rewritten");
  return again;
}

/** Finds the lines, and reads them into a window. */
async function readIn(
  { file, call, finder, policy, kernels, told: asked }: Reader,
  index: FileIndex | undefined,
  better?: Told,
): Promise<Outcome | { readonly better: Told }> {
  // A new kernel may take a millisecond to make.
  const breath = call.breathe();
  if (breath !== undefined) await breath;
  const kernel = kernels.take(file.stat.size);
  const source = new Source(file, kernel, call, index);
  try {
    const { check, find, keepsBytes = false } = finder;
    const told = better ??
      (asked !== undefined && "tell" in asked
        ? index?.told ?? await asked.tell(source)
        : asked);
    if (told !== undefined) source.use(told);
    if (index !== undefined && told !== asked) index.told = told;
    if (check !== undefined) await check(source);
    const binary = await readBinary(source, policy);
    if (binary !== undefined) return { content: binary };
    const span = await find(source, policy);
    const isOpen = told?.isOpen === true && asked !== undefined &&
      "tell" in asked;
    // What is not UTF-8 may be another encoding.
    const limits = isOpen && policy.binary === "reject-invalid"
      ? { ...policy, binary: "replace" } as const
      : policy;
    const { encoding } = told ?? {};
    const shown = await readWindow(source, span, limits, keepsBytes, encoding);
    const other = isOpen ? await asked.tellBy(shown) : undefined;
    if (other?.codec !== undefined) return { better: other };
    if (other === undefined) return { content: shown };
    return {
      content: await readWindow(
        source,
        span,
        policy,
        keepsBytes,
        other.encoding,
      ),
    };
  } catch (failure) {
    const isOurs = failure instanceof ReadFileError;
    if (isOurs && !ABOUT_CONTENT.has(failure.code)) throw failure;
    // An impossible result, such as lines that do not add up, may be of two versions.
    return { failure };
  } finally {
    // A read that an abort left pending may still write into the buffer.
    if (!source.isReading) kernels.give(kernel);
  }
}

/** The failures that follow from what the file holds. */
const ABOUT_CONTENT: ReadonlySet<ReadFileError["code"]> = new Set(
  ["BINARY", "TOO_LARGE", "RANGE_OUT_OF_BOUNDS", "SCAN_LIMIT"] as const,
);

async function isSame(
  one: Outcome,
  other: Outcome,
  call: Call,
): Promise<boolean> {
  if (factsOf(one) !== factsOf(other)) return false;
  if (!("content" in one && "content" in other)) return true;
  const [{ bytes }, { bytes: others }] = [one.content, other.content];
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === 0) await call.breathe();
    if (bytes[at] !== others[at]) return false;
  }
  return true;
}

/** How many bytes are compared between two looks at the clock. */
const STEP_BYTES = 1024 * 1024;

/** All but the bytes, to compare. */
function factsOf(outcome: Outcome): string {
  if ("failure" in outcome) {
    const { code, details } = Object(outcome.failure) as Partial<ReadFileError>;
    return JSON.stringify([code, details]);
  }
  const { kind, bytes: { length }, cut } = outcome.content;
  if (kind === "binary") return JSON.stringify([kind, length, cut]);
  const { span, start, next, column, nextColumn, totalLines, encoding } =
    outcome.content;
  const place = [span, start, next, column, nextColumn, totalLines, encoding];
  return JSON.stringify([kind, length, cut, place]);
}

/** How the lines of a read are located. Separate functions, so that unused selections tree-shake away. */
export interface Finder {
  /** Checks the version of the file before anything is located. */
  readonly check?: (source: Source) => Promise<void>;
  readonly find: (source: Source, policy: ReadPolicy) => Promise<Span>;
  /** Whether the bytes of the lines will be needed, and not only their text. */
  readonly keepsBytes?: boolean;
}

/** Finds all lines. */
export const findAll: Finder = { find: locateAll };

/** Finds lines by their numbers. */
export function findLines(lines: Lines): Finder {
  return { find: (source, policy) => locateLines(source, lines, policy) };
}

/** Finds whole lines by their numbers, from either end. */
export function findSome(selection: LineSelection): Finder {
  if (selection.kind === "all") return findAll;
  if (selection.kind === "lines") return findLines(selection);
  return { find: (source, policy) => locateTail(source, selection, policy) };
}

/** Finds the lines around an anchor, by indentation. */
export function findBlock(block: BlockSelection): Finder {
  return { find: (source) => locateBlock(source, block) };
}

/** Finds lines from a column on, as far as they fit; if the file is still the version of `etag`. */
export function findPage(page: PageSelection, etag?: string): Finder {
  const find: Finder["find"] = (source, policy) =>
    locatePage(source, page, policy);
  return checked({ find, keepsBytes: true }, etag);
}

function checked(finder: Finder, etag: string | undefined): Finder {
  if (etag === undefined) return finder;
  return { ...finder, check: (source) => checkEtag(source, etag) };
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
    : findSome(selection);
  return await readFound(workspace, path, checked(finder, policy.etag), policy);
}

/** What reads any file as text tells its encoding, where the workspace can. */
function withEncoding(policy: ReadPolicy, workspace: FileRoot): ReadPolicy {
  const { binary = "replace", encoding } = policy;
  const tells = encoding === undefined && binary === "replace" &&
    innerOf(workspace).encodings !== undefined;
  return tells ? { ...policy, encoding: "auto" } : policy;
}
