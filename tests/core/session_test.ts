import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  createReadSession,
  memoryFs,
  openWorkspace,
  type Page,
  type PageLine,
  type ReadOptions,
  renderPage,
  type SessionAnswer,
  type SessionOptions,
} from "../../mod.ts";
import { lineOf } from "../support/edits.ts";
import { Random, SEED } from "../support/random.ts";
import { some } from "../support/share.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `this is line number ${at + 1}\n`);

/** Reads a page of a file with this content. */
async function read(
  content: readonly string[],
  options: ReadOptions = {},
  path = "a",
): Promise<Page> {
  const fs = memoryFs({ [`/${path}`]: content.join("") });
  return await (await openWorkspace("/", { fs })).read(path, options);
}

const numbersOf = ({ lines }: SessionAnswer) =>
  lines.map(({ number }) => number);

describe("the answer of a session", () => {
  it("is one line if nothing is new", async () => {
    const session = createReadSession();
    const page = await read(linesTo(200));
    const first = session.answer(page);
    assertEquals([first.kind, first.lines.length], ["page", 200]);
    assertEquals(first.text, renderPage(page));
    assertEquals(session.answer(page), {
      ...{ kind: "unchanged", lines: [], times: 2 },
      kept: [{ kind: "same", before: 1, after: 1, count: 200 }],
      text:
        '"a": lines 1-200, unchanged since an earlier answer showed them; this line stands for their text.',
    });
  });
  it("has the new lines of a part, and names the others", async () => {
    const session = createReadSession();
    const lines = linesTo(300);
    session.answer(await read(lines, { end: 200 }));
    const part = session.answer(await read(lines, { start: 150, end: 202 }));
    assertEquals([part.kind, numbersOf(part)], ["new", [201, 202]]);
    assertEquals(part.kept, [
      { kind: "same", before: 150, after: 150, count: 51 },
    ]);
    assertEquals(
      part.text,
      [
        '"a": lines 201-202 of an unknown total (7092 bytes).',
        "Note: unchanged since an earlier answer, and left out: lines 150-200.",
        "201\tthis is line number 201",
        "202\tthis is line number 202",
        "End of what was asked for; the file goes on.",
      ].join("\n"),
    );
    assertEquals(
      session.answer(await read(lines, { end: 202 })).kind,
      "unchanged",
    );
  });
  it("has a changed line once", async () => {
    const session = createReadSession();
    const lines = linesTo(20);
    session.answer(await read(lines));
    for (const content of [lines.with(4, "new\n"), lines]) {
      const changed = session.answer(await read(content));
      assertEquals(numbersOf(changed), [5]);
      assertMatch(changed.text, /left out: lines 1-4, 6-20\.\n5\t/);
      assertEquals(session.answer(await read(content)).kind, "unchanged");
    }
  });
  it("names the numbers with which lines were shown, if they moved", async () => {
    const session = createReadSession();
    const lines = linesTo(20);
    session.answer(await read(lines));
    const moved = session.answer(await read(lines.toSpliced(4, 0, "new\n")));
    assertEquals(numbersOf(moved), [5]);
    assertEquals(moved.kept, [
      { kind: "same", before: 1, after: 1, count: 4 },
      { kind: "moved", before: 5, after: 6, count: 16 },
    ]);
    assertMatch(
      moved.text,
      /left out: lines 1-4, lines 6-21 \(shown as lines 5-20\)\.\n5\tnew\n/,
    );
    // All lines moved up.
    const up = session.answer(await read(lines.slice(10)));
    assertEquals([up.kind, up.lines], ["unchanged", []]);
    assertMatch(
      up.text,
      /^"a": lines 1-10 \(shown as lines 11-20\), unchanged/,
    );
  });
  it("refers to a number only for the line that it showed last with it", async () => {
    const session = createReadSession();
    const lines = linesTo(20);
    session.answer(await read(lines));
    const edited = lines.toSpliced(4, 0, "new\n");
    session.answer(await read(edited));
    // Line 5 is the new one now, so the line that was shown as 5 is shown again.
    const again = session.answer(await read(edited));
    assertEquals(numbersOf(again), [6]);
    assertEquals(again.kept.at(-1), {
      ...{ kind: "moved", before: 6, after: 7, count: 15 },
    });
  });
  it("does not take equal lines elsewhere for lines that moved", async () => {
    const session = createReadSession();
    const block = linesTo(10);
    const lines = [...block, ...block];
    session.answer(await read(lines, { end: 10 }));
    const { kind, kept } = session.answer(await read(lines, { start: 11 }));
    assertEquals([kind, kept], ["page", []]);
  });
  it("shows a few characters that moved again", async () => {
    const session = createReadSession();
    const lines = [...linesTo(20), "}\n"];
    session.answer(await read(lines));
    const edited = lines.toSpliced(19, 1, "one\n", "two\n", "three\n");
    const { kept } = session.answer(await read(edited));
    assertEquals(kept, [{ kind: "same", before: 1, after: 1, count: 19 }]);
  });
  it("is the whole page if that takes less text", async () => {
    const session = createReadSession();
    const page = await read(["one\n"]);
    for (const times of [1, 2]) {
      const { kind, kept, text, ...answer } = session.answer(page);
      assertEquals([kind, kept, text], ["page", [], renderPage(page)]);
      assertEquals(answer.times, times);
    }
  });
  it("goes on after the lines that were left out", async () => {
    const session = createReadSession();
    const page = await read(linesTo(20), { count: 9 });
    session.answer(page);
    const { text } = session.answer(page);
    assertEquals(text.split("\n")[1], renderPage(page).split("\n").at(-1));
    assertMatch(text, /\nNext: read_file \{"path":"a","start":10,"count":9,/);
  });
  it("takes the words of a tool", async () => {
    const session = createReadSession();
    const page = await read(linesTo(30), { count: 20 });
    const options: SessionOptions = {
      ...{ path: "ws/a", tool: "look", next: { from: 21 } },
      ...{ notes: ["so it was understood"], hint: "Ask again." },
    };
    const { hint: _, ...shown } = options;
    assertEquals(
      session.answer(page, options).text,
      renderPage(page, shown),
    );
    assertEquals(
      session.answer(page, options).text,
      [
        '"ws/a": lines 1-20, unchanged since an earlier answer showed them; this line stands for their text. Ask again.',
        "Note: so it was understood",
        'Next: look with the same path and {"from":21}',
      ].join("\n"),
    );
    const all = session.answer(await read(linesTo(30)), options).text;
    assertMatch(
      all,
      /\nNote: unchanged since an earlier answer, and left out: lines 1-20\. Ask again\.\nNote: so it/,
    );
    const last = session.answer(page, { next: null }).text;
    assert(!/Next/.test(last), last);
  });
  it("takes what JSON keeps of a page", async () => {
    const session = createReadSession();
    const page = await read(linesTo(20));
    const facts = JSON.parse(JSON.stringify(page));
    assertEquals(session.answer(facts).text, renderPage(page));
    assertEquals(session.answer(page).kind, "unchanged");
  });
  it("tells hidden characters and marks of the shown lines only", async () => {
    const session = createReadSession();
    const lines = ["\u202ea\n", ...linesTo(20), "\u200bc"];
    session.answer(await read(lines, { end: 20 }));
    const { text } = session.answer(await read(lines));
    assertMatch(
      text,
      /Hidden characters: U\+200B zero-width space \(line 22, column 1\)\.\n/,
    );
    assertMatch(text, /\n22 no newline\t/);
  });
  it("has the gaps between hits, and no rows for hits that were shown", async () => {
    const session = createReadSession();
    const lines = linesTo(90).map((line) => `${"long ".repeat(20)}${line}`);
    session.answer(await read(lines, { start: 4, end: 6 }));
    const { text } = session.answer(
      await read(lines, { lines: [2, 5, 12], before: 1 }),
    );
    assertMatch(
      text,
      /left out: lines 4-5\.\n1\t[^\n]*\n2\t[^\n]*\n… line 3 not shown\n… lines 6-10 not shown\n11\t/,
    );
  });
  it("has a part of a line again only if another part was shown", async () => {
    const session = createReadSession();
    const line = ["x".repeat(300)];
    const first = await read(line, { column: 1, width: 200 });
    const second = await read(line, { column: 101, width: 200 });
    const kinds = [first, second, first, second].map((page) =>
      session.answer(page).kind
    );
    assertEquals(kinds, ["page", "page", "unchanged", "unchanged"]);
  });
  it("shows lines again whose endings changed", async () => {
    const session = createReadSession();
    const lines = linesTo(20);
    session.answer(await read(lines));
    const other = lines.with(6, lines[6]!.replace("\n", "\r\n"));
    assertEquals(numbersOf(session.answer(await read(other))), [7]);
  });
  it("shows lines again that a view showed, and the other way round", async () => {
    const session = createReadSession();
    const page = await read(linesTo(20));
    const seen = { ...JSON.parse(JSON.stringify(page)), view: "cells" };
    const kinds = [page, seen, seen, page].map((page) =>
      session.answer(page).kind
    );
    assertEquals(kinds, ["page", "page", "unchanged", "page"]);
  });
});

/** The lines of a conversation, as a model finds them: the last ones with each number. */
class Conversation {
  readonly #rows = new Map<number, string>();

  /** Takes an answer; returns the lines that it shows or refers to, by their numbers. */
  take({ text, kept }: SessionAnswer): Map<number, string> {
    const told = new Map<number, string>();
    // What the answer refers to was shown before it.
    for (const { before, after, count } of kept) {
      for (let at = 0; at < count; at++) {
        told.set(after + at, this.#rows.get(before + at)!);
      }
    }
    for (const [, number, row] of text.matchAll(/^(\d+)[^\t\n]*\t(.*)$/gm)) {
      told.set(Number(number), row!);
      this.#rows.set(Number(number), row!);
    }
    return told;
  }
}

describe("a conversation with a session", () => {
  it(`has each line of each page, after random edits (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const kinds = { page: 0, new: 0, unchanged: 0 };
    let moved = 0;
    for (let run = 0; run < some(400, 40); run++) {
      const session = createReadSession();
      const conversation = new Conversation();
      let lines = Array.from(
        { length: 40 },
        () => lineOf(random).replace(/[\r\t]/g, " word of a line"),
      );
      for (let call = 0; call < 12; call++) {
        if (random.below(3) === 0) {
          const more = Array.from(
            { length: random.below(3) },
            (_, at) => `line ${at} of edit ${call}\n`,
          );
          const at = random.below(lines.length);
          lines = lines.toSpliced(at, random.below(3), ...more);
        }
        const start = random.from(1, 40);
        const options = random.below(2) === 0
          ? {}
          : { start, end: start + random.below(40) };
        const page = await read(lines, options);
        const answer = session.answer(page);
        const expected = page.lines.map((
          { number, text }: PageLine,
        ) => [number, text] as const);
        const told = conversation.take(answer);
        assertEquals(
          [...told].sort(([one], [other]) => one - other),
          expected,
          `run ${run}, call ${call}`,
        );
        kinds[answer.kind]++;
        if (answer.kept.some(({ kind }) => kind === "moved")) moved++;
      }
    }
    for (const count of [...Object.values(kinds), moved]) assert(count > 20);
  });
});

describe("a session", () => {
  it("forgets a file by its path, or all", async () => {
    const pages = [
      await read(linesTo(20), {}, "a"),
      await read(linesTo(20), {}, "ab"),
    ];
    for (
      const [path, expected] of [
        ["a", ["page", "unchanged"]],
        ["none", ["unchanged", "unchanged"]],
        [undefined, ["page", "page"]],
      ] as const
    ) {
      const session = createReadSession();
      for (const page of pages) session.answer(page);
      session.forget(path);
      const kinds = pages.map((page) => session.answer(page).kind);
      assertEquals(kinds, [...expected], path);
    }
  });
  it("shows a page of more than 50,000 lines each time, and keeps nothing of it", async () => {
    const session = createReadSession();
    const lines = Array.from({ length: 50_001 }, (_, at) => `${at}\n`);
    session.answer(await read(lines, { end: 90 }));
    const large = await read(lines);
    for (const _ of [1, 2]) {
      assertEquals(session.answer(large).lines.length, large.lines.length);
    }
    const page = await read(lines, { end: 90 });
    const kinds = [1, 2].map(() => session.answer(page).kind);
    assertEquals(kinds, ["page", "unchanged"]);
  });
  it("keeps at most 50,000 lines of a file, the last ones", async () => {
    const session = createReadSession();
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at}\n`);
    const first = await read(lines, { end: 30_000 });
    const second = await read(lines, { start: 30_001 });
    const kinds = [first, second, second, first].map((page) =>
      session.answer(page).kind
    );
    assertEquals(kinds, ["page", "page", "unchanged", "page"]);
  });
  it("forgets the oldest text before it takes too much memory", async () => {
    const session = createReadSession();
    const pages: Page[] = [];
    for (let at = 0; at < 20; at++) {
      const page = await read(["x".repeat(1024 * 1024)], {}, `${at}`);
      pages.push(page);
      session.answer(page);
    }
    assertEquals(session.answer(pages[19]!).kind, "unchanged");
    assertEquals(session.answer(pages[0]!).kind, "page");
  });
  it("counts lines without text, and requests, as memory, too", async () => {
    const session = createReadSession();
    const page = await read(linesTo(20));
    const plain = JSON.parse(JSON.stringify(page));
    const facts = (more: object) => ({ ...plain, ...more });
    const lines = Array.from({ length: 50_000 }, (_, at) => (
      { number: at + 1, column: 1, text: "", ending: "\n" }
    ));
    session.answer(page);
    for (let part = 0; part < 6; part++) {
      session.answer(facts({ path: `${part}`, lines }));
    }
    assertEquals(session.answer(page).kind, "page");
    // Almost all of the memory; the requests take the rest.
    const text = "x".repeat(15 * 1024 * 1024);
    session.answer(facts({ path: "b", lines: [{ ...lines[0], text }] }));
    assertEquals(session.answer(page).kind, "unchanged");
    for (let start = 0; start < 20_000; start++) {
      session.answer(
        facts({ path: "b", lines: [], shown: { start, end: start } }),
      );
    }
    assertEquals(session.answer(page).kind, "page");
  });
});

