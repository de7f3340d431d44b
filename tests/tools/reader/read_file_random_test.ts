/** Parses the answers for random files. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs } from "../../../mod.ts";
import { readerOn } from "../../support/reader.ts";
import { parseWords } from "../../support/rendered.ts";
import { Random, SEED } from "../../support/random.ts";
import { some } from "../../support/share.ts";
import { hardRandomFile } from "../../support/random_text.ts";

/** How many files are read. */
const FILES = some(150, 75);

/** The arguments of a call, and the first and last line that it must show. */
function drawCall(random: Random, lines: number) {
  const line = () => random.from(1, Math.max(1, lines));
  const start = line();
  const [before, after] = [random.below(30), random.below(30)];
  return random.pick(
    [
      [{}, 1, lines],
      [{ start }, start, lines],
      [{ start, end: start + after }, start, start + after],
      [{ start, count: after + 1 }, start, lines],
      [{ tail: after + 1 }, lines - after, lines],
      [
        { around: start, before, after },
        Math.max(1, start - before),
        start + after,
      ],
    ] as const,
  );
}

describe("the words of a page", () => {
  it(`show all requested lines once, within their bounds, and nothing else (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    let pages = 0;
    for (let count = 0; count < FILES; count++) {
      const file = hardRandomFile(random, {
        bytes: random.below(30_000),
        endings: random.from(2, 400),
        broken: random.below(3) * 20,
      }).map((byte) => byte === 0 ? 0x7a : byte);
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(file);
      const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const maxChars = random.from(1000, 4000);
      const escape = random.below(3) === 0 ? { escape: true } : {};
      const [asked, first, last] = drawCall(random, lines.length);

      const fs = memoryFs({ "/ws/a.txt": file });
      const server = await readerOn(["/ws"], { maxChars }, fs);
      let shown = "";
      let next: Record<string, unknown> | null = {
        path: "a.txt",
        ...asked,
        ...escape,
      };
      const what = JSON.stringify([count, next, lines.length]);
      while (next !== null) {
        const told = await server.call(next);
        assert(told.ok, `${what}: ${told.text}`);
        assert(told.text.length <= maxChars, `${what}: ${told.text.length}`);
        const page = parseWords(told.text);
        assertEquals(page.total, lines.length, what);
        assertEquals(page.more, page.next !== null, what);
        shown += page.content;
        next = page.next;
        pages++;
      }
      const wanted = lines.slice(first < 1 ? 0 : first - 1, last).join("");
      assert(shown === wanted, `${what} shows something else`);
    }
    assert(pages > 2 * FILES, `${pages} pages`);
  });
});
