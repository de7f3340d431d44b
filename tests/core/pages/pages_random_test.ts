import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, type Page, type ReadOptions } from "../../../mod.ts";
import { endingAt, utf8Length } from "../../../src/core/lines/utf8.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { KnownFile } from "../../support/known_file.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { checkWalk } from "../../support/page_checks.ts";
import { Random, SEED } from "../../support/random.ts";
import { draws, shareOf, some } from "../../support/share.ts";
import { hardRandomFile } from "../../support/random_text.ts";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Draws limits of each kind that divide a file into several pages, but not thousands. */
function drawOptions(random: Random, bytes: number): readonly ReadOptions[] {
  // Limits of a few bytes make many pages, so they are rare.
  const some = () =>
    random.below(16) === 0
      ? random.from(1, 4)
      : random.from(1 + (bytes >> 5), 1 + (bytes >> 2));
  const few = () => random.from(1, 9);
  return [
    random.pick([{ count: some() }, { count: some(), maxBytes: some() }]),
    { maxBytes: some() },
    random.pick([{ width: some() }, { width: some(), maxBytes: some() }]),
    random.pick<ReadOptions>([
      { tail: few(), maxBytes: some() },
      { tail: few(), numbered: false },
      { tail: few(), maxBytes: few() * some(), numbered: false },
      { around: few(), before: few() - 1, after: few() - 1, maxBytes: some() },
      { start: few(), end: 9 + few(), maxBytes: some() },
      { start: few(), column: few(), count: few() },
    ]),
  ];
}

/** Fails if a page that `maxBytes` cut inside a line ends at a wrong position. */
function checkCuts(
  pages: readonly Page[],
  file: KnownFile,
  { maxBytes, width }: ReadOptions,
): void {
  if (maxBytes === undefined || width !== undefined) return;
  if (!file.isUtf8(0, file.size)) return;
  for (const { lines, shown: { start, end } } of pages) {
    const last = lines.at(-1);
    if (end === file.size || last?.ending !== "") continue;
    const line = file.bytes.subarray(start, file.endOf(last.number));
    assertEquals(end - start, bestCut(lossy.decode(line), maxBytes));
  }
}

/** The length of the longest prefix of whole graphemes that fits; of whole characters, at least one, if no grapheme fits. */
function bestCut(text: string, most: number): number {
  let bytes = 0;
  for (const { segment } of graphemes.segment(text)) {
    const length = encoder.encode(segment).length;
    if (bytes + length > most) {
      if (bytes > 0) return bytes;
      break;
    }
    bytes += length;
  }
  for (const character of text) {
    const length = encoder.encode(character).length;
    if (bytes > 0 && bytes + length > most) return bytes;
    bytes += length;
  }
  return bytes;
}

const PARTS = some(25, 10);
const FILES = 160;

describe(`the pages of ${PARTS * FILES} random files restore them`, () => {
  for (const part of shareOf(Array(PARTS).keys())) {
    const seed = SEED + part;
    const cut = CUTS[part % CUTS.length]!;
    it(`for reads of ${cut} bytes, ${FILES} files (seed ${seed})`, async () => {
      const random = new Random(seed);
      const fs = oneFileFs();
      const workspace = await openWorkspace("/ws", {
        fs: cutFs(fs, cut),
        // All files have the same identity and times.
        cacheBytes: 0,
      });
      const read = (options: ReadOptions) => workspace.read("a", options);
      for (let left = FILES; left > 0; left--) {
        const broken = random.pick([0, 0, 3, 9]);
        const bytes = random.below(random.pick([9, 60, 400]));
        const recipe = { bytes, endings: random.pick([3, 9, 90]), broken };
        const file = new KnownFile(fs.content = hardRandomFile(random, recipe));
        fs.mtimeMs = random.pick([null, 1, Date.now()]);
        for (const options of drawOptions(random, file.size)) {
          checkCuts(await checkWalk({ read, file, options }), file, options);
        }
      }
    });
  }
});

