import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  escapeHidden,
  unescapeHidden,
} from "../../../src/core/unicode/escape.ts";
import type { HiddenCharacter } from "../../../src/core/unicode/hidden.ts";
import type { PageLine } from "../../../src/core/pages/page.ts";
import { findHidden } from "../../support/hidden.ts";
import { linesOf, lineText } from "../../support/pages.ts";
import { draws } from "../../support/share.ts";
import { assertLinear } from "../../support/growth.ts";

const RUNS = draws(5000, 1500);

/** Every hidden code point, as ranges; written independently of the code. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x2d7f, 0x2d7f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1107f, 0x1107f],
  [0x13430, 0x13442],
  [0x16fe4, 0x16fe4],
  [0x1bc9d, 0x1bc9d],
  [0x1bca0, 0x1bca3],
  [0x1d159, 0x1d159],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

function isHidden(point: number): boolean {
  return RANGES.some(([first, last]) => first <= point && point <= last);
}

/** The hidden characters of one whole line after the first. */
function found(text: string, rest: Partial<PageLine> = {}): HiddenCharacter[] {
  const line: PageLine = { number: 2, column: 1, text, ending: "\n", ...rest };
  return findHidden([line], { endsInside: line.ending === "" });
}

function levels(text: string): string[] {
  return found(text).map(({ level }) => level);
}

