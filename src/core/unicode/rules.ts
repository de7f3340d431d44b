import { HIDDEN } from "../base/words.ts";

/**
 * The code points of each kind, or ranges of them, and their names; the first
 * match counts. It is text, since a list would be twice as large.
 *
 * The kind says where a hidden character is ordinary: `plain` everywhere;
 * `hyphen` outside words of programs; `mark` outside ASCII words; `joiner`
 * between letters of other scripts, and in emoji; `selector` after the sign whose
 * form it selects; `filler` beside its script; `tag` in the flags of a few
 * regions; `direction` around a few words in a right-to-left line; `suspect`
 * nowhere.
 */
const TABLE = {
  plain: "c form feed",
  hyphen: "ad soft hyphen",
  mark: "61c Arabic letter mark,200e left-to-right mark," +
    "200f right-to-left mark",
  joiner: "34f combining grapheme joiner,17b4-17b5 invisible vowel," +
    "180e Mongolian vowel separator,200b zero-width space," +
    "200c zero-width non-joiner,200d zero-width joiner,2060 word joiner," +
    "2061-2064 invisible operator,feff zero-width no-break space," +
    "1bca0-1bca3 shorthand format character," +
    "1d173-1d17a musical format character",
  selector: "180b-180f variation selector,fe00-fe0f variation selector",
  "ideograph selector": "e0100-e01ef variation selector",
  filler: "115f-1160 Hangul filler,3164 Hangul filler,ffa0 Hangul filler," +
    "2800 blank braille pattern,2d7f Tifinagh consonant joiner," +
    "1107f Brahmi number joiner,13430-1343f hieroglyph joiner," +
    "13440 hieroglyph mirror,13441-13442 blank hieroglyph," +
    "16fe4 Khitan filler,1bc9d Duployan letter selector," +
    "1d159 null notehead",
  tag: "e0000-e007f tag character",
  direction: "202a left-to-right embedding,202b right-to-left embedding," +
    "202c pop directional formatting,2066 left-to-right isolate," +
    "2067 right-to-left isolate,2068 first strong isolate," +
    "2069 pop directional isolate",
  suspect: "0 null,8 backspace,b vertical tab,d lone carriage return," +
    "1b escape,7f delete,85 next line,9b control sequence introducer," +
    "0-9f control character,2028 line separator,2029 paragraph separator," +
    "202d left-to-right override,202e right-to-left override," +
    "206a-206f deprecated format character,fff9-fffb annotation mark",
};

type HiddenKind = keyof typeof TABLE;

/** The name and the kind of a hidden character. */
export interface HiddenRule {
  /** Its code point as Unicode spells it: `U+202E`. */
  readonly code: string;
  readonly name: string;
  readonly kind: HiddenKind;
}

/** Matches text that may have a hidden character: anything but printable ASCII and tabs. */
export const MAY_HIDE = /[^\t -~]/;

export const BYTE_ORDER_MARK: HiddenRule = {
  code: "U+FEFF",
  name: "byte order mark",
  kind: "plain",
};

type Block = readonly (HiddenRule | undefined)[];

/** The rules in blocks of 256 code points, made when a block is first used; an array with gaps would be slow. */
const blocks: (Block | null)[] = [];

/** The rule of a code point; `undefined` if it is not hidden. */
export function hiddenRule(point: number): HiddenRule | undefined {
  const block = blocks[point >> 8] ?? makeBlock(point >> 8);
  return block[point & 255];
}

/** In the text of a file, the tab and the line feed are visible. */
function makeBlock(number: number): Block {
  const hidden = new RegExp(`(?![\\t\\n])${HIDDEN}`, "u");
  while (blocks.length <= number) blocks.push(null);
  return blocks[number] = Array.from({ length: 256 }, (_, low) => {
    const point = number * 256 + low;
    return hidden.test(String.fromCodePoint(point)) ? lookUp(point) : undefined;
  });
}

function lookUp(point: number): HiddenRule {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const [kind, rows] of Object.entries(TABLE)) {
    for (const row of rows.split(",")) {
      const space = row.indexOf(" ");
      const [first, last = first] = row.slice(0, space).split("-")
        .map((hex) => parseInt(hex, 16));
      if (first! <= point && point <= last!) {
        return { code, name: row.slice(space + 1), kind: kind as HiddenKind };
      }
    }
  }
  return { code, name: "invisible character", kind: "suspect" };
}

