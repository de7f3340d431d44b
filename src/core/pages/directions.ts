// Runtime-agnostic.

/** A letter of a script that is written from right to left. */
export const RIGHT_TO_LEFT =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** Where a text is the part of a line that a page shows. */
export interface LineCut {
  /** Whether some of the line comes before it. */
  readonly begun: boolean;
  /** Whether some of the line comes after it. */
  readonly goesOn: boolean;
}

/** A direction that stands in no other, from where it is opened to where it is closed. */
interface Stretch {
  /** Where the directions in it stand, its own among them. */
  readonly places: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Whether each in it was closed where it should be, as far as the page shows. */
  readonly isClosed: boolean;
  /** Whether it begins or ends outside of what the page shows. */
  readonly isCut: boolean;
}

const OPENING = "\u202a\u202b\u2066\u2067\u2068";
const DIRECTIONS = /[\u202a-\u202c\u2066-\u2069]/g;
const POP_EMBEDDING = "\u202c";
const POP_ISOLATE = "\u2069";

/**
 * Where the directions stand that a text from right to left has a use for: closed
 * again around what is no part of a program, in a line that is none.
 *
 * What an attack needs is that code is shown elsewhere than it stands. So it is
 * not the direction that tells, but what it is put around, and what stands beside
 * it: a name, a number, an address or a sentence in another direction is ordinary
 * in prose and in data; quotes that it opens and does not close, operators, ends
 * of comments and calls are not.
 */
export function ordinaryDirections(
  text: string,
  cut: LineCut,
): ReadonlySet<number> {
  const ordinary = new Set<number>();
  // The letters may be on the page before or after.
  const isCut = cut.begun || cut.goesOn;
  if (!isCut && !RIGHT_TO_LEFT.test(text)) return ordinary;
  const stretches = stretchesOf(text, cut);
  if (PROGRAM.test(outsideOf(text, stretches))) return ordinary;
  for (const stretch of stretches) {
    const shown = text.slice(stretch.start + 1, stretch.end)
      .replace(DIRECTIONS, "");
    // The colon of an address may be on the page before.
    const inside = stretch.start < 0 ? shown.replace(/^\/+/, "") : shown;
    if (!stretch.isClosed && !isOpenLine(text, stretch, inside)) continue;
    if (PROGRAM.test(inside) || HIDES.test(inside)) continue;
    if (!stretch.isCut && !isBalanced(inside)) continue;
    for (const place of stretch.places) ordinary.add(place);
  }
  return ordinary;
}

/** Deeper, Unicode takes no notice of them. */
const MAX_DEPTH = 125;

function stretchesOf(text: string, { begun, goesOn }: LineCut): Stretch[] {
  const stretches: Stretch[] = [];
  /** What closes each that stands open. */
  let closers: string[] = [];
  let places: number[] = [];
  let isClosed = true;
  const add = (start: number, end: number, isCut: boolean) => {
    stretches.push({ places, start, end, isClosed, isCut });
    [closers, places, isClosed] = [[], [], true];
  };
  for (const { 0: sign, index } of text.matchAll(DIRECTIONS)) {
    places.push(index);
    if (OPENING.includes(sign)) {
      const isEmbedding = sign < POP_EMBEDDING;
      if (closers.length === MAX_DEPTH) isClosed = false;
      else closers.push(isEmbedding ? POP_EMBEDDING : POP_ISOLATE);
    } else if (closers.length === 0) {
      // It was opened on a page before, or nowhere.
      isClosed = begun;
      add(stretches.at(-1)?.end ?? -1, index, true);
    } else {
      const level = closers.lastIndexOf(sign);
      // Another one stands open within, or it closes none of them.
      if (level < closers.length - 1) isClosed = false;
      if (level >= 0) closers.length = level;
      if (closers.length === 0) add(places[0]!, index, false);
    }
  }
  if (closers.length > 0) {
    isClosed &&= goesOn;
    add(places[0]!, text.length, goesOn);
  }
  return stretches;
}

/** A line that is one embedding, and ends it by its end: so do subtitles. */
function isOpenLine(
  text: string,
  { start, end, places }: Stretch,
  inside: string,
): boolean {
  return start >= 0 && end === text.length && places.length === 1 &&
    text.slice(0, start).trim() === "" && !/[A-Za-z]/.test(inside);
}

function outsideOf(text: string, stretches: readonly Stretch[]): string {
  let outside = "";
  let from = 0;
  for (const { start, end } of stretches) {
    if (start >= from) outside += text.slice(from, start) + " ";
    // What comes before one that was opened on another page is inside it.
    from = end + 1;
  }
  return outside + text.slice(from);
}

/** Operators, calls and statements. */
const PROGRAM =
  /[=!<>+*/-]=|=>|->|&&|\|\||\s=\s|;\s*(?:$|[\w}])|\)\s*\{|\w\(|^\s*(?:if|elif|else|for|while|switch|case|return|throw|const|let|var|def|function|class)\b.*["'`(){}\[\];:=]|\b(?:if|for|while|switch|catch)\s*\(|\breturn\s*[;"'(]/;

/** What begins or ends a comment or a string of several lines; or turns what is in it around. */
const HIDES = /\/\*|\*\/|(?<!:)\/\/|'''|"""|`|;|[\u202d\u202e]/;

const PAIRS: Readonly<Record<string, string>> = {
  ")": "(",
  "]": "[",
  "}": "{",
};

/** Whether a text closes the brackets and the quotes that it opens, and no others. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const sign of text.match(/["()[\]{}]|(?<!\p{L})'|'(?!\p{L})/gu) ?? []) {
    const opener = PAIRS[sign] ?? sign;
    const isQuote = sign === '"' || sign === "'";
    if (isQuote ? open.at(-1) === sign : opener !== sign) {
      if (open.pop() !== opener) return false;
    } else open.push(sign);
  }
  return open.length === 0;
}
