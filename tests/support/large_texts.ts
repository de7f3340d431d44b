/** Two large texts with many changes, which take a comparison of lines long. */
import { Random, SEED } from "./random.ts";

const MAKERS = {
  "all lines other": (count) => [
    lines(count, (at) => `old ${at}`),
    lines(count, (at) => `new ${at}`),
  ],
  "every second line other": (count) => [
    lines(count, (at) => `${at}`),
    lines(count, (at) => at % 2 === 0 ? `${at}` : `new ${at}`),
  ],
  "few words, drawn twice": (count) => [
    drawn(count, 20, SEED),
    drawn(count, 20, SEED + 1),
  ],
  "a thousand words, drawn twice": (count) => [
    drawn(count, 1000, SEED),
    drawn(count, 1000, SEED + 1),
  ],
  "two words": (count) => [drawn(count, 2, SEED), drawn(count, 2, SEED + 1)],
  "in reverse": (count) => [
    lines(count, String),
    lines(count, (at) => `${count - 1 - at}`),
  ],
  "two halves changed places": (count) => [
    lines(count, String),
    lines(count, (at) => `${(at + count / 2) % count}`),
  ],
  "one word, and others between": (count) => [
    lines(count, (at) => at % 3 === 0 ? "a" : at % 3 === 1 ? "b" : "a"),
    lines(count, (at) => at % 5 === 0 ? "b" : "a"),
  ],
  "long runs": (count) => [
    lines(count, (at) => `${Math.floor(at / 700) % 3}`),
    lines(count, (at) => `${Math.floor(at / 900) % 3}`),
  ],
} satisfies Record<string, (count: number) => [string[], string[]]>;

/** The kinds of pairs. */
export const LARGE = Object.keys(MAKERS) as (keyof typeof MAKERS)[];

/** The texts of a kind, with `count` lines each. */
export function largeTexts(
  name: keyof typeof MAKERS,
  count: number,
): [before: string[], after: string[]] {
  return MAKERS[name](count);
}

function lines(count: number, textAt: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => `${textAt(at)}\n`);
}

function drawn(count: number, words: number, seed: number): string[] {
  const random = new Random(seed);
  return lines(count, () => `${random.below(words)}`);
}
