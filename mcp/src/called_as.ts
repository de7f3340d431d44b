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
  const { code, path, message, cause } = error;
  const { given, scope } = called;
  const details = detailsOf(error, called);
  if (path === given && details === error.details) return error;
  const usual = new ReadFileError(code, path, error.details).message;
  if (code === "OUTSIDE_WORKSPACE" && message === usual) {
    const message = `Cannot read ${
      visibleJson(given)
    }: it leads out of what may be read; name a file below ${scope.places}`;
    return new ReadFileError(code, given, error.details, { cause, message });
  }
  return new ReadFileError(code, given, details, {
    cause,
    // A tool's own words stay, but for the paths in them.
    ...(message !== usual && {
      message: suggested(renamed(message, path, given), error.details, details),
    }),
  });
}

function detailsOf(
  error: ReadFileError,
  { given, place: { root }, scope }: Called,
): ReadFileError["details"] {
  if (error.is("NOT_FOUND") && error.details.suggestions !== undefined) {
    const start = given.startsWith("/")
      ? rootIn(given, root.workspace)
      : undefined;
    const suggestions = error.details.suggestions.map((name) =>
      // A tool that takes absolute paths alone has made them so itself.
      name.startsWith("/")
        ? name
        : start === undefined
        ? scope.show(root, name)
        : joined(start, name)
    );
    return { ...error.details, suggestions };
  }
  if (error.is("NOT_A_FILE") && !scope.isPlain) {
    const { entries = [] } = error.details;
    if (entries.length === 0) return error.details;
    // The last of many is "…", which is no name.
    const named = entries.map((name) =>
      name === "…" ? name : joined(given, name)
    );
    return { ...error.details, entries: named };
  }
  if (error.is("OUTSIDE_WORKSPACE")) {
    return { ...error.details, hint: `name a file below ${scope.places}` };
  }
  return error.details;
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

/** The message with the suggestions as they can be asked for. */
function suggested(message: string, told: object, meant: object): string {
  const names = suggestionsOf(meant);
  return suggestionsOf(told).reduce(
    (message, name, at) =>
      message.replace(
        JSON.stringify(name),
        () => JSON.stringify(names[at] ?? name),
      ),
    message,
  );
}

/** The suggestions among the facts of a failure, whose code may have none. */
function suggestionsOf(
  details: { readonly suggestions?: readonly string[] } | object,
): readonly string[] {
  return "suggestions" in details ? details.suggestions ?? [] : [];
}

/** The message with the path of the caller, in quotes or at its end. */
function renamed(message: string, path: string, given: string): string {
  const [old, now] = [path, given].map((one) => JSON.stringify(one));
  if (old !== undefined && now !== undefined && message.includes(old)) {
    return message.replace(old, () => now);
  }
  const end = `: ${path}`;
  return message.endsWith(end)
    ? `${message.slice(0, -path.length)}${given}`
    : message;
}
