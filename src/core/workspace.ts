// Runtime-agnostic.
import {
  type DenyOptions,
  findRoot,
  narrowRoot,
  openBelow,
} from "./guard/guard.ts";
import { withHelp } from "./guard/help.ts";
import type { OpenedFile } from "./guard/opened_file.ts";
import {
  type ManyAnswer,
  type PageRequest,
  readMany,
  type ReadManyOptions,
} from "./read_many.ts";
import { readPage, readPages } from "./read_page.ts";
import type { PageOptions } from "./pages/options.ts";
import type { Page } from "./pages/page.ts";
import { parsePath } from "./guard/path.ts";
import type { FsPort } from "./port.ts";
import type { Root } from "./guard/resolve.ts";

/** Options for {@linkcode Workspace.open}, and for whatever else may take long. */
export interface OpenOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for {@linkcode Workspace.narrow}. */
export interface NarrowOptions extends DenyOptions {
  /** A directory below the root, to be the root; the same one by default. */
  readonly root?: string;
}

/**
 * The right to read the files below one directory, and no others.
 *
 * Whoever holds a workspace cannot name anything outside its root: a path that
 * leads out is refused whether or not something is there. Links are followed
 * as long as they stay inside. {@linkcode openWorkspace} makes one.
 *
 * It does not protect from hard links and mounts inside the root: what they
 * show is inside.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace = await openWorkspace("/repo", { fs });
 * await using file = await workspace.open("a.txt");
 * assertEquals(file.stat.size, 5);
 * ```
 */
export class Workspace {
  readonly #fs: FsPort;
  readonly #root: Root;

  /**
   * Constructs a new instance; {@linkcode openWorkspace} finds the real root.
   *
   * @param fs The file system it is on.
   * @param root The directory, as it was found.
   */
  private constructor(fs: FsPort, root: Root) {
    this.#fs = fs;
    this.#root = root;
  }

  /**
   * Makes a directory the boundary of what can be read.
   *
   * @param fs The file system it is on.
   * @param path The directory.
   * @param options Which paths below it may not be read.
   * @returns The workspace.
   */
  static async at(
    fs: FsPort,
    path: string,
    options: DenyOptions = {},
  ): Promise<Workspace> {
    return new Workspace(fs, await findRoot(fs, path, options));
  }

  /**
   * Makes a weaker workspace, for someone who is trusted with less: it reads
   * nothing that this one could not read. What this one denies stays denied, and
   * what it hides stays hidden; with `denied: "hide"`, all of that is hidden.
   *
   * @example Usage
   * ```ts
   * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
   * import { assertEquals, assertRejects } from "@std/assert";
   *
   * const fs = memoryFs({ "/repo/src/a.ts": "a", "/repo/src/b.key": "b" });
   * const repo = await openWorkspace("/repo", { fs });
   * const src = await repo.narrow({ root: "src", deny: ["*.key"] });
   * assertEquals((await src.read("a.ts")).lines[0]?.text, "a");
   * await assertRejects(() => src.read("b.key"), Error, "*.key");
   * ```
   *
   * @param options A root below this one, and further paths to deny.
   * @returns The weaker workspace.
   */
  async narrow(options: NarrowOptions): Promise<Workspace> {
    const { root = ".", ...deny } = options;
    const found = await narrowRoot(this.#fs, this.#root, root, deny);
    return new Workspace(this.#fs, found);
  }

  /**
   * Resolves a path in the string, without touching any file.
   *
   * @param path The path: from the root, or absolute below it.
   * @returns The same path from the root, with neither `.` nor `..` in it.
   */
  normalize(path: string): string {
    return parsePath(path, this.#root.names).names.join("/") || ".";
  }

  /**
   * Opens a regular file in the workspace.
   *
   * @param path The path: from the root, or absolute below it.
   * @param options When to give up.
   * @returns The open file; close it, or declare it with `await using`.
   */
  async open(path: string, options: OpenOptions = {}): Promise<OpenedFile> {
    const { signal } = options;
    try {
      return await openBelow(this.#fs, this.#root, path, signal);
    } catch (error) {
      throw await withHelp(error, this.#fs, this.#root, signal);
    }
  }

  /**
   * Reads a page of a file: some lines, to the byte, and how to go on.
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
   *
   * @param path The path: from the root, or absolute below it.
   * @param options Which part of the file, or the `next` of a page; all of it by default.
   * @param limits When to give up.
   * @returns The page.
   */
  read(
    path: string,
    options: PageOptions = {},
    limits: OpenOptions = {},
  ): Promise<Page> {
    return readPage(this, path, options, limits);
  }

  /**
   * Walks over the pages of a file, to the last.
   *
   * @example Usage
   * ```ts
   * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
   * import { assertEquals } from "@std/assert";
   *
   * const fs = memoryFs({ "/repo/a.txt": "one\ntwo\nthree\n" });
   * const workspace = await openWorkspace("/repo", { fs });
   * const sizes: number[] = [];
   * for await (const page of workspace.pages("a.txt", { count: 2 })) {
   *   sizes.push(page.bytes().length);
   * }
   * assertEquals(sizes, [8, 6]);
   * ```
   *
   * @param path The path: from the root, or absolute below it.
   * @param options Which part of the file; all of it by default.
   * @param limits When to give up.
   * @returns The pages, one after the other.
   */
  pages(
    path: string,
    options: PageOptions = {},
    limits: OpenOptions = {},
  ): AsyncGenerator<Page, void> {
    return readPages(this, path, options, limits);
  }

  /**
   * Reads pages of several files within one limit of bytes. Small ones are shown
   * whole, the others share what they leave; each says by its own `next` how to
   * go on, and one that fails takes none of the others along.
   *
   * @example Usage
   * ```ts
   * import { memoryFs, openWorkspace } from "@agent-tools/read-file";
   * import { assertEquals } from "@std/assert";
   *
   * const fs = memoryFs({ "/repo/small": "one\n", "/repo/large": "two\n".repeat(99) });
   * const workspace = await openWorkspace("/repo", { fs });
   * const requests = [{ path: "large" }, { path: "none" }, { path: "small" }];
   * const answers = await workspace.readMany(requests, { maxBytes: 100 });
   * assertEquals(answers.map(({ kind }) => kind), ["page", "error", "page"]);
   * const [large] = answers;
   * assertEquals(large?.kind === "page" && large.page.next?.start, 25);
   * ```
   *
   * @param requests The paths, and which part of each file; all of it by default.
   * @param options How much to show of all together, and when to give up.
   * @returns What became of each, in the order they were asked for.
   */
  readMany(
    requests: readonly PageRequest[],
    options: ReadManyOptions = {},
  ): Promise<ManyAnswer[]> {
    return readMany(this, requests, options);
  }
}