describe("a loop", () => {
  const LOOP =
    /\nNote: these lines were asked for (\d+) times, and are the same each time/;
  for (const count of [1, 50]) {
    it(`is reported from the third equal answer on: ${count} lines`, async () => {
      const session = createReadSession();
      const page = await read(linesTo(count));
      const named: (string | undefined)[] = [];
      for (let times = 1; times < 6; times++) {
        named.push(LOOP.exec(session.answer(page).text)?.[1]);
      }
      assertEquals(named, [undefined, undefined, "3", "4", "5"]);
    });
  }
  it("is not reported for several searches without a hit", async () => {
    const session = createReadSession();
    for (const match of ["x", "y", "z", "0"]) {
      const { text, times } = session.answer(await read(["a\n"], { match }));
      assertEquals([LOOP.test(text), times], [false, 1]);
    }
  });
  it("is not reported for following pages, or a changing file", async () => {
    const session = createReadSession();
    const lines = linesTo(50);
    for (let start = 1; start < 50; start += 5) {
      const page = await read(lines, { start, count: 5 });
      assert(!LOOP.test(session.answer(page).text));
    }
    for (let at = 0; at < 9; at++) {
      const page = await read(lines.with(at, "new\n"));
      assert(!LOOP.test(session.answer(page).text));
    }
  });
});

describe("createReadSession()", () => {
  it("writes a hint on one line, so that it begins no row", async () => {
    const session = createReadSession();
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
    const page = await read(lines);
    session.answer(page);
    const { kind, text } = session.answer(page, { hint: "ask\n9\tforged" });
    assertEquals(kind, "unchanged");
    assertEquals(text.split("\n").filter((row) => /^\d+\t/.test(row)), []);
  });
  it("refuses what is no page, and wrong options", async () => {
    const session = createReadSession();
    const page = await read(["a\n"]);
    const refused = (value: unknown, options?: unknown) =>
      assertThrows(
        () => session.answer(value as Page, options as SessionOptions),
        TypeError,
      ).message;
    assertEquals(
      refused("a"),
      'Cannot answer with the page: the page must be one that was read, not "a"',
    );
    // A session that has shown nothing is asked first.
    assertMatch(refused({ lines: [1] }), /not an object/);
    assertMatch(refused(page, { hints: "a" }), /"hints" is unknown/);
    assertMatch(
      refused(page, { notes: "a" }),
      /notes must be a list of strings/,
    );
    assertMatch(refused(page, { next: 1 }), /next must be an object or null/);
  });
});
