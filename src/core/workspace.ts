// Runtime-agnostic.
import { FileRoot, type OpenOptions } from "./file_root.ts";
import { type DenyOptions, findRoot } from "./guard/root.ts";
import type { ManyAnswer, PageRequest, ReadManyOptions } from "./many_pages.ts";
import { readMany } from "./read_many.ts";
import { readPage, readPages } from "./read_page.ts";
import type { PageOptions } from "./pages/options.ts";
import type { Page } from "./pages/page.ts";
import type { FsPort } from "./port.ts";

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
 * import { memoryFs, openWorkspace, type Workspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/a.txt": "hello" });
 * const workspace: Workspace = await openWorkspace("/repo", { fs });
 * await using file = await workspace.open("a.txt");
 * assertEquals(file.stat.size, 5);
 * ```
 */
export class Workspace extends FileRoot {
  /**
   * Makes a directory the boundary of what can be read.
   *
   * @param fs The file system it is on.
   * @param path The directory.
   * @param options Which paths below it may not be read, and when to give up.
   * @returns The workspace.
   */
  static override async at(
    fs: FsPort,
    path: string,
    options: DenyOptions & OpenOptions = {},
  ): Promise<Workspace> {
    return new Workspace(fs, await findRoot(fs, path, options));
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
