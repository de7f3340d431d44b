/** A tail within limits: which end it keeps, and what it says of the rest. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  isRendered,
  memoryFs,
  openWorkspace,
  type ReadFields,
  type ReadOptions,
  renderPage,
} from "../../../mod.ts";

const LINES = Array.from(
  { length: 2000 },
  (_, at) => `${at + 1} `.padEnd(50, "x"),
);

async function readLast(options: ReadFields, text = `${LINES.join("\n")}\n`) {
  const fs = memoryFs({ "/a": { content: text, mtimeMs: 1 } });
  const workspace = await openWorkspace("/", { fs });
  return await workspace.read("a", options as ReadOptions);
}

const LIMITS: readonly ReadOptions[] = [
  { maxBytes: 1000 },
  { maxLines: 3 },
  ...[1, 200, 1000, 1500, 3000].map((maxChars) => ({ maxChars })),
  ...[1, 100, 300, 1000].map((maxTokens) => ({ maxTokens })),
];

describe("keepEnd", () => {
  for (const limits of LIMITS) {
    for (const numbered of [true, false]) {
      const options = { tail: 100, keepEnd: true, numbered, ...limits };
      it(`leaves out the first lines: ${JSON.stringify(options)}`, async () => {
        const page = await readLast(options);
        const last = page.lines.at(-1)!;
        assertEquals(last.number, numbered ? 2000 : -1);
        assert(LINES.at(-1)!.startsWith(last.text));
        assert(page.lines.length < 100);
        const { maxLines = Infinity, maxChars = Infinity } = options;
        assert(page.lines.length <= maxLines);
        const isLeast = page.text.length === 1;
        assert(isLeast || renderPage(page).length <= maxChars);
      });
    }
  }

  it("shows a character of a last line of any length", async () => {
    for (const limits of [{ maxChars: 1 }, { maxTokens: 1 }]) {
      for (const numbered of [true, false]) {
        const options = { tail: 2, keepEnd: true, numbered, ...limits };
        const long = `b\n${"a".repeat(100_000)}\n`;
        for (const text of ["aaaaaa\nbbbbbb\n", "aaaaaaa", long]) {
          const page = await readLast(options, text);
          assertEquals(page.text.length, 1);
        }
      }
    }
  });
});

describe("a tail without numbers that does not fit", () => {
  for (
    const limits of LIMITS.filter(({ maxChars, maxTokens }) =>
      maxChars ?? maxTokens
    )
  ) {
    const options = { tail: 100, numbered: false, ...limits };
    it(`keeps its end, and says so: ${JSON.stringify(options)}`, async () => {
      const page = await readLast(options);
      const count = page.lines.length;
      assertEquals(page.lines.at(-1)!.number, -1);
      assertEquals(page.next, null);
      assertEquals(page.leftOut, 100 - count);
      const text = renderPage(page);
      const told = `Line -1 is the last; up to ${
        100 - count
      } lines before these did not fit, and "numbered": true shows them.`;
      assert(text.endsWith(told), text);
      assert(isRendered(text));
      assertEquals(renderPage(JSON.parse(JSON.stringify(page))), text);
      // The call that it names shows them.
      const all = await readLast({ ...options, numbered: true });
      assertEquals(all.lines[0]!.number, 1901);
    });
  }

  it("gets numbers if maxLines cuts it before its end", async () => {
    const options = { tail: 100, numbered: false, maxLines: 3, maxChars: 9000 };
    const page = await readLast(options);
    const numbers = page.lines.map(({ number }) => number);
    assertEquals(numbers, [1901, 1902, 1903]);
    assertEquals(page.next?.start, 1904);
  });

  it("says nothing of lines before it if it fits", async () => {
    const page = await readLast({ tail: 2, numbered: false });
    assertEquals([page.leftOut, "leftOut" in page.toJSON()], [0, false]);
    assertEquals((await readLast({ tail: 2 })).leftOut, 0);
    assertEquals((await readLast({ start: 2 })).leftOut, 0);
    const one = await readLast({ tail: 2, numbered: false, maxChars: 190 });
    assert(renderPage(one).includes("up to 1 line before these"));
  });
});

describe("a clipped line that is cut", () => {
  const texts = [
    "👩‍👧b\r\nhit",
    "abcdefghij\nsecond\n",
    "é👧é👧\nx\n",
    "\xff👧\n👧",
  ];
  it("is followed by a page, in a store with times and in one without", async () => {
    for (const text of texts) {
      for (const file of [{ content: text, mtimeMs: 1 }, text]) {
        const fs = memoryFs({ "/a": file });
        const workspace = await openWorkspace("/", { fs });
        for (let maxLineBytes = 1; maxLineBytes < 8; maxLineBytes++) {
          for (
            const limits of [
              { maxChars: 1 },
              { maxTokens: 1 },
              { maxChars: 130 },
              { maxBytes: 4 },
              { maxBytes: 7 },
            ]
          ) {
            let next: ReadOptions | null = { ...limits, maxLineBytes };
            let end = 0;
            while (next !== null) {
              const page = await workspace.read("a", next);
              assert(page.shown.end > end);
              ({ end } = page.shown);
              ({ next } = page);
            }
            assertEquals(end, new TextEncoder().encode(text).length);
          }
        }
      }
    }
  });
});
