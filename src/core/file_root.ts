// Runtime-agnostic.
import { Call, Semaphore } from "./base/call.ts";
import { isA, takeOptions } from "./base/check.ts";
import type { Kind, Rules } from "./base/check.ts";
import { refuseArgument } from "./base/errors.ts";
import { MAX_OPEN_FILES } from "./base/limits.ts";
import type { FsPort } from "./base/port.ts";
import { openBelow, type OpenedFile } from "./guard/open.ts";
import { parsePath } from "./guard/path.ts";
import { findRoot, narrowRoot } from "./guard/root.ts";
import type { DenyOptions, Root } from "./guard/root.ts";
import { withHelp } from "./help/help.ts";
import type { Encodings } from "./lines/codec.ts";
import { LineIndexes } from "./lines/line_index.ts";
import { type KernelPool, kernelsOf } from "./lines/scan.ts";
import type { Views } from "./media/view.ts";
import type { WindowCache } from "./outcome.ts";

/** Options for {@linkcode FileRoot.open}, and for every call that may take long. */
export interface OpenOptions {
  /** Aborts the call, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for {@linkcode FileRoot.narrow}. */
export interface NarrowOptions extends DenyOptions, OpenOptions {
  /** The new root, a directory below this one; the same root by default. */
  readonly root?: string;
}

/** The parts of a workspace; a narrowed workspace shares all but the root. */
export interface Internals {
  readonly fs: FsPort;
  readonly root: Root;
  /** Limits how many files are open. It is per workspace: a hung disk blocks only its own readers. */
  readonly semaphore: Semaphore;
  readonly indexes: LineIndexes;
  readonly kernels: KernelPool;
  readonly cache?: WindowCache | undefined;
  /** Detects encodings; `undefined` where all files are read as UTF-8. */
  readonly encodings?: Encodings;
  /** Views that show files of some kinds as text. */
  readonly views?: Views;
}

/** Makes the parts of a root; a workspace adds its own. */
export async function makeInternals(
  fs: FsPort,
  path: string,
  options: DenyOptions & OpenOptions,
): Promise<Internals> {
  return {
    fs,
    root: await findRoot(fs, path, options),
    semaphore: new Semaphore(MAX_OPEN_FILES),
    indexes: new LineIndexes(),
    kernels: kernelsOf(fs),
  };
}

/** The parts of each workspace. Not a private field: read.ts could read it only through a static block, and a class with a static block does not tree-shake. */
const internals = /* @__PURE__ */ new WeakMap<object, Internals>();

/** Returns the parts of a workspace; only for the reader. */
export function internalsOf(workspace: FileRoot): Internals {
  return internals.get(workspace)!;
}

export function setInternals(workspace: FileRoot, parts: Internals): void {
  internals.set(workspace, parts);
}

export const WORKSPACE: Kind = {
  wanted: "a workspace, such as openWorkspace() gives",
  fits: (value) => internals.has(value as object),
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
  protected constructor(parts: Internals) {
    internals.set(this, parts);
  }

  /** Makes a directory the boundary of what can be read. */
  static async at(
    fs: FsPort,
    path: string,
    options: DenyOptions & OpenOptions = {},
  ): Promise<FileRoot> {
    return new FileRoot(await makeInternals(fs, path, options));
  }

  /** Makes a workspace with fewer rights. What this one denies stays denied, and what it hides stays hidden; with `denied: "hide"`, all denied paths are hidden. */
  async narrow(options: NarrowOptions): Promise<this> {
    const { fs, root } = internalsOf(this);
    const narrowed = await narrowRoot(fs, root, options);
    // The narrowed workspace is of the same class.
    const Same = this.constructor as new (parts: Internals) => this;
    return new Same({ ...internalsOf(this), root: narrowed });
  }

  /** The root's absolute path, as it was opened: for tools that take only absolute paths. */
  get root(): string {
    // The last alias is the path as given, if that was absolute, and else the real path.
    return `/${internalsOf(this).root.aliases.at(-1)!.join("/")}`;
  }

  /** Returns the same path from the root, with neither `.` nor `..` in it; does not read the file system. */
  normalize(path: string): string {
    return parsePath(path, internalsOf(this).root.aliases).names.join("/") ||
      ".";
  }

  /** Opens a regular file below the root; close it, or declare it with `await using`. */
  async open(path: string, options: OpenOptions = {}): Promise<OpenedFile> {
    return (await openIn(this, path, options)).file;
  }

  /**
   * Returns the canonical path of a regular file, for code that cannot read through
   * the workspace. It lies inside at the time of the call: later, a link may replace it.
   */
  async realPath(path: string, options: OpenOptions = {}): Promise<string> {
    const { file, found } = await openIn(this, path, options);
    await file.close();
    return found;
  }
}

/** Opens a file of a workspace; also returns its path without links. */
async function openIn(workspace: FileRoot, path: string, options: OpenOptions) {
  // The reader passes its `Call` as the options.
  const call = isA(options, Call)
    ? options
    : new Call(path, takeOpenOptions(path, options).signal);
  const { fs, root } = internalsOf(workspace);
  try {
    return await openBelow(fs, root, path, call);
  } catch (error) {
    throw await withHelp(error, fs, root, call.signal);
  }
}

const RULES: Rules<OpenOptions> = { signal: "signal" };

/** Checks the options of a call on a path. */
export function takeOpenOptions(
  path: string,
  options: OpenOptions,
): OpenOptions {
  return takeOptions(options, RULES, refuseArgument(path));
}
