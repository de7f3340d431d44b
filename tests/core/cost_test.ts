/** Quotes, and pages that are limited by tokens. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import llama3 from "llama3-tokenizer-js";
import {
  boundTokens,
  memoryFs,
  openWorkspace,
  type Page,
  type PageOptions,
  ReadFileError,
} from "../../mod.ts";
import { HOME } from "../support/child.ts";
import { encodedIn, utf16Of } from "../support/encoded.ts";
import { Random, SEED } from "../support/random.ts";

/** How many files of other projects are quoted; `deno task test:tokens` sets `PRICED_FILES=1000`. */
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

const CODE_TEXT = Array.from(
  { length: 300 },
  (_, at) => `const value${at} = compute(${at}, "é");\n`,
).join("");

describe("workspace.quote()", () => {
  it("equals the size of the page, in each measure", async () => {
    const fs = memoryFs({ "/a": CODE_TEXT, "/empty": "", "/crlf": "a\r\nb" });
    const workspace = await openWorkspace("/", { fs });
    const asked: readonly PageOptions[] = [
      ...[{}, { start: 290 }, { start: 3, count: 5 }, { tail: 4 }],
      ...[{ around: 9 }, { match: "9," }, { maxBytes: 99 }, { column: 3 }],
      ...[{ start: 2, end: 9, before: 1, after: 1 }, { match: "no such" }],
    ];
    for (const path of ["a", "empty", "crlf"]) {
      for (const options of asked) {
        const quote = await workspace.quote(path, options);
        const page = await workspace.read(path, options);
        const text = page.lines.map(({ text, ending }) => text + ending)
          .join("");
        assertEquals(quote.bytes, page.bytes().length);
        assertEquals(quote.lines, page.lines.length);
        assertEquals(quote.characters, [...text].length);
        assertEquals(quote.tokens, boundTokens(text));
        assertEquals(quote.basis, "measured");
      }
    }
  });

  it("reads a large file in parts, and uses the host's counter", async () => {
    const content = CODE_TEXT.repeat(300);
    const fs = memoryFs({ "/a": content });
    const workspace = await openWorkspace("/", { fs });
    const parts: number[] = [];
    const countTokens = (text: string) => {
      parts.push(text.length);
      return text.length;
    };
    const quote = await workspace.quote("a", {}, { countTokens });
    assertEquals(quote.lines, 300 * 300);
    assertEquals([quote.tokens, quote.basis], [content.length, "host"]);
    assert(parts.length > 1);
  });

  it("takes a start and a count whose last line has too large a number", async () => {
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": "1\n2\n3\n" }),
    });
    const options = { start: 3, count: Number.MAX_SAFE_INTEGER };
    assertEquals((await workspace.quote("a", options)).lines, 1);
  });

  it("bounds the tokens of a text with more bytes in UTF-8 than in the file", async () => {
    const fs = memoryFs({
      "/gbk": encodedIn("中".repeat(40), "gbk"),
      "/invalid": new Uint8Array(40).fill(0xff),
      "/hidden": "\u202e".repeat(40),
    });
    const workspace = await openWorkspace("/", { fs });
    const requests: [string, PageOptions][] = [
      ["gbk", { encoding: "gbk" }],
      ["invalid", { encoding: "utf-8" }],
      ["hidden", { escape: true }],
    ];
    for (const [path, options] of requests) {
      const { lines } = await workspace.read(path, options);
      const { tokens } = await workspace.quote(path, options);
      assertEquals(tokens, boundTokens(lines[0]!.text), path);
    }
  });

  it("quotes several pages separately", async () => {
    const fs = memoryFs({ "/a": "one\n", "/b": "two\nthree\n" });
    const workspace = await openWorkspace("/", { fs });
    const quotes = await workspace.quote([
      { path: "b", start: 2 },
      { path: "none" },
      { path: "a" },
      { path: "a", start: 0 },
    ]);
    assertEquals(
      quotes.map((it) => it.kind === "quote" ? it.bytes : it.error.code),
      [6, "NOT_FOUND", 4, "INVALID_ARGUMENT"],
    );
  });

  it("quotes each file that matches a glob, as readMany() reads it", async () => {
    const fs = memoryFs({
      "/a/x": "one\n",
      "/a/b/y.ts": "two\n",
      "/z.ts": "3",
    });
    const workspace = await openWorkspace("/", { fs });
    const requests = [{ glob: "*.ts" }, { glob: "y*", path: "a" }, {
      glob: "q",
    }];
    const quotes = await workspace.quote(requests);
    const found = quotes.map((it) =>
      it.kind === "quote" ? [it.path, it.bytes] : [it.path, it.error.code]
    );
    assertEquals(found, [
      ...[["a/b/y.ts", 4], ["z.ts", 1], ["a/b/y.ts", 4]],
      ["q", "NOT_FOUND"],
    ]);
    const answers = await workspace.readMany(requests);
    assertEquals(answers.map(({ path }) => path), found.map(([path]) => path));
  });
});

