// Runtime-agnostic.
import { ReadFileError, type Workspace } from "@agent-tools/read-file";
import type { Place, Scope } from "./scope.ts";
import { visibleJson } from "./visible.ts";

/** What a caller asked for, and where that lies. */
export interface Called {
  /** The path as the caller gave it. */
  readonly given: string;
  /** The directory, and the path in it. */
  readonly place: Place;
  /** The directories that may be read. */
  readonly scope: Scope;
}

/**
 * Writes a failure by the paths of the caller: the one that was asked for, and
 * those of files that may have been meant. What a root was told apart from
 * means nothing to whoever has to name a root.
 *
 * @param error What was thrown.
 * @param called What was asked for.
 * @returns The failure; what is not ours, as it is.
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
