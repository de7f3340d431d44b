// Any bytes in ISO-2022-JP give the same text as the runtime's decoder, run by run.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type ReadOptions } from "../../../mod.ts";
import { codecOf } from "../../../src/core/encodings/resolve.ts";
import { Random, SEED } from "../../support/random.ts";

const ESCAPES = ["(B", "(J", "(I", "$@", "$B", "(C", "("];

/** Escapes, characters of each set, and invalid bytes. */
const PARTS = [
  ...ESCAPES.map((set) => `\x1b${set}`),
  ...["F|", "00", "|~", "1", "!", "a\\~", "A", " ", "\n", "\r\n"],
  ...["\0", "\x0e", "\x1b", "\x80", "\xa4"],
];

/** A run ends after the escape to ASCII, or at the end of its line. */
const RUN =
  // deno-lint-ignore no-control-regex -- an escape begins each run
  /\x1b\(B|\x1b(?:\([JI]|\$[@B])(?:(?!\x1b\(B)[^\n])*(?:\x1b\(B)?/g;

function expected(bytes: string): string {
  const decoder = new TextDecoder("iso-2022-jp", { ignoreBOM: true });
  const decode = (text: string) =>
    decoder.decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0)));
  let text = "";
  let from = 0;
  for (const { 0: run, index } of bytes.matchAll(RUN)) {
    text += decode(bytes.slice(from, index)) + (decode(run) || "\uFFFD");
    from = index + run.length;
  }
  return text + decode(bytes.slice(from));
}

describe("any bytes in ISO-2022-JP", () => {
  it("are decoded as by the runtime, and counted accordingly", () => {
    const random = new Random(SEED);
    const codec = codecOf("iso-2022-jp")!;
    for (let round = 0; round < 5000; round++) {
      const count = 1 + random.below(12);
      const text = Array.from({ length: count }, () => random.pick(PARTS))
        .join("");
      const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
      assertEquals(codec.decode(bytes), expected(text), JSON.stringify(text));
      let columns = 0;
      for (let at = 0; at < bytes.length;) {
        const length = codec.charLength(bytes, at);
        columns += codec.columnsOf(bytes, at, length);
        at += length;
      }
      const shown = Array.from(codec.decode(bytes)).length;
      // deno-lint-ignore no-control-regex -- bytes that are not valid outside of a run
      const isWhole = !/[\x1b\x80-\xff\x0e]/.test(text.replace(RUN, ""));
      if (isWhole) assertEquals(columns, shown, JSON.stringify(text));
    }
  });
});

/** Escapes, two bytes that are one character after some of them, ASCII, and line endings. */
const FEW = ["\x1b$B", "\x1b(B", "\x1b(I", "0!", "a", "\n", "\r\n"];
const MOST_FEW = 3;

describe("the pages of a file in ISO-2022-JP", () => {
  it("restore the file, for all files of a few escapes and characters", async () => {
    const { decode } = codecOf("iso-2022-jp")!;
    const options: readonly ReadOptions[] = [
      ...[{ count: 1 }, { maxBytes: 1 }, { maxBytes: 9 }, { width: 2 }],
    ];
    let texts = [""];
    for (let length = 1; length <= MOST_FEW; length++) {
      texts = texts.flatMap((text) => FEW.map((part) => text + part));
      for (const [at, text] of texts.entries()) {
        const content = new TextEncoder().encode(text);
        const fs = memoryFs({ "/a": content });
        const workspace = await openWorkspace("/", { fs });
        const asked = { ...options[at % 4]!, encoding: "iso-2022-jp" };
        const bytes: number[] = [];
        let shown = "";
        for await (const page of workspace.pages("a", asked)) {
          bytes.push(...page.bytes());
          for (const { text, ending } of page.lines) shown += text + ending;
          assert(bytes.length <= content.length, JSON.stringify([text, asked]));
        }
        const what = JSON.stringify([text, asked]);
        assertEquals(bytes, [...content], what);
        assertEquals(shown, decode(content), what);
      }
    }
  });
});
