import { Call, Semaphore } from "./base/call.ts";
import type { Kind } from "./base/check.ts";
import { MAX_CACHE_BYTES, MAX_OPEN_FILES } from "./base/limits.ts";
import type { FsPort } from "./base/port.ts";
import { type EncodingDetector, makeEncodings } from "./encodings/encodings.ts";
import type { OpenedFile } from "./guard/open.ts";
import { parsePath, shownFrom, splitPath } from "./guard/path.ts";
import { type DenyOptions, findRoot, narrowRoot } from "./guard/root.ts";
import { LineIndexes } from "./lines/line_index.ts";
import { kernelsOf } from "./lines/scan.ts";
import { listDirectory, type Listing, type ListOptions } from "./list.ts";
import type { View, Views } from "./media/view.ts";
import { ReadingCache } from "./pages/readings.ts";
import type { Page } from "./pages/page.ts";
import { openIn, type Parts } from "./parts.ts";
import { partsAt, type Revisions } from "./revisions.ts";
import { readPages, readPreparedPage } from "./read.ts";
import {
  type CallContext,
  type ReadOptions,
  takeContext,
  takeReadOptions,
} from "./read_options.ts";
import { readImage } from "./read_image.ts";
import type { ImageContent, ReadImageOptions } from "./read_image.ts";
import { readMany } from "./read_many.ts";
import type { ReadManyOptions } from "./read_many.ts";
import type { ManyAnswer, PageRequest } from "./requests.ts";

/** Options for `openWorkspace()`. */
export interface WorkspaceOptions extends DenyOptions {
  /** The file system it is on; the runtime's own disk by default. */
  readonly fs?: FsPort;
  /** Aborts the call, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Views that show files of some kinds as text, unless a call names another view, or
   * `"raw"`; the first that matches is used. A call may always name `"cells"` and `"gunzip"`.
   */
  readonly views?: readonly View[];
  /**
   * Detects the encoding of files that are neither UTF-8 nor UTF-16 nor
   * ISO-2022-JP. Without it, such files are read as UTF-8.
   */
  readonly detect?: EncodingDetector | undefined;
  /** Where the versions of the files are, such as `gitRevisions()` of `@agent-tools/read-file-git`: then tools can show what changed. */
  readonly revisions?: Revisions;
  /** The most bytes of recently read pages to cache: 16 MiB by default, which is also the maximum; 0 switches the cache off. Pages of files that have just changed are not cached. */
  readonly cacheBytes?: number;
}

/** Options for {@linkcode Workspace.narrow}. */
export interface NarrowOptions
  extends DenyOptions, Pick<WorkspaceOptions, "signal"> {
  /** The new root, a directory below this one; the same root by default. */
  readonly root?: string;
}

/** Makes a directory the boundary of what can be read. */
export async function makeWorkspace(
  fs: FsPort,
  path: string,
  views: Views,
  { detect, revisions, cacheBytes = MAX_CACHE_BYTES, ...options }: Omit<
    WorkspaceOptions,
    "fs" | "views"
  >,
): Promise<Workspace> {
  return new Workspace({
    fs,
    root: await findRoot(fs, path, options),
    semaphore: new Semaphore(MAX_OPEN_FILES),
    indexes: new LineIndexes(),
    kernels: kernelsOf(fs),
    cache: cacheBytes > 0 ? new ReadingCache(cacheBytes) : undefined,
    encodings: makeEncodings(detect),
    views,
    revisions,
  });
}

