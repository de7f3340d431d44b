// Text in any encoding is divided so that its parts are decoded as the whole is.
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type ReadOptions } from "../../../mod.ts";
import { codecOf } from "../../../src/core/encodings/codecs.ts";
import { columnsOf, placeOf } from "../../../src/core/lines/text_size.ts";
import { Random, SEED } from "../../support/random.ts";

const latin1 = (text: string) =>
  Uint8Array.from(text, (sign) => sign.charCodeAt(0));

/** Escapes, characters of each set, and invalid bytes. */
const PARTS = [
  ...["(B", "(J", "(I", "$@", "$B", "(C", "("].map((set) => `\x1b${set}`),
  ...["F|", "00", "|~", "1", "!", "a\\~", "A", " ", "\n", "\r\n"],
  ...["\0", "\x0e", "\x80", "\xa4", "\x81", "\xff", "\xd8", "\xdc"],
];

const LABELS = [
  ...["utf-16le", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp", "gbk"],
  ...["gb18030", "big5", "euc-kr", "windows-1252", "koi8-r"],
];

/** Draws bytes, and divides them up to each limit. */
function* divisions(label: string) {
  const random = new Random(SEED);
  const codec = codecOf(label)!;
  for (let round = 0; round < 400; round++) {
    const count = 1 + random.below(12);
    const parts = Array.from({ length: count }, () => random.pick(PARTS));
    const bytes = latin1(parts.join(""));
    for (let limit = 1; limit <= bytes.length; limit++) {
      yield { codec, bytes, limit, at: codec.divide(bytes, 0, limit) };
    }
  }
}

for (const label of LABELS) {
  describe(`any bytes in ${label}`, () => {
    it("are divided where both parts give the text of the whole", () => {
      for (const { codec, bytes, limit, at } of divisions(label)) {
        const what = `${JSON.stringify([...bytes])} at ${at}`;
        assert(at > 0 && at <= bytes.length, what);
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
        if (at > limit) {
          // What is before cannot be divided.
          assertEquals(codec.divide(head, 0, 1), at, what);
        }
        const both = tail.length === 0
          ? codec.decode(head)
          : codec.decode(head) + codec.decode(tail);
        assertEquals(both, codec.decode(bytes), what);
      }
    });
    it("are divided before the character that does not fit", () => {
      for (const { codec, bytes, limit } of divisions(label)) {
        const { place: at } = placeOf(codec, bytes, limit, columnsOf);
        const what = `${JSON.stringify([...bytes])} for ${limit}`;
        const shown = at === 0 ? "" : codec.decode(bytes.subarray(0, at));
        assert(columnsOf(shown) <= limit, what);
        if (at === bytes.length) continue;
        const rest = bytes.subarray(at);
        const next = rest.subarray(0, codec.divide(rest, 0, 1));
        const longer = codec.decode(next);
        assert(columnsOf(shown) + columnsOf(longer) > limit, what);
      }
    });
  });
}

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
