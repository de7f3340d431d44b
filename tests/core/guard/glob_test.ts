import { assert, assertEquals, assertThrows } from "@std/assert";
import { globToRegExp } from "@std/path/posix/glob-to-regexp";
import { describe, it } from "node:test";
import { denialOf, readDenyRules } from "../../../src/core/guard/deny.ts";
import { quote } from "../../../src/core/base/words.ts";
import { Random } from "../../support/random.ts";
import { draws } from "../../support/share.ts";

/** The random globs, and how many paths each is tried on. */
const GLOBS = draws(8000, 8000);
const PATHS = 12;

/** The parts of random globs: few letters, so that paths match often. */
const WORDS = [
  ..."aaabb.",
  ..."***??",
  "**",
  "[ab]",
  "[!a]",
  "[a-b]",
  "[a\\]]",
  "[]",
  "{a,b}",
  "{a/b,*b}",
  "{a,{b,ab}}",
  "?(a)",
  "@(a|b*)",
  "\\*",
  "\\[",
  "+(a)",
  "(a)",
  "b|a,",
  "}",
  "]",
  "\u00e9",
  "/",
  "/",
  "/**/",
  "/**/",
];

const LETTERS = [..."aaabbbAB.*x[(a)-]", "\u00e9"];

function drawGlob(random: Random): string {
  const count = random.from(1, 7);
  return Array.from({ length: count }, () => random.pick(WORDS)).join("");
}

function drawPath(random: Random): string {
  const name = () =>
    Array.from({ length: random.from(1, 3) }, () => random.pick(LETTERS))
      .join("").replace(/\.+$/, "b");
  return Array.from({ length: random.from(1, 4) }, name).join("/");
}

