// Not at the edge: the clock does not advance there.
import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace } from "../../../mod.ts";
import { assertTimes } from "../../support/growth.ts";

const RUN = "\x1b$B00\x1b(B ";
const RUNS = 32_768;

async function read(content: string): Promise<void> {
  const fs = memoryFs({ "/a": content });
  const workspace = await openWorkspace("/", { fs });
  const { encoding } = await workspace.read("a");
  assertEquals(encoding.label, "iso-2022-jp");
}

describe("a line of many runs of ISO-2022-JP", () => {
  it("takes about the time of as many lines", async () => {
    const lines = `${RUN}\n`.repeat(RUNS);
    const line = RUN.repeat(RUNS);
    await assertTimes(3, () => read(line), () => read(lines));
  });
});

describe("hits in a line of ISO-2022-JP", () => {
  it("cost no more where escapes are cut off", async () => {
    const search = async (content: string) => {
      const fs = memoryFs({ "/a": content.repeat(12_000) });
      const workspace = await openWorkspace("/", { fs });
      const options = { match: "x", encoding: "iso-2022-jp" };
      const { hits } = await workspace.read("a", options);
      assertEquals(hits?.inOneLine, [{ line: 1, count: 12_000 }]);
    };
    await assertTimes(5, () => search("xy\x1b-"), () => search("xy--"));
  });
});

describe("a column deep in a line without ASCII", () => {
  it("does not search a whole block for each character", async () => {
    const COLUMNS = 300_000;
    const readIn = async (encoding: string, bytes: readonly number[]) => {
      const content = new Uint8Array(COLUMNS * bytes.length);
      for (let at = 0; at < content.length; at += bytes.length) {
        content.set(bytes, at);
      }
      const workspace = await openWorkspace("/", {
        fs: memoryFs({ "/a": content }),
      });
      let run = 0;
      return async () => {
        const options = { encoding, column: COLUMNS - 9 - run++, width: 3 };
        const { lines } = await workspace.read("a", options);
        assertEquals(lines[0]?.text.length, 3);
      };
    };
    const wide = await readIn("utf-16le", [0x10, 0x04]);
    await assertTimes(50, await readIn("koi8-r", [0xc1]), wide);
  });
});

describe("bytes that are no text in an encoding of pairs", () => {
  const SIZE = 60_000;
  const lines = (bytes: readonly number[]) =>
    Uint8Array.from(
      { length: SIZE },
      (_, at) => at % 4_000 === 3_999 ? 0x0a : bytes[at % bytes.length]!,
    );
  const search = async (
    encoding: string,
    content: Uint8Array,
    match: string,
  ) => {
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": content }),
    });
    return async () => {
      const options = { encoding, match, limit: 5 };
      const { hits } = await workspace.read("a", options);
      assertEquals(hits?.count, match === "q" ? 0 : 6);
    };
  };
  for (const encoding of ["shift_jis", "euc-kr", "big5", "gbk", "euc-jp"]) {
    it(`are decoded in about the time of text: ${encoding}`, async () => {
      const text = await search(encoding, lines([0x61, 0x62]), "q");
      const odd = await search(encoding, lines([0x81, 0xff]), "q");
      await assertTimes(80, odd, text, 0.2);
    });
    it(`take no part anew for each hit in a line: ${encoding}`, async () => {
      const ascii = await search("utf-8", lines([0x78]), "x");
      const odd = await search(encoding, lines([0xff]), "\ufffd");
      await assertTimes(90, odd, ascii, 0.2);
    });
  }
});
