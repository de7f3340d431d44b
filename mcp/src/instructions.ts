// Runtime-agnostic.
import type { Client } from "./clients.ts";
import type { Dialect } from "./dialects.ts";
import type { Places } from "./directories.ts";
import { listPlaces } from "./scope.ts";
import { visibleJson } from "./visible.ts";

/**
 * The instructions for the model, when a client connects. Claude Code cuts them
 * at 2,048 characters.
 */
export function instructionsOf(
  places: Places,
  { hasRoots }: Client,
  dialect: Dialect | undefined,
) {
  return [
    ...(dialect === undefined ? OWN_TOOLS : []),
    ...(places.allowSecrets ? [] : [
      "Files that commonly hold secrets (.env, keys, credentials) are kept out.",
    ]),
    `What can be read: ${placesIn(places, hasRoots, dialect)}`,
  ].join("\n");
}

/** What a dialect does not have. */
const OWN_TOOLS = [
  "Reads text files as exact, numbered lines. Use it rather than shell commands or a reader that cuts: for files of any size, logs (tail), the lines around a number (around) or that match a text (match), very long lines, and several files in one call (read_files). list_directory shows what a directory holds.",
  "The first line of an answer says which lines these are of how many; nothing is left out between its first and last line but what it names. If more follows, the last line is the call to make next.",
];

function placesIn(
  { roots, fallback, followRoots }: Places,
  hasRoots: boolean,
  dialect: Dialect | undefined,
): string {
  if (roots.length === 0 && (hasRoots || fallback === undefined)) {
    const own = fallback && `, or ${listPlaces([fallback])} if it has none`;
    return `the client's roots${own ?? ""}.`;
  }
  const served = fallback === undefined
    ? roots.map(({ path }) => path)
    : [fallback];
  const paths = `files below ${listPlaces(served)}`;
  if (hasRoots && followRoots) {
    return `${paths}, where they lie in the client's roots.`;
  }
  // With several directories, the description of each tool names them.
  if (served.length > 1 || dialect === "codex") return `${paths}.`;
  const own = hasRoots ? ", or at the client's root if that lies in it" : "";
  return `${paths}. Relative paths start there${own}.`;
}

/** How paths are resolved, for the description of each tool. */
export function pathRuleOf(
  { roots, followRoots }: Places,
  dialect: Dialect | undefined,
): string {
  if (dialect === "codex") return "Paths are absolute.";
  const isOfRoots = followRoots || roots.length === 0;
  const one = "the client's root";
  if (roots.length < 2) {
    return isOfRoots
      ? `Paths are absolute, or relative to ${one}.`
      : `Paths are absolute, or relative to the served directory; to ${one}, if that lies in it.`;
  }
  const names = roots.slice(0, MOST_NAMES).map(({ name }) => {
    const shown = visibleJson(`${name}/`);
    return shown.length <= MOST_NAME_CHARS
      ? shown
      : `${shown.slice(0, MOST_NAME_CHARS)}…`;
  });
  if (roots.length > MOST_NAMES) names.push("…");
  const begins = names.join(" or ");
  return `Paths are absolute, begin with ${begins}, or are relative to ${one}.`;
}

/** How many names of directories a tool's description lists. */
const MOST_NAMES = 3;
const MOST_NAME_CHARS = 28;
