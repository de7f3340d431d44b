import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../../support/said.ts";
import {
  openWorkspace,
  ReadFileError,
  type ReadFileErrorDetails,
  type ReadOptions,
} from "../../../mod.ts";
import { runAtOnce } from "../../../src/core/base/call.ts";
import { writeEtag } from "../../../src/core/pages/etag.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { type OneFileFs, oneFileFs } from "../../support/one_file_fs.ts";
import { forged, numbersOf } from "../../support/forged_etags.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const KIB = 1024;
const MIB = KIB * KIB;

/** Long ago, so that the file is at rest. */
const OLD_MS = 1_000;

/** A workspace with a file that a test may change. */
async function openOn(text: string, most = 64 * 1024) {
  const fs = oneFileFs();
  write(fs, text, OLD_MS);
  const workspace = await openWorkspace("/ws", { fs: cutFs(fs, most) });
  return { fs, workspace };
}

function write(fs: OneFileFs, text: string, mtimeMs: number | null): void {
  fs.content = encoder.encode(text);
  fs.mtimeMs = mtimeMs;
}

const TEXT = "one\ntwo\nthree\nfour\nfive\n";

/** The text of the pages if the file changes after some of them. */
async function readOn(
  options: ReadOptions,
  pages: number,
  change: (fs: OneFileFs) => void,
  most?: number,
): Promise<string> {
  const { fs, workspace } = await openOn(TEXT, most);
  let page = await workspace.read("a", options);
  for (let left = pages; left > 1; left--) {
    page = await workspace.read("a", page.next!);
  }
  change(fs);
  const rest: string[] = [];
  const { next } = page;
  for await (const page of workspace.pages("a", next!)) {
    rest.push(decoder.decode(page.bytes()));
  }
  return rest.join("|");
}

const NEW_MS = OLD_MS + 1;

/** Changes that make earlier pages invalid. */
const CHANGES: readonly (readonly [
  string,
  (fs: OneFileFs) => void,
  ReadFileErrorDetails["CHANGED"],
  string,
])[] = [
  [
    "shrank",
    (fs) => write(fs, "one\ntwo\nthr", NEW_MS),
    { how: "shrank", totalLines: 3 },
    "it has shrunk, and has 3 lines now",
  ],
  [
    "shrank to a line",
    (fs) => write(fs, "one\n", OLD_MS),
    { how: "shrank", totalLines: 1 },
    "it has shrunk, and has 1 line now",
  ],
  [
    "was emptied",
    (fs) => write(fs, "", NEW_MS),
    { how: "shrank", totalLines: 0 },
    "it has shrunk, and has 0 lines now",
  ],
  [
    "grew by a line before the pages",
    (fs) => write(fs, `zero\n${TEXT}`, NEW_MS),
    { how: "grew" },
    "it has changed and grown",
  ],
  [
    "grew in a shown line",
    (fs) => write(fs, TEXT.replace("two", "twofold"), NEW_MS),
    { how: "grew" },
    "it has changed and grown",
  ],
  [
    "grew, and another shown line changed",
    (fs) => write(fs, `${TEXT.replace("two", "owt")}six\n`, NEW_MS),
    { how: "grew" },
    "it has changed and grown",
  ],
  [
    "grew, and a line before that page was divided in two",
    (fs) => write(fs, `${TEXT.replace("one", "o\ne")}six\n`, NEW_MS),
    { how: "grew" },
    "it has changed and grown",
  ],
  [
    "was replaced",
    (fs) => fs.id = "another",
    { how: "replaced" },
    "another file has taken its place",
  ],
  [
    "was replaced by a shorter file",
    (fs) => {
      fs.id = "another";
      write(fs, "one\n", NEW_MS);
    },
    { how: "replaced" },
    "another file has taken its place",
  ],
  [
    "was rewritten",
    (fs) => fs.mtimeMs = NEW_MS,
    { how: "rewritten" },
    "it was written anew",
  ],
];

describe("the next of a page whose file", () => {
  for (const most of CUTS) {
    for (const [what, change, details, sentence] of CHANGES) {
      it(`${what} is CHANGED, and says how, for reads of ${most} bytes`, async () => {
        const error = await assertRejects(
          () => readOn({ count: 1 }, 2, change, most),
          ReadFileError,
        );
        assert(error.is("CHANGED"), error.message);
        assertEquals(error.details, details);
        assertEquals(
          said(error),
          `Cannot read on in "a": ${sentence}; read it again from the beginning`,
        );
      });
    }
    it(`only grew continues to its new end, for reads of ${most} bytes`, async () => {
      const change = (fs: OneFileFs) => write(fs, `${TEXT}six\n`, NEW_MS);
      const rest = await readOn({ count: 2 }, 2, change, most);
      assertEquals(rest, "five\nsix\n");
    });
    it(`only grew continues inside a line, for reads of ${most} bytes`, async () => {
      const change = (fs: OneFileFs) => write(fs, `${TEXT}six`, NEW_MS);
      const rest = await readOn({ start: 3, width: 3 }, 1, change, most);
      assertEquals(rest, "ee\n|fou|r\n|fiv|e\n|six");
    });
    it(`only grew continues to its end option, for reads of ${most} bytes`, async () => {
      const change = (fs: OneFileFs) => write(fs, `${TEXT}six\n`, NEW_MS);
      const options = { start: 2, end: 4, maxBytes: 5 };
      const rest = await readOn(options, 1, change, most);
      assertEquals(rest, "three|\n|four\n");
    });
  }
  it("did not change continues", async () => {
    assertEquals(
      await readOn({ count: 2 }, 1, () => {}),
      "three\nfour\n|five\n",
    );
  });
});

