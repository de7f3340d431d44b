// Runtime-agnostic.
import { MAX_COMPARED_LETTERS } from "./limits.ts";

const MAX_QUOTED_LENGTH = 256;

/** Quotes untrusted text, so that its end and its control characters are visible. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH;
  return showHidden(
    JSON.stringify(cut ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text),
  );
}

/**
 * Shows hidden characters as JSON escapes, in text that is not quoted: those
 * that are invisible, move visible text, or break a line.
 */
export function showHidden(text: string): string {
  // Inside the function, since parsing the classes would slow down the import.
  const hidden =
    /[\p{Cc}\p{DI}\u2028\u2029\u2800\u2d7f\ufff9-\ufffb\u{1107f}\u{13430}-\u{13442}\u{16fe4}\u{1bc9d}\u{1d159}]/gu;
  return text.replace(hidden, escapeOne);
}

function escapeOne(character: string): string {
  const quoted = JSON.stringify(character).slice(1, -1);
  if (quoted !== character) return quoted;
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}

export function quoteAny(names: readonly string[]): string {
  return inRow(names.map(quote), " or ");
}

export function quoteEntries(names: readonly string[], more: boolean): string {
  return inRow([...names.map(quote), ...more ? ["more"] : []], " and ");
}

function inRow(parts: readonly string[], last: string): string {
  return [...parts.slice(0, -2), parts.slice(-2).join(last)].join(", ");
}

/** The longest name that is compared letter by letter. */
const MAX_COMPARED = 255;

/** Names that differ in more letters are not alike, however long they are. */
const MAX_DISTANCE = 8;

/** A name that is similar to the one that was asked for. */
export interface Likely {
  readonly name: string;
  readonly distance: number;
}

/**
 * Compares names with an unknown one: those like it differ in case, composition,
 * blanks, dashes, a missing extension, or a few letters. Finds none once
 * `MAX_COMPARED_LETTERS` were compared.
 */
export function likenessTo(
  name: string,
): (other: string) => Likely | undefined {
  const plain = fold(name);
  const third = Math.floor(plain.length / 3);
  const allowed = Math.max(1, Math.min(third, MAX_DISTANCE));
  let left = MAX_COMPARED_LETTERS;
  return (other) => {
    if (other === name || left <= 0) return undefined;
    left -= other.length;
    const distance = fold(other.replace(/(?<=.)\.[^.]+$/, "")) === plain
      ? Math.min(1, distanceWithin(plain, fold(other), allowed))
      : distanceWithin(plain, fold(other), allowed);
    return distance <= allowed ? { name: other, distance } : undefined;
  };
}

/** The most similar names, the best first. */
export function likest(found: readonly Likely[], most: number): string[] {
  return found
    .toSorted((one, two) =>
      one.distance - two.distance || (one.name < two.name ? -1 : 1)
    )
    .slice(0, most)
    .map(({ name }) => name);
}

/** The known names that are most like an unknown one, the best first. */
export function nearest(
  name: string,
  names: Iterable<string>,
  most: number,
): string[] {
  const likeness = likenessTo(name);
  return likest(
    Array.from(names).flatMap((other) => likeness(other) ?? []),
    most,
  );
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
 * How many letters must be changed, inserted, left out or swapped with the next;
 * `Infinity` for more than `allowed`. Cells of the table farther from its
 * diagonal cannot matter. (`@std/text` takes four megabytes once imported.)
 */
function distanceWithin(one: string, two: string, allowed: number): number {
  if (Math.abs(one.length - two.length) > allowed) return Infinity;
  if (Math.max(one.length, two.length) > MAX_COMPARED) {
    return one === two ? 0 : Infinity;
  }
  const far = () => new Array<number>(two.length + 1).fill(Infinity);
  let [beforeLast, last, row] = [far(), far(), far()];
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
