// Runtime-agnostic.
import { escapeHidden, type HiddenCharacter } from "@agent-tools/read-file";
import { MOST_NAMED } from "./bounds.ts";

/** Characters that are invisible, or move visible text. */
const EACH_HIDDEN = /[\p{DI}\p{Cc}\u2028\u2029\ufff9-\ufffb]/gu;

/**
 * Writes JSON with all hidden characters escaped: a path must not hide a part
 * of itself or break its line.
 */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    EACH_HIDDEN,
    (found) =>
      found.split("").map((unit) =>
        `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      ).join(""),
  );
}

/** Lists the first items and the number of the others. */
export function listFirst<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
): string {
  const more = items.length - MOST_NAMED;
  return items.slice(0, MOST_NAMED).map(write)
    .concat(more > 0 ? [`and ${more} more`] : []).join(", ");
}

export function listHidden(suspects: readonly HiddenCharacter[]): string {
  return listFirst(
    suspects,
    ({ line, column, code, name }) =>
      `${code} ${name} (line ${line}, column ${column})`,
  );
}

/** Shortens a text in the middle, visibly. */
export function shorten(text: string, most: number): string {
  const seen = escapeHidden(text.replaceAll("\n", " "));
  if (seen.length <= most) return seen;
  const half = Math.floor((most - 3) / 2);
  return `${seen.slice(0, half)} … ${seen.slice(-half)}`;
}
