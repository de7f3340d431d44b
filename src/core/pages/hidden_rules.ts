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
export const HIDDEN = new RegExp(PATTERN, "u");
/** Each of them. */
export const EACH_HIDDEN = new RegExp(PATTERN, "gu");
/** Each run of them. */
export const HIDDEN_RUNS = new RegExp(`(?:${PATTERN})+`, "gu");

/** First and last code point, name, kind; the first row that fits counts. */
const ROWS: readonly (readonly [number, number, string, HiddenKind])[] = [
  [0x00, 0x00, "null", "suspect"],
  [0x08, 0x08, "backspace", "suspect"],
  [0x0b, 0x0b, "vertical tab", "suspect"],
  [0x0c, 0x0c, "form feed", "plain"],
  [0x0d, 0x0d, "lone carriage return", "suspect"],
  [0x1b, 0x1b, "escape", "suspect"],
  [0x7f, 0x7f, "delete", "suspect"],
  [0x85, 0x85, "next line", "suspect"],
  [0x9b, 0x9b, "control sequence introducer", "suspect"],
  [0x00, 0x9f, "control character", "suspect"],
  [0xad, 0xad, "soft hyphen", "plain"],
  [0x34f, 0x34f, "combining grapheme joiner", "joiner"],
  [0x61c, 0x61c, "Arabic letter mark", "mark"],
  [0x115f, 0x1160, "Hangul filler", "filler"],
  [0x17b4, 0x17b5, "invisible vowel", "joiner"],
  [0x180e, 0x180e, "Mongolian vowel separator", "joiner"],
  [0x180b, 0x180f, "variation selector", "selector"],
  [0x200b, 0x200b, "zero-width space", "joiner"],
  [0x200c, 0x200c, "zero-width non-joiner", "joiner"],
  [0x200d, 0x200d, "zero-width joiner", "joiner"],
  [0x200e, 0x200e, "left-to-right mark", "mark"],
  [0x200f, 0x200f, "right-to-left mark", "mark"],
  [0x2028, 0x2028, "line separator", "suspect"],
  [0x2029, 0x2029, "paragraph separator", "suspect"],
  [0x202a, 0x202a, "left-to-right embedding", "direction"],
  [0x202b, 0x202b, "right-to-left embedding", "direction"],
  [0x202c, 0x202c, "pop directional formatting", "direction"],
  [0x202d, 0x202d, "left-to-right override", "suspect"],
  [0x202e, 0x202e, "right-to-left override", "suspect"],
  [0x2060, 0x2060, "word joiner", "joiner"],
  [0x2061, 0x2064, "invisible operator", "joiner"],
  [0x2066, 0x2066, "left-to-right isolate", "direction"],
  [0x2067, 0x2067, "right-to-left isolate", "direction"],
  [0x2068, 0x2068, "first strong isolate", "direction"],
  [0x2069, 0x2069, "pop directional isolate", "direction"],
  [0x206a, 0x206f, "deprecated format character", "suspect"],
  [0x3164, 0x3164, "Hangul filler", "filler"],
  [0xfe00, 0xfe0f, "variation selector", "selector"],
  [0xfeff, 0xfeff, "zero-width no-break space", "joiner"],
  [0xffa0, 0xffa0, "Hangul filler", "filler"],
  [0xfff9, 0xfffb, "annotation mark", "suspect"],
  [0x1bca0, 0x1bca3, "shorthand format character", "joiner"],
  [0x1d173, 0x1d17a, "musical format character", "joiner"],
  [0xe0000, 0xe007f, "tag character", "tag"],
  [0xe0100, 0xe01ef, "variation selector", "ideograph selector"],
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
    const row = ROWS.find(([first, last]) => first <= point && point <= last);
    rule = row === undefined ? OTHER : { name: row[2], kind: row[3] };
    known.set(point, rule);
  }
  return rule;
}

/** A code point as Unicode spells it: `U+202E`. */
export function codeOf(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
