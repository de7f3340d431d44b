// Runtime-agnostic.
import { ReadFileError, type Workspace } from "@agent-tools/read-file";
import { MOST_NAMED } from "./bounds.ts";
import { visibleJson } from "./visible.ts";
import { pathOf } from "./words.ts";

/** A directory that may be read. */
export interface RootDirectory {
  /** What a path begins with to mean it, where there are several. */
  readonly name: string;
  /** Its real path. */
  readonly path: string;
  /** The right to read it. */
  readonly workspace: Workspace;
}

/** Where a path leads: the directory, and the path in it. */
export interface Place {
  /** The directory. */
  readonly root: RootDirectory;
  /** The path as its workspace takes it. */
  readonly path: string;
}

/** What a caller asked for, and where that lies. */
export interface Called {
  /** The path as the caller gave it. */
  readonly given: string;
  readonly place: Place;
  readonly scope: Scope;
}

/** The directories that may be read, and the rule by which a path means one of them. */
export class Scope {
  readonly #roots: readonly RootDirectory[];
  readonly #byDepth: readonly RootDirectory[];
  readonly #base: Place | undefined;

  constructor(roots: readonly RootDirectory[], base?: Place) {
    this.#roots = roots;
    this.#base = base;
    // Of a directory and one in it, a path means the inner one.
    this.#byDepth = roots.toSorted((one, other) =>
      other.path.length - one.path.length
    );
  }

  /** The directories. */
  get roots(): readonly RootDirectory[] {
    return this.#roots;
  }

  /** Where relative paths begin; `undefined` if in the only directory. */
  get base(): Place | undefined {
    return this.#base;
  }

  /** Whether a path means the same to the caller and to the only directory. */
  get isPlain(): boolean {
    return this.#roots.length === 1 && this.#base === undefined;
  }

  /** The directories, as a sentence names them. */
  get places(): string {
    return listPlaces(this.#roots.map(({ path }) => path));
  }

  /**
   * Finds the directory that a path means. An absolute path means the one it
   * lies in. Any other means the one that it begins with the name of, if there
   * are several, or else begins where the client's first root is, or in the
   * only directory.
   */
  find(path: unknown): Place {
    const [first, ...others] = this.#roots;
    if (first === undefined) throw nothingAllowed(path);
    if (typeof path !== "string" || path === "") {
      // The workspace itself says what is wrong with it.
      return { root: first, path: path as string };
    }
    if (path.startsWith("/")) {
      const root = this.#byDepth.find(({ workspace }) =>
        holds(workspace, path)
      );
      return { root: root ?? first, path };
    }
    const base = this.#base ??
      (others.length === 0 ? { root: first, path: "" } : undefined);
    if (base === undefined || others.length > 0 && !path.startsWith("./")) {
      const named = this.#named(path);
      if (named !== undefined) return named;
    }
    if (base === undefined) throw this.#namesNone(path);
    const inner = base.path === "" ? path : `${base.path}/${path}`;
    return { root: base.root, path: inner };
  }

  /** The place that a path means if it begins with the name of a directory. */
  #named(path: string): Place | undefined {
    const [name, ...rest] = path.replace(/^(?:\.\/+)+/, "").split("/");
    const root = this.#roots.find((root) => root.name === name);
    if (root === undefined) return undefined;
    // Of "name//a" no more is left than "a": "/a" would be absolute.
    return { root, path: rest.join("/").replace(/^\/+/, "") || "." };
  }

  /** Does something at the place that a path means; what fails there fails as `say` says it. */
  async at<T>(
    path: unknown,
    act: (place: Place) => Promise<T>,
    say: typeof asCalled = asOwn,
  ): Promise<T> {
    const place = this.find(path);
    try {
      return await act(place);
    } catch (error) {
      // What is no path has none to be told by.
      const isPath = typeof path === "string";
      throw isPath ? say(error, this.called(path, place)) : error;
    }
  }

  /** Tells how a place was asked for. */
  called(given: string, place: Place): Called {
    return { given, place, scope: this };
  }

  /** Writes a path in a directory as a caller may give it. */
  show(root: RootDirectory, path: string): string {
    const base = this.#base;
    const several = this.#roots.length > 1;
    if (base === undefined) return several ? `${root.name}/${path}` : path;
    if (base.root === root && isWithin(base.path, path)) {
      const inner = base.path === "" ? path : path.slice(base.path.length + 1);
      const [first] = inner.split("/");
      const isName = several && this.#roots.some(({ name }) => name === first);
      return isName ? `./${inner}` : inner;
    }
    return several
      ? `${root.name}/${path}`
      : `${root.path === "/" ? "" : root.path}/${path}`;
  }

  #namesNone(path: string): ReadFileError {
    const names = this.#roots.map(({ name }) => JSON.stringify(`${name}/`));
    return new ReadFileError("INVALID_ARGUMENT", path, {
      argument: "path",
      problem: `must begin with the name of a root, ${
        names.join(" or ")
      }, or be absolute`,
    });
  }
}

