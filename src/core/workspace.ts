// Runtime-agnostic.
import { lazyPart } from "./base/errno.ts";
import { withHelp } from "./help/help.ts";
import { openBelow, type OpenedFile } from "./guard/open.ts";
import { parsePath } from "./guard/path.ts";
import { findRoot, narrowRoot } from "./guard/root.ts";
import type { DenyOptions, Root } from "./guard/root.ts";
import type { FsPort } from "./base/port.ts";
import { Call, Semaphore } from "./base/call.ts";
import { type Kind, type Rules, takeOptions } from "./base/check.ts";
import { refuseArgument } from "./base/errors.ts";
import { MAX_CACHE_BYTES, MAX_OPEN_FILES } from "./base/limits.ts";
import { WindowCache } from "./read_once.ts";
import { type DetectOptions, makeEncodings } from "./encodings/charsets.ts";
import type { Encodings } from "./lines/codec.ts";
import { LineIndexes } from "./lines/line_index.ts";
import { type KernelPool, kernelsOf } from "./lines/scan.ts";
import type { Views } from "./media/view.ts";
import type { Quote, QuoteAnswer } from "./cost.ts";
import { type Page, type PageOptions, takePageOptions } from "./pages/page.ts";
import type { Listing, ListOptions } from "./list.ts";
import type { Rechecked, RecheckOptions } from "./recheck.ts";
import { readPage, readPages, takeReadLimits } from "./read_page.ts";
import type { ReadLimits } from "./read_page.ts";
import type { ImageContent, ReadImageOptions } from "./read_image.ts";
import type { FoundLine, GlobRequest, ManyAnswer } from "./read_many.ts";
import type { PageRequest, ReadAroundOptions } from "./read_many.ts";
import type { ReadManyOptions } from "./read_many.ts";

const costPart = /* @__PURE__ */ lazyPart(() => import("./cost.ts"));
const imagePart = /* @__PURE__ */ lazyPart(() => import("./read_image.ts"));
const listPart = /* @__PURE__ */ lazyPart(() => import("./list.ts"));
const manyPart = /* @__PURE__ */ lazyPart(() => import("./read_many.ts"));
const recheckPart = /* @__PURE__ */ lazyPart(() => import("./recheck.ts"));

/** Options for {@linkcode FileRoot.open}, and for every call that may take long. */
export interface OpenOptions {
  /** Aborts the call, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** How much a workspace remembers. */
export interface CacheOptions {
  /**
   * The most bytes of recently read windows to cache: 16 MiB by default, and at
   * most; 0 switches the cache off. A window is cached only if its file has not
   * changed recently.
   */
  readonly cacheBytes?: number;
}

/** Options for {@linkcode FileRoot.narrow}. */
export interface NarrowOptions extends DenyOptions, OpenOptions {
  /** The new root, a directory below this one; the same root by default. */
  readonly root?: string;
}

/** The parts of a workspace; a narrowed workspace shares all but the root. */
interface Inner {
  readonly fs: FsPort;
  readonly root: Root;
  /** Limits how many files are open. It is per workspace: a hung disk blocks only its own readers. */
  readonly semaphore: Semaphore;
  readonly indexes: LineIndexes;
  readonly kernels: KernelPool;
  readonly cache?: WindowCache | undefined;
  /** Detects encodings; `undefined` where all files are read as UTF-8. */
  readonly encodings: Encodings | undefined;
  /** Views that show files of some kinds as text. */
  readonly views?: Views;
}

async function makeInner(
  fs: FsPort,
  path: string,
  options: DenyOptions & OpenOptions,
  encodings?: Encodings,
): Promise<Inner> {
  return {
    fs,
    root: await findRoot(fs, path, options),
    semaphore: new Semaphore(MAX_OPEN_FILES),
    indexes: new LineIndexes(),
    kernels: kernelsOf(fs),
    encodings,
  };
}

/** The parts of each workspace. Not a private field: read.ts could read one only through a static block, and a class with one does not tree-shake. */
const inners = /* @__PURE__ */ new WeakMap<object, Inner>();

/** Returns the parts of a workspace; only for the reader. */
export function innerOf(workspace: FileRoot): Inner {
  return inners.get(workspace)!;
}

/** Gives a new workspace its views and its cache. */
export function equip(
  workspace: Workspace,
  views: Views,
  cacheBytes = MAX_CACHE_BYTES,
): void {
  const cache = cacheBytes > 0 ? new WindowCache(cacheBytes) : undefined;
  inners.set(workspace, { ...innerOf(workspace), views, cache });
}

export const WORKSPACE: Kind = {
  wanted: "a workspace, such as openWorkspace() gives",
  fits: (value) => inners.has(value as object),
};

/**
 * The right to open the files below one directory, and no others: the part of a
 * {@linkcode Workspace} that tools need, for small bundles. Paths are taken from
 * the root, or are absolute below it.
 *
 * @example Usage
 * ```ts
 * import { createOpenFile, FileRoot, memoryFs, respond } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const tool = createOpenFile(await FileRoot.at(fs, "/repo"));
 * const { content } = await respond(tool, { file_path: "a.txt" });
 * assertEquals(content, "hello");
 * ```
 */
export class FileRoot {
  /** Constructs a new instance; {@linkcode FileRoot.at} finds the real root. */
  protected constructor(inner: Inner) {
    inners.set(this, inner);
  }

