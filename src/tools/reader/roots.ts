import { optionsOf, ReadFileError } from "../../core/base/errors.ts";
import { isAbsolute, isRootOfWindows } from "../../core/base/windows_paths.ts";
import { visibleJson } from "../../core/base/words.ts";
import { listFirst, quotePath } from "../../core/pages/frame.ts";
import type { Workspace } from "../../core/workspace.ts";

/** A directory that may be read. */
export interface ReadRoot {
  /** The first name of a path in this directory, if there are several directories. */
  readonly name: string;
  /** Its absolute path, for messages, and to find the innermost directory of a path. */
  readonly path: string;
  /** The right to read it. */
  readonly workspace: Workspace;
}

/** Where a path leads. */
export interface ReadPlace {
  /** The directory. */
  readonly root: ReadRoot;
  /** The path in its workspace. */
  readonly path: string;
}

/**
 * Several directories that are read as one: for {@linkcode readerTools}, and for
 * other tools of one workspace each.
 *
 * A relative path begins with the name of a directory, or starts at `base`; an
 * absolute one lies in the innermost directory that contains it.
 *
 * @example Usage
 * ```ts
 * import { memoryFs, openWorkspace, readerTools, ReadRoots, respond } from "@agent-tools/read-file";
 * import { assertMatch } from "@std/assert";
 *
 * const fs = memoryFs({ "/src/app/a.ts": "1\n", "/src/docs/b.md": "2\n" });
 * const rootOf = async (name: string) => {
 *   const path = `/src/${name}`;
 *   return { name, path, workspace: await openWorkspace(path, { fs }) };
 * };
 * const roots = new ReadRoots([await rootOf("app"), await rootOf("docs")]);
 * const [readFile] = readerTools(roots);
 * const { content } = await respond(readFile, { path: "docs/b.md" });
 * assertMatch(content, /^"docs\/b\.md": line 1 of 1\./);
 * ```
 */
export class ReadRoots {
  /** The directories. */
  readonly roots: readonly ReadRoot[];
  /** Where relative paths start; `undefined` for the only directory. */
  readonly base: ReadPlace | undefined;

  /** Constructs a new instance. */
  constructor(roots: readonly ReadRoot[], base?: ReadPlace) {
    this.roots = roots;
    this.base = base;
  }

  /** The paths of the first directories, and the number of the others, in words. */
  get listed(): string {
    return listFirst(this.roots.map(({ path }) => quotePath(path)));
  }

  /**
   * Finds the directory of a path:
   * - An absolute path lies in the innermost directory that contains it.
   * - With several directories, a path may start with the name of one.
   * - Any other path starts at `base`, or in the only directory.
   */
  find(path: unknown): ReadPlace {
    const [first] = this.roots;
    if (first === undefined) throw nothingToRead(path);
    // The workspace refuses such a path.
    if (typeof path !== "string" || path === "") {
      return { root: first, path: path as string };
    }
    if (this.isAbsolute(path)) {
      const [root = first] = this.roots
        .filter(({ workspace }) => holds(workspace, path))
        .toSorted((one, other) => other.path.length - one.path.length);
      return { root, path };
    }
    const plain = this.#plain(path);
    if (this.roots.length > 1) return this.#findNamed(plain);
    return below(this.base ?? { root: first, path: "" }, plain);
  }

  /** Whether a path is absolute: on Windows, it also begins with a drive or a server. */
  isAbsolute(path: string): boolean {
    return this.roots.some(({ workspace }) => isAbsolute(path, workspace.root));
  }

