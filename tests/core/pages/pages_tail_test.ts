/** The last lines of a file, counted from its end. */
import {
  assert,
  assertEquals,
  assertLessOrEqual,
  assertRejects,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  openWorkspace,
  type Page,
  ReadFileError,
  type ReadOptions,
  renderPage,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { checkRendering } from "../../support/rendered.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

async function read(
  content: string | Uint8Array,
  options: ReadOptions,
  most = 64 * KIB,
): Promise<Page> {
  const fs = cutFs(memoryFs({ "/ws/a": content }), most);
  return await (await openWorkspace("/ws", { fs })).read("a", options);
}

/** The numbers and texts of a page. */
function linesOf({ lines }: Page): readonly (readonly [number, string])[] {
  return lines.map(({ number, text }) => [number, text]);
}

const TEN = Array.from({ length: 10 }, (_, at) => `${at + 1}\n`).join("");

describe("a tail without numbers", () => {
  for (const most of CUTS) {
    it(`is counted from the end, for reads of ${most} bytes`, async () => {
      for (const content of [TEN, TEN.trimEnd()]) {
        const page = await read(content, { tail: 3, numbered: false }, most);
        assertEquals(linesOf(page), [[-3, "8"], [-2, "9"], [-1, "10"]]);
        const { length: size } = content;
        assertEquals(page.shown, { start: 14, end: size });
        assertEquals([page.totalLines, page.empty, page.next], [
          null,
          null,
          null,
        ]);
      }
    });
    it(`is numbered if it begins at line 1, for reads of ${most} bytes`, async () => {
      for (const tail of [10, 99]) {
        const page = await read(TEN, { tail, numbered: false }, most);
        assertEquals([page.lines[0]?.number, page.totalLines], [1, 10]);
      }
    });
  }
  it("reads only the end of the file", async () => {
    const content = "a line\n".repeat(2 * MIB);
    const fs = countingFs(memoryFs({ "/ws/a": content }));
    const workspace = await openWorkspace("/ws", { fs });
    const page = await workspace.read("a", { tail: 20, numbered: false });
    assertEquals(page.lines.length, 20);
    assertLessOrEqual(fs.counts.bytes, 128 * KIB);
    fs.counts.bytes = 0;
    const counted = await workspace.read("a", { tail: 20, numbered: true });
    assertEquals(counted.totalLines, 2 * MIB);
    assertEquals(counted.lines[0]?.number, 2 * MIB - 19);
    assertLessOrEqual(content.length, fs.counts.bytes);
  });
  it("is numbered if maxBytes cuts it, and continues to the old end", async () => {
    const options = { tail: 3, numbered: false, maxBytes: 4 };
    const page = await read(TEN, options);
    assertEquals(linesOf(page), [[8, "8"], [9, "9"]]);
    assertEquals(page.totalLines, 10);
    const { etag } = page;
    assertEquals(page.next, { start: 10, end: 10, maxBytes: 4, etag });
    assertEquals(linesOf(await read(TEN, page.next!)), [[10, "10"]]);
    // A limit equal to the size does not cut.
    const whole = await read(TEN, { ...options, maxBytes: 7 });
    assertEquals(linesOf(whole)[0], [-3, "8"]);
  });
  it("says that a file is empty", async () => {
    const page = await read("", { tail: 3, numbered: false });
    assertEquals([page.empty, page.totalLines, page.lines], [
      "empty file",
      0,
      [],
    ]);
  });
  it("uses the same numbers for hidden, escaped and invalid lines", async () => {
    const bytes = Uint8Array.of(0x61, 10, 0xff, 10, 0x62, 0, 10, 0x63, 10);
    const page = await read(bytes, { tail: 3, numbered: false, escape: true });
    assertEquals(linesOf(page).map(([number]) => number), [-3, -2, -1]);
    assertEquals(page.inexact, [
      { number: -3, reason: "not UTF-8" },
      { number: -2, reason: "escaped" },
    ]);
    const places = page.warnings.map(({ line, column }) => [line, column]);
    assertEquals(places, [[-2, 2]]);
  });
  it("does not treat U+FEFF in the middle as the byte order mark of the file", async () => {
    const page = await read("a\n\ufeffb\n", { tail: 1, numbered: false });
    assertEquals(page.warnings.map(({ name }) => name), [
      "zero-width no-break space",
    ]);
  });
  it("has its numbers in its rendering, which says what they mean", async () => {
    const page = await read(TEN, { tail: 2, numbered: false });
    assertEquals(
      renderPage(page),
      '"a": lines -2 to -1 of an unknown total (21 bytes).\n-2\t9\n-1\t10\nEnd of file. Line -1 is the last; "numbered": true counts lines from the first.',
    );
    checkRendering(page);
  });
  it("is from the version of its etag", async () => {
    const fs = oneFileFs();
    const workspace = await openWorkspace("/ws", { fs });
    fs.content = new TextEncoder().encode(TEN);
    const options = { tail: 2, numbered: false };
    const { etag } = await workspace.read("a", options);
    const again = await workspace.read("a", { ...options, etag });
    assertEquals(linesOf(again), [[-2, "9"], [-1, "10"]]);
    fs.content = new TextEncoder().encode(`${TEN}11\n`);
    const grown = await workspace.read("a", { ...options, etag });
    assertEquals(linesOf(grown), [[-2, "10"], [-1, "11"]]);
    fs.content = new TextEncoder().encode(TEN.replace("9", "x"));
    const error = await assertRejects(
      () => workspace.read("a", { ...options, etag }),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
  });
});

describe("numbered", () => {
  it("is true by default for local files", async () => {
    for (const options of [{ tail: 1 }, { tail: 1, numbered: true }]) {
      const page = await read(TEN, options);
      assertEquals([linesOf(page), page.totalLines], [[[10, "10"]], 10]);
    }
  });
  const refused: readonly (readonly [ReadOptions, string])[] = [
    [{ numbered: false }, "means nothing without tail"],
    [{ start: 3, numbered: true }, "means nothing without tail"],
    [{ around: 3, numbered: true }, "means nothing without tail"],
    [
      { tail: 3, numbered: "no" } as unknown as ReadOptions,
      'must be true or false, not "no"',
    ],
    [
      { tail: 3, numbered: null } as unknown as ReadOptions,
      "must be true or false, not null",
    ],
  ];
  for (const [options, problem] of refused) {
    it(`is refused in ${JSON.stringify(options)}`, async () => {
      const error = await assertRejects(
        () => read(TEN, options),
        ReadFileError,
      );
      assert(error.is("INVALID_ARGUMENT"));
      assertEquals(error.message, `Cannot read "a": numbered ${problem}`);
    });
  }
});
