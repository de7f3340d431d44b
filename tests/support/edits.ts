/** Random edits of lines. */
import type { Random } from "./random.ts";

/** A text before and after some edits. */
export interface Script {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const WORDS = ["", "}", "  return;", "one", "two", "é", "three\r", "\t"];

/** A line with its ending, made of few words, so that lines repeat. */
export function lineOf(random: Random): string {
  const word = random.pick(WORDS);
  return random.below(3) === 0 ? `${word}\n` : `${word}${random.below(40)}\n`;
}

/** Draws a text of up to `most` lines, and up to three edits of it. */
export function scriptOf(random: Random, most: number): Script {
  const count = random.from(1, most);
  const before = Array.from({ length: count }, () => lineOf(random));
  if (random.below(4) === 0) {
    before[count - 1] = before[count - 1]!.slice(0, -1) || "end";
  }
  let after = before;
  for (let edits = random.below(4); edits > 0; edits--) {
    const at = random.below(after.length + 1);
    const gone = random.below(3) === 0 ? random.below(4) : 0;
    const more = Array.from(
      { length: random.below(5) },
      () => lineOf(random),
    );
    const all = after.toSpliced(at, gone, ...more);
    // Only the last line may lack an ending.
    after = all.map((line, index) =>
      line.endsWith("\n") || index === all.length - 1 ? line : `${line}\n`
    );
  }
  return { before, after };
}