  /** Makes a directory the boundary of what can be read. */
  static async at(
    fs: FsPort,
    path: string,
    options: DenyOptions & OpenOptions = {},
  ): Promise<FileRoot> {
    return new FileRoot(await makeInner(fs, path, options));
  }

  /**
   * Makes a workspace with fewer rights. Paths that this one denies stay denied,
   * and hidden ones stay hidden; with `denied: "hide"`, all denied paths are hidden.
   */
  async narrow(options: NarrowOptions): Promise<this> {
    const { fs, root } = innerOf(this);
    const narrowed = await narrowRoot(fs, root, options);
    // The narrowed workspace is of the same class.
    const Same = this.constructor as new (inner: Inner) => this;
    return new Same({ ...innerOf(this), root: narrowed });
  }

  /** The root's absolute path, as it was opened: for tools that take only absolute paths. */
  get root(): string {
    return `/${innerOf(this).root.ways.at(-1)!.join("/")}`;
  }

  /**
   * Resolves `.` and `..` in a path, without reading the file system.
   *
   * @returns The same path from the root, with neither `.` nor `..` in it.
   */
  normalize(path: string): string {
    return parsePath(path, innerOf(this).root.ways).names.join("/") || ".";
  }

  /**
   * Opens a regular file below the root.
   *
   * @returns The open file; close it, or declare it with `await using`.
   */
  async open(path: string, options: OpenOptions = {}): Promise<OpenedFile> {
    return (await openIn(this, path, options)).file;
  }

  /**
   * Returns the canonical path of a regular file, for code that cannot read through
   * the workspace. The path is proved to lie inside only at the time of the call: a
   * link may replace the file before it is opened.
   */
  async realPath(path: string, options: OpenOptions = {}): Promise<string> {
    const { file, found } = await openIn(this, path, options);
    await file.close();
    return found;
  }
}

/** Opens a file of a workspace; also returns its path without links. */
async function openIn(workspace: FileRoot, path: string, options: OpenOptions) {
  // The reader passes its own call.
  const limits = Call.is(Object(options)) ? options : takeLimits(path, options);
  const { fs, root } = innerOf(workspace);
  try {
    return await openBelow(fs, root, path, limits);
  } catch (error) {
    throw await withHelp(error, fs, root, limits.signal);
  }
}

const LIMITS: Rules<OpenOptions> = { signal: "signal" };

function takeLimits(path: string, limits: OpenOptions): OpenOptions {
  return takeOptions(limits, LIMITS, refuseArgument(path));
}

/**
 * The right to read the files below one directory, and no others;
 * {@linkcode openWorkspace} makes one. A path that leads out of the root is
 * refused, whether or not it exists. Links are followed as long as they stay
 * inside. Hard links and mounts inside the root count as inside. Paths are taken
 * from the root, or are absolute below it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, type Workspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n", "/repo/src/b.ts": "b" });
 * const workspace: Workspace = await openWorkspace("/repo", { fs });
 * const { receipt } = await workspace.read("a.txt", { start: 2 });
 * assertEquals(await workspace.recheck("a.txt", receipt), { same: true });
 * assertEquals((await workspace.quote("a.txt")).lines, 3);
 * const requests = [{ path: "a.txt" }, { path: "none" }, { glob: "*.ts" }];
 * const answers = await workspace.readMany(requests, { maxBytes: 100 });
 * assertEquals(answers.map(({ kind }) => kind), ["page", "error", "page"]);
 * const [around] = await workspace.readAround([{ path: "a.txt", line: 2 }]);
 * assertEquals(around?.kind, "page");
 * const src = await workspace.narrow({ root: "src", deny: ["*.key"] });
 * const { entries } = await src.list(".");
 * assertEquals(entries, [{ path: "b.ts", kind: "file", size: 1 }]);
 * ```
 */
export class Workspace extends FileRoot {
  /** Makes a directory the boundary of what can be read; `detect` recognizes legacy encodings. */
  static override async at(
    fs: FsPort,
    path: string,
    options: DenyOptions & OpenOptions = {},
    { detect }: DetectOptions = {},
  ): Promise<Workspace> {
    const encodings = makeEncodings(detect);
    const inner = await makeInner(fs, path, options, encodings);
    return new Workspace({
      ...inner,
      cache: new WindowCache(MAX_CACHE_BYTES),
    });
  }