/** Writes the paths of directories, the first of many. */
export function listPlaces(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).map((path) => pathOf(path));
  const more = paths.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Whether `path` lies below `folder`, both from one directory. */
function isWithin(folder: string, path: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

/** Whether a path lies in a workspace by its spelling. */
function holds(workspace: Workspace, path: string): boolean {
  try {
    workspace.normalize(path);
    return true;
  } catch (error) {
    // A path that is wrong in another way is for that workspace to refuse.
    return !(error instanceof ReadFileError && error.is("OUTSIDE_WORKSPACE"));
  }
}

function nothingAllowed(path: unknown): ReadFileError {
  return deniedByRoots(
    path,
    "none of the client's roots can be read by the server; open another folder, or start the server with a directory that may be read",
  );
}

/** The failure of a call that the client's roots do not allow. */
export function deniedByRoots(
  path: unknown,
  problem: string,
): ReadFileError<"POLICY_DENIED"> {
  const shown = typeof path === "string" ? path : "";
  return new ReadFileError("POLICY_DENIED", shown, { rule: "roots" }, {
    words: {
      POLICY_DENIED: ({ path }) => [
        `Cannot read${
          path === "" ? "" : ` ${JSON.stringify(path)}`
        }: ${problem}`,
      ],
    },
  });
}

/**
 * Writes a failure by the paths of the caller: the one that was asked for, and
 * those of files that may have been meant, which begin at the root otherwise.
 */
export function asCalled(error: unknown, called: Called): unknown {
  if (!(error instanceof ReadFileError)) return error;
  const { given: path, place: { root }, scope } = called;
  if (error.code === "OUTSIDE_WORKSPACE") {
    const hint = `name a file below ${scope.places}`;
    const words = { OUTSIDE_WORKSPACE: outsideAll, ...error.options.words };
    return error.with({ path, words, hint });
  }
  if (error.code === "NOT_FOUND" && error.details.suggestions !== undefined) {
    const start = path.startsWith("/")
      ? rootIn(path, root.workspace)
      : undefined;
    const suggestions = error.details.suggestions.map((name) =>
      // A tool that takes absolute paths alone has made them so itself.
      name.startsWith("/")
        ? name
        : start === undefined
        ? scope.show(root, name)
        : joined(start, name)
    );
    return error.with({ path, details: { ...error.details, suggestions } });
  }
  if (error.code === "NOT_A_FILE" && !scope.isPlain) {
    const { entries = [] } = error.details;
    const named = entries.map((name) => joined(path, name));
    if (named.length === 0) return error.with({ path });
    return error.with({ path, details: { ...error.details, entries: named } });
  }
  return error.with({ path });
}

/** The same, for tools that stand beside `list_directory`: it shows what is there. */
export function asOwn(error: unknown, called: Called): unknown {
  const said = asCalled(error, called);
  if (!(said instanceof ReadFileError)) return said;
  const { given } = called;
  if (said.code === "NOT_A_FILE" && said.details.kind === "directory") {
    return said.with({ hint: `${said.hint}, or call ${listing(given)}` });
  }
  const isMissing = said.code === "NOT_FOUND" &&
    said.details.suggestions === undefined;
  const [, above = "."] = /^(.+)\/[^/]*$/.exec(given) ?? [];
  const hint = `check the spelling, or call ${listing(above)}`;
  return isMissing ? said.with({ hint }) : said;
}

function listing(path: string): string {
  return `list_directory ${visibleJson({ path })}`;
}

function outsideAll({ path }: { readonly path: string }): readonly [string] {
  return [`Cannot read ${visibleJson(path)}: it leads out of what may be read`];
}

/** How an absolute path spells the root that it lies in. */
function rootIn(given: string, workspace: Workspace): string | undefined {
  for (const { index } of given.matchAll(/\/+|$/g)) {
    const start = given.slice(0, index) || "/";
    try {
      if (workspace.normalize(start) === ".") return start;
    } catch {
      // It is above the root, or beside it.
    }
  }
  return undefined;
}

function joined(start: string, name: string): string {
  return `${start.replace(/\/+$/, "")}/${name}`;
}
