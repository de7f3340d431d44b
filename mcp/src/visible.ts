// Runtime-agnostic.
import { MOST_NAMED } from "./bounds.ts";
import { escapeHidden, type HiddenCharacter } from "@agent-tools/read-file";

/**
 * Writes a value as JSON in which each hidden character is seen: one in a path
 * must neither hide a part of it nor break the line that it stands in.
 */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    EACH_HIDDEN,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) =>
          `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}

/** A character that is not seen, or moves what is seen. */
const EACH_HIDDEN = /[\p{DI}\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;

/** Names the first hidden characters of a page, and counts the others. */
export function listHidden(suspects: readonly HiddenCharacter[]): string {
  const named = suspects.slice(0, MOST_NAMED).map(
    ({ line, column, code, name }) =>
      `${code} ${name} (line ${line}, column ${column})`,
  );
  const more = suspects.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  return named.join(", ");
}

/** Shortens a text in the middle, and says so. */
export function shorten(text: string, most: number): string {
  const seen = escapeHidden(text.replaceAll("\n", " "));
  if (seen.length <= most) return seen;
  const half = Math.floor((most - 3) / 2);
  return `${seen.slice(0, half)} … ${seen.slice(-half)}`;
}
