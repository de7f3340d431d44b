/** Random edits of lines, and their effect on a page: the oracle for receipts and deltas. */
import type { Random } from "./random.ts";

/** A line, and where it comes from. */
interface Edited {
  readonly text: string;
  /** The index of the line before the edits; -1 if an edit added it. */
  readonly from: number;
}

/** A text before and after some edits. */
export interface Script {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** For each line before, its index after; -1 if an edit removed it. */
  readonly kept: readonly number[];
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
  let lines: Edited[] = before.map((text, from) => ({ text, from }));
  for (let edits = random.below(4); edits > 0; edits--) {
    const at = random.below(lines.length + 1);
    const gone = random.below(3) === 0 ? random.below(4) : 0;
    const more = Array.from({ length: random.below(5) }, () => ({
      text: lineOf(random),
      from: -1,
    }));
    const all = lines.toSpliced(at, gone, ...more);
    // Only the last line may lack an ending.
    lines = all.map((line, index) =>
      line.text.endsWith("\n") || index === all.length - 1
        ? line
        : { text: `${line.text}\n`, from: -1 }
    ).filter(({ text }) => text !== "");
  }
  const kept = before.map((_, at) =>
    lines.findIndex(({ from }) => from === at)
  );
  return { before, after: lines.map(({ text }) => text), kept };
}

/** Whether the lines `[from, to)` occur at index `at` of other lines. */
export function standsAt(
  lines: readonly string[],
  others: readonly string[],
  at: number,
): boolean {
  return at >= 0 && lines.every((line, index) => others[at + index] === line);
}
