// Runtime-agnostic.
import type { FileEntry, FsPort } from "../../core/port.ts";
import { below, parentOf, plainPath, restBelow } from "../plain_path.ts";

/** What a file holds instead, a string as UTF-8; `null` where it is gone. */
export type Edit = string | Uint8Array | null;

/**
 * What is not saved yet, by absolute path; whoever made it may change it at any
 * time, and the next read sees it.
 */
export type Edits = ReadonlyMap<string, Edit> | Readonly<Record<string, Edit>>;

/** What the edits make of a path, and the path itself, free of links. */
export type Sight =
  & { readonly path: string }
  & (
    | { readonly kind: "file"; readonly content: string | Uint8Array }
    /** A file is edited below. */
    | { readonly kind: "directory" }
    /** Its own name, or that of a directory above, is gone. */
    | { readonly kind: "gone" }
    /** A part of the path before the last is a file by now. */
    | { readonly kind: "below a file" }
  );

/** An edit, by the path of what it is an edit of. */
interface Placed {
  readonly path: string;
  readonly edit: Edit;
}

/** The edits on top of a file system, as they are at each moment. */
export class LiveEdits {
  readonly #base: FsPort;
  readonly #edits: Edits;
  /** Where the paths of edits lead; found once for each of them. */
  #places = new Map<string, string>();

  constructor(base: FsPort, edits: Edits) {
    for (const [path] of entriesOf(edits)) refuseOther(path);
    this.#base = base;
    this.#edits = edits;
  }

  /** What the edits make of a plain path; `undefined` if they do not touch it. */
  async see(path: string): Promise<Sight | undefined> {
    const placed = await this.#place();
    const sight = sightOf(placed, path);
    if (sight !== undefined) return sight;
    // The reader asks by canonical paths. Another may come through a link, and
    // only then to an edit if that ends in the same name.
    const name = path.slice(path.lastIndexOf("/"));
    if (!placed.some(({ path }) => `${path}/`.includes(`${name}/`))) {
      return undefined;
    }
    const { real } = await this.#locate(path, "keep");
    return real === path ? undefined : sightOf(placed, real);
  }

  /** What the edits add to a directory. */
  async entriesOf(path: string): Promise<readonly FileEntry[]> {
    const placed = await this.#place();
    return placed.flatMap(({ path: place, edit }): FileEntry[] => {
      const [, name, ...more] = restBelow(path, place)?.split("/") ?? [];
      if (!name || edit === null) return [];
      return [{ name, kind: more.length === 0 ? "file" : "directory" }];
    });
  }

  async #place(): Promise<readonly Placed[]> {
    const placed: Placed[] = [];
    const places = new Map<string, string>();
    for (const [key, edit] of entriesOf(this.#edits)) {
      // A link's name can be gone while what it leads to is still there.
      const last = edit === null ? "keep" : "follow";
      const place = `${last} ${key}`;
      const known = this.#places.get(place);
      const { real, isWhole } = known === undefined
        ? await this.#locate(plainPath(key), last)
        : { real: known, isWhole: true };
      // What is new may come to be there by another name.
      if (isWhole) places.set(place, real);
      placed.push({ path: real, edit });
    }
    this.#places = places;
    return placed;
  }

  /** As much of the path as is there is followed; what is new comes after that. */
  async #locate(
    path: string,
    last: "follow" | "keep",
  ): Promise<{ readonly real: string; readonly isWhole: boolean }> {
    if (path === "/") return { real: path, isWhole: true };
    if (last === "follow") {
      try {
        return { real: await this.#base.realPath(path), isWhole: true };
      } catch {
        // It is not there, or not to be asked about.
      }
    }
    const above = await this.#locate(parentOf(path), "follow");
    const real = below(above.real, path.slice(path.lastIndexOf("/")));
    return { real, isWhole: last === "keep" && above.isWhole };
  }
}

function sightOf(placed: readonly Placed[], path: string): Sight | undefined {
  // Of two edits of one file, by two of its names, the later holds.
  const own = placed.findLast((one) => one.path === path);
  if (own !== undefined && own.edit !== null) {
    return { path, kind: "file", content: own.edit };
  }
  let isDirectory = false;
  let isGone = false;
  let isBelowFile = false;
  for (const { path: place, edit } of placed) {
    if (restBelow(place, path) !== undefined) {
      if (edit === null) isGone = true;
      else isBelowFile = true;
    } else if (edit !== null && restBelow(path, place) !== undefined) {
      isDirectory = true;
    }
  }
  if (isDirectory) return { path, kind: "directory" };
  if (isBelowFile) return { path, kind: "below a file" };
  return isGone ? { path, kind: "gone" } : undefined;
}

function entriesOf(edits: Edits): Iterable<[string, Edit]> {
  return edits instanceof Map
    ? edits.entries()
    : Object.entries(edits as Readonly<Record<string, Edit>>);
}

function refuseOther(path: string): void {
  if (path.startsWith("/") && plainPath(path) === path && path !== "/") return;
  throw new TypeError(
    `Cannot overlay an edit of ${
      JSON.stringify(path)
    }: it is no absolute path of a file; write it as "/repo/a.txt"`,
  );
}
