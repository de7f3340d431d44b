import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../mod.ts";
import { pdfView } from "../../pdf/mod.ts";
import { bytesOf } from "../support/images.ts";
import { lockedPdf, pdf } from "../support/pdfs.ts";
import { checkRendering } from "../support/rendered.ts";

async function workspaceOf(document: string | Uint8Array, options = {}) {
  const fs = memoryFs({ "/repo/notes.txt": document });
  return await openWorkspace("/repo", { fs, views: [pdfView(options)] });
}

async function linesOf(document: string | Uint8Array, options = {}) {
  const page = await (await workspaceOf(document)).read("notes.txt", options);
  assertEquals(page.view, "pdf");
  return page.lines.map(({ text }) => text);
}

async function failureOf(
  document: string | Uint8Array,
  asked = {},
  options = {},
) {
  const workspace = await workspaceOf(document, options);
  return await assertRejects(
    () => workspace.read("notes.txt", asked),
    ReadFileError,
  );
}

const FOUR = pdf([["one", "two"], ["three"], [], ["four (4)"]]);

describe("a PDF document", () => {
  it("is shown as the lines of its pages, for any file name", async () => {
    assertEquals(await linesOf(FOUR), [
      ...["--- page 1 of 4", "one", "two"],
      ...["--- page 2 of 4", "three"],
      "--- page 3 of 4: no text",
      ...["--- page 4 of 4", "four (4)"],
    ]);
  });
  it("is shown for a range of pages", async () => {
    const [second, fourth] = [["--- page 2 of 4", "three"], [
      "--- page 4 of 4",
      "four (4)",
    ]];
    assertEquals(await linesOf(FOUR, { pages: "2" }), second);
    assertEquals(await linesOf(FOUR, { pages: "4-" }), fourth);
    assertEquals(await linesOf(FOUR, { pages: "4-99" }), fourth);
    assertEquals(await linesOf(FOUR, { pages: "2-3" }), [
      ...second,
      "--- page 3 of 4: no text",
    ]);
    for (const pages of ["5", "3-2"]) {
      const error = await failureOf(FOUR, { pages });
      assert(error.is("UNREADABLE"));
      assertEquals([error.details.problem, error.hint], [
        "its pages are 1 to 4",
        "name pages from 1 to 4",
      ]);
    }
    for (const pages of ["0", "a", "1,2", "-3", "", "1-2-3"]) {
      const error = await failureOf(FOUR, { pages });
      assert(error.is("INVALID_ARGUMENT"), pages);
      assertEquals(
        error.details.problem,
        `must be pages such as "3", "3-5" or "3-", not "${pages}"`,
      );
    }
  });
  it("is read page by page, for the requested pages", async () => {
    const workspace = await workspaceOf(FOUR);
    const first = await workspace.read("notes.txt", { pages: "1-2", count: 2 });
    assertEquals([first.next?.pages, first.next?.view], ["1-2", "pdf"]);
    checkRendering(first);
    const second = await workspace.read("notes.txt", first.next!);
    assertEquals(second.lines.map(({ text }) => text), [
      "two",
      "--- page 2 of 4",
    ]);
    const mixed = { ...first.next, pages: "3-4" };
    assertEquals(
      (await assertRejects(
        () => workspace.read("notes.txt", mixed),
        ReadFileError,
      )).code,
      "CHANGED",
    );
  });
  it("without text is marked as such", async () => {
    assertEquals(await linesOf(pdf([[], []])), [
      "these pages have no text, as those of a scan",
      "--- page 1 of 2: no text",
      "--- page 2 of 2: no text",
    ]);
  });
  it("without pages cannot be shown", async () => {
    for (const options of [{}, { pages: "1" }]) {
      const error = await failureOf(pdf([]), options);
      assert(error.is("UNREADABLE"));
      assertEquals([error.details.problem, error.hint], [
        "it has no pages",
        "use a tool that reads PDF",
      ]);
    }
  });
  it("gives an error code if it has a password or is damaged", async () => {
    const locked = await failureOf(lockedPdf());
    assert(locked.is("UNREADABLE"));
    assertEquals(locked.details, {
      as: "pdf",
      problem: "it opens only with a password",
      media: { type: "application/pdf", name: "a PDF document" },
    });
    for (
      const document of [
        "%PDF-1.7\n",
        "%PDF-1.7\nnonsense",
        bytesOf("%PDF-1.4\n", new Uint8Array(5000)),
      ]
    ) {
      const error = await failureOf(document);
      assert(error.is("UNREADABLE"), error.message);
      assertEquals(
        error.details.problem,
        "it is damaged: it is not a PDF document that can be read",
      );
    }
    // A truncated document is either read as far as possible or refused.
    for (let end = 20; end < FOUR.length; end += 97) {
      const workspace = await workspaceOf(FOUR.slice(0, end));
      await workspace.read("notes.txt").then(
        ({ view }) => assertEquals(view, "pdf"),
        (error) => assertEquals(error.code, "UNREADABLE"),
      );
    }
  });
  it("above a limit is refused with its size", async () => {
    const large = await failureOf(FOUR, {}, { maxBytes: 100 });
    assertEquals(large.details, {
      what: "view",
      size: FOUR.length,
      limit: 100,
    });
    const long = await failureOf(pdf(Array(30).fill(["x".repeat(100)])), {}, {
      maxTextBytes: 1000,
    });
    assert(long.is("TOO_LARGE"));
    assertEquals(long.details.limit, 1000);
    assert(long.details.size > 1000 && long.details.size < 1500, long.message);
  });
  it("of many pages is shown a few pages at a time, with the total number", async () => {
    const document = pdf(Array(101).fill(["text"]));
    const error = await failureOf(document);
    assert(error.is("TOO_LARGE"));
    assertEquals(error.details, { what: "view", size: 101, limit: 50 });
    assertEquals(
      [error.message, error.hint],
      [
        'Cannot read "notes.txt": how many pages are asked for, 101, is above the limit of 50',
        'name up to 50 of its 101 pages, such as "1-50"',
      ],
    );
    const last = await linesOf(document, { pages: "52-" });
    assertEquals(last.at(-2), "--- page 101 of 101");
    const some = await failureOf(document, { pages: "7-" }, { maxPages: 10 });
    assertEquals(
      some.hint,
      'name up to 10 of its 101 pages, such as "7-16"',
    );
  });
  it("yields to other calls while a page is read", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
    const workspace = await workspaceOf(pdf([lines]));
    await workspace.read("notes.txt", { count: 1 });
    const signal = AbortSignal.timeout(1);
    const reading = () => workspace.read("notes.txt", {}, { signal });
    assertEquals(
      (await assertRejects(reading, ReadFileError)).code,
      "ABORTED",
    );
  });
  it("writes nothing to standard output, which a protocol may use", async () => {
    const said: unknown[] = [];
    const { log, warn } = console;
    console.log = console.warn = (...words) => void said.push(words);
    try {
      await failureOf("%PDF-1.7\nnonsense");
      await linesOf(FOUR);
    } finally {
      Object.assign(console, { log, warn });
    }
    assertEquals(said, []);
  });
  it("takes options without a prototype", () => {
    const plain = Object.assign(Object.create(null), { maxPages: 1 });
    assertEquals(pdfView(plain).name, "pdf");
  });
  it("refuses options that are not a plain object", () => {
    for (const options of [null, new Map([["maxPages", 1]]), [], 1]) {
      assertThrows(
        () => pdfView(options as never),
        TypeError,
        "options must be a plain object",
      );
    }
  });
  it("refuses unknown options", () => {
    assertThrows(
      () => pdfView({ most: 1 } as never),
      TypeError,
      '"most" is unknown',
    );
    assertThrows(
      () => pdfView({ maxBytes: 0 }),
      RangeError,
      "maxBytes must be",
    );
  });
});
