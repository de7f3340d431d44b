import { MAX_COMPARED_LETTERS } from "./limits.ts";
import type { ReadFileErrorWords } from "./errors.ts";
import type { FailureReason } from "./port.ts";

/** The most characters of a text that a message quotes. */
const MAX_QUOTED_LENGTH = 256;

/** Quotes untrusted text, so that its end and its control characters are visible. */
export function quote(text: string): string {
  if (text.length <= MAX_QUOTED_LENGTH) return visibleJson(text);
  // The cut may divide a surrogate pair.
  const cut = text.slice(0, MAX_QUOTED_LENGTH).replace(/[\ud800-\udbff]$/, "");
  return visibleJson(`${cut}…`);
}

/**
 * Writes JSON on one line, with what is hidden in a name escaped: a path must not
 * hide a part of itself.
 *
 * @example Usage
 * ```ts
 * import { visibleJson } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const path = "a\u{202E}txt.exe";
 * assertEquals(visibleJson({ path }), '{"path":"a\\u202etxt.exe"}');
 * ```
 */
export function visibleJson(value: unknown): string {
  return showHidden(JSON.stringify(value));
}

/** Controls, and what other programs show as line breaks: for a class of a pattern. */
export const CONTROLS = String.raw`\p{Cc}\u2028\u2029`;

/**
 * The source of a pattern for one hidden character: one that is invisible, moves
 * visible text, or breaks a line. By Unicode's properties, default ignorables
 * (`DI`), controls and format characters (`Cf`) are hidden, except visible ones. By
 * code point, signs without a visible form are hidden too. In a text, spaces (`Zs`)
 * are visible.
 */
export const HIDDEN = String
  .raw`(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[${CONTROLS}\p{DI}\p{Cf}\u2800\u2d7f\u{1107f}\u{13440}-\u{13442}\u{16fe4}\u{1bc9d}\u{1d159}]`;

/** What is hidden in a name: also a blank other than a space, which looks like one, and a letter for private use, which each font shows in its own way or not at all. */
const HIDDEN_IN_NAMES = new RegExp(
  String.raw`${HIDDEN}|(?! )\p{Zs}|\p{Co}`,
  "gu",
);