describe("the next of a page whose file has no reliable time", () => {
  // A new file may be rewritten within the same tick of the clock.
  const times: readonly (readonly [string, () => number | null])[] = [
    ["if it is new", () => Date.now()],
    ["if its mtime is in the future", () => Date.now() + 1e9],
    ["if it has no mtime", () => null],
  ];
  for (const [why, time] of times) {
    const walkOver = async (texts: readonly string[]) => {
      const { fs, workspace } = await openOn(TEXT);
      const mtimeMs = time();
      let next: ReadOptions | null = { count: 1 };
      let shown = "";
      for (const text of texts) {
        write(fs, text, mtimeMs);
        const page = await workspace.read("a", next!);
        shown += decoder.decode(page.bytes());
        next = page.next;
      }
      return shown;
    };
    it(`${why}, continues if the shown bytes are unchanged`, async () => {
      const other = TEXT.replace("five", "FIVE");
      assertEquals(await walkOver([TEXT, TEXT, other]), "one\ntwo\nthree\n");
    });
    it(`${why}, is CHANGED if a shown line changed`, async () => {
      const texts = [TEXT, TEXT, TEXT.replace("two", "TWO")];
      const error = await assertRejects(() => walkOver(texts), ReadFileError);
      assert(error.is("CHANGED"), error.message);
      assertEquals(error.details, { how: "rewritten" });
    });
    it(`${why}, continues if bytes before the page changed in place`, async () => {
      const texts = [TEXT, TEXT, TEXT.replace("one", "ONE")];
      assertEquals(await walkOver(texts), "one\ntwo\nthree\n");
    });
  }
});

describe("a line before the pages that was divided in two", () => {
  // The size and the shown bytes stay the same.
  const before = "aXb\nc\nd\ne\n";
  const after = "a\nb\nc\nd\ne\n".slice(0, before.length);
  const cases: readonly (readonly [string, ReadOptions, number | null])[] = [
    ["without a time", { start: 2, count: 1 }, null],
    ["of a new file", { start: 2, count: 1 }, Date.now() + 1e9],
    ["by columns", { start: 3, width: 1 }, null],
    ["of the last lines", { tail: 2, maxBytes: 2 }, null],
    ["around a line", { around: 3, before: 1, maxBytes: 2 }, null],
  ];
  for (const [what, options, mtimeMs] of cases) {
    it(`does not repeat a line, ${what}`, async () => {
      const { fs, workspace } = await openOn(before);
      write(fs, before, mtimeMs);
      const { next } = await workspace.read("a", options);
      write(fs, after, mtimeMs);
      const error = await assertRejects(
        () => workspace.read("a", next!),
        ReadFileError,
      );
      assertEquals(error.details, { how: "rewritten" });
    });
  }
  it("is noticed if the previous line is gone", async () => {
    const { fs, workspace } = await openOn("a\nb\nc\nd\n");
    write(fs, "a\nb\nc\nd\n", null);
    const { next } = await workspace.read("a", { start: 3, count: 1 });
    write(fs, "a b c\nd\n".slice(0, 4) + "c\nd\n", null);
    await assertRejects(() => workspace.read("a", next!), ReadFileError);
  });
});

describe("an impossible time", () => {
  for (const time of [1e21, -1e20, Infinity, -Infinity, NaN, 2 ** 60]) {
    it(`counts as unknown: ${time}`, async () => {
      const { fs, workspace } = await openOn(TEXT);
      [fs.mtimeMs, fs.ctimeMs] = [time, time];
      const { next } = await workspace.read("a", { count: 1 });
      const page = await workspace.read("a", next!);
      assertEquals(page.lines[0]?.text, "two");
      write(fs, TEXT.replace("two", "TWO"), time);
      const error = await assertRejects(
        () => workspace.read("a", page.next!),
        ReadFileError,
      );
      assertEquals(error.details, { how: "rewritten" });
    });
  }
});