export function hasRightToLeft(text: string): boolean {
  // A constant would be parsed at import, and classes of Unicode take long.
  return /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u
    .test(text);
}

/** Which ends of a line are on other pages. */
interface LineCut {
  readonly begun: boolean;
  readonly goesOn: boolean;
}

/** An outermost direction, from its opening to its closing. */
interface Stretch {
  /** The indexes of the directions in it, including its own. */
  readonly places: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Whether all its directions are closed in order, by what the page shows. */
  readonly isClosed: boolean;
  /** Whether it begins or ends outside the page. */
  readonly isCut: boolean;
}

const OPENING = "\u202a\u202b\u2066\u2067\u2068";
const DIRECTIONS = /[\u202a-\u202c\u2066-\u2069]/g;
const POP_EMBEDDING = "\u202c";
const POP_ISOLATE = "\u2069";

/**
 * The indexes of the directions that are ordinary in right-to-left text: closed
 * again, and not in a program.
 *
 * An attack must show code in another order. So the text inside a direction,
 * and beside it, decides: a name, a number, an address or a sentence is
 * ordinary; unbalanced quotes, operators, ends of comments and calls are not.
 */
export function ordinaryDirections(
  text: string,
  cut: LineCut,
): ReadonlySet<number> {
  const ordinary = new Set<number>();
  // The right-to-left letters may be on another page.
  const isCut = cut.begun || cut.goesOn;
  if (!isCut && !hasRightToLeft(text)) return ordinary;
  const stretches = stretchesOf(text, cut);
  if (PROGRAM.test(outsideOf(text, stretches))) return ordinary;
  for (const stretch of stretches) {
    const shown = text.slice(stretch.start + 1, stretch.end)
      .replace(DIRECTIONS, "");
    // The colon of a URL may be on the page before.
    const inside = stretch.start < 0 ? shown.replace(/^\/+/, "") : shown;
    if (!stretch.isClosed && !isOpenLine(text, stretch, inside)) continue;
    if (PROGRAM.test(inside) || HIDES.test(inside)) continue;
    if (!stretch.isCut && !isBalanced(inside)) continue;
    for (const place of stretch.places) ordinary.add(place);
  }
  return ordinary;
}

/** Unicode ignores deeper directions. */
const MAX_DEPTH = 125;

function stretchesOf(text: string, { begun, goesOn }: LineCut): Stretch[] {
  const stretches: Stretch[] = [];
  /** The closing character of each open direction. */
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
      // It was opened on an earlier page, or not at all.
      isClosed = begun;
      add(stretches.at(-1)?.end ?? -1, index, true);
    } else {
      const level = closers.lastIndexOf(sign);
      // A later direction is still open, or none is open that this sign closes.
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

/** Whether the line is one embedding, closed by the end of the line, as in subtitles. */
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
    // A stretch that was opened on another page has nothing before it.
    if (start >= from) outside += text.slice(from, start) + " ";
    from = end + 1;
  }
  return outside + text.slice(from);
}

/** Operators, calls and statements. */
const PROGRAM =
  /[=!<>+*/-]=|=>|->|&&|\|\||\s=\s|;\s*(?:$|[\w}])|\)\s*\{|\w\(|^\s*(?:if|elif|else|for|while|switch|case|return|throw|const|let|var|def|function|class)\b.*["'`(){}\[\];:=]|\b(?:if|for|while|switch|catch)\s*\(|\breturn\s*[;"'(]/;

/** Whether a line looks like a program. */
export function isCode(text: string): boolean {
  return CODE.test(text) || PROGRAM.test(text);
}

/** Signs of blocks, names and members, which are rare in prose. */
const CODE =
  /[{}=;_$`\\]|[\w\u00ad]\.[\w\u00ad]|^\s*[\w\u00ad-]+\s*:|^\s*(?:import|export|from|use|using|package|include|#\w)/;

/** Characters that begin or end a comment or a long string, or override a direction. */
const HIDES = /\/\*|\*\/|(?<!:)\/\/|'''|"""|`|;|[\u202d\u202e]/;

function isBalanced(text: string): boolean {
  const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const sign of text.match(/["()[\]{}]|(?<!\p{L})'|'(?!\p{L})/gu) ?? []) {
    const isQuote = sign === '"' || sign === "'";
    const closes = isQuote ? open.at(-1) === sign : sign in pairs;
    if (!closes) open.push(sign);
    else if (open.pop() !== (pairs[sign] ?? sign)) return false;
  }
  return open.length === 0;
}