/** Whether the glob matches the path or a directory above it, according to @std/path. */
function isMatchedByStd(glob: string, path: string): boolean {
  const trimmed = glob.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  const globs = [trimmed, trimmed.replace(/(\/\*\*)+$/, "")];
  const names = path.split("/");
  return globs.some((one) => {
    const { source } = globToRegExp(one);
    // In @std/path, "?" and "[!a]" match a slash; here they do not.
    const within = source.replace(/\\[^]|\[\^|\./g, (token) => {
      return token === "." ? "[^/]" : token === "[^" ? "[^/" : token;
    });
    const pattern = new RegExp(within, "i");
    return names.some((_, index) =>
      pattern.test(names.slice(0, index + 1).join("/"))
    );
  });
}

function isDenied(glob: string, path: string): boolean {
  return denialOf([readDenyRules("/ws", [glob], "refuse")], `/ws/${path}`) !==
    undefined;
}

/** Whether the glob is refused. */
function isRefused(glob: string): boolean {
  try {
    readDenyRules("/ws", [glob], "refuse");
    return false;
  } catch (error) {
    assert(error instanceof TypeError, String(error));
    return true;
  }
}

describe("a glob", () => {
  it("matches what @std/path's expression matches, or is refused", () => {
    const random = new Random(GLOBS.seed);
    let matched = 0;
    let missed = 0;
    for (let round = 0; round < GLOBS.numRuns; round++) {
      const glob = drawGlob(random).replace(/^\/+/, "");
      if (isRefused(glob)) continue;
      for (let left = PATHS; left > 0; left--) {
        const path = drawPath(random);
        const verdict = isMatchedByStd(glob, path);
        assertEquals(isDenied(glob, path), verdict, `${glob} on ${path}`);
        if (verdict) matched++;
        else missed++;
      }
    }
    const least = GLOBS.numRuns / 2;
    assert(matched > least && missed > least, `${matched}, ${missed} missed`);
  });

  const MATCHES: readonly (readonly [
    glob: string,
    matches: readonly string[],
    passes: readonly string[],
  ])[] = [
    ["a?c", ["abc", "a\u00e9c", "a\u{1f600}c", "a\nc"], ["ac", "a/c", "abbc"]],
    ["a*c", ["ac", "abbc", "abc/d"], ["a/c", "ab", "xac"]],
    ["*a*b*c", ["xaxbxc", "abc", "aabbcc"], ["acb", "ab", "cba"]],
    ["*ab*ab", ["abab", "xabyab"], ["ab", "aba", "xababx"]],
    ["a*a", ["aa", "aba"], ["a", "ab"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["***", ["a"], []],
    ["**", ["a", "a/b"], []],
    ["**/a", ["a", "x/a", "x/y/a"], ["xa", "a.b"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "x/a/b"]],
    ["a/**", ["a", "a/b", "a/b/c"], ["ab", "x/a"]],
    ["**/a/**/b/**/c", ["a/b/c", "x/a/y/b/z/c"], ["a/c", "b/a/c", "a/b"]],
    ["**/**/a", ["a", "x/a"], ["b"]],
    ["[abc]", ["a", "B"], ["d", "ab"]],
    ["[a-c]x", ["bx", "Cx"], ["dx", "-x"]],
    ["[!a-c]", ["d", "\u00e9"], ["a", "B"]],
    ["[!a]b", ["bb"], ["ab", "b", "a/b"]],
    ["[a\\-c]", ["-", "a", "c"], ["b"]],
    ["[-a]", ["-", "a"], ["b"]],
    ["[a-]", ["-", "a"], ["b"]],
    ["[\\]\\\\]", ["]", "\\"], ["a"]],
    ["[\u00e9]", ["\u00e9", "\u00c9"], ["e"]],
    ["{a,b}c", ["ac", "bc"], ["c", "abc"]],
    ["{a,b/c}/d", ["a/d", "b/c/d"], ["b/d", "c/d"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]],
    ["a{,b}", ["a", "ab"], ["b"]],
    ["{a}", ["a"], ["{a}"]],
    ["{**/a,b}/c", ["a/c", "x/y/a/c", "b/c"], ["x/b/c"]],
    ["{**,x}y", ["ay", "xy"], ["a", "a/b", "a/y/b"]],
    ["a/?(b)**", ["a/b", "a/bc", "a/c"], ["a"]],
    ["a/{b,}**", ["a/b", "a/bc", "a/c"], ["a"]],
    ["a/{x,{b,}**}", ["a/b", "a/bc", "a/c"], ["a"]],
    ["a/**{b,}", ["a/b", "a/cb", "a/c"], ["a"]],
    ["a/{x,**{b,}}", ["a/b", "a/cb", "a/c"], ["a"]],
    ["a/{**,x}/b", ["a/b", "a/c/d/b", "a/x/b"], ["b", "a/c"]],
    ["a/{x,**}", ["a", "a/b", "a/b/c"], ["x"]],
    ["[e\u0301]", ["\u00e9", "e\u0301"], ["e"]],
    ["stra\u00dfe?", ["stra\u00dfe\u00df", "STRASSEx"], ["stra\u00dfe"]],
    ["stra?e", ["stra\u00dfe", "STRA\u1e9eE"], ["strasse"]],
    ["?", ["\u00df", "\u200d", "\ufb03"], ["ab"]],
    ["\\{a,b\\}", ["{a,b}"], ["a"]],
    ["@(a|b)c", ["ac", "bc"], ["abc", "c"]],
    ["x?(a)c", ["xc", "xac"], ["xbc"]],
    ["!(a|b*)", ["c", "aa"], ["a", "A", "bc"]],
    ["x/!(a)/y", ["x/b/y"], ["x/a/y", "x/y"]],
    ["!({a,b}c)", ["c", "a"], ["ac", "bc"]],
    ["a(b)|c,}]", ["a(b)|c,}]"], ["ab"]],
    ["\\?\\*\\\\", ["?*\\"], ["ab\\"]],
    ["a\\-b", ["a-b"], ["a\\-b"]],
  ];
  for (const [glob, matches, passes] of MATCHES) {
    it(`matches the right paths: ${JSON.stringify(glob)}`, () => {
      for (const path of matches) assert(isDenied(glob, path), path);
      for (const path of passes) assert(!isDenied(glob, path), path);
    });
  }

  const TOO_LONG = "is too long";
  const REFUSED: readonly (readonly [glob: string, problem: string])[] = [
    [
      "+(a)",
      'repeats a group with "+("; write the choices out in braces',
    ],
    [
      "**/x*(a)",
      'repeats a group with "*("; write the choices out in braces',
    ],
    [
      "a!(b)",
      'has "!(" inside of a name; only a whole name can be like !(a|b)',
    ],
    [
      "!(a/b)",
      'has "!(" inside of a name; only a whole name can be like !(a|b)',
    ],
    [
      "!(!(a))",
      'has "!(" inside of a name; only a whole name can be like !(a|b)',
    ],
    ["!!(a)", 'is an exception with "!("; deny those names instead'],
    ["!{a,!(b)}", 'is an exception with "!("; deny those names instead'],
    [
      "{a,b",
      'opens a group that has no "}"; write "\\" before a bracket that is part of a name',
    ],
    [
      "@(a",
      'opens a group that has no ")"; write "\\" before a bracket that is part of a name',
    ],
    ["@(a(b))", 'has a lone "("; write "\\(" for the character'],
    ["secret\\key", 'has a "\\" before a letter; write "/" between names'],
    ...["**/.env ", " **/.env", "**/.env\r", "**/.env\n*.pem", "a\0b", "\ta"]
      .map((glob) =>
        [
          glob,
          "has a blank at its end, or a control character; write ? for one that is part of a name",
        ] as const
      ),
    ["a\\", 'has a lone "\\"; write "\\\\" for the character'],
    ...([
      ["[", "["],
      ["[a", "["],
      ["[]", "[]"],
      ["[!]", "[!]"],
      ["[]a]", "[]"],
      ["[^a]", "[^a]"],
      ["[[:alpha:]]", "[[:alpha:]"],
      ["[[=a=]]", "[[=a=]"],
    ] as const).map(([glob, shown]) =>
      [
        glob,
        `has a class "${shown}" that is not supported; write it like [abc], [a-z] or [!a-z]`,
      ] as const
    ),
    [
      "[a/b]",
      'has a class "[a/b]" that is not supported; write it like [abc], [a-z] or [!a-z]',
    ],
    ["[z-a]", "has a class whose range is reversed, as [z-a]"],
    [
      "x{1..9}",
      "has a range in braces; write the choices out, as in {1,2,3}",
    ],
    ["{".repeat(4096), "has more than 32 groups in each other"],
    ["a".repeat(4097), TOO_LONG],
    ["{".repeat(20_000), TOO_LONG],
    [`${"{a,b}".repeat(10)}${"x?".repeat(99)}`, TOO_LONG],
    [`{a,b}${"{c,d}".repeat(9)}/!(${"e|".repeat(99)}f)`, TOO_LONG],
    [`{${`!(${"{a,b}".repeat(8)}),`.repeat(40)}b}`, TOO_LONG],
    [
      `${"{".repeat(33)}a${"}".repeat(33)}`,
      "has more than 32 groups in each other",
    ],
    ["{a,b}".repeat(11), "stands for more than 1024 choices"],
    ["{a,..}/b", "matches no path below the root"],
    ["{a,}/b", "matches no path below the root"],
    ["?(a)", "matches no path below the root"],
    ["a\\/b", "matches no path below the root"],
    ["\\.\\./a", "matches no path below the root"],
  ];
  for (const [glob, problem] of REFUSED) {
    it(`is refused if it violates the grammar: ${JSON.stringify(glob).slice(0, 40)}`, () => {
      const { message } = assertThrows(
        () => readDenyRules("/ws", [glob], "refuse"),
        TypeError,
      );
      const shown = quote(glob);
      assertEquals(message, `Cannot deny paths: the glob ${shown} ${problem}`);
    });
  }
  it("may have the largest number of choices", () => {
    assert(isDenied("{a,b}".repeat(10), "ab".repeat(5)));
    assert(!isDenied("{a,b}".repeat(10), "ab".repeat(4)));
    assert(isDenied(`${"{".repeat(32)}a${"}".repeat(32)}`, "a"));
    assert(isDenied("{a}".repeat(40), "a".repeat(40)));
    assert(isDenied("*{a,b}".repeat(10), "xa".repeat(10)));
    const all = Array.from({ length: 900 }, (_, at) => at.toString(36));
    assert(isDenied(`{${all}}/**/*.{x}`, "oz/y/z.x"));
  });
  it("matches paths asked in any order", () => {
    const sets = [readDenyRules("/ws", ["**/a/**/b/**/c"], "refuse")];
    const paths = ["a", "a/x/b", "a/x/b/c", "a/x", "b/a/b/c", "b/a/b", "c"];
    for (const path of [...paths, ...paths.toReversed(), ...paths]) {
      const isMatch = /(^|\/)a\/(.*\/)?b\/(.*\/)?c$/.test(path);
      assertEquals(denialOf(sets, `/ws/${path}`) !== undefined, isMatch, path);
    }
  });
});