/** The parts of a workspace, for the tools of this package, which check arguments by rules of their own. */
export let partsOf: (workspace: Workspace) => Parts;

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
 * const page = await workspace.read("a.txt", { start: 2, count: 1 });
 * assertEquals(page.lines, [{ number: 2, column: 1, text: "two", ending: "\n" }]);
 * const { lines } = await workspace.read("a.txt", page.next!);
 * assertEquals(lines[0]?.text, "three");
 * const requests = [{ path: "a.txt" }, { path: "none" }, { glob: "*.ts" }];
 * const answers = await workspace.readMany(requests, { maxBytes: 100 });
 * assertEquals(answers.map(({ kind }) => kind), ["page", "error", "page"]);
 * const src = await workspace.narrow({ root: "src", deny: ["*.key"] });
 * const { entries } = await src.list(".");
 * assertEquals(entries, [{ path: "b.ts", kind: "file", size: 1 }]);
 * ```
 */
export class Workspace {
  static {
    partsOf = (workspace) => workspace.#parts;
  }

  readonly #parts: Parts;

  /** Constructs a new instance; use {@linkcode openWorkspace} instead. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The root's absolute path, as it was opened: for tools that take only absolute paths. On Windows, it is like `C:/dir` or `//server/share/dir`. */
  get root(): string {
    const { aliases } = this.#parts.root;
    // The last path is the one that was given, if that was absolute, and else the real path.
    return shownFrom(aliases.paths.at(-1)!, aliases);
  }

  /** Reads a page of a file: some lines, and the options of the next page. */
  async read(
    path: string,
    options: ReadOptions = {},
    context: CallContext = {},
  ): Promise<Page> {
    const taken = takeReadOptions(path, options);
    const { signal, countTokens } = takeContext(path, context);
    const call = new Call(path, signal);
    return await readPreparedPage(this.#parts, call, taken, countTokens);
  }

  /** Reads the pages of a file one after the other; throws at once for wrong options. */
  pages(
    path: string,
    options: ReadOptions = {},
    context: CallContext = {},
  ): AsyncGenerator<Page, void> {
    // Checked here, since a generator does not run before its first `next()`.
    const taken = takeReadOptions(path, options);
    return readPages(this.#parts, path, taken, takeContext(path, context));
  }

  /**
   * Reads pages of several files within one limit; gives a page, an error or what was
   * skipped for each, in the order of the requests. Small files are shown whole, and
   * the others share the rest. A file that fails does not fail the others.
   */
  async readMany(
    requests: readonly PageRequest[],
    options: ReadManyOptions = {},
    context: CallContext = {},
  ): Promise<ManyAnswer[]> {
    return await readMany(this.#parts, requests, options, context);
  }

  /** Reads a whole image. Its bytes, not its name, tell the media type, the width and the height. An image that ends too early is `UNREADABLE`. */
  async readImage(
    path: string,
    options: ReadImageOptions = {},
    context: CallContext = {},
  ): Promise<ImageContent> {
    const { signal } = takeContext(path, context);
    return await readImage(this.#parts, path, options, signal);
  }

  /**
   * Lists a directory: names with kinds and sizes, sorted. Each name is proved to
   * lie in the workspace, as for a file that is read; denied names are left out.
   * This call and the later calls with `next` list each name that stays in place
   * exactly once, whatever else changes.
   */
  async list(
    path: string,
    options: ListOptions = {},
    context: CallContext = {},
  ): Promise<Listing> {
    const { signal } = takeContext(path, context);
    return await listDirectory(this.#parts, path, options, signal);
  }
  /** Opens a regular file below the root; close it, or declare it with `await using`. */
  async open(path: string, context: CallContext = {}): Promise<OpenedFile> {
    const { signal } = takeContext(path, context);
    return (await openIn(this.#parts, new Call(path, signal))).file;
  }

  /** Makes a workspace with fewer rights. What this one denies stays denied, and what it hides stays hidden; with `denied: "hide"`, all denied paths are hidden. */
  async narrow(options: NarrowOptions): Promise<Workspace> {
    const { fs, root } = this.#parts;
    const narrowed = await narrowRoot(fs, root, options);
    return new Workspace({ ...this.#parts, root: narrowed });
  }

  /**
   * Makes a workspace of the same directory as it was at a revision, with the same
   * rules: the option `revisions` of {@linkcode openWorkspace} says where those are.
   */
  async at(rev: string, context: CallContext = {}): Promise<Workspace> {
    const { signal } = takeContext(rev, context);
    return new Workspace(await partsAt(this.#parts, rev, signal));
  }

  /** Returns the same path from the root, with neither `.` nor `..` in it; does not read the file system. */
  normalize(path: string): string {
    const { names } = parsePath(path, this.#parts.root.aliases);
    return names.join("/") || ".";
  }

  /**
   * Returns the canonical path of a regular file, for code that cannot read through
   * the workspace. It lies inside at the time of the call: later, a link may replace it.
   */
  async realPath(path: string, context: CallContext = {}): Promise<string> {
    const { signal } = takeContext(path, context);
    const call = new Call(path, signal);
    const { file, found } = await openIn(this.#parts, call);
    await file.close();
    return shownFrom(splitPath(found), this.#parts.root.aliases);
  }
}

/** The rule of a workspace among options. */
export const WORKSPACE: Kind = {
  wanted: "a workspace, such as openWorkspace() gives",
  fits: (value) => value instanceof Workspace,
};