/** Encodes a text in tag characters. */
function tags(text: string): string {
  return Array.from(
    text,
    (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
  ).join("");
}

describe("the hidden characters of lines", () => {
  it("finds nothing in ordinary text", () => {
    const text = "\tconst naïve = 'Grüße, 世界, नमस्ते, שלום, مرحبا 👍🏽';\r\n" +
      "a\u00a0b \u3000 é e\u0301\n";
    assertEquals(findHidden(linesOf(text)), []);
    assertEquals(findHidden([]), []);
  });
  it("gives line, column in characters, code, name and level", () => {
    assertEquals(findHidden(linesOf("one\n👍\tif (a\u202e) {\r\n")), [{
      line: 2,
      column: 8,
      code: "U+202E",
      name: "right-to-left override",
      level: "warning",
    }]);
  });
  it("warns of a soft hyphen in an identifier, but not in prose", () => {
    for (
      const code of [
        "const ad\u00admin = 1;",
        "if (ad\u00admin) {",
        "user.ad\u00admin",
        "ad\u00admin()",
        'import { ad\u00admin } from "x"',
        "  ad\u00admin: boolean;",
        "is_ad\u00admin",
        "ad\u00admin: true",
      ]
    ) assertEquals(levels(code), ["warning"], code);
    for (
      const prose of [
        "Die Donau\u00addampf\u00adschifffahrt ruht.",
        "An ad\u00administrator (or two), as they say: read on!",
        "wrap\u00ad",
      ]
    ) {
      const plain = Array.from(levels(prose), () => "info");
      assertEquals(levels(prose), plain, prose);
    }
  });
  it("warns of letters that look blank, except next to their script", () => {
    const blanks: readonly (readonly [string, string])[] = [
      ["\u2800", "\u28ff"],
      ["\u{13430}", "\u{13000}"],
      ["\u{13441}", "\u{13000}"],
      ["\u{16fe4}", "\u{18b00}"],
      ["\u{1d159}", "\u{1d15f}"],
      ["\u{1107f}", "\u{11052}"],
    ];
    for (const [blank, sign] of blanks) {
      assertEquals(levels(`a${blank}b`), ["warning"], blank);
      assertEquals(levels(`"${blank}"`), ["warning"], blank);
      assertEquals(levels(`${sign}${blank}${sign}`), ["info"], blank);
    }
  });
  it("counts columns from the beginning of the text", () => {
    assertEquals(
      found("👍\0b\0", { column: 401 }).map(({ column }) => column),
      [402, 404],
    );
  });
  const names: Readonly<Record<string, string>> = {
    "\0": "null",
    "\b": "backspace",
    "\x01": "control character",
    "\v": "vertical tab",
    "\f": "form feed",
    "\r": "lone carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
    "\x85": "next line",
    "\x9b": "control sequence introducer",
    "\xad": "soft hyphen",
    "\u034f": "combining grapheme joiner",
    "\u061c": "Arabic letter mark",
    "\u1160": "Hangul filler",
    "\u17b4": "invisible vowel",
    "\u180e": "Mongolian vowel separator",
    "\u180b": "variation selector",
    "\u200b": "zero-width space",
    "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner",
    "\u200e": "left-to-right mark",
    "\u200f": "right-to-left mark",
    "\u2028": "line separator",
    "\u2029": "paragraph separator",
    "\u202a": "left-to-right embedding",
    "\u202b": "right-to-left embedding",
    "\u202c": "pop directional formatting",
    "\u202d": "left-to-right override",
    "\u202e": "right-to-left override",
    "\u2060": "word joiner",
    "\u2063": "invisible operator",
    "\u2065": "invisible character",
    "\u2066": "left-to-right isolate",
    "\u2067": "right-to-left isolate",
    "\u2068": "first strong isolate",
    "\u2069": "pop directional isolate",
    "\u206a": "deprecated format character",
    "\u3164": "Hangul filler",
    "\ufe0f": "variation selector",
    "\ufeff": "zero-width no-break space",
    "\uffa0": "Hangul filler",
    "\ufff9": "annotation mark",
    "\u{1bca0}": "shorthand format character",
    "\u{1d173}": "musical format character",
    "\u{e0001}": "tag character",
    "\u{e0041}": "tag character",
    "\u{e0100}": "variation selector",
    "\u{e0fff}": "invisible character",
  };
  for (const [character, name] of Object.entries(names)) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase();
    it(`names U+${code.padStart(4, "0")} ${name}`, () => {
      assertEquals(
        found(`a${character}b`).map(({ code, name }) => [code, name]),
        [[`U+${code.padStart(4, "0")}`, name]],
      );
    });
  }
  it("finds all hidden characters of Unicode, and nothing else", () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      // A line feed ends a line, so no line contains it.
      if (point === 0x0a) continue;
      const text = String.fromCodePoint(point);
      assertEquals(found(text).length, isHidden(point) ? 1 : 0, `${point}`);
      assertEquals(escapeHidden(text) !== text, isHidden(point), `${point}`);
    }
  });
  it(`finds each character at its column, wherever the line is cut (seed ${RUNS.seed})`, () => {
    const check = (text: string, column: number) => {
      const expected = Array.from(text).flatMap((character, index) => {
        const point = character.codePointAt(0)!;
        if (!isHidden(point)) return [];
        const hex = point.toString(16).toUpperCase().padStart(4, "0");
        return [[2, column + index, `U+${hex}`]];
      });
      assertEquals(
        found(text, { column }).map((one) => [one.line, one.column, one.code]),
        expected,
      );
    };
    fc.assert(
      fc.property(lineText, fc.integer({ min: 1, max: 99 }), check),
      RUNS,
    );
  });

  const ordinary: Readonly<Record<string, string>> = {
    "a file that begins with a byte order mark": "\ufeffimport a;\r\nb();\r\n",
    "Arabic": "مرحبا بالعالم\u061c (API)\u200f، نسخة 2.0",
    "Arabic around words in an embedding": "اسم \u202aRead File 2\u202c هنا",
    "Arabic around words in an isolate":
      "اسم \u2068Read-File\u2069، و\u2067اسم\u2069.",
    "Persian, and its suffix after a Latin word":
      "می\u200cخواهم API\u200cها را",
    "Hebrew with marks": "גרסה C++\u200e (חדשה)\u200f",
    "Hindi with joiners": "क्\u200dष क्\u200cष र्\u200dय श्री",
    "Sinhala and Bengali": "ශ්\u200dරී র\u200d্য",
    "Thai and Khmer with places to break": "ภาษา\u200bไทย ភាសា\u200bខ្មែរ",
    "emoji of several signs":
      "👩\u200d💻 👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 ok👩🏽\u200d🚀ok",
    "emoji with selectors":
      "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3 #\ufe0f\u20e3 ©\ufe0f",
    "the flags of Scotland, England and Texas": `🏴${tags("gbsct\x7f")}🏴${
      tags("gbeng\x7f")
    } 🏴${tags("ustx\x7f")}.`,
    "ideographs with a chosen form": "葛\u{e0100}城 辻\u{e0101}",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u180b ᠠ\u180eᠠ",
    "old Hangul": "\u1100\u1160\u11a8",
    "a soft hyphen": "Donau\u00addampf",
    "a form feed between sections": "\f\n;; next",
    "subtitles in an embedding": "\u202bقال: (مرحبا) ...\u202c",
    "subtitles in an embedding that the line ends": "\u202bمرحبا بك",
    "quotes in an embedding": '\u202b«مرحبا» "نعم"\u202c',
    "an address in an isolate":
      "زوروا \u2066https://example.com/a?b=c\u2069 الآن",
    "a language in an isolate": "لغة \u2066C++\u2069 جميلة",
    "an e-mail address in an isolate": "راسل \u2066me@example.com\u2069 الآن",
    "a percentage in an isolate": "نسبة \u206650%\u2069",
    "a phone number with marks": "\u200e+966-50-1234567\u200e هاتف",
    "a mark in a phone number": "هاتف 0501\u200e2345",
    "a variable of a translation": "مرحبا \u2068{ $name }\u2069",
    "a date in an isolate": "תאריך \u20662024/01/05 10:30\u2069",
    "a time in an embedding": "الساعة \u202a10:30\u202c",
    "isolates in an isolate": "مرحبا \u2067نص \u2068داخلي\u2069 خارجي\u2069",
    "an isolate in an embedding": "\u202bنص \u2066A (b)\u2069 نص\u202c",
    "a file name in an isolate": "الملف \u2066readme_v2.txt\u2069",
    "a price in an isolate": "السعر \u2066$5.00\u2069",
    "brackets in an isolate": "\u2067مرحبا (بك)!\u2069",
    "a table of translations":
      '{"title": "\u200fمرحبا\u200f", "x": "\u202aabc-1.2\u202c عربي"}',
    "a comment in Arabic": "// مرحبا \u2067نص\u2069",
    "a zero-width space at the end of a sentence": "See: \u200b\nand `\u200b`",
  };
  for (const [what, text] of Object.entries(ordinary)) {
    it(`reports nothing above info for ${what}`, () => {
      const all = findHidden(linesOf(text));
      assert(all.length > 0);
      assertEquals(all.filter(({ level }) => level !== "info"), []);
    });
  }
  it("reports nothing above info for ordinary text that is cut anywhere", () => {
    for (const text of Object.values(ordinary)) {
      const [{ text: whole }] = linesOf(text) as [PageLine];
      const all = Array.from(whole);
      for (let at = 1; at < all.length; at++) {
        const first = all.slice(0, at).join("");
        const rest = all.slice(at).join("");
        const cut = [
          ...found(first, { number: 1, ending: "" }),
          ...found(rest, { number: 1, column: at + 1 }),
        ];
        assertEquals(cut.filter(({ level }) => level !== "info"), [], text);
      }
    }
  });

  const suspect: Readonly<Record<string, string>> = {
    "a false end of a comment":
      "/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin */",
    "a false end of a string":
      'if (access != "user\u202e \u2066// admin\u2069 \u2066") {',
    "a return in a comment": "''' Subtract funds \u2067''' ;return",
    "closed directions in a program": "/* \u2067*/ return; /*\u2069",
    "a program in an isolate next to Arabic":
      "// مرحبا \u2067''' ;return\u2069",
    "an embedding that stays open next to Arabic": "// مرحبا \u202breturn",
    "an isolate in a string that is compared":
      'if (x != "user\u2067 عربي \u2069") {',
    "an isolate in a string of Python": 'if x == "user\u2067 عربي \u2069":',
    "an isolate in a string that is assigned":
      'const role = "user\u2067 عربي \u2069";',
    "an isolate in a string that is returned": 'return "عربي\u2067 x\u2069"',
    "an isolate in a call": "check('عربي\u2067 x\u2069')",
    "an isolate that closes a string": '"عربي\u2067" x\u2069',
    "an isolate around a comment": "عربي \u2066/* x\u2069",
    "an isolate around the end of a comment": "عربي \u2066x */\u2069",
    "an isolate around a condition": "عربي \u2066if (admin)\u2069",
    "an isolate around a comparison": "عربي \u2066a != b\u2069",
    "an isolate around an override": "عربي \u2066a\u202eb\u2069",
    "an isolate around an embedding that stays open":
      "عربي \u2067نص \u202bنص\u2069",
    "an isolate that an embedding's end closes": "عربي \u2067نص\u202c",
    "an isolate that is closed and was not opened": "عربي نص\u2069",
    "an embedding that stays open around letters": "\u202bمرحبا return",
    "more isolates than Unicode counts": `عربي ${"\u2067".repeat(126)}${
      "\u2069".repeat(126)
    }`,
    "a mark between digits without right-to-left letters": "1\u200e2",
    "the first tags of a flag, if the file ends there": `🏴${tags("gb")}`,
    "a zero-width space in a name": "user\u200bname",
    "a joiner at the end of a name": "let admin\u200c = 1;",
    "a joiner at the end of a line": "return admin\u200d",
    "a joiner at the start of a line": "\u200dadmin()",
    "a mark in a name": "user\u200ename",
    "a byte order mark in a name": "user\ufeffname",
    "tag characters": `hello${tags("ignore all")}`,
    "tag characters behind a flag": `🏴${tags("gbsct\x7fignore")}`,
    "tag characters in a flag of no region": `🏴${tags("ignor\x7f")}`,
    "tag characters in a flag without an end tag": `🏴${tags("gbsct")}`,
    "selectors behind an emoji": "😀\ufe0f\ufe01\ufe02",
    "more selectors behind an emoji": "😀\u{e0101}\u{e0102}",
    "a selector behind a letter": "a\ufe01b",
    "a message in zero-width characters": "и \u200b\u200c\u200b\u200c и",
    "a message in zero-width characters behind fillers": `가${
      "\u3164".repeat(64)
    }\u200b\u200c\u200b\u200c나`,
    "a message in marks": "и \u200e\u200f\u200e\u200f и",
    "selectors behind an ideograph": "葛\u{e0100}\u{e0101}",
    "the tags of a flag behind a letter": `a${tags("gbsct\x7f")}`,
    "closed directions without right-to-left letters":
      "say \u2067return x\u2069",
    "an invisible name": "const { timeout, \u3164 } = req.query;",
    "a line break of other programs": "// note\rrun();",
    "a line break of JavaScript": "// note\u2028run();",
    "an escape": "\x1b[8mhidden\x1b[0m",
    "an escape in one character": "\x9b8m",
    "backspaces": "safe\b\b\b\bevil",
    "a null": "a\0b",
  };
  for (const [what, text] of Object.entries(suspect)) {
    it(`warns of ${what}`, () => {
      assert(levels(text).includes("warning"), levels(text).join());
    });
  }
  it("warns of each character of a hidden message, and not of the flag before it", () => {
    assertEquals(levels(`🏴${tags("gbsct\x7fhi")}`), [
      ...Array(6).fill("info"),
      ...Array(2).fill("warning"),
    ]);
  });
  it("does not treat a similar character as a tag in a flag", () => {
    const text = `🏴\u{e0167}\u{e0162}${tags("sct\x7f")}`;
    assertEquals(levels(text), Array(6).fill("warning"));
  });
  it("warns of directions that the last line leaves open, but not those open at the end of a page", () => {
    const text = "مرحبا \u2067نص";
    assertEquals(levels(text), ["warning"]);
    const last = linesOf(text);
    assertEquals(findHidden(last).map(({ level }) => level), ["warning"]);
    assertEquals(found(text, { ending: "" })[0]?.level, "info");
    const rest = "نص\u2069 نهاية";
    assertEquals(levels(rest), ["warning"]);
    assertEquals(found(rest, { column: 9 })[0]?.level, "info");
  });
  it("warns of a message in tag characters, wherever a page begins and ends", () => {
    const open = { column: 9, ending: "" } as const;
    const all = found(tags("ignore all"), open);
    assertEquals(all.filter(({ level }) => level === "info"), []);
    const rest = found(tags("xx\x7f"), open);
    assertEquals(rest.map(({ level }) => level), Array(3).fill("info"));
    const other = found(tags("1x\x7f"), open);
    assertEquals(other.map(({ level }) => level), Array(3).fill("warning"));
  });
  it("takes linear time for endless directions and words", async () => {
    await assertLinear(160_000, (n) => {
      const texts = [
        "\u2067".repeat(n),
        "\u2069".repeat(n),
        "\u2067".repeat(n / 2) + "\u202c".repeat(n / 2),
        `\u2067${"a".repeat(n)}\u2069`,
        `\u2067${";  ".repeat(n)}\u2069`,
        `\u2067${'("['.repeat(n)}\u2069`,
        `${"x\u2067\u2069".repeat(n)}`,
      ];
      for (const text of texts) found(`ا${text}`, { column: 2 });
    });
  });
  it("names only the first character of a file a byte order mark", () => {
    const lines = linesOf("\ufeff\ufeffa\n\ufeffb\n");
    assertEquals(findHidden(lines).map(({ name, level }) => [name, level]), [
      ["byte order mark", "info"],
      ["zero-width no-break space", "warning"],
      ["zero-width no-break space", "warning"],
    ]);
    const later = found("\ufeffa", { number: 1, column: 2 });
    assertEquals(later[0]!.name, "zero-width no-break space");
  });
  it("reports the first 10000 of each level, in linear time", async () => {
    const many = (n: number) => "\0".repeat(n) + "\f".repeat(n);
    await assertLinear(2_000_000, (n) => found(many(n)));
    const all = found(many(2_000_000));
    assertEquals(all.length, 20_000);
    assertEquals(all[9_999], {
      line: 2,
      column: 10_000,
      code: "U+0000",
      name: "null",
      level: "warning",
    });
    assertEquals(all[10_000]!.column, 2_000_001);
  });
  it("takes linear time if nothing is hidden", async () => {
    await assertLinear(100_000, (n) => {
      const lines = linesOf("\tconst value = compute(other, 42);\n".repeat(n));
      assertEquals(findHidden(lines), []);
    });
  });
});

