/** Hits in giant lines, against an oracle. */
import { assert, assertEquals } from "@std/assert";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, it } from "node:test";
import {
  callTool,
  memoryFs,
  openWorkspace,
  type Page,
  readerTools,
  type ReadOptions,
  respond,
} from "../../../mod.ts";
import { Random, SEED } from "../../support/random.ts";
import { some } from "../../support/share.ts";
import {
  type ParsedWords,
  parseWords,
  type Row,
} from "../../support/rendered.ts";

const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/** The most bytes of a line that is shown whole. */
const WHOLE = 1000;
/** The most tokens of what is shown for one hit. */
const MOST_TOKENS = 200;

/** Follows a search over all its calls, and returns the rows; looks at each answer. */
async function follow(
  text: string,
  args: object,
  maxChars?: number,
  look?: (words: ParsedWords) => void,
): Promise<Row[]> {
  const fs = memoryFs({ "/ws/a.txt": text });
  const workspace = await openWorkspace("/ws", { fs, cacheBytes: 0 });
  const [readFile] = readerTools(workspace, { maxChars });
  const rows: Row[] = [];
  let next: object | null = { path: "a.txt", ...args };
  for (let calls = 0; next !== null; calls++) {
    assert(calls < 2000, "the calls do not end");
    const { output, error } = await callTool(readFile, next);
    assert(error === undefined, error?.message);
    const words = parseWords(output.text);
    look?.(words);
    rows.push(...words.rows);
    next = words.next;
  }
  return rows;
}

const WORDS = ["x", "ab ", "{}", "\t", "\u00e9", "\u4e2d", "\u{1f389}", "1,"];

/** A line with hits in it. */
function drawLine(random: Random, hit: string): string {
  const isGiant = random.below(3) > 0;
  const wanted = isGiant ? random.from(1001, 3000) : random.below(1000);
  const kinds = Array.from({ length: 3 }, () => random.pick(WORDS));
  const density = random.pick([0, 3, 300, 3000]);
  let line = "";
  while (line.length < wanted) {
    line += random.below(density + 1) === 1 ? hit : random.pick(kinds);
  }
  return line;
}

/** The hits in lines that were looked at. */
const found = new Map<string, number[]>();

