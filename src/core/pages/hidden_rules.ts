// Runtime-agnostic.

/** What decides how much a hidden character is worth. */
export type HiddenKind =
  /** Ordinary wherever it stands. */
  | "plain"
  /** Ordinary, save inside a word of ASCII letters. */
  | "mark"
  /** Ordinary between the letters of other scripts, and in emoji. */
  | "joiner"
  /** Ordinary after the sign that it chooses a form of. */
  | "selector"
  /** Ordinary after an ideograph. */
  | "ideograph selector"
  /** Ordinary beside a letter of Hangul. */
  | "filler"
  /** Ordinary in the flags of a few regions. */
  | "tag"
  /** Ordinary around a few words, where the line is written from right to left. */
  | "direction"
  /** Never ordinary. */
  | "suspect";

/** What a hidden character is. */
export interface HiddenRule {
  /** Its name, in short plain words. */
  readonly name: string;
  /** What decides its level. */
  readonly kind: HiddenKind;
}

/**
 * A character that is not seen, or moves what is seen: a control, a line break
 * that is none for us, or one that Unicode lets be ignored. A tab is none of
 * them, and neither is a CR before an LF. The second half looks back, because
 * looking ahead at each letter takes twice as long.
 */
const PATTERN =
  "[\\p{DI}\\p{Cc}\\u2028\\u2029\\ufff9-\\ufffb](?<![\\t\\n]|\\r(?=\\n))";

/** Whether there is one. */
export const HIDDEN = /* @__PURE__ */ new RegExp(PATTERN, "u");
/** Each of them. */
export const EACH_HIDDEN = /* @__PURE__ */ new RegExp(PATTERN, "gu");
/**
 * Each run of them. One that is longer than any that says something is taken in
 * parts: without an end to it, some millions are too many for an engine's stack.
 */
export const HIDDEN_RUNS = /* @__PURE__ */ runsOf(PATTERN);

function runsOf(pattern: string): RegExp {
  return new RegExp(`(?:${pattern}){1,4096}`, "gu");
}

/**
 * For each kind the code points, or ranges of them, and what they are called; the
 * first that fits counts. As text, because as a list it is twice as large.
 */
const TABLE: readonly (readonly [HiddenKind, string])[] = [
  ["plain", "c form feed,ad soft hyphen"],
  [
    "mark",
    "61c Arabic letter mark,200e left-to-right mark,200f right-to-left mark",
  ],
  [
    "joiner",
    "34f combining grapheme joiner,17b4-17b5 invisible vowel," +
    "180e Mongolian vowel separator,200b zero-width space," +
    "200c zero-width non-joiner,200d zero-width joiner,2060 word joiner," +
    "2061-2064 invisible operator,feff zero-width no-break space," +
    "1bca0-1bca3 shorthand format character," +
    "1d173-1d17a musical format character",
  ],
  ["selector", "180b-180f variation selector,fe00-fe0f variation selector"],
  ["ideograph selector", "e0100-e01ef variation selector"],
  ["filler", "115f-1160 Hangul filler,3164 Hangul filler,ffa0 Hangul filler"],
  ["tag", "e0000-e007f tag character"],
  [
    "direction",
    "202a left-to-right embedding,202b right-to-left embedding," +
    "202c pop directional formatting,2066 left-to-right isolate," +
    "2067 right-to-left isolate,2068 first strong isolate," +
    "2069 pop directional isolate",
  ],
  [
    "suspect",
    "0 null,8 backspace,b vertical tab,d lone carriage return,1b escape," +
    "7f delete,85 next line,9b control sequence introducer," +
    "0-9f control character,2028 line separator,2029 paragraph separator," +
    "202d left-to-right override,202e right-to-left override," +
    "206a-206f deprecated format character,fff9-fffb annotation mark",
  ],
];

/** What no row names. */
const OTHER: HiddenRule = { name: "invisible character", kind: "suspect" };

/** The byte order mark that a file begins with. */
export const BYTE_ORDER_MARK: HiddenRule = {
  name: "byte order mark",
  kind: "plain",
};

const known = new Map<number, HiddenRule>();

/** What the hidden character with this code point is. */
export function ruleOf(point: number): HiddenRule {
  let rule = known.get(point);
  if (rule === undefined) {
    rule = lookUp(point);
    known.set(point, rule);
  }
  return rule;
}

function lookUp(point: number): HiddenRule {
  for (const [kind, rows] of TABLE) {
    for (const row of rows.split(",")) {
      const space = row.indexOf(" ");
      const [first, last = first] = row.slice(0, space).split("-")
        .map((hex) => parseInt(hex, 16));
      if (first! <= point && point <= last!) {
        return { name: row.slice(space + 1), kind };
      }
    }
  }
  return OTHER;
}

/** A code point as Unicode spells it: `U+202E`. */
export function codeOf(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