describe("an etag", () => {
  it("is the same for the same page only", async () => {
    const { fs, workspace } = await openOn(TEXT);
    const etagOf = async (options: ReadOptions) =>
      (await workspace.read("a", options)).etag;
    const first = await etagOf({ count: 2 });
    assertEquals(await etagOf({ end: 2 }), first);
    assertNotEquals(await etagOf({ count: 3 }), first);
    assertNotEquals(await etagOf({ start: 2, count: 2 }), first);
    fs.mtimeMs = NEW_MS;
    assertNotEquals(await etagOf({ count: 2 }), first);
    fs.mtimeMs = OLD_MS;
    fs.id = "another";
    assertNotEquals(await etagOf({ count: 2 }), first);
  });
  it("does not reveal the name and identity of the file", async () => {
    const { fs, workspace } = await openOn(TEXT);
    fs.id = "2049:1234567";
    const { etag } = await workspace.read("a", { count: 2 });
    assert(!/2049|1234567/.test(etag), etag);
    assert(/^[\w-]{33,48}$/.test(etag), etag);
  });
  it("that a model copied incorrectly is refused", async () => {
    const { workspace } = await openOn(TEXT);
    const { etag } = await workspace.read("a", { count: 2 });
    for (let at = 0; at < etag.length; at++) {
      const other = etag[at] === "A" ? "B" : "A";
      const copies = [
        ...[etag.slice(0, at), etag.slice(0, at) + etag.slice(at + 1)],
        etag.slice(0, at) + other + etag.slice(at + 1),
        // Two characters changed places, unless they are the same.
        ...etag[at] === etag[at + 1] ? [] : [
          etag.slice(0, at) + etag.slice(at + 1, at + 2) + etag[at] +
          etag.slice(at + 2),
        ],
      ].filter((copy) => copy !== etag);
      for (const copy of copies) {
        const error = await assertRejects(
          () => workspace.read("a", { start: 3, etag: copy }),
          ReadFileError,
        );
        assertEquals(error.code, "INVALID_ARGUMENT", copy);
      }
    }
  });
  it("allows jumping to another line, even if the file grew", async () => {
    const { fs, workspace } = await openOn(TEXT);
    const { etag } = await workspace.read("a", { count: 1 });
    const page = await workspace.read("a", { start: 4, count: 1, etag });
    assertEquals(page.lines[0]?.text, "four");
    write(fs, `${TEXT}six\n`, NEW_MS);
    const jumps: readonly ReadOptions[] = [
      { start: 4, count: 1 },
      { start: 2, column: 2, count: 1 },
      { start: 1, count: 1 },
      { tail: 1 },
      { around: 6, before: 0 },
    ];
    const shown = [];
    for (const options of jumps) {
      shown.push((await workspace.read("a", { ...options, etag })).lines);
    }
    assertEquals(shown.flat().map(({ text }) => text), [
      "four",
      "wo",
      "one",
      "six",
      "six",
    ]);
    // The page of the etag is the first line.
    write(fs, `${TEXT.replace("one", "ONE")}six\n`, NEW_MS);
    for (const options of jumps) {
      const error = await assertRejects(
        () => workspace.read("a", { ...options, etag }),
        ReadFileError,
      );
      assertEquals(error.details, { how: "grew" });
    }
  });
  it("that is forged reads no more than the file", async () => {
    const { workspace } = await openOn(TEXT);
    const { etag } = await workspace.read("a", { count: 1 });
    const { size } = numbersOf(etag);
    for (const [end, length] of [[4, 5], [size + 1, 1]] as const) {
      const made = forged(etag, { end, length });
      const error = await assertRejects(
        () => workspace.read("a", { start: 2, etag: made }),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
    const larger = { size: 1e12, end: 1e12, length: 1e9 };
    const error = await assertRejects(
      () => workspace.read("a", { start: 2, etag: forged(etag, larger, 7) }),
      ReadFileError,
    );
    assertEquals(error.details, { how: "shrank", totalLines: 5 });
  });
  it("of another kind is refused", async () => {
    const { workspace } = await openOn(TEXT);
    const foreign = [
      "",
      "v1",
      '"v1"',
      "23275465",
      "A".repeat(45),
      "é".repeat(45),
    ];
    for (const etag of foreign) {
      const error = await assertRejects(
        () => workspace.read("a", { start: 2, etag }),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT", etag);
    }
  });
  for (
    const [size, most] of [
      [63, 33],
      [4 * KIB - 1, 36],
      [256 * KIB - 1, 39],
      [16 * MIB - 1, 42],
      [1024 * MIB, 48],
    ] as const
  ) {
    it(`has ${most} characters at most for a file of ${size} bytes`, () => {
      const stat = {
        kind: "file",
        size,
        mtimeMs: 1,
        ctimeMs: 2,
        id: "3",
      } as const;
      const run = {
        ...{ start: size - 2, end: size, line: size, lines: 1 },
        ...{ column: size, endColumn: size, text: "a\n", bytes: undefined },
        clips: [],
      };
      const { etag } = runAtOnce(writeEtag(run, stat, Date.now()));
      assert(etag.length <= most, etag);
      assertEquals(numbersOf(etag), { size, end: size, length: 2 });
    });
  }
  it("of a file at rest costs no second read of the shown bytes", async () => {
    const { fs } = await openOn(TEXT.repeat(100));
    const counted = countingFs(cutFs(fs, 1));
    const workspace = await openWorkspace("/ws", { fs: counted });
    const first = await workspace.read("a", { start: 100, count: 300 });
    counted.counts.bytes = 0;
    const page = await workspace.read("a", {
      ...first.next,
      start: 1,
      count: 1,
    });
    assertEquals(page.lines[0]?.text, "one");
    assert(counted.counts.bytes <= 8, `${counted.counts.bytes} bytes`);
  });
});
