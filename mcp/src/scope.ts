// Runtime-agnostic.
import { ReadFileError, type Workspace } from "@agent-tools/read-file";
import { MOST_NAMED } from "./bounds.ts";
import { hasCode, visibleJson } from "./visible.ts";
import { quotePath } from "./words.ts";

export interface RootDirectory {
  /** The first name of a path in this directory, if there are several directories. */
  readonly name: string;
  readonly path: string;
  readonly workspace: Workspace;
}

/** Where a path leads: the directory, and the path in its workspace. */
export interface Place {
  readonly root: RootDirectory;
  readonly path: string;
}

/** What the hints of a failure depend on. */
interface Reading {
  /** What the call was to read; a file by default. */
  readonly wanted?: "file" | "directory";
  /** Whether the client has the tool `list_directory`, as it does by default; with a dialect, it does not. */
  readonly hasListTool?: boolean;
}

/** The directories that may be read, and how a path is resolved to one of them. */
export class Scope {
  readonly roots: readonly RootDirectory[];
  /** Where relative paths start; `undefined` for the only directory. */
  readonly base: Place | undefined;

  constructor(roots: readonly RootDirectory[], base?: Place) {
    this.roots = roots;
    this.base = base;
  }

  /**
   * Finds the directory of a path:
   * - An absolute path lies in the innermost directory that contains it.
   * - With several directories, a path may start with the name of one.
   * - Any other path starts at the client's first root, or in the only directory.
   */
  find(path: unknown): Place {
    const [first] = this.roots;
    if (first === undefined) {
      throw deniedByRoots(
        "none of the client's roots can be read by the server; open another folder, or start the server with a directory that may be read",
        path,
      );
    }
    // The workspace refuses such a path.
    if (typeof path !== "string" || path === "") {
      return { root: first, path: path as string };
    }
    if (path.startsWith("/")) {
      const [root = first] = this.roots
        .filter(({ workspace }) => holds(workspace, path))
        .toSorted((one, other) => other.path.length - one.path.length);
      return { root, path };
    }
    if (this.roots.length > 1) return this.#findNamed(path);
    return below(this.base ?? { root: first, path: "" }, path);
  }

  /** Finds the directory of a relative path, if there are several directories. */
  #findNamed(path: string): Place {
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

  /** Calls `act` with the place of a path. A failure has paths in the form that a call takes. */
  async at<T>(
    path: unknown,
    act: (place: Place) => Promise<T>,
    reading: Reading = {},
  ): Promise<T> {
    const place = this.find(path);
    try {
      return await act(place);
    } catch (error) {
      if (typeof path !== "string" || !(error instanceof ReadFileError)) {
        throw error;
      }
      throw await this.#rewritten(error, path, place.root, reading);
    }
  }

  async #rewritten(
    error: ReadFileError,
    path: string,
    root: RootDirectory,
    { wanted = "file", hasListTool = true }: Reading,
  ): Promise<ReadFileError> {
    if (error.code === "OUTSIDE_WORKSPACE") {
      const places = listPaths(this.roots.map((root) => root.path));
      const hint = `name a ${wanted} below ${places}`;
      const words = { OUTSIDE_WORKSPACE: outsideAll, ...error.options.words };
      return error.with({ path, words, hint });
    }
    if (error.code === "NOT_FOUND") {
      const suggestions = error.details.suggestions
        ?.map((name) => this.#showMeant(name, path, root));
      const details = { ...error.details, ...(suggestions && { suggestions }) };
      if (suggestions || !hasListTool) return error.with({ path, details });
      const above = await this.#directoryAbove(path);
      const hint = `check the spelling, or call ${listing(above)}`;
      return error.with({ path, details, hint });
    }
    if (error.code !== "NOT_A_FILE") return error.with({ path });
    const { kind, entries } = error.details;
    const named = entries && {
      entries: entries.map((name) => joined(path, name)),
    };
    const details = { ...error.details, ...named };
    const failure = error.with({ path, details });
    if (kind !== "directory" || !hasListTool) return failure;
    return failure.with({ hint: `${failure.hint}, or call ${listing(path)}` });
  }

  /** Writes a suggested path in the form of the call: absolute, or for this scope. */
  #showMeant(name: string, given: string, root: RootDirectory): string {
    // A tool that takes only absolute paths has already made it absolute.
    if (name.startsWith("/")) return name;
    const start = given.startsWith("/")
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
        await using _ = await place.root.workspace.open(place.path);
        // It is a file: nothing can lie below it.
        return above;
      } catch (error) {
        const isDirectory = hasCode(error, "NOT_A_FILE") &&
          error.details.kind === "directory";
        if (isDirectory) above = path;
        // Directories above a root cannot be listed, but the root can.
        else if (!hasCode(error, "OUTSIDE_WORKSPACE")) return above;
      }
    }
    return above;
  }

  /** Writes a path in a directory in the form that a call takes. */
  show(root: RootDirectory, path: string): string {
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

function below({ root, path: above }: Place, path: string): Place {
  return { root, path: above === "" ? path : `${above}/${path}` };
}

/** Lists the paths of the first directories, and the number of the others. */
export function listPaths(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).map(quotePath).join(", ");
  const more = paths.length - MOST_NAMED;
  return more > 0 ? `${named} and ${more} more` : named;
}

/** The path relative to `folder`: `""` for the folder itself, `undefined` outside of it. */
export function relativeTo(folder: string, path: string): string | undefined {
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
    return !hasCode(error, "OUTSIDE_WORKSPACE");
  }
}

/** The failure of a call that the client's roots do not allow. */
export function deniedByRoots(problem: string, path?: unknown): ReadFileError {
  const shown = typeof path === "string" ? path : "";
  const what = shown === "" ? "" : ` ${visibleJson(shown)}`;
  return new ReadFileError("POLICY_DENIED", shown, { rule: "roots" }, {
    words: { POLICY_DENIED: () => [`Cannot read${what}: ${problem}`] },
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

export function joined(start: string, name: string): string {
  return `${start.replace(/\/+$/, "")}/${name}`;
}