  /**
   * Reads a page of a file: some lines, and the options of the next page.
   *
   * @example Usage
   * ```ts
   * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
   * import { assertEquals } from "@std/assert";
   *
   * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
   * const workspace = await openWorkspace("/repo", { fs });
   * const page = await workspace.read("a.txt", { start: 2, count: 1 });
   * assertEquals(page.lines, [{ number: 2, column: 1, text: "two", ending: "\n" }]);
   * const next = await workspace.read("a.txt", page.next!);
   * assertEquals(next.lines[0]?.text, "three");
   * assertEquals(next.next, null);
   * ```
   */
  read(
    path: string,
    options: PageOptions = {},
    limits: ReadLimits = {},
  ): Promise<Page> {
    return readPage(this, path, options, limits);
  }

  /**
   * Reads the pages of a file one after the other.
   *
   * @throws {ReadFileError} With `INVALID_ARGUMENT`, at once, for wrong options.
   */
  pages(
    path: string,
    options: PageOptions = {},
    limits: ReadLimits = {},
  ): AsyncGenerator<Page, void> {
    // Checked here, since a generator does not run before its first `next()`.
    const taken = takePageOptions(path, options);
    return readPages(this, path, taken, takeReadLimits(path, limits));
  }

  /** Returns what a page would cost, without its content. */
  quote(
    path: string,
    options?: PageOptions,
    limits?: ReadLimits,
  ): Promise<Quote>;
  /** Returns what pages of several files would cost, in the order of the requests. */
  quote(
    requests: readonly PageRequest[],
    limits?: ReadLimits,
  ): Promise<QuoteAnswer[]>;
  quote(
    requested: string | readonly PageRequest[],
    options: PageOptions | ReadLimits = {},
    limits: ReadLimits = {},
  ): Promise<Quote> & Promise<QuoteAnswer[]> {
    const path = typeof requested === "string" ? requested : "";
    const answer = costPart(path)
      .then(({ quotePages }) => quotePages(this, requested, options, limits));
    // Cast, since the overload decides which of them it is.
    return answer as never;
  }

  /**
   * Reads pages of several files within one limit of bytes. Small files are shown
   * whole, and the others share the rest; each page has its own `next`. A file
   * that fails does not fail the others.
   *
   * @returns A page, an error or what was skipped for each file, in the order of the requests.
   */
  async readMany(
    requests: readonly (PageRequest | GlobRequest)[],
    options: ReadManyOptions = {},
  ): Promise<ManyAnswer[]> {
    const { readMany } = await manyPart("");
    return await readMany(this, requests, options);
  }

  /**
   * Reads the lines around hits that another tool has found, within one limit: a
   * page for each file, whose `hits` name the gaps. A file that is not larger than
   * the lines around its hits is shown whole.
   *
   * @returns A page, an error or what was skipped for each file, in the order of the hits.
   */
  async readAround(
    hits: readonly FoundLine[],
    options: ReadAroundOptions = {},
  ): Promise<ManyAnswer[]> {
    const { readAround } = await manyPart("");
    return await readAround(this, hits, options);
  }

  /** Compares the lines that a page showed, by its `receipt`, to the file as it is now: by content, never by times. */
  async recheck(
    path: string,
    receipt: string,
    options: RecheckOptions = {},
  ): Promise<Rechecked> {
    const { recheck } = await recheckPart(path);
    return await recheck(this, path, receipt, options);
  }

  /** Reads a whole image. Its media type, width and height come from its bytes, not from its name; an image that ends too early is `UNREADABLE`. */
  async readImage(
    path: string,
    options: ReadImageOptions = {},
    limits: OpenOptions = {},
  ): Promise<ImageContent> {
    const { signal } = takeLimits(path, limits);
    const { readImage } = await imagePart(path);
    return await readImage(this, path, options, signal);
  }

  /**
   * Lists a directory: names with kinds and sizes, sorted. Each name is proved to
   * lie in the workspace, as for a file that is read; denied names are left out.
   * Together with the calls of its `next`, it lists a name that stays in place
   * exactly once, whatever else changes meanwhile.
   */
  async list(
    path: string,
    options: ListOptions = {},
    limits: OpenOptions = {},
  ): Promise<Listing> {
    const { signal } = takeLimits(path, limits);
    const { fs, root } = innerOf(this);
    const { listDirectory } = await listPart(path);
    return await listDirectory(fs, root, path, options, signal);
  }
}
