// Runtime-agnostic.
import type { FileEntry, FileKind, FsPort } from "../../core/base/port.ts";
import { below, failure, parentOf, plainPath, restBelow } from "../store.ts";
import { checkValue, copyOf, isA, type Kind } from "../../core/base/check.ts";
import { readSafely, refuseMistake, show } from "../../core/base/check.ts";

/** The content of an edited file, a string as UTF-8; `null` if the file is removed. */
export type Edit = string | Uint8Array | null;

/** Edits that are not saved yet, by absolute path; they may change at any time. */
export type Edits = ReadonlyMap<string, Edit> | Readonly<Record<string, Edit>>;

/** The edits on top of a file system; they may change between two calls. */
export function liveEdits(base: FsPort, edits: Edits) {
  const refuse = refuseMistake("Cannot overlay edits");
  checkValue("what is below them", base, "port", refuse);
  // An array would be an object without edits.
  const given = isA(edits, Map) ? edits : copyOf(edits, "edits", refuse, EDITS);
  const take = () => [...entriesOf(given)];
  const entries = readSafely(take, "edits", refuse, THROWS);
  for (const [path, edit] of entries) checkEdit(path, edit);

  /** The present edits by path, with links resolved: if two paths lead to one file, the later edit counts. */
  async function placeAll({ find, realOf }: Finder) {
    const placing = [...entriesOf(edits)].map(async ([path, edit]) => {
      checkEdit(path, edit);
      // An edit of `null` removes the link, not its target.
      const real = edit === null ? await realOf(path) : (await find(path)).real;
      return [real, edit] as const;
    });
    return new Map(await Promise.all(placing));
  }

  return {
    /**
     * The state of a plain path with the edits; `undefined` if they do not affect
     * it. Fails if an edit removes it, or makes a directory above it a file.
     */
    async stateOf(path: string) {
      const finder = finderOn(base);
      const placed = await placeAll(finder);
      const state = stateIn(placed, path);
      if (state !== undefined) return state;
      // The reader gives paths with links resolved. Another caller may give a
      // path through a link; only an edit whose path contains the same last name
      // can affect it.
      const last = `${lastOf(path)}/`;
      if (![...placed.keys()].some((one) => `${one}/`.includes(last))) {
        return undefined;
      }
      const real = await finder.realOf(path);
      return real === path ? undefined : stateIn(placed, real);
    },

    async entriesOf(path: string): Promise<readonly FileEntry[]> {
      const kinds = new Map<string, FileKind>();
      for (const [real, edit] of await placeAll(finderOn(base))) {
        const [, name, ...more] = restBelow(path, real)?.split("/") ?? [];
        if (!name || edit === null) continue;
        kinds.set(name, more.length === 0 ? "file" : "directory");
      }
      return [...kinds].map(([name, kind]) => ({ name, kind }));
    },
  };
}

type Finder = ReturnType<typeof finderOn>;

/** Finds where plain paths lead; looks at each path once. */
function finderOn(base: FsPort) {
  /** Paths with links resolved, and whether they exist. */
  const known = new Map([["/", Promise.resolve({ real: "/", exists: true })]]);

  function find(path: string) {
    const place = known.get(path) ?? resolve(path);
    known.set(path, place);
    return place;
  }

  async function resolve(path: string) {
    const above = await find(parentOf(path));
    const real = below(above.real, lastOf(path));
    if (!above.exists) return { real, exists: false };
    try {
      const { kind } = await base.lstat(real, "way");
      const isLink = kind === "symlink";
      return { real: isLink ? await base.realPath(real) : real, exists: true };
    } catch {
      // A missing path, or a dangling link, is a new file.
      return { real, exists: false };
    }
  }

  /** Resolves the links in a path, but not that of its last name. */
  const realOf = async (path: string) =>
    below((await find(parentOf(path))).real, lastOf(path));

  return { find, realOf };
}

/** The last name of a path, with its slash. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/"));
}

/** An edited file, or a directory above one, which has no content. */
function stateIn(edits: ReadonlyMap<string, Edit>, path: string) {
  const content = edits.get(path) ?? undefined;
  if (content !== undefined) return { path, content };
  const others = [...edits];
  const isAbove = others.some(([one, edit]) =>
    edit !== null && restBelow(path, one)
  );
  if (isAbove) return { path };
  const above = others.filter(([one]) => restBelow(one, path) !== undefined);
  if (above.some(([, edit]) => edit !== null)) throw failure("ENOTDIR");
  if (above.length > 0) throw failure("ENOENT");
  return undefined;
}

function entriesOf(edits: Edits): Iterable<[string, Edit]> {
  return edits instanceof Map
    ? edits.entries()
    : Object.entries(edits as Readonly<Record<string, Edit>>);
}

const EDITS = "a Map or a plain object of edits, by path";
const THROWS = "cannot be read: they throw";

const EDIT: Kind = {
  wanted: "a string, a Uint8Array, or null where the file is gone",
  fits: (value) =>
    typeof value === "string" || value === null || isA(value, Uint8Array),
};

/** Refuses a wrong edit. Called each time, since the edits may change. */
function checkEdit(path: string, edit: unknown): void {
  const refuse = refuseMistake(`Cannot overlay an edit of ${show(path)}`);
  const isAbsolute = typeof path === "string" && path.startsWith("/");
  if (!isAbsolute || plainPath(path) !== path || path === "/") {
    const problem =
      'is not an absolute path of a file; write it as "/repo/a.txt"';
    throw refuse("it", problem);
  }
  checkValue("it", edit, EDIT, refuse);
}
