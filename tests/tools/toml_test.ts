/** The TOML parser of `parseForgeConfig`: safe for any text, and equal in every runtime. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { parseForgeConfig } from "../../mod.ts";
import { Random, SEED } from "../support/random.ts";

const FAILED = "Cannot read the configuration: ";
const HEADER = "[tools.read_file]\n";

/** The result of a text: the configuration, or the kind of error and its line. */
function verdictOf(toml: string): string {
  try {
    return JSON.stringify(parseForgeConfig(toml));
  } catch (error) {
    assert(error instanceof Error);
    const { name, message } = error;
    assert(message.startsWith(FAILED), `${JSON.stringify(toml)}: ${message}`);
    assert(!/undefined|not a function|call stack|code point/.test(message));
    return `${name} ${/line \d+/.exec(message)?.[0]}`;
  }
}

const PROTOTYPES = [Object, Array, Function, Map, Date, Number, String]
  .map(({ prototype }) => prototype as object);

/** Everything outside the result that a text might change. */
function world(): string {
  return PROTOTYPES.map((one) => Reflect.ownKeys(one).map(String).join())
    .concat(String(Object.getPrototypeOf(Object.prototype)))
    .join("\n");
}

const KEYS = [
  "a",
  "b",
  "tools",
  "read_file",
  "max_scan_bytes",
  "show_line_numbers",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "signal",
  '"__proto__"',
  '"\\u005f_proto__"',
  "'__proto__'",
  '"\\U0000005f_proto__"',
  '""',
  "1",
  "ä",
];
const VALUES = [
  ...[
    "1",
    "+5",
    "0",
    "007",
    "1_0",
    "1__0",
    "0x1F",
    "0b2",
    "-0",
    "9".repeat(20),
  ],
  ...["1.5", "5.0", ".5", "5.", "1e3", "inf", "-nan", "true", "True", "off"],
  ...['"x"', '"\\q"', '"\\uD800"', '"\\uZZZZ"', "'x'", '"', "'''x\ny'''"],
  ...['"""a"""""', '"""\\\n x"""', "'", "1979-05-27", "1979-02-30"],
  ...["1979-05-27T07:32:00Z", "1979-05-27 07:32:00-07:00", "1979-05-27 7"],
  ...["07:32:00", "07:32", "2024-13-45", "[]", "[1, 2,]", "[1 2]", "[[], {}]"],
  ...[
    "{}",
    "{ a = 1 }",
    "{ a = 1, }",
    "{ a.b = 1, a.c = 2 }",
    "{ a = 1, a = 2 }",
  ],
  ...["{ __proto__ = { x = 1 } }", "{ a.__proto__.b = 1 }", "", "#", "[", "{"],
];
const BETWEEN = [
  "\n",
  "\n",
  "\n",
  "\r\n",
  "\r",
  " ",
  "",
  "\n\n# x\n",
  "\u2028",
];

function anyText(random: Random): string {
  const path = () =>
    Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYS))
      .join(random.pick([".", ".", " . ", ".."]));
  const statement = () => {
    switch (random.below(5)) {
      case 0:
        return `[${path()}]`;
      case 1:
        return `[[${path()}]]`;
      default:
        return `${path()} = ${random.pick(VALUES)}`;
    }
  };
  let text = random.below(9) === 0 ? "\ufeff" : "";
  for (let count = random.below(6); count >= 0; count--) {
    text += statement() + random.pick(BETWEEN);
  }
  return text;
}

/** The 32-bit hash FNV-1a. */
function digest(texts: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of texts.join("\n")) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