describe("maxTokens", () => {
  it("limits each page, and loses no byte", async () => {
    const fs = memoryFs({ "/a": CODE_TEXT });
    const workspace = await openWorkspace("/", { fs });
    for (const maxTokens of [1, 7, 50, 333]) {
      for (const countTokens of [undefined, TOKENIZERS[0]]) {
        const count = countTokens ?? boundTokens;
        let text = "";
        const start = maxTokens < 50 ? 290 : 1;
        let next: PageOptions | null = { start, maxTokens };
        while (next !== null) {
          const page: Page = await workspace.read("a", next, { countTokens });
          const shown = page.lines.map(({ text, ending }) => text + ending)
            .join("");
          assert(count(shown) <= maxTokens || [...shown].length === 1);
          assert(page.next === null || page.next.maxTokens === maxTokens);
          assertEquals(page.next?.maxBytes, undefined);
          text += shown;
          next = page.next;
        }
        const from = CODE_TEXT.split("\n").slice(start - 1).join("\n");
        assertEquals(text, from);
      }
    }
  });

  it("ends pages after the same lines in UTF-16 as in UTF-8", async () => {
    // U+010A and U+0A05 hold the byte of a line feed.
    const text = "abc \u010a \u0a05\n".repeat(40);
    const fs = memoryFs({
      "/utf-8": text,
      "/utf-16le": utf16Of(text),
      "/utf-16be": utf16Of(text, true),
    });
    const workspace = await openWorkspace("/", { fs });
    const startsIn = async (encoding: string) => {
      const starts: unknown[] = [];
      const options = { maxTokens: 50, encoding };
      for await (const { lines } of workspace.pages(encoding, options)) {
        starts.push([lines[0]?.number, lines[0]?.column]);
      }
      return starts;
    };
    const starts = await startsIn("utf-8");
    assert(starts.length > 5);
    assertEquals(await startsIn("utf-16le"), starts);
    assertEquals(await startsIn("utf-16be"), starts);
  });

  it("is not exceeded by a few short characters", async () => {
    const fs = memoryFs({ "/a": "abcd\r\nef\n" });
    const workspace = await openWorkspace("/", { fs });
    const shown: string[] = [];
    for await (const page of workspace.pages("a", { maxTokens: 1 })) {
      shown.push(page.lines.map(({ text, ending }) => text + ending).join(""));
    }
    assertEquals(shown, ["a", "b", "c", "d", "\r\n", "e", "f", "\n"]);
  });

  it("shows a character whose escape has more tokens", async () => {
    const text = "\u{E0041}\u200b\x01\r\na";
    const fs = memoryFs({ "/a": text, "/b": '\x1b$B$"$$\x1b(B' });
    const workspace = await openWorkspace("/", { fs });
    for (const maxTokens of [1, 2, 7]) {
      let shown = "";
      for await (
        const page of workspace.pages("a", { maxTokens, escape: true })
      ) {
        shown += new TextDecoder().decode(page.bytes());
      }
      assertEquals(shown, text);
      const options = { maxTokens, encoding: "iso-2022-jp" };
      const { lines } = await workspace.read("b", options);
      assertEquals(lines[0]?.text, "あい");
    }
  });
  it("may be any whole number", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": "a" }) });
    const maxTokens = Number.MAX_SAFE_INTEGER;
    assertEquals((await workspace.read("a", { maxTokens })).lines.length, 1);
    assertEquals((await workspace.quote("a", { maxTokens })).lines, 1);
  });

  it("must be a number from 1 on, and the host's counter must return a number", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({ "/a": "a" }) });
    for (const maxTokens of [0, -1, 1.5, NaN]) {
      const error = await assertRejects(
        () => workspace.read("a", { maxTokens }),
        ReadFileError,
        "maxTokens must be a whole number from 1 on",
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
    const limits = { countTokens: () => NaN };
    for (
      const call of [
        () => workspace.read("a", { maxTokens: 5 }, limits),
        () => workspace.readMany([{ path: "a" }], { maxTokens: 5, ...limits }),
        () => workspace.quote("a", {}, limits),
      ]
    ) {
      await assertRejects(
        call,
        TypeError,
        "countTokens must give a number from 0 on, not NaN",
      );
    }
  });
});
