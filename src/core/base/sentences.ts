// Runtime-agnostic.
import type { ReadFileErrorWords } from "./errors.ts";
import type { FailureReason } from "./port.ts";
import { quote, quoteAny, quoteEntries } from "./words.ts";

/** The package's own words for each code: the failure, without the path, and what to do next. */
export const SENTENCES: ReadFileErrorWords = {
  INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
    `${argument} ${problem}`,
    argument === "path" ? "name the file by another path" : undefined,
  ],
  OUTSIDE_WORKSPACE({ path }) {
    const isAbsolute = path.startsWith("/");
    const how = isAbsolute ? ", by its path from there, without a slash" : "";
    const hint = `name a file below the workspace's root${how}`;
    return ["it leads out of the workspace", hint];
  },
  POLICY_DENIED: ({ details: { rule } }) => [
    `the rule ${quote(rule)} does not allow it`,
    "use another file, or ask the user to change the rule",
  ],
  NOT_FOUND: ({ details: { reason, suggestions = [] } }) => {
    const isMissing = reason === "missing" || suggestions.length > 0;
    if (!isMissing) {
      const what = "a part of the path before the last is not a directory";
      return [what, "check the path"];
    }
    const hint = suggestions.length > 0
      ? `did you mean ${quoteAny(suggestions)}?`
      : "check the spelling, or look at what the directory holds";
    return ["nothing is there", hint];
  },
  NOT_A_FILE: ({ details: { kind, entries = [], more = false } }) => {
    if (kind !== "directory") {
      const what =
        "it is neither a file nor a directory, and only files can be read";
      return [what, "name a file"];
    }
    const held = entries.length === 0
      ? ""
      : `; it holds ${quoteEntries(entries, more)}`;
    return ["it is a directory", `name a file in it${held}`];
  },
  PERMISSION_DENIED: ({ details: { by, reason } }) => {
    if (reason !== undefined && reason !== "no_net") {
      return [REASONS[reason], "read another file"];
    }
    const hint = by === "system"
      ? "read another file, or have its permissions changed"
      : "under Deno, allow reading the workspace's real path";
    return [`permission denied by the ${by}`, reason ? REASONS[reason] : hint];
  },
  SYMLINK_LOOP: () => [
    "it leads through too many symbolic links",
    "name the file they should lead to",
  ],
  TOO_LARGE({ details: { what, size, limit } }) {
    const most = `the limit of ${limit} bytes`;
    return what === "line"
      ? [`one of its lines is longer than ${most}`, "read around it"]
      : [
        `its ${size} bytes exceed ${most}`,
        "read parts of it with a tool for large files",
      ];
  },
  BINARY({ details: { sign } }) {
    const why = sign === "nul" ? "holds a NUL byte" : "is not valid UTF-8";
    return [`it is binary: it ${why}`, "use a tool that gives bytes"];
  },
  UNREADABLE: ({ details: { as, problem } }) => [
    `it cannot be shown as ${quote(as)}: ${problem}`,
  ],
  RANGE_OUT_OF_BOUNDS: ({ details: { start, end, totalLines } }) => [
    `lines ${start} to ${end} are not in a file of ${totalLines} lines`,
    "ask for lines that it has",
  ],
  SCAN_LIMIT: ({ details: { limit } }) => [
    `those lines lie more than ${limit} bytes into it`,
    "narrow the range",
  ],
  CHANGED: () => ["it changed while it was read", "read it again"],
  ABORTED: () => ["the call was aborted"],
  IO: ({ details: { errno, passing, reason } }) => [
    (reason !== undefined
      ? REASONS[reason]
      : /^E[MN]FILE$/.test(String(errno))
      ? "too many files are open, so close some"
      : "the system failed") + (errno === null ? "" : ` (${errno})`),
    passing ? "try again" : "read another file",
  ],
};

/** The sentences for the reasons of a port. */
export const REASONS: Readonly<Record<FailureReason, string>> = {
  bad_answer: "the server's answer is not one to what was asked",
  compressed: "the server sends it compressed, and so not in parts",
  no_net: "under Deno, allow its server with --allow-net",
  no_parts: "the server sends no parts of it, and this part lies far in",
  no_size: "the server does not tell its size",
  redirected:
    "the server redirects to a place outside of what may be asked for",
};
