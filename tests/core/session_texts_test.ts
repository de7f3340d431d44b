import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { describe, it } from "node:test";
import {
  createReadSession,
  memoryFs,
  openWorkspace,
  type PageOptions,
  parsePage,
  type ReadSession,
  renderPage,
} from "../../mod.ts";
import { oneFileFs } from "../support/one_file_fs.ts";
import { SEED } from "../support/random.ts";
import { some } from "../support/share.ts";

async function openOn(content: string | Uint8Array): Promise<ReadSession> {
  const fs = memoryFs({ "/a": content });
  return createReadSession(await openWorkspace("/", { fs }), {
    remember: true,
  });
}

/** Lines with hits, controls and escapes, and sometimes no ending. */
const content = fc.array(
  fc.constantFrom("a", "b", "\u65e5", "\\u{1B}", "\x1b", "\n", "\r\n", "a\n"),
  { maxLength: 30 },
).map((parts) => parts.join(""));

const few = fc.integer({ min: 1, max: 5 });

const options: fc.Arbitrary<PageOptions> = fc.oneof(
  fc.record({
    match: fc.constantFrom("a", "b", "^"),
    regex: fc.constant(true),
    start: few,
    limit: few,
    after: few,
    maxBytes: fc.integer({ min: 1, max: 30 }),
  }, { requiredKeys: ["match", "regex"] }),
  fc.record({ lines: fc.array(few, { minLength: 1 }), before: few }, {
    requiredKeys: ["lines"],
  }),
  fc.record({ start: few, column: few, escape: fc.boolean() }),
  fc.record({ start: few, count: few }),
  fc.record({ tail: few, numbered: fc.boolean() }),
).map((options) => ({ ...options }));

describe("the text of a session", () => {
  const page = (options: PageOptions, left: readonly number[]) =>
    [JSON.stringify(options), options, left] as const;
  for (
    const [name, options, left] of [
      page({ match: "[27]", regex: true, after: 1 }, [2, 3, 7]),
      page({ match: "[2-9]", regex: true, limit: 3 }, [3, 4]),
      page({ lines: [1, 5, 9] }, [1]),
      page({ lines: [1, 5, 9] }, [9]),
    ]
  ) {
    it(`of hits can be parsed without the lines ${left}: ${name}`, async () => {
      const lines = Array.from(
        { length: 9 },
        (_, at) => `${at + 1} ${at}${at}`,
      );
      const session = await openOn(lines.join("\n"));
      for (const start of left) await session.read("a", { start, end: start });
      const answer = await session.read("a", options);
      assertEquals(answer.kept.flat().includes(left[0]!), true);
      const parsed = parsePage(answer.text);
      assertEquals(parsed.lines, answer.lines);
      assertEquals(parsed.hits, answer.page.hits);
      assertEquals(parsed.next, answer.page.next);
    });
  }
  it("can be parsed if the page began inside its first line, which is known", async () => {
    const session = await openOn("first\nsecond\n");
    await session.read("a", { column: 3, count: 1 });
    const { kind, text } = await session.read("a", { column: 3 });
    assertEquals(kind, "new");
    const [line] = parsePage(text).lines;
    assertEquals(line?.text, "second");
  });
  it("has a row for each line that a page with since leaves out", async () => {
    const lines = ["a\n", "b\n", "c\n", "d\n", "e\n", "f\n"];
    const fs = oneFileFs();
    const write = (lines: readonly string[]) => {
      fs.content = new TextEncoder().encode(lines.join(""));
    };
    write(lines);
    const workspace = await openWorkspace("/ws", { fs });
    const { receipt } = await workspace.read("a");
    write(lines.with(1, "new\n").with(3, "other\n"));
    const session = createReadSession(workspace, { remember: true });
    await session.read("a", { start: 2, end: 2 });
    const { text } = await session.read("a", { since: receipt });
    assertEquals(text.split("\n").slice(0, -1), [
      "¦ line 1 unchanged",
      "¦ line 2 unchanged",
      "¦ line 3 unchanged",
      "4¦other",
      "¦ lines 5-6 unchanged",
    ]);
  });
  it("has a hunk for each run of new lines", async () => {
    const session = await openOn("a\nb\nc\nd\ne\n");
    await session.read("a", { start: 5, end: 5 });
    const { text } = await session.read("a", { match: "[ace]", regex: true });
    assertEquals(parsePage(text).hunks, [
      { start: 1, text: "a\n" },
      { start: 3, text: "c\n" },
      { start: 5, kept: [5, 5] },
    ]);
  });
  it("is refused if its hits were moved to other lines", async () => {
    const session = await openOn("a\nb\na\nb\na\nb\na\n");
    await session.read("a", { start: 3, end: 4 });
    const { text } = await session.read("a", { match: "a", after: 1 });
    parsePage(text);
    const hits = "on lines 1, 3, 5, 7";
    const others = ["1, 3, 5, 9", "3, 1, 5, 7", "3, 3, 5, 7"];
    for (const other of [...others, "1-999999999"]) {
      const changed = text.replace(hits, `on lines ${other}`);
      assertEquals(changed === text, false);
      assertThrows(
        () => parsePage(changed),
        TypeError,
        "Cannot parse the page",
      );
    }
  });
  it(`can be parsed, and gives back the lines and hits (seed ${SEED})`, async () => {
    const check = async (content: string, calls: readonly PageOptions[]) => {
      const session = await openOn(content);
      for (const options of calls) {
        const { kind, times, text, lines, page } = await session.read(
          "a",
          options,
        );
        if (kind === "unchanged" || times > 2) continue;
        const parsed = parsePage(text);
        assertEquals(parsed.lines, lines);
        assertEquals(parsed.hits, page.hits);
        assertEquals(renderPage(parsed), text);
      }
    };
    const calls = fc.array(options, { minLength: 2, maxLength: 4 });
    const runs = { seed: SEED, numRuns: some(500, 200) };
    await fc.assert(fc.asyncProperty(content, calls, check), runs);
  });
});
