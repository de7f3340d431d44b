// Runtime-agnostic.

const MAX_QUOTED_LENGTH = 256;

/** Quotes untrusted text so that it cannot pass for more than itself. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH;
  return JSON.stringify(cut ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text)
    .replace(HIDDEN, escapeOne);
}

/** A character that is not seen, moves what is seen, or breaks a line. */
const HIDDEN = /[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu;

/** Shows hidden characters as JSON escapes, in text that is not quoted. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, escapeOne);
}

function escapeOne(character: string): string {
  const quoted = JSON.stringify(character).slice(1, -1);
  if (quoted !== character) return quoted;
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}

/** Quotes files that may have been meant. */
export function quoteAny(names: readonly string[]): string {
  return inRow(names.map(quote), " or ");
}

/** Quotes what a directory holds. */
export function quoteEntries(names: readonly string[], more: boolean): string {
  return inRow([...names.map(quote), ...more ? ["more"] : []], " and ");
}

function inRow(parts: readonly string[], last: string): string {
  return [...parts.slice(0, -2), parts.slice(-2).join(last)].join(", ");
}

/** Longer names are not compared letter by letter. */
const MAX_COMPARED = 255;

/**
 * The names most like one that is not among them, the likest first: of other
 * case, composed otherwise, with other blanks or dashes, or a few letters off.
 */
export function nearest(
  name: string,
  names: Iterable<string>,
  most: number,
): string[] {
  const plain = fold(name);
  const allowed = Math.max(1, Math.floor(plain.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const other of names) {
    if (other === name) continue;
    const distance = distanceWithin(plain, fold(other), allowed);
    if (distance <= allowed) found.push({ name: other, distance });
  }
  return found
    .sort((one, two) =>
      one.distance - two.distance || (one.name < two.name ? -1 : 1)
    )
    .slice(0, most)
    .map(({ name }) => name);
}

/** The known name that an unknown one seems to be, as the end of a sentence. */
export function hint(name: string, known: readonly string[]): string {
  const [likely] = nearest(name, known, 1);
  return likely === undefined ? "" : `; did you mean ${likely}?`;
}

/** Whether two names differ in nothing but what is easily mistaken. */
export function isTwin(name: string, other: string): boolean {
  return fold(name) === fold(other);
}

/** What is left of a name without all that looks alike or is easily mistaken. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[\s_-]+/g, "");
}

/**
 * How many letters must be changed, put in, left out or swapped with the next;
 * more than `allowed` is as good as infinite. `@std/text` counts the same, but
 * takes four megabytes of memory as soon as it is imported.
 */
function distanceWithin(one: string, two: string, allowed: number): number {
  if (Math.abs(one.length - two.length) > allowed) return Infinity;
  if (Math.max(one.length, two.length) > MAX_COMPARED) {
    return one === two ? 0 : Infinity;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= two.length; j++) {
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
      row.push(cost);
    }
    if (Math.min(...row) > allowed) return Infinity;
    beforeLast = last;
    last = row;
  }
  return last[two.length]!;
}
