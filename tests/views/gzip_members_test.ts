/** Gzip files with several members, as `cat a.gz b.gz`, logrotate and bgzip write them. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  type GunzipOptions,
  gunzipView,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { gzip, joined, storedGzip } from "../support/gzip.ts";
import { Random, SEED } from "../support/random.ts";

const encoder = new TextEncoder();

/** The shown text of a file, or the code of the failure. */
async function shown(
  bytes: Uint8Array,
  options: GunzipOptions = {},
  most = Infinity,
): Promise<string> {
  const fs = memoryFs({ "/repo/a.gz": bytes });
  const workspace = await openWorkspace("/repo", {
    fs: most === Infinity ? fs : cutFs(fs, most),
    views: [gunzipView(options)],
  });
  try {
    const page = await workspace.read("a.gz");
    return page.lines.map(({ text, ending }) => text + ending).join("");
  } catch (error) {
    assert(error instanceof ReadFileError, String(error));
    return error.code;
  }
}

const TEXTS = ["one\n", "two\n".repeat(900), "", "three"];

async function wholeOf(texts: readonly string[]) {
  const members = await Promise.all(texts.map((text) => gzip(text)));
  return { members, whole: joined(members) };
}

/** Lines that compress badly. */
function noise(random: Random, lines: number): string {
  const line = () => `${random.below(2 ** 31)} ${random.below(2 ** 31)}\n`;
  return Array.from({ length: lines }, line).join("");
}

