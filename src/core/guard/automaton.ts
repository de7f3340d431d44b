// Runtime-agnostic.
import { type ExpressionPart, parseExpression } from "./expression.ts";

/** A place in an expression, and where it goes on from there. */
type Place =
  | { readonly kind: "goal" }
  | { readonly kind: "end"; readonly next: number }
  | { readonly kind: "fork"; readonly next: number; readonly other: number }
  | { readonly kind: "unless"; readonly body: number; readonly next: number }
  | { readonly kind: "one"; readonly takes: CharTest; readonly next: number };

/** Tells whether a code unit is one of those that are meant. */
type CharTest = (code: number) => boolean;

/** The place at which all is matched. */
const GOAL = 0;

/**
 * A regular expression that is in all of its places at once.
 *
 * A `RegExp` tries one way after the other, and where there are several stars
 * the ways multiply: there are paths that keep it for years. Here a character
 * costs no more than there are places, whatever the path.
 */
export class Automaton {
  readonly #places: readonly Place[];
  readonly #entry: number;
  /** Whether what comes later decides about what came before. */
  readonly #looksAhead: boolean;
  /** What was asked about last, and where that led. */
  #text = "";
  #reached: ReadonlySet<number> | undefined;

  /** Constructs a new instance; throws a `SyntaxError` at what no glob is made of. */
  constructor({ source, flags }: RegExp) {
    const places: Place[] = [{ kind: "goal" }];
    this.#entry = compile(parseExpression(source), GOAL, flags, places);
    this.#places = places;
    this.#looksAhead = places.some(({ kind }) => kind === "unless");
  }

  /** Whether the expression matches the text. */
  test(text: string): boolean {
    // A walk asks about each directory on the way: it is gone on from there.
    const goesOn = !this.#looksAhead && text.startsWith(this.#text);
    const before = goesOn ? this.#reached : undefined;
    let from = before === undefined ? 0 : this.#text.length;
    let reached = before ?? this.#spread([this.#entry], text, 0, "inside");
    while (from < text.length) reached = this.#step(reached, text, from++);
    this.#text = text;
    this.#reached = reached;
    return this.#isDone(reached, text);
  }

  /** The places that the character at `at` leads to. */
  #step(
    reached: ReadonlySet<number>,
    text: string,
    at: number,
  ): ReadonlySet<number> {
    const code = text.charCodeAt(at);
    const next: number[] = [];
    for (const index of reached) {
      const place = this.#places[index]!;
      if (place.kind === "one" && place.takes(code)) next.push(place.next);
    }
    return this.#spread(next, text, at + 1, "inside");
  }

  /** The places that can be come to without a character; past a `$` only at the end. */
  #spread(
    from: Iterable<number>,
    text: string,
    at: number,
    where: "inside" | "end",
  ): ReadonlySet<number> {
    const reached = new Set<number>();
    const todo = [...from];
    for (let index = todo.pop(); index !== undefined; index = todo.pop()) {
      if (reached.has(index)) continue;
      reached.add(index);
      const place = this.#places[index]!;
      if (place.kind === "fork") todo.push(place.next, place.other);
      if (place.kind === "end" && where === "end") todo.push(place.next);
      if (place.kind !== "unless") continue;
      if (!this.#begins(place.body, text, at)) todo.push(place.next);
    }
    return reached;
  }

  /** Whether the text goes on from `at` as a part of the expression says. */
  #begins(entry: number, text: string, at: number): boolean {
    let reached = this.#spread([entry], text, at, "inside");
    while (!reached.has(GOAL) && reached.size > 0 && at < text.length) {
      reached = this.#step(reached, text, at++);
    }
    return this.#isDone(reached, text);
  }

  #isDone(reached: ReadonlySet<number>, text: string): boolean {
    return this.#spread(reached, text, text.length, "end").has(GOAL);
  }
}

/** Adds the places of a part that goes on to `next`, and tells where it begins. */
function compile(
  part: ExpressionPart,
  next: number,
  flags: string,
  places: Place[],
): number {
  const add = (place: Place) => places.push(place) - 1;
  switch (part.kind) {
    case "end":
      return add({ kind: "end", next });
    case "one":
      return add({ kind: "one", takes: charTest(part.source, flags), next });
    case "unless": {
      const body = compile(part.part, GOAL, flags, places);
      return add({ kind: "unless", body, next });
    }
    case "sequence":
      return part.parts.reduceRight(
        (next, part) => compile(part, next, flags, places),
        next,
      );
    case "choice":
      return part.parts.map((part) => compile(part, next, flags, places))
        .reduceRight((other, next) => add({ kind: "fork", next, other }));
    case "repeat": {
      if (part.sign === "?") {
        const other = compile(part.part, next, flags, places);
        return add({ kind: "fork", next, other });
      }
      // The way back is known once what it leads to is there.
      const fork = add({ kind: "goal" });
      const other = compile(part.part, fork, flags, places);
      places[fork] = { kind: "fork", next, other };
      return part.sign === "+" ? other : fork;
    }
  }
}

const ASCII = 0x80;

/** Asks the `RegExp` of one character, and of the common ones only once. */
function charTest(source: string, flags: string): CharTest {
  const one = new RegExp(`^${source}$`, flags);
  const isTaken = (code: number) => one.test(String.fromCharCode(code));
  const common = Array.from({ length: ASCII }, (_, code) => isTaken(code));
  return (code) => common[code] ?? isTaken(code);
}