describe("parseForgeConfig() of any text", () => {
  it("changes nothing outside its result, and gives the same result in every runtime", () => {
    const before = world();
    const random = new Random(SEED);
    const verdicts = Array.from({ length: 6_000 }, () => {
      const toml = anyText(random);
      const verdict = verdictOf(toml);
      assertEquals(world(), before, toml);
      return verdict;
    });
    const taken = verdicts.filter((verdict) => verdict.startsWith("{"));
    assert(taken.length > 300, `${taken.length} texts were taken`);
    // The hash that Deno, Bun and workerd gave for these texts.
    assertEquals(digest(verdicts), "3dac06f3");
  });

  it("never reaches a prototype through a header", () => {
    const before = world();
    for (
      const toml of [
        "a = 1 [__proto__.signal]\nx = 1\n",
        "a = 1\n[__proto__.signal]\nx = 1\n",
        "[a.b]\n[a.__proto__.polluted]\nx = 1",
        '[a.b]\n["a"."\\u005f_proto__".polluted]\nx = 1',
        "a = [1]\n[a.__proto__.polluted]\nx = 1",
        "a = 1979-05-27\n[[a.__proto__.polluted]]\nx = 1",
        `${HEADER}[tools.__proto__.polluted]\nx = 1`,
        "[constructor.prototype]\npolluted = 1",
      ]
    ) {
      verdictOf(toml);
      assertEquals(world(), before, toml);
    }
  });

  it("refuses a repeated key or table, with the line of the second", () => {
    for (
      const [toml, line] of [
        [`${HEADER}max_scan_bytes = 1\nmax_scan_bytes = 2`, 3],
        [`${HEADER}\n${HEADER}`, 3],
        ["a.b = 1\na.b.c = 2", 2],
        ["a = 1\n\n[a]", 3],
        ["a = {}\na.b = 1", 2],
        ["a.b = 1\n[a]", 2],
        ["[[a]]\n[a]", 2],
        ["[a]\n[[a]]", 2],
        ["[a.b]\n[a]\nb.c = 1", 3],
        ["a = { b = 1, b = 2 }", 1],
        ["a = []\n[[a]]", 2],
      ] as const
    ) assertEquals(verdictOf(toml), `SyntaxError line ${line}`, toml);
  });

  it("accepts keys and tables that only look repeated", () => {
    for (
      const toml of [
        "[a.b]\n[a]\nc = 1",
        "a.b = 1\na.c = 2\n[a.d]",
        "[[a]]\nb = 1\n[[a]]\nb = 1\n[a.c]\n",
        "a = 1\n[b]\na = 1",
      ]
    ) assert(verdictOf(toml).startsWith("{"), toml);
  });

  it("accepts one statement per line, a BOM, and both line endings", () => {
    assertEquals(verdictOf("a=1 [x]"), "SyntaxError line 1");
    assertEquals(verdictOf("a=1 b=2"), "SyntaxError line 1");
    assertEquals(verdictOf("# a\rmax_scan_bytes = 1"), "SyntaxError line 1");
    const toml = `\ufeff# x\r\n[tools.read_file] # y\r\nmax_scan_bytes = 7\r\n`;
    assertEquals(parseForgeConfig(toml).max_scan_bytes, 7);
  });

  it("reads every notation of a number, a boolean and the table", () => {
    const random = new Random(SEED + 1);
    for (let round = 0; round < 500; round++) {
      const bytes = 1 + random.below(1 << 20);
      const written = random.pick([
        String(bytes),
        `+${bytes}`,
        `0x${bytes.toString(16).toUpperCase()}`,
        `0o${bytes.toString(8)}`,
        `0b${bytes.toString(2)}`,
        String(bytes).replace(/\B(?=(\d{3})+$)/g, "_"),
      ]);
      const pairs = [
        ["max_scan_bytes", written],
        ["show_line_numbers", String(bytes % 2 === 0)],
      ];
      if (random.below(2) === 0) pairs.reverse();
      const [one, two] = pairs.map(([key, value]) => `${key} = ${value}`);
      const toml = random.pick([
        `[tools.read_file]\n${one}\n${two}\n[b]\nc = "]"`,
        `x = """\n[tools]"""\n[tools]\nread_file = { ${one}, ${two} }`,
        `tools.read_file.${one}\n'tools'."read_file".${two}`,
      ]);
      const config = parseForgeConfig(toml);
      assertEquals(config.max_scan_bytes, bytes, toml);
      assertEquals(config.show_line_numbers, bytes % 2 === 0, toml);
    }
  });

  it("has limits, and names them", () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        `#${"x".repeat(65_536)}`,
        /it has more than 65536 characters; leave out/,
      ],
      ["a = 1\n[b]\n".repeat(20_000), /more than 65536 characters/],
      [
        Array.from({ length: 1_001 }, (_, at) => `k${at} = 1`).join("\n"),
        /more than 1000 keys/,
      ],
    ];
    for (const [toml, message] of cases) {
      const error = assertThrows(() => parseForgeConfig(toml), RangeError);
      assert(message.test(error.message), error.message);
    }
    const deep = `a = ${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    assertEquals(verdictOf(deep), "SyntaxError line 1");
    const most = Array.from({ length: 1_000 }, (_, at) => `k${at} = 1`);
    assert(verdictOf(most.join("\n")).startsWith("{"));
    assert(verdictOf(`#${"x".repeat(65_535)}`).startsWith("{"));
  });
});