/** Where hits begin in a line, in characters, as a search that goes on after each of them finds them. */
function hitsIn(line: string, hit: string): number[] {
  const key = `${hit}\n${line}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  if (found.size > 50) found.clear();
  const hits: number[] = [];
  let chars = 0;
  let last = 0;
  for (let at = 0; (at = line.indexOf(hit, at)) >= 0; at += hit.length) {
    chars += Array.from(line.slice(last, at)).length;
    last = at;
    hits.push(chars);
  }
  found.set(key, hits);
  return hits;
}

/** How many hits some rows show of each giant line, and how many follow in it. */
function countHits(
  lines: readonly string[],
  hit: string,
  rows: readonly Pick<Row, "number" | "column" | "text">[],
) {
  const length = Array.from(hit).length;
  return lines.map((line, at) => {
    const number = at + 1;
    if (bytesIn(line) <= WHOLE) return { line: number, count: 0, after: 0 };
    const own = rows.filter((row) => row.number === number)
      .map(({ column, text }) => [
        column - 1,
        column - 1 + Array.from(text).length - length,
      ]);
    const all = hitsIn(line, hit);
    const count = all.filter((from) =>
      own.some(([first, last]) =>
        first! <= from && from <= last!
      )
    ).length;
    const end = Math.max(0, ...own.map(([, last]) => last!));
    const after = all.filter((from) => from > end).length;
    return { line: number, count, after };
  }).filter(({ count }) => count > 0);
}

/** What is known of hits that are left out: at most all that follow, and these exactly unless it says "at least". */
function checkLeft(left: number, isLeast: boolean, after: number, why: string) {
  if (isLeast || left === 0) assert(left <= after, why);
  else assertEquals(left, after, why);
}

const COUNT =
  /^(\d+) hits? shown of (line \d+|\d+ lines)(?:, (at least )?(\d+) more in (?:it|line (\d+)))?$/;

/** Checks that an answer counts the hits of giant lines that it shows, and says of the last one how many follow. */
function checkCount(
  { head, rows }: ParsedWords,
  lines: readonly string[],
  hit: string,
  isRegex: boolean,
): { readonly shown: number; readonly left: number } {
  const told = /lines that match(?:, (.*?))?\./.exec(head)?.[1];
  if (isRegex) {
    // The hits of a regex may overlap.
    assertEquals(told, undefined, head);
    return { shown: 0, left: 0 };
  }
  const [, shown, where, least, more = "0"] = COUNT.exec(told ?? "") ?? [];
  assertEquals(told === undefined, shown === undefined, head);
  const left = Number(more);
  const last = rows.at(-1)?.number;
  const all = countHits(lines, hit, rows);
  const { after = 0 } = all.find(({ line }) => line === last) ?? {};
  checkLeft(left, least !== undefined, after, head);
  const counted = all.filter(({ line, count }) =>
    count > 1 || line === last && left > 0
  );
  if (shown === undefined) {
    assertEquals(counted, [], head);
    return { shown: 0, left };
  }
  const sum = counted.reduce((sum, { count }) => sum + count, 0);
  const named = counted.length > 1
    ? `${counted.length} lines`
    : `line ${counted[0]?.line}`;
  assertEquals([shown, where], [`${sum}`, named], head);
  return { shown: sum, left };
}

describe("hits in giant lines", () => {
  it(`are all shown and counted, nothing twice, in few tokens: 1,000 random lines (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    let giant = 0;
    let counted = 0;
    let withLeft = 0;
    while (giant < 1000) {
      const hit = random.pick(["TODO", "needle", "q", "\u4e2d\u6587"]);
      const lines = Array.from(
        { length: random.from(1, 6) },
        () => drawLine(random, hit),
      );
      const isRegex = random.below(2) === 0;
      const args = {
        ...(isRegex ? { match: `(${hit})`, regex: true } : { match: hit }),
        ...(random.below(4) === 0 && { tail: 9 }),
        maxChars: random.pick([900, 3000, 20_000]),
      };
      const look = (words: ParsedWords) => {
        const { shown, left } = checkCount(words, lines, hit, isRegex);
        counted += shown;
        withLeft += left > 0 ? 1 : 0;
      };
      const rows = await follow(lines.join("\n"), args, undefined, look);
      for (const [at, line] of lines.entries()) {
        const hits = hitsIn(line, hit);
        const own = rows.filter(({ number }) => number === at + 1);
        const chars = Array.from(line);
        const where = JSON.stringify({ hit, line: line.slice(0, 50), hits });
        const isGiant = bytesIn(line) > WHOLE;
        if (isGiant) giant++;
        if (hits.length === 0) {
          assertEquals(own, [], where);
          continue;
        }
        let end = 0;
        for (const { column, text } of own) {
          const shown = Array.from(text);
          // Its text is what the line has there, and nothing is shown twice.
          assert(column - 1 >= end, `column ${column} again: ${where}`);
          end = column - 1 + shown.length;
          assertEquals(chars.slice(column - 1, end).join(""), text, where);
          const inside = hits.filter((hit) => hit >= column - 1 && hit < end);
          assert(inside.length > 0 || !isGiant, `no hit: ${text} ${where}`);
          // Other hits near it would have their own parts in the same row.
          const near = hits.filter((hit) =>
            hit >= column - 300 && hit < end + 300
          );
          if (near.length === 1 && isGiant) {
            const tokens = encode(text).length;
            assert(tokens <= MOST_TOKENS, `${tokens} tokens: ${where}`);
          }
        }
        // Each hit is whole in one row.
        const length = Array.from(hit).length;
        for (const from of hits) {
          const isShown = own.some(({ column, text }) =>
            column - 1 <= from &&
            from + length <= column - 1 + Array.from(text).length
          );
          assert(isShown, `the hit at ${from} is missing: ${where}`);
        }
      }
    }
    assert(counted > 1000, `${counted} hits were counted`);
    assert(withLeft > 50, `${withLeft} answers say that hits follow`);
  });

  it(`are counted on pages that cut them (seed ${SEED})`, async () => {
    const random = new Random(SEED + 2);
    for (let round = 0; round < some(500, 50); round++) {
      const hit = random.pick(["TODO", "q", "\u4e2d\u6587"]);
      const lines = Array.from(
        { length: random.from(1, 3) },
        () => drawLine(random, hit),
      );
      const fs = memoryFs({ "/ws/a.txt": lines.join("\n") });
      const workspace = await openWorkspace("/ws", { fs, cacheBytes: 0 });
      const regex = random.below(2) === 0;
      const options: ReadOptions = {
        ...(regex ? { match: `(${hit})`, regex } : { match: hit }),
        maxBytes: random.from(20, 600),
      };
      const shown = new Set<string>();
      let end = -1;
      for (let next: ReadOptions | null = options; next !== null;) {
        const page: Page = await workspace.read("a.txt", next);
        const where = JSON.stringify({ round, next, lines });
        const { inOneLine = [] } = page.hits!;
        const all = countHits(lines, hit, page.lines);
        // The hits of a regex may overlap, so they are not counted.
        const counted = all.filter(({ line, count }) =>
          !regex &&
          (count > 1 || inOneLine.some((one) => one.line === line && one.left))
        );
        assertEquals(
          inOneLine.map(({ line, count }) => [line, count]),
          counted.map(({ line, count }) => [line, count]),
          where,
        );
        for (const { line, left = 0, leastLeft = false } of inOneLine) {
          const { after = 0 } = all.find((one) => one.line === line) ?? {};
          checkLeft(left, leastLeft, after, where);
        }
        assert(page.shown.end > end, where);
        ({ end } = page.shown);
        for (const { number, column, text } of page.lines) {
          const last = column - 1 + Array.from(text).length -
            Array.from(hit).length;
          for (const from of hitsIn(lines[number - 1]!, hit)) {
            const isWhole = column - 1 <= from && from <= last;
            if (isWhole) shown.add(`${number}:${from}`);
          }
        }
        next = page.next;
      }
      const wanted = lines.flatMap((line, at) =>
        bytesIn(line) > WHOLE
          ? hitsIn(line, hit).map((from) => `${at + 1}:${from}`)
          : []
      );
      const missing = wanted.filter((place) => !shown.has(place));
      assertEquals(missing, [], JSON.stringify({ round, options, lines }));
    }
  });

  it("are shown whole, however small the budget", async () => {
    const hits = Array.from({ length: 40 }, (_, at) => at * 1_000 + 700);
    const line = hits.map(() => `${"-".repeat(700)}NEEDLE${"+".repeat(294)}`)
      .join("");
    const fs = memoryFs({ "/ws/a.txt": `${line}\nend\n` });
    const workspace = await openWorkspace("/ws", { fs });
    const [readFile] = readerTools(workspace, { typed: true });
    for (const maxTokens of [30, 80, 95, 110, 157]) {
      const found: number[] = [];
      let args: object | null = { path: "a.txt", match: "NEEDLE", maxTokens };
      for (let calls = 0; args !== null; calls++) {
        assert(calls <= hits.length, `${maxTokens}`);
        const { facts }: Awaited<ReturnType<typeof respond>> = await respond(
          readFile,
          args,
        );
        const { lines, next } = facts as {
          lines: Page["lines"];
          next: object | null;
        };
        for (const { column, text } of lines) {
          for (const { index } of text.matchAll(/NEEDLE/g)) {
            found.push(column - 1 + index);
          }
        }
        args = next;
      }
      assertEquals(found, hits, `${maxTokens}`);
    }
  });

  it("of varying length are shown whole, up to some 200 bytes of words", async () => {
    const hit = `a${" word of it".repeat(18)}c`;
    const fill = "-".repeat(2000);
    const line = [fill, hit, fill, "a c", fill, hit].join("");
    const args = { match: "a( word of it| )*c", regex: true };
    for (const maxChars of [20_000, 900]) {
      const rows = await follow(line, { ...args, maxChars });
      const shown = rows.flatMap(({ text }) => text.match(/a [a-z ]*c/g) ?? []);
      assertEquals(shown, [hit, "a c", hit]);
    }
  });

  it("of varying length are shown whole by any limit, as those of a text are", async () => {
    const line = `${"xyz ".repeat(400)}ERROR code 500${" abc".repeat(400)}`;
    const args = { match: "ERROR \\w+ 500", regex: true };
    for (let maxTokens = 60; maxTokens <= 120; maxTokens++) {
      const [row] = await follow(line, { ...args, maxTokens });
      const text = row?.text ?? "";
      assert(text.includes("ERROR code 500"), `${maxTokens}: ${text}`);
    }
  });

  it("are counted by file in a directory, and a hit at the beginning says how to see more", async () => {
    const far = `${"a".repeat(900)}q${"b".repeat(900)}q`;
    const near = `q${"b".repeat(1900)}`;
    const fs = memoryFs({ "/ws/a.js": far, "/ws/b.js": near, "/ws/c": "q q" });
    const [readFile] = readerTools(await openWorkspace("/ws", { fs }));
    const textOf = async (path: string) =>
      (await callTool(readFile, { path, match: "q" })).output!.text;
    const all = (await textOf(".")).split("\n");
    assertEquals(all.filter((line) => line.startsWith('"')), [
      '".": 3 lines match in 3 files. Long lines show what is around each hit; "start" and "column" show more.',
      '"a.js": 2 hits shown of line 1.',
      '"b.js":',
      '"c":',
    ]);
    const [head] = (await textOf("b.js")).split("\n");
    assertEquals(
      head,
      '"b.js": line 1 of 1, cut inside line 1, with 1 of 1 lines that match. Long lines show what is around each hit; "start" and "column" show more.',
    );
  });

  it(`have lines around them, of giant ones the beginning (seed ${SEED})`, async () => {
    const random = new Random(SEED + 1);
    for (let round = 0; round < some(1000, 60); round++) {
      const hit = random.pick(["TODO", "q", "\u4e2d\u6587"]);
      const lines = Array.from(
        { length: random.from(3, 12) },
        () =>
          random.below(3) === 0
            ? drawLine(random, hit)
            : drawLine(random, "").replaceAll(hit, "") || ".",
      );
      const before = random.below(4);
      const after = random.below(4);
      const maxChars = random.pick([1500, 5000, 100_000]);
      const args = { match: hit, before, after };
      const rows = await follow(
        lines.join("\n"),
        { ...args, maxChars },
        100_000,
      );
      const where = JSON.stringify({ round, hit, before, after, maxChars });
      const hits = lines.flatMap((line, at) =>
        line.includes(hit) ? [at + 1] : []
      );
      const wanted = lines.keys().map((at) => at + 1).filter((number) =>
        hits.some((hit) => number >= hit - before && number <= hit + after)
      ).toArray();
      const shown = [...new Set(rows.map(({ number }) => number))];
      // Each hit is shown, in order; with enough room, all lines around them are.
      assertEquals(shown, shown.toSorted((one, other) => one - other), where);
      assertEquals(
        shown.filter((number) => hits.includes(number)),
        hits,
        where,
      );
      if (maxChars === 100_000) assertEquals(shown, wanted, where);
      for (const number of shown) {
        assert(wanted.includes(number), `${number}: ${where}`);
        const line = lines[number - 1]!;
        const chars = Array.from(line);
        let end = 0;
        for (const row of rows.filter((row) => row.number === number)) {
          const { column, text } = row;
          assert(column - 1 >= end, `${number}:${column} again: ${where}`);
          end = column - 1 + Array.from(text).length;
          assertEquals(chars.slice(column - 1, end).join(""), text, where);
          if (hits.includes(number)) continue;
          assertEquals(column, 1, where);
          const isGiant = bytesIn(line) > WHOLE;
          assertEquals(end < chars.length, isGiant, where);
          assert(!isGiant || bytesIn(text) <= 203, where);
        }
      }
    }
  });

  it("cost at most 15 % more tokens than grep -n: 120 hits", async () => {
    const text = Array.from(
      { length: 3000 },
      (_, at) =>
        at % 25 === 7
          ? `  const value${at} = find(needle, ${at});`
          : `  call(${at});`,
    );
    const fs = memoryFs({
      "/ws/a.ts": text.join("\n"),
      "/ws/src/b.ts": text.join("\n"),
    });
    const [readFile] = readerTools(await openWorkspace("/ws", { fs }));
    const hits = text.flatMap((line, at) =>
      line.includes("needle") ? [`${at + 1}:${line}`] : []
    );
    assertEquals(hits.length, 120);
    const grep = encode(hits.join("\n")).length;
    for (const path of ["a.ts", "src"]) {
      const { output } = await callTool(readFile, { path, match: "needle" });
      const tokens = encode(output!.text).length;
      assert(tokens <= 1.15 * grep, `${tokens} of ${grep}`);
    }
  });

  it("show a line of up to 1,000 bytes whole, and a longer one in part", async () => {
    for (const length of [996, 997]) {
      const line = `${"a".repeat(length)}TODO`;
      const [row] = await follow(`${line}\n`, { match: "TODO" });
      assertEquals(row!.text === line, length === 996);
      assert(row!.text.endsWith("TODO"));
    }
  });
});