describe("the pages of large random files restore them", () => {
  const KIB = 1024;
  for (const size of shareOf([63, 65, 255, 257, 1023, 500, 1500, 1025])) {
    for (const cut of [4097, 1024 * KIB]) {
      it(`of ${size} KiB, for reads of ${cut} bytes (seed ${SEED + size})`, async () => {
        const random = new Random(SEED + size);
        const fs = oneFileFs();
        const workspace = await openWorkspace("/ws", {
          fs: cutFs(fs, cut),
          // All files have the same identity and times.
          cacheBytes: 0,
        });
        const read = (options: ReadOptions) => workspace.read("a", options);
        for (const endings of [4, 40, 4e4]) {
          const broken = random.pick([0, 50]);
          const recipe = { bytes: size * KIB, endings, broken };
          const file = new KnownFile(
            fs.content = hardRandomFile(random, recipe),
          );
          fs.mtimeMs = random.pick([null, 1]);
          // With the same times, the index of the previous file would be used.
          fs.id = `${endings}`;
          const bytes = random.from(size * 30, size * 200);
          const options = random.pick<ReadOptions>([
            { maxBytes: bytes },
            { maxBytes: bytes, count: 999 },
            { count: Math.ceil(bytes / endings) },
            { tail: Math.ceil(file.lines / 2), maxBytes: bytes },
            { tail: Math.ceil(file.lines / 2), numbered: false },
            ...endings > 40 ? [{ width: bytes }] : [],
          ]);
          checkCuts(await checkWalk({ read, file, options }), file, options);
        }
      });
    }
  }
});

describe("a limit of bytes", () => {
  const long: Readonly<Record<string, string>> = {
    "an endless run of flags": "🇦🇹".repeat(9_000),
    "a letter with a thousand marks": `ab${"e" + "\u0301".repeat(1_000)}`,
    "a joined family of hundreds": `a${"👩‍".repeat(300)}👩z`,
    "Hangul": "\u1112\u1161\u11ab".repeat(500),
  };
  for (const [name, text] of Object.entries(long)) {
    for (const maxBytes of [250, 257, 1_001, 4_099]) {
      it(`of ${maxBytes} divides no grapheme that fits: ${name}`, async () => {
        const fs = oneFileFs();
        const workspace = await openWorkspace("/ws", { fs, cacheBytes: 0 });
        const read = (options: ReadOptions) => workspace.read("a", options);
        const file = new KnownFile(fs.content = encoder.encode(`${text}\n`));
        const options = { maxBytes };
        checkCuts(await checkWalk({ read, file, options }), file, options);
      });
    }
  }
});

describe("a column", () => {
  const { seed, numRuns } = draws(50_000, 20_000);
  it(`is one character of a decoder (seed ${seed})`, () => {
    const random = new Random(seed);
    const bytes = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xa9, 0xbf]
      .concat(0xc0, 0xc1, 0xc2, 0xc3, 0xdf, 0xe0, 0xe1, 0xed, 0xef)
      .concat(0xf0, 0xf1, 0xf4, 0xf5, 0xff, 0x0a, 0x0d);
    for (let left = numRuns; left > 0; left--) {
      const length = random.from(1, 9);
      const any = random.below(2) === 0;
      const some = Uint8Array.from(
        { length },
        () => any ? random.below(256) : random.pick(bytes),
      );
      let text = "";
      for (let at = 0; at < some.length;) {
        const unit = utf8Length(some, at);
        const one = lossy.decode(some.subarray(at, at + unit));
        assertEquals(Array.from(one).length, 1, `${some}`);
        text += one;
        at += unit;
      }
      assert(text === lossy.decode(some), `${some}`);
    }
  });
  it("is not inside a line ending", () => {
    const bytes = encoder.encode("a\r\nb\n\r");
    const endings = Array.from(bytes, (_, at) => endingAt(bytes, at));
    assertEquals(endings, [0, 2, 1, 0, 1, 0]);
  });
});
