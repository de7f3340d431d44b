// Runtime-agnostic.
import { hint, quote } from "./words.ts";

/**
 * Refuses what is no object of options, and one with an option that there is
 * not: left alone, a rule whose name is misspelt would pass for one that holds.
 *
 * @param failed What cannot be done, as the beginning of a sentence.
 * @param options What was given.
 * @param known The names that options have.
 */
export function refuseUnknown(
  failed: string,
  options: object,
  known: readonly string[],
): void {
  // From JavaScript, it may be anything.
  if (Object(options) !== options || Symbol.iterator in options) {
    throw new TypeError(`${failed}: the options are no object; leave them out`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const names = known.join(", ");
    throw new TypeError(
      `${failed}: ${quote(name)} is no option (${names})${hint(name, known)}`,
    );
  }
}
