import type { Dialect } from "./dialects.ts";
import type { ServedDirectories } from "./directories.ts";
import { ReadRoots } from "@agent-tools/read-file";
import { visibleJson } from "./words.ts";

/**
 * The instructions for the model, when a client connects, whose roots count or not.
 * Claude Code cuts them at 2,048 characters.
 */
export function instructionsOf(
  served: ServedDirectories,
  hasRoots: boolean,
  dialect: Dialect | undefined,
) {
  return [
    ...(dialect === undefined ? OWN_TOOLS : []),
    ...(served.allowSecrets ? [] : [
      "Files that commonly hold secrets (.env, keys, credentials) are kept out.",
    ]),
    `What can be read: ${describe(served, hasRoots, dialect)}`,
  ].join("\n");
}

/** The instructions for the server's own tools; the tool of a dialect describes itself. */
const OWN_TOOLS = [
  "Reads text files as exact, numbered lines. Use it rather than shell commands or a reader that cuts: for files of any size, logs (tail), the lines around a number (around) or that match a text (match, also in all files of a directory), very long lines, and several files in one call (read_files). list_directory shows what a directory holds.",
  "The first line of an answer says which lines these are of how many; nothing is left out between its first and last line but what it names. If more follows, the last line is the call to make next.",
];

function describe(
  { directories, fallback, followRoots }: ServedDirectories,
  hasRoots: boolean,
  dialect: Dialect | undefined,
): string {
  if (directories.length === 0 && (hasRoots || fallback === undefined)) {
    const other = fallback &&
      `, or ${new ReadRoots([fallback]).listed} if it has none`;
    return `the client's roots${other ?? ""}.`;
  }
  const served = new ReadRoots(
    fallback === undefined ? directories : [fallback],
  );
  const paths = `files below ${served.listed}`;
  if (hasRoots && followRoots) {
    return `${paths}, where they lie in the client's roots.`;
  }
  // With several directories, the description of each tool names them.
  if (served.roots.length > 1 || dialect === "codex") return `${paths}.`;
  const other = hasRoots ? ", or at the client's root if that lies in it" : "";
  return `${paths}. Relative paths start there${other}.`;
}

/** How paths are resolved, for the description of each tool. */
export function pathRuleOf(
  { directories, mustKnow }: ServedDirectories,
  isStateless: boolean,
  dialect: Dialect | undefined,
): string {
  if (dialect === "codex") return "Paths are absolute.";
  const root = "the client's root";
  if (directories.length < 2) {
    if (mustKnow) return `Paths are absolute, or relative to ${root}.`;
    const served = "Paths are absolute, or relative to the served directory";
    return isStateless
      ? `${served}.`
      : `${served}; to ${root}, if that lies in it.`;
  }
  const names = directories.slice(0, MOST_NAMES).map(({ name }) => {
    const shown = visibleJson(`${name}/`);
    return shown.length <= MOST_NAME_CHARS
      ? shown
      : `${shown.slice(0, MOST_NAME_CHARS)}…`;
  });
  if (directories.length > MOST_NAMES) names.push("…");
  const begins = names.join(" or ");
  return isStateless && !mustKnow
    ? `Paths are absolute, or begin with ${begins}.`
    : `Paths are absolute, begin with ${begins}, or are relative to ${root}.`;
}

/** How many names of directories a tool's description lists. */
const MOST_NAMES = 3;
const MOST_NAME_CHARS = 28;