  /** The path with `/` between names: on Windows, callers may write `\\`, which is in no name. */
  #plain(path: string): string {
    const isOfWindows = this.roots.length > 0 &&
      this.roots.every(({ workspace }) => isRootOfWindows(workspace.root));
    return isOfWindows ? path.replaceAll("\\", "/") : path;
  }

  /** Finds the directory of a relative path, if there are several directories. */
  #findNamed(path: string): ReadPlace {
    const { base, roots } = this;
    // With a base, "./a" is below it, even if a directory has the name "a".
    if (base !== undefined && path.startsWith("./")) return below(base, path);
    const [name, ...rest] = path.replace(/^(?:\.\/+)+/, "").split("/");
    const root = roots.find((root) => root.name === name);
    if (root !== undefined) {
      // "name//a" becomes "a": "/a" would be absolute.
      return { root, path: rest.join("/").replace(/^\/+/, "") || "." };
    }
    if (base !== undefined) return below(base, path);
    const any = roots.map(({ name }) => visibleJson(`${name}/`)).join(" or ");
    const problem =
      `must begin with the name of a root, ${any}, or be absolute`;
    const details = { argument: "path", problem };
    throw new ReadFileError("INVALID_ARGUMENT", path, details);
  }

  /**
   * Calls `act` with the place of a path. A failure has paths in the form that a
   * call takes. Its hints say what was wanted, a file by default, and name the
   * tool `list_directory`, unless the caller does not offer it.
   */
  async at<T>(
    path: unknown,
    act: (place: ReadPlace) => Promise<T>,
    { wanted = "file", hasListTool = true }: {
      readonly wanted?: "file" | "directory";
      readonly hasListTool?: boolean;
    } = {},
  ): Promise<T> {
    const place = this.find(path);
    try {
      return await act(place);
    } catch (error) {
      if (typeof path !== "string" || !(error instanceof ReadFileError)) {
        throw error;
      }
      const { root } = place;
      throw await this.#rewritten(error, path, root, wanted, hasListTool);
    }
  }

  async #rewritten(
    error: ReadFileError,
    path: string,
    root: ReadRoot,
    wanted: string,
    hasListTool: boolean,
  ): Promise<ReadFileError> {
    if (error.code === "OUTSIDE_WORKSPACE") {
      const hint = `name a ${wanted} below ${this.listed}`;
      const words = {
        OUTSIDE_WORKSPACE: outsideAll,
        ...optionsOf(error).words,
      };
      return error.with({ path, words, hint });
    }
    const plain = this.#plain(path);
    if (error.is("NOT_FOUND")) {
      const suggestions = error.details.suggestions
        ?.map((name) => this.#showMeant(name, plain, root));
      const details = { ...error.details, ...(suggestions && { suggestions }) };
      if (suggestions || !hasListTool) return error.with({ path, details });
      const above = await this.#directoryAbove(plain);
      const hint = `check the spelling, or call ${listing(above)}`;
      return error.with({ path, details, hint });
    }
    if (!error.is("NOT_A_FILE")) return error.with({ path });
    const { kind, entries } = error.details;
    const named = entries && {
      entries: entries.map((name) => joined(plain, name)),
    };
    const details = { ...error.details, ...named };
    const failure = error.with({ path, details });
    if (kind !== "directory" || !hasListTool) return failure;
    return failure.with({ hint: `${failure.hint}, or call ${listing(plain)}` });
  }

  /** Writes a suggested path in the form of the call: absolute, or for these directories. */
  #showMeant(name: string, given: string, root: ReadRoot): string {
    // A tool that takes only absolute paths has already made it absolute.
    if (this.isAbsolute(name)) return name;
    const start = this.isAbsolute(given)
      ? rootIn(given, root.workspace)
      : undefined;
    return start === undefined ? this.show(root, name) : joined(start, name);
  }

  /** The last existing directory of a path that does not exist. */
  async #directoryAbove(given: string): Promise<string> {
    let above = ".";
    for (const { index } of given.matchAll(/(?<=[^/])\/+(?=[^/])/g)) {
      const path = given.slice(0, index);
      try {
        const place = this.find(path);
        const file = await place.root.workspace.open(place.path);
        await file.close();
        // It is a file: nothing can lie below it.
        return above;
      } catch (error) {
        if (!(error instanceof ReadFileError)) return above;
        const isDirectory = error.is("NOT_A_FILE") &&
          error.details.kind === "directory";
        if (isDirectory) above = path;
        // Directories above a root cannot be listed, but the root can.
        else if (!error.is("OUTSIDE_WORKSPACE")) return above;
      }
    }
    return above;
  }

  /** Writes a path in a directory in the form that a call takes. */
  show(root: ReadRoot, path: string): string {
    const { base } = this;
    const isOnly = this.roots.length === 1;
    const inner = base?.root === root ? relativeTo(base.path, path) : undefined;
    if (inner !== undefined) {
      const [first] = inner.split("/");
      const isName = !isOnly && this.roots.some(({ name }) => name === first);
      return isName ? `./${inner}` : inner;
    }
    if (!isOnly) return `${root.name}/${path}`;
    return base === undefined ? path : joined(root.path, path);
  }
}

function below({ root, path: above }: ReadPlace, path: string): ReadPlace {
  return { root, path: above === "" ? path : `${above}/${path}` };
}

/** The path relative to `folder`: `""` for the folder itself, `undefined` outside of it. */
function relativeTo(folder: string, path: string): string | undefined {
  if (path === folder) return "";
  const start = folder === "" ? "" : joined(folder, "");
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** Whether a path lies in a workspace, by its text alone. */
function holds(workspace: Workspace, path: string): boolean {
  try {
    workspace.normalize(path);
    return true;
  } catch (error) {
    // A path with another mistake is refused by that workspace.
    return !(error instanceof ReadFileError && error.is("OUTSIDE_WORKSPACE"));
  }
}

function nothingToRead(path: unknown): ReadFileError {
  const shown = typeof path === "string" ? path : "";
  return new ReadFileError("POLICY_DENIED", shown, { rule: "roots" }, {
    words: {
      POLICY_DENIED: () => [
        `Cannot read ${visibleJson(shown)}: there is no directory to read`,
      ],
    },
  });
}

function listing(path: string): string {
  return `list_directory ${visibleJson({ path })}`;
}

function outsideAll({ path }: { readonly path: string }): readonly [string] {
  return [`Cannot read ${visibleJson(path)}: it leads out of what may be read`];
}

/** The part of an absolute path that names the root it lies in. */
function rootIn(given: string, workspace: Workspace): string | undefined {
  for (const { index } of given.matchAll(/\/+|$/g)) {
    const start = given.slice(0, index) || "/";
    try {
      if (workspace.normalize(start) === ".") return start;
    } catch {
      // The path is above the root, or beside it.
    }
  }
  return undefined;
}

function joined(start: string, name: string): string {
  return `${start.replace(/\/+$/, "")}/${name}`;
}
