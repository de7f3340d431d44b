// Runtime-agnostic.
import { orElse, whenThere } from "../../core/base/call.ts";
import {
  type Awaitable,
  type FileEntry,
  type FileKind,
  type FsPort,
  isPromise,
} from "../../core/base/port.ts";
import { below, parentOf, plainPath, restBelow } from "../directory.ts";
import { isRecord, nameOf } from "./links.ts";
import { checkValue, refuseMistake } from "../../core/base/check.ts";

/** What is known of one path on the way. */
interface Place {
  /** The path, free of links. */
  readonly real: string;
  /** Whether something is there, so that there may be something below it. */
  readonly isThere: boolean;
}

const TOP: Place = { real: "/", isThere: true };

/**
 * Where the paths of edits lead, for as long as one look at them takes: a link
 * may lead elsewhere by the next one. Each path on the way is looked at once,
 * and only for whether it is a link, which a store that has none knows without
 * a request.
 */
class EditPlaces {
  readonly #base: FsPort;
  readonly #known = new Map<string, Awaitable<Place>>();

  constructor(base: FsPort) {
    this.#base = base;
  }

  /** As much of a plain path as is there is followed; what is new comes after that. */
  of(path: string, last: "follow" | "keep"): Awaitable<string> {
    if (last === "follow") {
      return whenThere(this.#find(path), ({ real }) => real);
    }
    return whenThere(
      this.#find(parentOf(path)),
      ({ real }) => below(real, path.slice(path.lastIndexOf("/"))),
    );
  }

  #find(path: string): Awaitable<Place> {
    if (path === "/") return TOP;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const place = whenThere(
      this.#find(parentOf(path)),
      (above) => this.#look(path.slice(path.lastIndexOf("/")), above),
    );
    this.#known.set(path, place);
    return place;
  }

  #look(name: string, above: Place): Awaitable<Place> {
    const real = below(above.real, name);
    // Whatever is new has nothing below it but what is new.
    if (!above.isThere) return { real, isThere: false };
    return whenThere(this.#kindOf(real), (kind) => {
      if (kind !== "symlink") return { real, isThere: kind !== undefined };
      return orElse<Place>(
        () =>
          whenThere(
            this.#base.realPath(real),
            (to) => ({ real: to, isThere: true }),
          ),
        // A link that leads nowhere stands for what is new.
        () => ({ real, isThere: false }),
      );
    });
  }

  /** What is at a path, if that is there and may be asked about. */
  #kindOf(path: string): Awaitable<FileKind | undefined> {
    return orElse<FileKind | undefined>(
      () => whenThere(this.#base.lstat(path, "way"), ({ kind }) => kind),
      () => undefined,
    );
  }
}

/**
 * What a file holds instead, a string as UTF-8; `null` where it is gone.
 */
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

  constructor(base: FsPort, edits: Edits) {
    const refuse = refuseMistake("Cannot overlay edits");
    checkValue("what is below them", base, "port", refuse);
    // A list would pass for no edits at all.
    if (!(edits instanceof Map) && !isRecord(edits)) {
      throw new TypeError(
        `Cannot overlay edits: they are ${
          nameOf(edits)
        }; pass a Map or an object of them, by path`,
      );
    }
    for (const [path, edit] of entriesOf(edits)) refuseOther(path, edit);
    this.#base = base;
    this.#edits = edits;
  }

  /** What the edits make of a plain path; `undefined` if they do not touch it. */
  async see(path: string): Promise<Sight | undefined> {
    const places = new EditPlaces(this.#base);
    const placed = await this.#place(places);
    const sight = sightOf(placed, path);
    if (sight !== undefined) return sight;
    // The reader asks by canonical paths. Another may come through a link, and
    // only then to an edit if that ends in the same name.
    const name = path.slice(path.lastIndexOf("/"));
    if (!placed.some(({ path }) => `${path}/`.includes(`${name}/`))) {
      return undefined;
    }
    const real = await places.of(path, "keep");
    return real === path ? undefined : sightOf(placed, real);
  }

  /** What the edits add to a directory. */
  async entriesOf(path: string): Promise<readonly FileEntry[]> {
    const placed = await this.#place(new EditPlaces(this.#base));
    return placed.flatMap(({ path: place, edit }): FileEntry[] => {
      const [, name, ...more] = restBelow(path, place)?.split("/") ?? [];
      if (!name || edit === null) return [];
      return [{ name, kind: more.length === 0 ? "file" : "directory" }];
    });
  }

  async #place(places: EditPlaces): Promise<readonly Placed[]> {
    const edits = [...entriesOf(this.#edits)];
    const found = edits.map(([path, edit]) => {
      refuseOther(path, edit);
      // A link's name can be gone while what it leads to is still there.
      return places.of(path, edit === null ? "keep" : "follow");
    });
    // A disk has answered by now: hundreds of edits cost no turn each.
    const placed: Placed[] = [];
    for (const [at, [, edit]] of edits.entries()) {
      const path = found[at]!;
      placed.push({ path: isPromise(path) ? await path : path, edit });
    }
    return placed;
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

/** Whoever changes edits may do so in JavaScript: each is looked at each time. */
function refuseOther(path: string, edit: unknown): void {
  const shown = JSON.stringify(path);
  if (
    typeof path !== "string" || !path.startsWith("/") ||
    plainPath(path) !== path || path === "/"
  ) {
    throw new TypeError(
      `Cannot overlay an edit of ${shown}: it is no absolute path of a file; write it as "/repo/a.txt"`,
    );
  }
  const isText = typeof edit === "string" || edit === null;
  if (isText || edit instanceof Uint8Array) return;
  throw new TypeError(
    `Cannot overlay an edit of ${shown}: it is ${
      nameOf(edit)
    }; pass a string, a Uint8Array, or null where the file is gone`,
  );
}
