/** The bound of tokens, against three tokenizers. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import llama3 from "llama3-tokenizer-js";
import { boundTokens } from "../../../mod.ts";
import { Call } from "../../../src/core/base/call.ts";
import { tokensIn } from "../../../src/core/base/tokens.ts";
import { HOME } from "../../support/child.ts";
import { Random, SEED } from "../../support/random.ts";

/** How many files of other projects are counted; `deno task test:tokens` sets `PRICED_FILES=1000`. */
const FILES = Number(process.env.PRICED_FILES ?? 60);

/** Treats the text of a special token as ordinary text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const TOKENIZERS: readonly ((text: string) => number)[] = [
  (text) => o200k(text, AS_TEXT).length,
  (text) => cl100k(text, AS_TEXT).length,
  (text) => llama3.encode(text, { bos: false, eos: false }).length,
];

const TEXT = /\.(ts|mts|js|mjs|cjs|css|json|md|yml|html|py|sh)$/;
const CODE = /\.(ts|mts|js|mjs|cjs|css|py|sh)$/;
/** Files that programs generate. */
const MINIFIED = /\.min\.|\.map$/;

const isSource = (path: string) => CODE.test(path) && !MINIFIED.test(path);

/** Text files below a folder, of up to 60 KB. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => TEXT.test(path) && statSync(path).isFile())
    .filter((path) => statSync(path).size < 60_000)
    .sort();
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Texts that take more tokens than they seem to. */
function* hardTexts(random: Random): Iterable<string> {
  const some = (letters: string, most: number) =>
    Array.from(
      { length: random.from(1, most) },
      () => letters[random.below(letters.length)],
    ).join("");
  const list = (make: () => string, most = 200) =>
    Array.from({ length: random.from(1, most) }, make).join("");
  const code = (from: number, to: number) =>
    String.fromCodePoint(random.from(from, to));
  const gap = () => random.pick([" ", "\n", "_", ".", "-", "(", ", ", ""]);
  const sets = [
    ...[LOWER, UPPER, LOWER + UPPER, DIGITS, MARKS, LOWER + DIGITS],
    ...["0123456789abcdef", "0123456789ABCDEF", "bcdfghjklmnpqrstvwxz"],
    LOWER + UPPER + DIGITS + "+/",
  ];
  for (const letters of sets) {
    yield some(letters, 2000);
    yield list(() => some(letters, 9) + gap());
  }
  for (const sign of [..." \n\t\r\0axZ0", ...MARKS]) {
    yield sign.repeat(random.from(1, 2000));
  }
  yield list(() =>
    random.pick([" ", "\t", "\n", "\r\n"]).repeat(random.below(30))
  );
  yield list(() => `\\u${some("0123456789abcdef", 4)}`);
  yield list(() => `%${some("0123456789ABCDEF", 2)}`);
  yield list(() => some(LOWER, 4) + some(UPPER, 4) + some(DIGITS, 4));
  yield list(() => code(0x4e00, 0x9fff));
  yield list(() => code(0x3041, 0x3096));
  yield list(() => code(0xac00, 0xd7a3));
  yield list(() => code(0x1f300, 0x1f9ff));
  yield list(() => code(0x400, 0x4ff));
  yield list(() => code(0x80, 0xd7ff));
  yield list(() => code(0, 0x7f), 2000);
  const bytes = Uint8Array.from({ length: 1000 }, () => random.below(256));
  yield new TextDecoder().decode(bytes);
  yield list(
    () => random.pick(["a", "Zz", "9", " ", "é", "漢", "😀", "(("]),
    12,
  );
}

describe("boundTokens()", () => {
  it(`is never below three tokenizers in ${FILES} files, and at most 1.6 times their largest count in source code`, () => {
    const random = new Random(SEED);
    const all = filesBelow(join(HOME, "node_modules"));
    let sources = 0;
    for (let count = 0; count < FILES; count++) {
      const path = random.pick(all);
      const text = readFileSync(path, "utf8");
      if (text === "" || text.includes("\uFFFD")) continue;
      const bound = boundTokens(text);
      const counts = TOKENIZERS.map((tokensOf) => tokensOf(text));
      assert(bound >= Math.max(...counts), `${path}: ${bound} < ${counts}`);
      // Tokenizers differ more for text that is short or not ASCII.
      const foreign = text.replace(/\p{ASCII}/gu, "").length / text.length;
      const truth = Math.min(...counts);
      if (!isSource(path) || truth < 150 || foreign > 0.03) continue;
      sources++;
      assert(bound <= 1.6 * truth, `${path}: ${bound} > 1.6 * ${truth}`);
    }
    assert(sources > FILES / 3);
  });

  it("is never below the tokenizers in random and repeated text, and never above the bytes", () => {
    const random = new Random(SEED);
    for (let round = 0; round < Math.max(2, FILES / 30); round++) {
      for (const text of hardTexts(random)) {
        const bound = boundTokens(text);
        assert(bound <= new TextEncoder().encode(text).length);
        const counts = TOKENIZERS.map((it) => it(text));
        const shown = JSON.stringify(text.slice(0, 60));
        assert(bound >= Math.max(...counts), `${shown}: ${bound} < ${counts}`);
      }
    }
    assertEquals(boundTokens(""), 0);
    assertThrows(() => boundTokens(7 as never), TypeError, "text");
  });

  it("is not above the sum of its lines", () => {
    const text = CODE_TEXT.replaceAll(";", ";\n\n\t ");
    const lines = text.match(/[^\n]*\n/g) ?? [];
    const sum = lines.reduce((sum, line) => sum + boundTokens(line), 0);
    assert(boundTokens(text) <= sum);
  });
});

describe("tokensIn()", () => {
  const call = new Call("");
  it("is the same bound for a short text, and hardly more for a long one", async () => {
    assertEquals(
      await tokensIn(CODE_TEXT, undefined, call),
      boundTokens(CODE_TEXT),
    );
    for (
      const text of [
        CODE_TEXT.repeat(9),
        "\u{1f600}".repeat(40_000),
        `a${"\u{1f600}".repeat(40_000)}`,
      ]
    ) {
      const bound = boundTokens(text);
      const found = await tokensIn(text, undefined, call);
      assert(found >= bound && found <= 1.01 * bound, `${found} of ${bound}`);
      assert(found <= new TextEncoder().encode(text).length);
    }
  });
  it("ends early for many more tokens than are asked for", async () => {
    const text = CODE_TEXT.repeat(9);
    const bound = await tokensIn(text, undefined, call);
    for (const most of [1, 99, 9_999, bound - 1, bound, bound + 9]) {
      const found = await tokensIn(text, undefined, call, most);
      assertEquals(found > most, bound > most, `${found} of ${most}`);
      assert(found > 0.8 * bound && found < 1.2 * bound, `${found}`);
    }
    // A text has at most as many tokens as bytes.
    const blanks = "\u{1f600}".repeat(9);
    const { length } = new TextEncoder().encode(blanks);
    assert(await tokensIn(blanks, undefined, call, length) <= length);
  });
  it("is the count of the host, if there is one", async () => {
    assertEquals(await tokensIn("abc", (text) => text.length, call), 3);
  });
});

const CODE_TEXT = Array.from(
  { length: 300 },
  (_, at) => `const value${at} = compute(${at}, "é");\n`,
).join("");