describe("several gzip files in one", () => {
  it("are shown as their concatenated texts, for reads of any size", async () => {
    const { whole } = await wholeOf(TEXTS);
    for (const most of CUTS) {
      assertEquals(await shown(whole, {}, most), TEXTS.join(""), `${most}`);
    }
  });
  it("are UNREADABLE if cut anywhere except between two files", async () => {
    const { members, whole } = await wholeOf(TEXTS);
    let [end, count] = [0, 0];
    const ends = new Map(members.map(({ length }) => {
      end += length;
      return [end, TEXTS.slice(0, ++count).join("")];
    }));
    for (let length = 3; length <= whole.length; length++) {
      const told = await shown(whole.subarray(0, length));
      assertEquals(told, ends.get(length) ?? "UNREADABLE", `${length}`);
    }
  });
  it("never show another text if a byte is damaged", async () => {
    const text = TEXTS.join("");
    const { whole } = await wholeOf(TEXTS);
    let refused = 0;
    for (let at = 3; at < whole.length; at++) {
      const damaged = whole.slice();
      damaged[at]! ^= 0x55;
      const told = await shown(damaged);
      // Some bytes of a header do not affect a reader, such as the time.
      if (told !== text) assertEquals(told, "UNREADABLE", `${at}`);
      if (told !== text) refused++;
    }
    assert(refused > whole.length / 2, `${refused}`);
  });
  it("may be empty, one or all of them", async () => {
    const empty = await gzip("");
    const one = await gzip("one\n");
    assertEquals(
      await shown(joined([empty, one, empty, empty, one])),
      "one\none\n",
    );
    assertEquals(await shown(joined([empty, empty])), "");
    // bgzip ends a file with this member.
    const last = Uint8Array.from(
      atob("H4sIBAAAAAAA/wYAQkMCABsAAwAAAAAAAAAAAA=="),
      (
        sign,
      ) => sign.charCodeAt(0),
    );
    assertEquals(await shown(joined([one, last])), "one\n");
  });
  it("may be a thousand files, and are TOO_LARGE if they are more", async () => {
    const tiny = await Promise.all(
      ["a\n", "b\n", "c\n"].map((text) => gzip(text)),
    );
    const partsOf = (length: number) =>
      joined(Array.from({ length }, (_, at) => tiny[at % 3]!));
    const text = await shown(partsOf(1000));
    assertEquals(text, `${"a\nb\nc\n".repeat(333)}a\n`);
    assertEquals(await shown(partsOf(2000)), "TOO_LARGE");
  });
  it(`are read at any position, in any order (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const texts = Array.from(
      { length: 24 },
      () => noise(random, random.below(12_000)),
    );
    const fs = memoryFs({
      "/repo/a.gz": joined(await Promise.all(texts.map((text) => gzip(text)))),
    });
    const workspace = await openWorkspace("/repo", {
      fs,
      views: [gunzipView()],
    });
    const lines = texts.join("").split("\n");
    for (let time = 0; time < 8; time++) {
      const start = 1 + random.below(lines.length - 3);
      const page = await workspace.read("a.gz", { start, count: 2 });
      const told = page.lines.map(({ text }) => text);
      assertEquals(told, lines.slice(start - 1, start + 1), `${start}`);
    }
  });
  it("share one size limit", async () => {
    const part = await gzip("a\n".repeat(2 ** 20));
    const many = joined(Array.from({ length: 12 }, () => part));
    assertEquals(await shown(many), "TOO_LARGE");
    assertEquals(
      await shown(many, { maxRatio: 5000, maxBytes: 2 ** 24 }),
      "TOO_LARGE",
    );
    const fs = memoryFs({ "/repo/a.gz": many });
    const views = [gunzipView({ maxRatio: 5000 })];
    const workspace = await openWorkspace("/repo", { fs, views });
    const { size } = await workspace.read("a.gz", { tail: 1 });
    assertEquals(size, 12 * 2 ** 21);
  });
});

describe("bytes after a gzip file", () => {
  it("make it UNREADABLE", async () => {
    const one = await gzip("one\n");
    for (
      const rest of [
        "more",
        "\0",
        "\0more",
        "\x1f",
        "\x1f\x8b\x08\0",
        "\xff",
        "\n",
      ]
    ) {
      const bytes = Uint8Array.from(rest, (byte) => byte.charCodeAt(0));
      assertEquals(await shown(joined([one, bytes])), "UNREADABLE", rest);
    }
    const zeros = new Uint8Array(9);
    assertEquals(await shown(joined([one, zeros, one])), "UNREADABLE");
    assertEquals(
      await shown(joined([one, one.slice(0, -4), zeros])),
      "UNREADABLE",
    );
  });
});

describe("compressed bytes that look like the start of another gzip file", () => {
  const BEFORE = encoder.encode("a line of text\n".repeat(600));
  /** A trailer that fits the bytes before it, and a header. */
  const forged = (size: number) => {
    const bytes = Uint8Array.of(9, 9, 9, 9, 0, 0, 0, 0, 0x1f, 0x8b, 8, 0);
    new DataView(bytes.buffer).setUint32(4, size, true);
    return bytes;
  };
  /** Several of them, each with the size of the text before it. */
  const forgedText = (count: number) => {
    const parts: Uint8Array[] = [BEFORE];
    let size = BEFORE.length;
    for (let one = 0; one < count; one++) {
      parts.push(forged(size + 8), encoder.encode("\n"));
      size += 13;
    }
    return joined(parts);
  };
  const decoder = new TextDecoder();

  it("are read as content", async () => {
    const text = joined([
      BEFORE,
      ...Array.from({ length: 5000 }, () => forged(77).subarray(8)),
    ]);
    assertEquals(await shown(storedGzip(text)), decoder.decode(text));
    const header = Uint8Array.of(0x1f, 0x8b, 8, 1, 0x0a);
    assertEquals(await shown(storedGzip(header)), decoder.decode(header));
  });
  it("are read as content, even after a trailer that fits", async () => {
    for (const count of [1, 2, 5]) {
      const text = forgedText(count);
      for (const most of [3, Infinity]) {
        const bytes = joined([storedGzip(text), storedGzip(text)]);
        const told = await shown(bytes, {}, most);
        assertEquals(told, decoder.decode(text).repeat(2), `${count}, ${most}`);
      }
    }
  });
  it("are read as content, even after thousands of trailers that fit", async () => {
    const text = forgedText(2000);
    assertEquals(await shown(storedGzip(text)), decoder.decode(text));
  });
});
