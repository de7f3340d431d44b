// Runtime-agnostic.
import { refuseMistake, takeOptions } from "./base/check.ts";
import { lazyPart } from "./base/errno.ts";
import { MAX_CACHE_BYTES } from "./base/limits.ts";
import type { FsPort } from "./base/port.ts";
import type { Quote, QuoteAnswer } from "./cost.ts";
import { type DetectOptions, makeEncodings } from "./encodings/charsets.ts";
import {
  FileRoot,
  internalsOf,
  makeInternals,
  type OpenOptions,
  setInternals,
  takeOpenOptions,
} from "./file_root.ts";
import type { DenyOptions } from "./guard/root.ts";
import type { Listing, ListOptions } from "./list.ts";
import type { Views } from "./media/view.ts";
import { WindowCache } from "./outcome.ts";
import { type Page, type PageOptions, takePageOptions } from "./pages/page.ts";
import type { ImageContent, ReadImageOptions } from "./read_image.ts";
import type {
  ManyAnswer,
  ReadAroundOptions,
  ReadManyOptions,
} from "./read_many.ts";
import { readPage, readPages, takeReadLimits } from "./read_page.ts";
import type { ReadLimits } from "./read_page.ts";
import type { Rechecked, RecheckOptions } from "./recheck.ts";
import type { FoundLine, GlobRequest, PageRequest } from "./requests.ts";

const costPart = /* @__PURE__ */ lazyPart(() => import("./cost.ts"));
const imagePart = /* @__PURE__ */ lazyPart(() => import("./read_image.ts"));
const listPart = /* @__PURE__ */ lazyPart(() => import("./list.ts"));
const manyPart = /* @__PURE__ */ lazyPart(() => import("./read_many.ts"));
const recheckPart = /* @__PURE__ */ lazyPart(() => import("./recheck.ts"));

/** How much a workspace remembers. */
export interface CacheOptions {
  /** The most bytes of recently read windows to cache: 16 MiB by default, which is also the maximum; 0 switches the cache off. Windows of files that have just changed are not cached. */
  readonly cacheBytes?: number;
}

/** Gives a new workspace its views and its cache. */
export function equip(
  workspace: Workspace,
  views: Views,
  cacheBytes = MAX_CACHE_BYTES,
): void {
  const cache = cacheBytes > 0 ? new WindowCache(cacheBytes) : undefined;
  setInternals(workspace, { ...internalsOf(workspace), views, cache });
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
 * const page = await workspace.read("a.txt", { start: 2, count: 1 });
 * assertEquals(page.lines, [{ number: 2, column: 1, text: "two", ending: "\n" }]);
 * const { lines } = await workspace.read("a.txt", page.next!);
 * assertEquals(lines[0]?.text, "three");
 * assertEquals(await workspace.recheck("a.txt", page.receipt), { same: true });
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
    detection: DetectOptions = {},
  ): Promise<Workspace> {
    const rules = { detect: "function" } as const;
    const refuse = refuseMistake("Cannot open a workspace");
    const { detect } = takeOptions(detection, rules, refuse);
    const encodings = makeEncodings(detect);
    const cache = new WindowCache(MAX_CACHE_BYTES);
    const internals = await makeInternals(fs, path, options);
    return new Workspace({ ...internals, encodings, cache });
  }

  /** Reads a page of a file: some lines, and the options of the next page. */
  read(
    path: string,
    options: PageOptions = {},
    limits: ReadLimits = {},
  ): Promise<Page> {
    return readPage(this, path, options, limits);
  }

  /** Reads the pages of a file one after the other; throws at once for wrong options. */
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
    requests: readonly (PageRequest | GlobRequest)[],
    limits?: ReadLimits,
  ): Promise<QuoteAnswer[]>;
  async quote(
    requested: string | readonly (PageRequest | GlobRequest)[],
    options: PageOptions | ReadLimits = {},
    limits: ReadLimits = {},
  ): Promise<never> {
    const path = typeof requested === "string" ? requested : "";
    const { quotePages } = await costPart(path);
    // Cast, since the overloads tell which result belongs to which arguments.
    return await quotePages(this, requested, options, limits) as never;
  }

  /**
   * Reads pages of several files within one limit; gives a page, an error or what was
   * skipped for each, in the order of the requests. Small files are shown whole, and
   * the others share the rest. A file that fails does not fail the others.
   */
  async readMany(
    requests: readonly (PageRequest | GlobRequest)[],
    options: ReadManyOptions = {},
  ): Promise<ManyAnswer[]> {
    const { readMany } = await manyPart("");
    return await readMany(this, requests, options);
  }

  /**
   * Reads the lines around hits that another tool has found, within one limit. Gives a
   * page for each file, in the order of the hits. `hits.gaps` of a page lists the lines
   * left out between the shown ones. A file that is not larger than the lines around
   * its hits is shown whole.
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

  /** Reads a whole image. Its bytes, not its name, tell the media type, the width and the height. An image that ends too early is `UNREADABLE`. */
  async readImage(
    path: string,
    options: ReadImageOptions = {},
    limits: OpenOptions = {},
  ): Promise<ImageContent> {
    const { signal } = takeOpenOptions(path, limits);
    const { readImage } = await imagePart(path);
    return await readImage(this, path, options, signal);
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
    limits: OpenOptions = {},
  ): Promise<Listing> {
    const { signal } = takeOpenOptions(path, limits);
    const { listDirectory } = await listPart(path);
    return await listDirectory(internalsOf(this), path, options, signal);
  }
}
