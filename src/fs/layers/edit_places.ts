// Runtime-agnostic.
import { orElse, whenThere } from "../../core/awaitable.ts";
import type { Awaitable, FileKind, FsPort } from "../../core/port.ts";
import { below, parentOf } from "../plain_path.ts";

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
export class EditPlaces {
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
