import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  applyDelta,
  type Delta,
  memoryFs,
  openWorkspace,
  type Page,
  type PageOptions,
  parsePage,
  ReadFileError,
  renderPage,
} from "../../mod.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

const textOf = ({ lines }: Pick<Page, "lines">) =>
  lines.map(({ text, ending }) => text + ending).join("");

async function openOn(content: string | Uint8Array) {
  return await openWorkspace("/", { fs: memoryFs({ "/a": content }) });
}

/** Reads lines, edits the file, and reads with `since`. */
async function since(
  edit: (lines: string[]) => readonly string[],
  shown: PageOptions,
  wanted: PageOptions = {},
  lines = linesTo(1000),
): Promise<{ readonly page: Page; readonly made: string }> {
  const before = await (await openOn(lines.join(""))).read("a", shown);
  const after = await openOn(edit(lines).join(""));
  const { receipt } = before;
  const page = await after.read("a", { ...wanted, since: receipt });
  const sent = JSON.parse(JSON.stringify(page)) as Delta;
  return { page, made: applyDelta(textOf(before), sent) };
}

const FIRST = { start: 1, end: 200 };

describe("a delta", () => {
  it("contains only the changed line, and applyDelta() makes the new text", async () => {
    const edit = (lines: string[]) => lines.with(99, "new\n");
    const { page, made } = await since(edit, FIRST);
    assertEquals(page.lines.map(({ number }) => number), [100]);
    assertEquals(page.hunks, [
      { kept: [1, 99], start: 1 },
      { start: 100, text: "new\n" },
      { kept: [101, 200], start: 101 },
    ]);
    assertEquals(made, edit(linesTo(1000)).slice(0, 200).join(""));
    assertEquals(new TextDecoder().decode(page.bytes()), "new\n");
  });
  it("contains no lines if nothing changed", async () => {
    const { page, made } = await since((lines) => lines, {
      start: 50,
      end: 60,
    });
    assertEquals([page.lines, page.next], [[], null]);
    assertEquals(made, linesTo(1000).slice(49, 60).join(""));
  });
  it("names moved lines by their new numbers", async () => {
    const edit = (
      lines: string[],
    ) => [...linesTo(12), ...lines.with(59, "x\n")];
    const { page, made } = await since(edit, { start: 50, end: 69 });
    assertEquals(page.hunks, [
      { kept: [50, 59], start: 62 },
      { start: 72, text: "x\n" },
      { kept: [61, 69], start: 73 },
    ]);
    assertEquals(made, edit(linesTo(1000)).slice(61, 81).join(""));
  });
  it("contains lines inserted before the first and after the last line", async () => {
    const edit = (lines: string[]) => ["new\n", ...lines, "end\n"];
    const { page, made } = await since(edit, {});
    assertEquals(textOf(page), "new\nend\n");
    assertEquals(made, edit(linesTo(1000)).join(""));
  });
  it("contains requested lines that were never shown", async () => {
    const { page, made } = await since((lines) => lines, FIRST, {
      start: 150,
      end: 250,
    });
    assertEquals(page.lines.map(({ number }) => number), [
      ...Array.from({ length: 50 }, (_, at) => 201 + at),
    ]);
    assertEquals(made, linesTo(1000).slice(149, 250).join(""));
  });
  it("continues to the end of the requested lines", async () => {
    const lines = linesTo(100);
    const { receipt } = await (await openOn(lines.join(""))).read("a", {
      end: 40,
    });
    const workspace = await openOn(lines.with(9, "new\n").join(""));
    const shown: string[] = [];
    const asked = { since: receipt, start: 1, end: 60, maxBytes: 100 };
    for await (const page of workspace.pages("a", asked)) {
      shown.push(textOf(page));
    }
    assertEquals(
      shown.join(""),
      `new\n${lines.slice(40, 60).join("")}`,
    );
  });
  it("contains all lines if the file was empty", async () => {
    const { page, made } = await since(() => linesTo(3), {}, {}, []);
    assertEquals(page.lines.length, 3);
    assertEquals(made, linesTo(3).join(""));
  });

  it("has a receipt for the next delta", async () => {
    const lines = linesTo(30);
    const first = await (await openOn(lines.join(""))).read("a");
    let text = textOf(first);
    let { receipt } = first;
    for (const at of [3, 9, 27]) {
      lines[at] = `${at}\n`;
      const workspace = await openOn(lines.join(""));
      const page = await workspace.read("a", { since: receipt });
      assertEquals(page.lines.length, 1);
      text = applyDelta(text, page);
      ({ receipt } = page);
    }
    assertEquals(text, lines.join(""));
  });
  it("never keeps a part of a line, or an invalid line", async () => {
    const { page, made } = await since(
      (lines) => lines,
      { start: 3, column: 3, count: 2 },
    );
    assertEquals(page.lines.map(({ number }) => number), [3]);
    assertEquals(made, "line 3\nline 4\n");
    const bytes = Uint8Array.of(0xff, 0x0a, 0x61, 0x0a);
    const workspace = await openOn(bytes);
    const before = await workspace.read("a");
    const delta = await workspace.read("a", { since: before.receipt });
    assertThrows(() => applyDelta(textOf(before), delta), ReadFileError);
  });
  it("names the omitted lines in its rendering, which can be parsed", async () => {
    const edits: Readonly<Record<string, (lines: string[]) => string[]>> = {
      nothing: (lines) => lines,
      above: (lines) => ["new\n", ...lines],
      within: (lines) => lines.with(1, "two\r\n"),
      removed: (lines) => lines.toSpliced(2, 2),
      all: () => ["x\n"],
      emptied: () => [],
      last: (lines) => lines.with(-1, "no end"),
      hidden: (lines) => lines.with(4, "a\u202e\0b\n"),
    };
    const shown: readonly PageOptions[] = [
      ...[{}, { end: 3 }, { start: 4 }, { start: 2, end: 5, column: 2 }],
      { tail: 3, numbered: false },
    ];
    for (const [name, edit] of Object.entries(edits)) {
      for (const options of shown) {
        for (const wanted of [{}, { maxBytes: 20 }, { escape: true }]) {
          const lines = linesTo(9);
          const old = await (await openOn(lines.join(""))).read("a", options);
          const after = await openOn(edit(lines).join(""));
          const since = old.receipt;
          const page = await after.read("a", { ...wanted, since });
          const text = renderPage(page);
          const parsed = parsePage(text);
          const what = `${name} ${JSON.stringify(options)}\n${text}`;
          assertEquals(parsed.lines, page.lines, what);
          assertEquals(parsed.hunks, page.hunks, what);
          assertEquals(parsed.next, page.next, what);
          assertEquals(renderPage(parsed), text);
          assertEquals(
            applyDelta(textOf(old), parsed),
            applyDelta(textOf(old), page),
          );
        }
      }
    }
    const { page } = await since(edits.above!, { end: 3 });
    assertMatch(
      renderPage(page),
      /^1¦new\n¦ lines 2-4 unchanged \(then 1-3\)\n¦ "a": lines 1-4 of an unknown total.* Unchanged lines were shown before\. Since "[\w-]{28,36}", now "[\w-]{28,36}"\. /,
    );
    const { page: other } = await since(() => ["x\n"], { end: 3 });
    assertMatch(renderPage(other), / None of the lines were shown before\. /);
  });
  it("has the unescaped text in its hunks if the page is escaped, in any encoding", async () => {
    const [old, now] = ["one\ntwo\nthree\n", "one\n2\u200b\nthree\n"];
    const encoder = new TextEncoder();
    // Little-endian, like every tested runtime.
    const utf16 = (text: string) =>
      Uint16Array.from(`\ufeff${text}`, (letter) => letter.charCodeAt(0));
    const encodings = [
      (text: string) => encoder.encode(text),
      (text: string) => new Uint8Array(utf16(text).buffer),
    ];
    for (const encode of encodings) {
      const before = await (await openOn(encode(old))).read("a");
      const { receipt: since } = before;
      const after = await openOn(encode(now));
      const page = await after.read("a", { since, escape: true });
      assertEquals(page.hunks?.[1], { start: 2, text: "2\u200b\n" });
      const made = applyDelta(textOf(before), page);
      assertEquals(made, textOf(await after.read("a")));
    }
  });
  it("can be parsed if a new line has bytes that its encoding does not know", async () => {
    const kept = [0x82, 0xa0, 0x0a];
    for (const encoding of ["shift_jis", "gb18030", "utf-8"]) {
      const before = await openOn(Uint8Array.of(...kept));
      const { receipt: since } = await before.read("a", { encoding });
      const after = await openOn(Uint8Array.of(0x61, 0xff, 0x0a, ...kept));
      const page = await after.read("a", { since, encoding });
      const parsed = parsePage(renderPage(page));
      assertEquals(parsed.hunks, page.hunks);
      assertEquals(page.hunks?.at(-1), { kept: [1, 1], start: 2 });
    }
  });
  it("is not parsed if its rendering was changed", async () => {
    const edit = (lines: string[]) => lines.with(99, "new\n");
    const { page } = await since(edit, { start: 50, end: 150 });
    const text = renderPage(page);
    const [first, row, last, notice] = text.split("\n") as [
      ...[string, string, string, string],
    ];
    const changed = [
      [row, last, notice],
      [first, last, notice],
      [first, row, notice],
      [last, row, first, notice],
      [row, first, last, notice],
      [first, last, row, notice],
      [first, row, last, last, notice],
      [first, row, last.replace("150", "151"), notice],
      [first, row, last.replace("150", "9007199254740991"), notice],
      [first.replace("50", "49"), row, last, notice],
      [`${first} (then 50-99)`, row, last, notice],
      [
        first,
        `${row} and as many bytes as all the rest`.repeat(99),
        last,
        notice,
      ],
      [
        first,
        row,
        last,
        notice.replace(" Unchanged lines were shown before.", ""),
      ],
      [
        first,
        row,
        last,
        notice.replace("Unchanged lines", "None of the lines"),
      ],
    ];
    for (const rows of changed) {
      assertThrows(() => parsePage(rows.join("\n")), TypeError, "", rows[0]);
    }
  });
  it("has a receipt when parsed, unlike other pages", async () => {
    const workspace = await openOn(linesTo(9).join(""));
    const { receipt: first } = await workspace.read("a");
    const page = await workspace.read("a", { since: first });
    const { receipt } = parsePage(renderPage(page));
    const wrong = [
      () => workspace.read("a", { since: receipt! }),
      () => workspace.recheck("a", receipt!),
    ];
    for (const call of wrong) {
      const { code } = await assertRejects(call, ReadFileError);
      assertEquals(code, "INVALID_ARGUMENT");
    }
  });
  it("can be read for several files", async () => {
    const workspace = await openWorkspace("/", {
      fs: memoryFs({ "/a": "one\ntwo\n", "/b": "b\n" }),
    });
    const { receipt: since } = await workspace.read("a", { count: 1 });
    const requests = [{ path: "a", since, start: 1 }, { path: "b" }];
    const answers = await workspace.readMany(requests, { maxBytes: 100 });
    const [a] = answers;
    assert(a?.kind === "page");
    assertEquals(textOf(a.page), "two\n");
  });
  it("is denied for a file that is denied meanwhile", async () => {
    const fs = memoryFs({ "/a": "one\n" });
    const { receipt } = await (await openWorkspace("/", { fs })).read("a");
    for (const denied of ["refuse", "hide"] as const) {
      const workspace = await openWorkspace("/", { fs, deny: ["a"], denied });
      const failures = [];
      for (const options of [{}, { since: receipt }]) {
        const { code, message } = await assertRejects(
          () => workspace.read("a", options),
          ReadFileError,
        );
        failures.push([code, message]);
      }
      assertEquals(failures[1], failures[0]);
    }
  });
  it("refuses a text that is not a receipt of one run of lines", async () => {
    const workspace = await openOn(linesTo(9).join(""));
    const { receipt } = await workspace.read("a");
    const found = await workspace.read("a", {
      match: "[28]",
      regex: true,
      before: 0,
      after: 0,
    });
    for (const text of ["", "x", receipt.slice(2), found.receipt]) {
      const error = await assertRejects(
        () => workspace.read("a", { since: text }),
        ReadFileError,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
      assertEquals(error.hint, "read the lines again");
    }
  });
  it("contains all lines of another file", async () => {
    const { receipt } = await (await openOn("other\n")).read("a");
    const workspace = await openOn("one\ntwo\n");
    const page = await workspace.read("a", { since: receipt });
    assertEquals(textOf(page), "one\ntwo\n");
  });
});

describe("applyDelta()", () => {
  const deltaOf = async () => {
    const { page } = await since((lines) => lines.with(1, "2\n"), { end: 3 });
    return page;
  };
  it("refuses another text, and an altered delta", async () => {
    const delta = await deltaOf();
    const text = linesTo(3).join("");
    const hunks = delta.hunks!;
    const cases: readonly (readonly [string, Delta])[] = [
      [`${text}x`, delta],
      ["", delta],
      [text, { ...delta, hunks: hunks.slice(1) }],
      [text, { ...delta, hunks: [...hunks, hunks[0]!] }],
      [text, {
        ...delta,
        hunks: [{ kept: [1, 2], start: 1 }, ...hunks.slice(1)],
      }],
    ];
    for (const [old, altered] of cases) {
      const error = assertThrows(
        () => applyDelta(old, altered),
        ReadFileError,
      );
      assertEquals(error.code, "CHANGED");
      assertEquals(error.hint, "read the lines again");
    }
  });
  it("copies each kept line once, in linear time", async () => {
    const lines = linesTo(20_000);
    const edit = (lines: string[]) => lines.with(1, "2\n");
    const { page } = await since(edit, {}, {}, lines);
    // If copied twice, these lines would exceed memory.
    const hunks = Array.from({ length: 20_000 }, () => page.hunks![2]!);
    const error = assertThrows(
      () => applyDelta(lines.join(""), { ...page, hunks }),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
  });
  it("refuses a value that is not a delta", async () => {
    const delta = await deltaOf();
    for (const other of [undefined, null, 1, {}, { ...delta, hunks: 1 }]) {
      assertThrows(() => applyDelta("", other as unknown as Delta), TypeError);
    }
    const bad = { ...delta, since: "x" };
    const error = assertThrows(() => applyDelta("", bad), ReadFileError);
    assertEquals(error.code, "INVALID_ARGUMENT");
    assertThrows(() => applyDelta(1 as unknown as string, delta), TypeError);
    const hunks = [null, 1] as unknown as Delta["hunks"];
    assertThrows(
      () => applyDelta(linesTo(3).join(""), { ...delta, hunks } as Delta),
      TypeError,
      "must be a page that was read with since",
    );
  });
});
