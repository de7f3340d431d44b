import { HIDDEN } from "../base/words.ts";

/**
 * The code points of each kind: the first and the last of a range, and their name.
 * The first match counts.
 *
 * The kind says where a hidden character is ordinary: `plain` everywhere;
 * `hyphen` outside words of programs; `mark` outside ASCII words; `joiner`
 * between letters of other scripts, and in emoji; `selector` after the sign whose
 * form it selects; `filler` beside its script; `tag` in the flags of a few
 * regions; `direction` around a few words in a right-to-left line; `suspect`
 * nowhere.
 */
const TABLE = {
  plain: [
    [0x0c, 0x0c, "form feed"],
  ],
  hyphen: [
    [0xad, 0xad, "soft hyphen"],
  ],
  mark: [
    [0x61c, 0x61c, "Arabic letter mark"],
    [0x200e, 0x200e, "left-to-right mark"],
    [0x200f, 0x200f, "right-to-left mark"],
  ],
  joiner: [
    [0x34f, 0x34f, "combining grapheme joiner"],
    [0x17b4, 0x17b5, "invisible vowel"],
    [0x180e, 0x180e, "Mongolian vowel separator"],
    [0x200b, 0x200b, "zero-width space"],
    [0x200c, 0x200c, "zero-width non-joiner"],
    [0x200d, 0x200d, "zero-width joiner"],
    [0x2060, 0x2060, "word joiner"],
    [0x2061, 0x2064, "invisible operator"],
    [0xfeff, 0xfeff, "zero-width no-break space"],
    [0x1bca0, 0x1bca3, "shorthand format character"],
    [0x1d173, 0x1d17a, "musical format character"],
  ],
  selector: [
    [0x180b, 0x180f, "variation selector"],
    [0xfe00, 0xfe0f, "variation selector"],
  ],
  "ideograph selector": [
    [0xe0100, 0xe01ef, "variation selector"],
  ],
  filler: [
    [0x115f, 0x1160, "Hangul filler"],
    [0x3164, 0x3164, "Hangul filler"],
    [0xffa0, 0xffa0, "Hangul filler"],
    [0x2800, 0x2800, "blank braille pattern"],
    [0x2d7f, 0x2d7f, "Tifinagh consonant joiner"],
    [0x1107f, 0x1107f, "Brahmi number joiner"],
    [0x13430, 0x1343f, "hieroglyph joiner"],
    [0x13440, 0x13440, "hieroglyph mirror"],
    [0x13441, 0x13442, "blank hieroglyph"],
    [0x16fe4, 0x16fe4, "Khitan filler"],
    [0x1bc9d, 0x1bc9d, "Duployan letter selector"],
    [0x1d159, 0x1d159, "null notehead"],
  ],
  tag: [
    [0xe0000, 0xe007f, "tag character"],
  ],
  direction: [
    [0x202a, 0x202a, "left-to-right embedding"],
    [0x202b, 0x202b, "right-to-left embedding"],
    [0x202c, 0x202c, "pop directional formatting"],
    [0x2066, 0x2066, "left-to-right isolate"],
    [0x2067, 0x2067, "right-to-left isolate"],
    [0x2068, 0x2068, "first strong isolate"],
    [0x2069, 0x2069, "pop directional isolate"],
  ],
  suspect: [
    [0x00, 0x00, "null"],
    [0x08, 0x08, "backspace"],
    [0x0b, 0x0b, "vertical tab"],
    [0x0d, 0x0d, "lone carriage return"],
    [0x1b, 0x1b, "escape"],
    [0x7f, 0x7f, "delete"],
    [0x85, 0x85, "next line"],
    [0x9b, 0x9b, "control sequence introducer"],
    [0x00, 0x9f, "control character"],
    [0x2028, 0x2028, "line separator"],
    [0x2029, 0x2029, "paragraph separator"],
    [0x202d, 0x202d, "left-to-right override"],
    [0x202e, 0x202e, "right-to-left override"],
    [0x206a, 0x206f, "deprecated format character"],
    [0xfff9, 0xfffb, "annotation mark"],
  ],
} as const;

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
const HIDDEN_IN_TEXT = new RegExp(`(?![\\t\\n])${HIDDEN}`, "u");

function makeBlock(number: number): Block {
  while (blocks.length <= number) blocks.push(null);
  return blocks[number] = Array.from({ length: 256 }, (_, low) => {
    const point = number * 256 + low;
    return HIDDEN_IN_TEXT.test(String.fromCodePoint(point))
      ? lookUp(point)
      : undefined;
  });
}

function lookUp(point: number): HiddenRule {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const [kind, rows] of Object.entries(TABLE)) {
    for (const [first, last, name] of rows) {
      if (first <= point && point <= last) {
        return { code, name, kind: kind as HiddenKind };
      }
    }
  }
  return { code, name: "invisible character", kind: "suspect" };
}

const RIGHT_TO_LEFT =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
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
