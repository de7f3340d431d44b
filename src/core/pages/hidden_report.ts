// Runtime-agnostic.
import { type HiddenCharacter, hiddenIn, type Part } from "./hidden.ts";
import { HIDDEN } from "./hidden_rules.ts";
import type { PageLine } from "./page.ts";
import { doAtOnce, STEP, type Steps } from "./steps.ts";

/** What else is known of some lines. */
export interface LinesFacts {
  /** Whether the last of them goes on, in the file, after what is given of it. */
  readonly endsInside?: boolean;
}

/** The most that are reported of each level, so that a file of NULs costs no more. */
export const MAX_REPORTED = 10_000;

/**
 * Finds the hidden characters of some lines, in their order: the first 10,000 of each
 * level.
 */
export function findHidden(
  lines: readonly PageLine[],
  { endsInside = false }: LinesFacts = {},
): HiddenCharacter[] {
  const report = new HiddenReport();
  for (const [index, line] of lines.entries()) {
    if (!HIDDEN.test(line.text)) continue;
    const isOpen = endsInside && index === lines.length - 1;
    doAtOnce(report.add({ line, isOpen }));
  }
  return report.found;
}

/** The hidden characters of lines that are looked at one after the other. */
export class HiddenReport {
  readonly found: HiddenCharacter[] = [];
  readonly #counts = { info: 0, warning: 0 };

  /** Adds those of a line. */
  *add(part: Part): Steps<void> {
    let passed = 0;
    for (const character of hiddenIn(part)) {
      const count = ++this.#counts[character.level];
      if (count <= MAX_REPORTED) this.found.push(character);
      if (++passed % STEP === 0) yield;
    }
  }
}
