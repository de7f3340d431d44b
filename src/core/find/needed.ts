import type { Matcher } from "./search.ts";
import type { NewlineKernel } from "../lines/scan.ts";
import type { PatternNode } from "./pattern.ts";

/** Shorter texts are found too often to save time. */
const LEAST_BYTES = 3;
/** More texts are not searched one by one. */
const MOST_TEXTS = 4;
/** The longest text: a count in a pattern may repeat one a thousand times. */
const MOST_CHARS = 100;

/** Texts of which each line that matches a pattern has at least one; `undefined` if there are none that are long enough, and few. */
export function neededTexts(
  pattern: PatternNode,
): readonly string[] | undefined {
  const { best } = needsOf(pattern);
  return best !== undefined && leastBytes(best) >= LEAST_BYTES
    ? best
    : undefined;
}

/** What a part of a pattern needs: the only text that it matches, if there is one; and texts, one of which it has. */
interface Needs {
  readonly only?: string | undefined;
  readonly best: readonly string[] | undefined;
}

function needsOf(node: PatternNode): Needs {
  switch (node.kind) {
    case "set": {
      const [[from, to] = [0, 1], ...others] = node.ranges;
      // A line ending is no part of a line.
      const isOne = !node.isOthers && from === to && others.length === 0 &&
        from !== 0x0a && from !== 0x0d;
      const text = isOne ? String.fromCodePoint(from) : undefined;
      return { only: text, best: text === undefined ? undefined : [text] };
    }
    case "assertion":
      return { only: "", best: undefined };
    case "any":
      return { best: eitherOf(node.nodes.map((one) => needsOf(one).best)) };
    case "all":
      return needsOfAll(node.nodes);
    case "repeat": {
      if (node.least === 0) return { best: undefined };
      const { only, best } = needsOf(node.node);
      if (only === undefined || only.length * node.least > MOST_CHARS) {
        return { best };
      }
      const text = only.repeat(node.least);
      const isOnly = node.most === node.least;
      return { only: isOnly ? text : undefined, best: text ? [text] : best };
    }
  }
}

/** What a sequence needs: the longest text in it that is always there. */
function needsOfAll(nodes: readonly PatternNode[]): Needs {
  let best: readonly string[] | undefined;
  let text = "";
  let isOnly = true;
  const consider = (texts: readonly string[] | undefined) => {
    if (texts === undefined) return;
    if (best === undefined || leastBytes(texts) > leastBytes(best)) {
      best = texts;
    }
  };
  for (const node of nodes) {
    const needs = needsOf(node);
    if (needs.only !== undefined && text.length < MOST_CHARS) {
      text += needs.only;
      continue;
    }
    isOnly = false;
    if (text !== "") consider([text]);
    text = needs.only ?? "";
    consider(needs.best);
  }
  if (text !== "") consider([text]);
  return { only: isOnly ? text : undefined, best };
}

/** The texts of all alternatives, if each of them needs one. */
function eitherOf(
  all: readonly (readonly string[] | undefined)[],
): readonly string[] | undefined {
  const texts = new Set<string>();
  for (const some of all) {
    if (some === undefined) return undefined;
    for (const text of some) texts.add(text);
  }
  return texts.size > MOST_TEXTS ? undefined : [...texts];
}

function leastBytes(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return Math.min(...texts.map((text) => encoder.encode(text).length));
}

/** The most bytes of a line that are left for the next part; in a longer one, the pattern is searched byte by byte. */
const MOST_LEFT = 4096;

const LF = 0x0a;

/**
 * Finds a pattern in lines that have one of its texts: a text is found several
 * times as fast. A line that a part of the file does not hold to its end is
 * searched for the pattern itself.
 */
export class NeededFirst implements Matcher {
  readonly length = 0;
  readonly isAscii: boolean;
  readonly #pattern: Matcher;
  readonly #texts: readonly Matcher[];
  /** Whether the pattern has begun with this line. */
  #isInLine = false;

  constructor(pattern: Matcher, texts: readonly Matcher[]) {
    this.isAscii = pattern.isAscii;
    this.#pattern = pattern;
    this.#texts = texts;
  }

  begin(before?: number): void {
    this.#isInLine = before !== undefined;
    this.#pattern.begin(before);
  }

  feed(
    kernel: NewlineKernel,
    from: number,
    to: number,
    isEnd: boolean,
  ): number {
    let at = from;
    if (this.#isInLine) {
      const feed = kernel.nth(at, to, 1);
      const end = feed < 0 ? to : feed + 1;
      const found = this.#pattern.feed(kernel, at, end, isEnd && end === to);
      if (found >= 0 || ~found < end || feed < 0) return found;
      this.begin();
      at = end;
    }
    /** Where each text is next; behind `at` if that is unknown. */
    const places = this.#texts.map(() => -1);
    while (at < to) {
      const place = this.#nextText(kernel, places, at, to, isEnd);
      const reached = place < 0 ? ~place : place;
      const feed = kernel.nthLast(at, reached, 1);
      const line = feed < 0 ? at : feed + 1;
      if (place < 0) {
        const isOver = reached === to;
        if (isOver && (isEnd || kernel.buffer[to - 1] === LF)) return ~to;
        // More bytes may end the line, or it is searched after a pause.
        const isShort = to - line <= MOST_LEFT;
        if (isOver ? isShort : line > from) return ~line;
        return this.#feedLine(kernel, line, reached, false);
      }
      const next = kernel.nth(place, to, 1);
      if (next < 0) return this.#feedLine(kernel, line, to, isEnd);
      const end = next + 1;
      const found = this.#feedLine(kernel, line, end, isEnd && end === to);
      if (found >= 0 || ~found < end) return found;
      this.begin();
      at = end;
    }
    return ~to;
  }

  /** Searches a line, or its beginning, for the pattern. */
  #feedLine(
    kernel: NewlineKernel,
    line: number,
    to: number,
    isEnd: boolean,
  ): number {
    this.#pattern.begin();
    this.#isInLine = true;
    return this.#pattern.feed(kernel, line, to, isEnd);
  }

  /** Where the next of the texts is; or `~at`, if none begins before `at`: a text that began later might not be found yet. It is `~to` if all was searched. */
  #nextText(
    kernel: NewlineKernel,
    places: number[],
    from: number,
    to: number,
    isEnd: boolean,
  ): number {
    let first = to;
    let searched = to;
    for (const [index, text] of this.#texts.entries()) {
      let place = places[index]!;
      if (place < from) {
        const found = text.feed(kernel, from, to, isEnd);
        const isPaused = found < 0 && ~found + text.length < to;
        if (isPaused) searched = Math.min(searched, ~found);
        place = places[index] = found < 0 ? (isPaused ? -1 : to) : found;
      }
      if (place >= 0) first = Math.min(first, place);
    }
    return first < searched ? first : ~searched;
  }
}