describe("escapeHidden()", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["", ""],
    ["plain\tGrüße 👍 世界 \\u \\n {u}", "plain\tGrüße 👍 世界 \\u \\n {u}"],
    ["a\r\nb\nc", "a\r\nb\nc"],
    ["a\rb\r\r\nc\r", "a\\u{D}b\\u{D}\r\nc\\u{D}"],
    ["a\u202eb\0\u{e0041}", "a\\u{202E}b\\u{0}\\u{E0041}"],
    ["\ufeffa", "\\u{FEFF}a"],
    ["'\\u{202E}'", "'\\u{5C}u{202E}'"],
    ["\\\\u{5C}u{", "\\\\u{5C}u{5C}u{"],
    ["\\\u202e", "\\\\u{202E}"],
    ["\ud83d", "\ud83d"],
  ];
  for (const [text, escaped] of cases) {
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(escaped)}`, () => {
      assertEquals(escapeHidden(text), escaped);
      assertEquals(unescapeHidden(escaped), text);
    });
  }
  for (const character of ["\0", "\u200b", "\u{e0041}", "\r", "\\u{"]) {
    it(`escapes each ${JSON.stringify(character)} of a run`, () => {
      const escape = escapeHidden(character);
      for (const count of [2, 63, 64, 65, 4097]) {
        const text = `a${character.repeat(count)}\r\n${character}`;
        const escaped = `a${escape.repeat(count)}\r\n${escape}`;
        assertEquals(escapeHidden(text), escaped);
        assertEquals(unescapeHidden(escaped), text);
      }
    });
  }
  // Includes parts of escapes, and lone surrogates.
  const text = fc.array(
    fc.oneof(
      lineText,
      fc.string({ unit: fc.constantFrom("\\", "u", "{", "}", "5", "C", "D") }),
      fc.constantFrom("\r", "\n", "\r\n", "\\u{", "\ud83d", "\udc4d"),
    ),
  ).map((pieces) => pieces.join(""));
  it(`is reversed by unescapeHidden(), for any text (seed ${RUNS.seed})`, () => {
    const check = (text: string) =>
      assertEquals(unescapeHidden(escapeHidden(text)), text);
    fc.assert(fc.property(text, check), RUNS);
  });
  it(`leaves no hidden character, and changes nothing else (seed ${RUNS.seed})`, () => {
    const check = (text: string) => {
      const escaped = escapeHidden(text);
      const left = Array.from(escaped.replaceAll("\r\n", ""))
        .filter((character) => isHidden(character.codePointAt(0)!));
      assertEquals(left, []);
      assertEquals(
        escaped === text,
        !text.includes("\\u{") &&
          found(text.replaceAll(/\r?\n/g, "")).length === 0,
      );
    };
    fc.assert(fc.property(text, check), RUNS);
  });
});

describe("unescapeHidden()", () => {
  it("changes only escapes", () => {
    for (
      const text of ["\\u{110000}", "\\u{}", "\\u{12", "\\u{d}", "\\u0041"]
    ) {
      assertEquals(unescapeHidden(text), text);
    }
  });
});
