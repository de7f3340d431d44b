// Runtime-agnostic.
import type { FileEntry, FileKind, FsPort } from "../../core/base/port.ts";
import { below, parentOf, plainPath, restBelow } from "../store.ts";
import {
  checkValue,
  isA,
  type Kind,
  needObject,
  readSafely,
  refuseMistake,
  show,
} from "../../core/base/check.ts";

/** Where a path leads, with links resolved. */
interface Place {
  readonly real: string;
  readonly exists: boolean;
}

/** Resolves the links in the paths of edits; each instance resolves a path once. */
class EditPlaces {
  readonly #base: FsPort;
  readonly #known = new Map<string, Promise<Place>>();

  constructor(base: FsPort) {
    this.#base = base;
  }

  /** Resolves the part of a plain path that exists. */
  async of(path: string, last: "follow" | "keep"): Promise<string> {
    if (last === "follow") return (await this.#find(path)).real;
    const { real } = await this.#find(parentOf(path));
    return below(real, path.slice(path.lastIndexOf("/")));
  }

  #find(path: string): Promise<Place> {
    const place = this.#known.get(path) ?? this.#resolve(path);
    this.#known.set(path, place);
    return place;
  }

  async #resolve(path: string): Promise<Place> {
    if (path === "/") return { real: "/", exists: true };
    const above = await this.#find(parentOf(path));
    const real = below(above.real, path.slice(path.lastIndexOf("/")));
    if (!above.exists) return { real, exists: false };
    try {
      const { kind } = await this.#base.lstat(real, "way");
      if (kind !== "symlink") return { real, exists: true };
      return { real: await this.#base.realPath(real), exists: true };
    } catch {
      // A missing path, or a dangling link, is a new file.
      return { real, exists: false };
    }
  }
}

/** The content of an edited file, a string as UTF-8; `null` if the file is removed. */
export type Edit = string | Uint8Array | null;

/**
 * Edits that are not saved yet, by absolute path. They may change at any time;
 * the next read sees it.
 */
export type Edits = ReadonlyMap<string, Edit> | Readonly<Record<string, Edit>>;

/** The state of a path with the edits, and the path with links resolved. */
export type Sight =
  & { readonly path: string }
  & (
    | { readonly kind: "file"; readonly content: string | Uint8Array }
    /** A file below it is edited. */
    | { readonly kind: "directory" }
    /** An edit removes it, or a directory above it. */
    | { readonly kind: "gone" }
    /** An edit makes a directory above it a file. */
    | { readonly kind: "below a file" }
  );

/** An edit, and the path of its file with links resolved. */
type Placed = { readonly path: string; readonly edit: Edit };

/** The edits on top of a file system; they may change between two calls. */
export class LiveEdits {
  readonly #base: FsPort;
  readonly #edits: Edits;

  constructor(base: FsPort, edits: Edits) {
    const refuse = refuseMistake("Cannot overlay edits");
    checkValue("what is below them", base, "port", refuse);
    // An array would be an object without edits.
    const given = isA(edits, Map)
      ? edits
      : needObject(edits, "edits", refuse, EDITS);
    const entries = readSafely(
      () => [...entriesOf(given)],
      "edits",
      refuse,
      "cannot be read: they throw",
    );
    for (const [path, edit] of entries) checkEdit(path, edit);
    this.#base = base;
    this.#edits = edits;
  }

  /** The state of a plain path with the edits; `undefined` if they do not affect it. */
  async see(path: string): Promise<Sight | undefined> {
    const places = new EditPlaces(this.#base);
    const placed = await this.#place(places);
    const sight = sightOf(placed, path);
    if (sight !== undefined) return sight;
    // The reader gives paths with links resolved. Another caller may give a
    // path through a link; only an edit whose path contains the same last name
    // can affect it.
    const name = path.slice(path.lastIndexOf("/"));
    if (!placed.some(({ path }) => `${path}/`.includes(`${name}/`))) {
      return undefined;
    }
    const real = await places.of(path, "keep");
    return real === path ? undefined : sightOf(placed, real);
  }

  async entriesOf(path: string): Promise<readonly FileEntry[]> {
    const placed = await this.#place(new EditPlaces(this.#base));
    const kinds = new Map<string, FileKind>();
    for (const { path: place, edit } of placed) {
      const [, name, ...more] = restBelow(path, place)?.split("/") ?? [];
      if (!name || edit === null) continue;
      kinds.set(name, more.length === 0 ? "file" : "directory");
    }
    return [...kinds].map(([name, kind]) => ({ name, kind }));
  }

  #place(places: EditPlaces): Promise<readonly Placed[]> {
    const edits = [...entriesOf(this.#edits)];
    return Promise.all(edits.map(async ([path, edit]) => {
      checkEdit(path, edit);
      // An edit of `null` removes the link, not its target.
      const last = edit === null ? "keep" : "follow";
      return { path: await places.of(path, last), edit };
    }));
  }
}

function sightOf(placed: readonly Placed[], path: string): Sight | undefined {
  // If two names lead to one file, the later edit counts.
  const own = placed.findLast((one) => one.path === path);
  if (own !== undefined && own.edit !== null) {
    return { path, kind: "file", content: own.edit };
  }
  let kind: "directory" | "below a file" | "gone" | undefined;
  for (const { path: place, edit } of placed) {
    if (restBelow(place, path) !== undefined) {
      if (edit === null) kind ??= "gone";
      else if (kind !== "directory") kind = "below a file";
    } else if (edit !== null && restBelow(path, place) !== undefined) {
      kind = "directory";
    }
  }
  return kind && { path, kind };
}

function entriesOf(edits: Edits): Iterable<[string, Edit]> {
  return edits instanceof Map
    ? edits.entries()
    : Object.entries(edits as Readonly<Record<string, Edit>>);
}

const EDITS = "a Map or a plain object of edits, by path";

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
    const problem = 'is no absolute path of a file; write it as "/repo/a.txt"';
    throw refuse("it", problem);
  }
  checkValue("it", edit, EDIT, refuse);
}