/** Escapes what is hidden in a name, as JSON does. */
export function showHidden(text: string): string {
  // Most paths: the list of what is hidden takes long to look through.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(HIDDEN_IN_NAMES, (character) => {
    const quoted = JSON.stringify(character).slice(1, -1);
    if (quoted !== character) return quoted;
    return character.split("").map((unit) =>
      `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
    ).join("");
  });
}

/** Joins words as a sentence does: `inRow(["a", "b", "c"], " or ")` is "a, b or c". */
function inRow(parts: readonly string[], last: string): string {
  return [...parts.slice(0, -2), parts.slice(-2).join(last)].join(", ");
}

/** The longest name that is compared letter by letter. */
const MAX_COMPARED = 255;
/** Names that differ in more letters are not alike, however long they are. */
const MAX_DISTANCE = 8;

/** A name that is similar to the one that was asked for. */
export type NameMatch = { readonly name: string; readonly distance: number };

/**
 * Compares names with an unknown one: those like it differ in case, composition,
 * blanks, dashes, a missing extension, or a few letters. Finds none once
 * `MAX_COMPARED_LETTERS` were compared.
 */
export function likenessTo(name: string) {
  const plain = fold(name);
  const third = Math.floor(plain.length / 3);
  const allowed = Math.max(1, Math.min(third, MAX_DISTANCE));
  let left = MAX_COMPARED_LETTERS;
  return (other: string): NameMatch | undefined => {
    if (other === name || left <= 0) return undefined;
    left -= other.length;
    const isTwin = fold(other.replace(/(?<=.)\.[^.]+$/, "")) === plain;
    const letters = distanceWithin(plain, fold(other), allowed);
    const distance = isTwin ? Math.min(1, letters) : letters;
    return distance <= allowed ? { name: other, distance } : undefined;
  };
}

/** The names of the best matches, the best first. */
export function bestMatches(matches: readonly NameMatch[], most: number) {
  return matches
    .toSorted((one, two) =>
      one.distance - two.distance || (one.name < two.name ? -1 : 1)
    )
    .slice(0, most)
    .map(({ name }) => name);
}

/** The known name that is most like an unknown one. */
export function nearest(
  name: string,
  names: Iterable<string>,
): string | undefined {
  const likeness = likenessTo(name);
  const matches = Array.from(names).flatMap((other) => likeness(other) ?? []);
  return bestMatches(matches, 1)[0];
}

/** Tests whether names differ from this one only in case, blanks and dashes. */
export function twinOf(name: string): (other: string) => boolean {
  const plain = fold(name);
  return (other) => fold(other) === plain;
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[\s_-]+/g, "");
}

/**
 * The Damerau–Levenshtein distance: how many letters must be changed, inserted, left
 * out or swapped with the next; `Infinity` for more than `allowed`. Cells of the
 * table farther from its diagonal cannot matter. (In `@std/text`, a swap counts as two
 * changes, and no limit ends the work for names that are not alike.)
 */
function distanceWithin(one: string, two: string, allowed: number): number {
  if (Math.abs(one.length - two.length) > allowed) return Infinity;
  if (Math.max(one.length, two.length) > MAX_COMPARED) {
    return one === two ? 0 : Infinity;
  }
  const far = () => new Array<number>(two.length + 1).fill(Infinity);
  let beforeLast = far();
  let last = far();
  let row = far();
  for (let j = 0; j <= Math.min(two.length, allowed); j++) last[j] = j;
  for (let i = 1; i <= one.length; i++) {
    const from = Math.max(1, i - allowed);
    const to = Math.min(two.length, i + allowed);
    let least = row[from - 1] = from === 1 ? i : Infinity;
    for (let j = from; j <= to; j++) {
      const isSame = one[i - 1] === two[j - 1];
      let cost = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
      );
      if (
        i > 1 && j > 1 && one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1]
      ) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (to < two.length) row[to + 1] = Infinity;
    if (least > allowed) return Infinity;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[two.length]!;
}

/** The package's own words for each code: the failure, without the path, and what to do next. */
export const SENTENCES: ReadFileErrorWords = {
  INVALID_ARGUMENT: ({ details: { argument, problem } }) => [
    `${argument} ${problem}`,
    argument === "path" ? "name the file by another path" : undefined,
  ],
  OUTSIDE_WORKSPACE({ path }) {
    const isAbsolute = /^(?:[a-z]:)?[\\/]/i.test(path);
    const how = isAbsolute ? ", by its path from there, without a slash" : "";
    const hint = `name a file below the workspace's root${how}`;
    return ["it leads out of the workspace", hint];
  },
  POLICY_DENIED: ({ details: { rule } }) => [
    `the rule ${quote(rule)} does not allow it`,
    "use another file, or ask the user to change the rule",
  ],
  NOT_FOUND: ({ details: { reason, suggestions = [] } }) => {
    if (suggestions.length > 0) {
      const meant = inRow(suggestions.map(quote), " or ");
      return ["nothing is there", `did you mean ${meant}?`];
    }
    if (reason === "missing") {
      const hint = "check the spelling, or look at what the directory holds";
      return ["nothing is there", hint];
    }
    const what = "a part of the path before the last is not a directory";
    return [what, "check the path"];
  },
  NOT_A_FILE: ({ details: { kind, special, entries = [], more = false } }) => {
    if (kind !== "directory") {
      const what = special === undefined
        ? "neither a file nor a directory"
        : `a ${special}`;
      return [`it is ${what}, and only files can be read`, "name a file"];
    }
    const names = [...entries.map(quote), ...more ? ["more"] : []];
    const held = entries.length === 0
      ? ""
      : `; it holds ${inRow(names, " and ")}`;
    return ["it is a directory", `name a file in it${held}`];
  },
  PERMISSION_DENIED: ({ details: { by, reason } }) => {
    const what = `permission denied by the ${by}`;
    // This reason is what to do; the others are what failed.
    if (reason === "no_net") return [what, REASONS[reason]];
    if (reason !== undefined) return [REASONS[reason], "read another file"];
    const hint = by === "system"
      ? "read another file, or have its permissions changed"
      : "under Deno, allow reading the workspace's real path";
    return [what, hint];
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
        "read it with a larger maxFileBytes",
      ];
  },
  BINARY({ details: { sign } }) {
    const why = sign === "nul" ? "holds a NUL byte" : "is not valid UTF-8";
    return [`it is binary: it ${why}`, 'read it with "binary": "bytes"'];
  },
  UNREADABLE: ({ details: { as, problem } }) => [
    `it cannot be shown as ${quote(as)}: ${problem}`,
  ],
  RANGE_OUT_OF_BOUNDS: ({ details: { start, end, totalLines } }) => [
    `lines ${start} to ${end} are not in a file of ${totalLines} lines`,
    "ask for lines that it has",
  ],
  SCAN_LIMIT: ({ details: { limit, lines = 0 } }) => [
    `those lines lie more than ${limit} bytes into it`,
    lines > 0
      ? `ask for some of its first ${lines} lines, or for a larger maxScanBytes`
      : "ask for a larger maxScanBytes",
  ],
  CHANGED: () => ["it changed while it was read", "read it again"],
  ABORTED: () => ["the call was aborted"],
  IO: ({ details: { errno, passing, reason } }) => {
    const failed = /^E[MN]FILE$/.test(String(errno))
      ? "too many files are open, so close some"
      : errno === "ENOSYS"
      ? "directories cannot be listed there"
      : "the system failed";
    const what = reason === undefined ? failed : REASONS[reason];
    const code = errno === null ? "" : ` (${errno})`;
    const otherwise = reason === "rounded_id"
      ? "run the program in Node.js or Bun, which give identities exactly"
      : reason === "no_real_path"
      ? "open a directory on another disk"
      : errno === "ENOSYS"
      ? "read a file by its path"
      : "read another file";
    return [what + code, passing ? "try again" : otherwise];
  },
};

/** The sentences for the reasons of a port. */
export const REASONS: Readonly<Record<FailureReason, string>> = {
  bad_answer: "the server's answer is not one to what was asked",
  compressed: "the server sends it compressed, and so not in parts",
  no_net: "under Deno, allow its server with --allow-net",
  no_parts: "the server sends no parts of it, and this part lies far in",
  no_real_path:
    "its disk gives no path from a drive or a server, so nothing on it can be proved to lie inside",
  no_size: "the server does not tell its size",
  redirected:
    "the server redirects to a place outside of what may be asked for",
  rounded_id:
    "Deno rounds its identity on this disk, so it cannot be proved to lie inside",
};
