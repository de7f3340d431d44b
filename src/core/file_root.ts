// Runtime-agnostic.
import { openBelow } from "./guard/guard.ts";
import { withHelp } from "./help/help.ts";
import type { OpenedFile } from "./guard/opened_file.ts";
import { parsePath } from "./guard/path.ts";
import type { Root } from "./guard/resolve.ts";
import { type DenyOptions, findRoot, narrowRoot } from "./guard/root.ts";
import { shareWith } from "./session.ts";
import { type FsPort, isPromise } from "./port.ts";

/**
 * Options for {@linkcode FileRoot.open}, and for whatever else may take long.
 *
 * @example Usage
 * ```ts
 * import { FileRoot, memoryFs, type OpenOptions } from "@agent-tools/read-file";
 * import { assertRejects } from "@std/assert";
 *
 * const root = await FileRoot.at(memoryFs({ "/repo/a.txt": "one" }), "/repo");
 * const stop = new AbortController();
 * const options: OpenOptions = { signal: stop.signal };
 * stop.abort();
 * await assertRejects(() => root.open("a.txt", options), Error, "the call was aborted");
 * ```
 */
export interface OpenOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options for {@linkcode FileRoot.narrow}.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, type NarrowOptions, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const fs = memoryFs({ "/repo/docs/a.md": "# A", "/repo/docs/drafts/b.md": "# B" });
 * const published: NarrowOptions = { root: "docs", deny: ["drafts"] };
 * const docs = await (await openWorkspace("/repo", { fs })).narrow(published);
 * assertEquals((await docs.read("a.md")).size, 3);
 * await assertRejects(() => docs.read("drafts/b.md"), Error, '"drafts" does not allow it');
 * ```
 */
export interface NarrowOptions extends DenyOptions, OpenOptions {
  /** A directory below the root, to be the root; the same one by default. */
  readonly root?: string;
}

/**
 * The right to open the files below one directory, and no others: all that a
 * tool needs of a {@linkcode Workspace}, which reads pages as well. A bundle in
 * which bytes count holds this one without the other.
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
  readonly #fs: FsPort;
  readonly #root: Root;

  /**
   * Constructs a new instance; {@linkcode FileRoot.at} finds the real root.
   *
   * @param fs The file system it is on.
   * @param root The directory, as it was found.
   */
  protected constructor(fs: FsPort, root: Root) {
    this.#fs = fs;
    this.#root = root;
  }

  /**
   * Makes a directory the boundary of what can be read.
   *
   * @param fs The file system it is on.
   * @param path The directory.
   * @param options Which paths below it may not be read, and when to give up.
   * @returns The right to read it.
   */
  static async at(
    fs: FsPort,
    path: string,
    options: DenyOptions & OpenOptions = {},
  ): Promise<FileRoot> {
    return new FileRoot(fs, await findRoot(fs, path, options));
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
   * @param options A root below this one, further paths to deny, and when to give up.
   * @returns The weaker workspace.
   */
  async narrow(options: NarrowOptions): Promise<this> {
    const found = await narrowRoot(this.#fs, this.#root, options);
    // What is weaker is of the same kind: a workspace reads pages, too.
    const Same = this.constructor as new (fs: FsPort, root: Root) => this;
    return shareWith(this, new Same(this.#fs, found));
  }

  /**
   * Resolves a path in the string, without touching any file.
   *
   * @param path The path: from the root, or absolute below it.
   * @returns The same path from the root, with neither `.` nor `..` in it.
   */
  normalize(path: string): string {
    return parsePath(path, this.#root.ways).names.join("/") || ".";
  }

  /**
   * Opens a regular file below the root.
   *
   * @param path The path: from the root, or absolute below it.
   * @param options When to give up.
   * @returns The open file; close it, or declare it with `await using`.
   */
  async open(path: string, options: OpenOptions = {}): Promise<OpenedFile> {
    try {
      const opening = openBelow(this.#fs, this.#root, path, options);
      return isPromise(opening) ? await opening : opening;
    } catch (error) {
      throw await withHelp(error, this.#fs, this.#root, options.signal);
    }
  }
}
