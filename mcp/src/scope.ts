// Runtime-agnostic.
import { ReadFileError, type Workspace } from "@agent-tools/read-file";
import { asCalled, type Called } from "./called_as.ts";

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

/** The directories that may be read, and the rule by which a path means one of them. */
export class Scope {
  readonly #roots: readonly RootDirectory[];
  readonly #byDepth: readonly RootDirectory[];

  /**
   * Constructs a new instance.
   *
   * @param roots The directories; no two have one name.
   */
  constructor(roots: readonly RootDirectory[]) {
    this.#roots = roots;
    // Of a directory and one in it, a path means the inner one.
    this.#byDepth = roots.toSorted((one, other) =>
      other.path.length - one.path.length
    );
  }

  /** The directories. */
  get roots(): readonly RootDirectory[] {
    return this.#roots;
  }

  /**
   * Finds the directory that a path means. An absolute path means the one it
   * lies in; any other the only one there is, or the one it begins with the name of.
   *
   * @param path The path as the caller gave it.
   * @returns The directory, and the path in it.
   */
  find(path: unknown): Place {
    const [first, ...others] = this.#roots;
    if (first === undefined) throw nothingAllowed(path);
    if (typeof path !== "string" || path === "" || others.length === 0) {
      // The workspace itself says what is wrong with it.
      return { root: first, path: path as string };
    }
    if (path.startsWith("/")) {
      const root = this.#byDepth.find(({ workspace }) =>
        holds(workspace, path)
      );
      return { root: root ?? first, path };
    }
    const [name, ...rest] = path.replace(/^(?:\.\/+)+/, "").split("/");
    const root = this.#roots.find((root) => root.name === name);
    if (root === undefined) throw this.#namesNone(path);
    // Of "name//a" no more is left than "a": "/a" would be absolute.
    return { root, path: rest.join("/").replace(/^\/+/, "") || "." };
  }

  /**
   * Does something at the place that a path means. What fails there fails by
   * the paths of the caller.
   *
   * @param path The path as the caller gave it.
   * @param act What to do.
   * @returns What came of it.
   */
  async at<T>(path: unknown, act: (place: Place) => Promise<T>): Promise<T> {
    const place = this.find(path);
    try {
      return await act(place);
    } catch (error) {
      // What is no path has none to be told by.
      const isPath = typeof path === "string";
      throw isPath ? asCalled(error, this.called(path, place)) : error;
    }
  }

  /**
   * Tells how a place was asked for.
   *
   * @param given The path as the caller gave it.
   * @param place Where that lies.
   * @returns What failures are told by.
   */
  called(given: string, place: Place): Called {
    return { given, place, isNamed: this.#roots.length > 1 };
  }

  /**
   * Writes a path in a directory as a caller may give it.
   *
   * @param root The directory.
   * @param path The path from it.
   * @returns The path.
   */
  show({ name }: RootDirectory, path: string): string {
    return this.#roots.length === 1 ? path : `${name}/${path}`;
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
    "none of the client's roots lies in the directories that the server may read; open one of those, or start the server with another",
  );
}

/** The failure of a call that the client's roots do not allow. */
export function deniedByRoots(
  path: unknown,
  problem: string,
): ReadFileError<"POLICY_DENIED"> {
  const shown = typeof path === "string" ? path : "";
  const what = shown === "" ? "" : ` ${JSON.stringify(shown)}`;
  const message = `Cannot read${what}: ${problem}`;
  return new ReadFileError("POLICY_DENIED", shown, { rule: "roots" }, {
    message,
  });
}
