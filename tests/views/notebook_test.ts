import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  memoryFs,
  notebookView,
  openWorkspace,
  type Page,
  ReadFileError,
  renderPage,
} from "../../mod.ts";
import { cutFs, CUTS } from "../support/cuts.ts";
import { bytesOf, png } from "../support/images.ts";
import {
  base64,
  code,
  markdown,
  notebook,
  SAMPLE,
} from "../support/notebooks.ts";
import { checkRendering } from "../support/rendered.ts";

async function workspaceOf(text: string | Uint8Array) {
  const fs = memoryFs({ "/repo/a.ipynb": text });
  return await openWorkspace("/repo", { fs, views: [notebookView()] });
}

async function linesOf(text: string | Uint8Array): Promise<readonly string[]> {
  const page = await (await workspaceOf(text)).read("a.ipynb");
  assertEquals(page.view, "cells");
  return page.lines.map(({ text }) => text);
}

async function failureOf(text: string, view?: string) {
  const workspace = await workspaceOf(text);
  const options = view === undefined ? {} : { view };
  return await assertRejects(
    () => workspace.read("a.ipynb", options),
    ReadFileError,
  );
}

const { length: PNG_BYTES } = png(64, 48);

describe("a notebook", () => {
  it("is shown as cells, with text outputs, and sizes in place of images", async () => {
    assertEquals(await linesOf(SAMPLE), [
      "notebook of 4 cells, in python",
      "--- cell 1: markdown",
      ...["# Title", "", "Some words."],
      "--- cell 2: code, run 3",
      ...["import math", "math.pi"],
      "--- cell 2 output",
      ...["one", "two"],
      "--- cell 2 output on stderr",
      "100%",
      "--- cell 2 output",
      "3.14",
      `--- cell 2 output: a PNG image of 64 x 48 pixels, ${PNG_BYTES} bytes`,
      "--- cell 2 output",
      "<Figure>",
      "--- cell 3: code, run 4",
      "1 / 0",
      "--- cell 3 error",
      ...["Traceback", "ZeroDivisionError: division by zero"],
      "--- cell 4: raw",
      // Text of the notebook cannot imitate a line of the view.
      ...[" --- cell 9: code", "forged"],
    ]);
  });
  it("is the same for any layout of its JSON", async () => {
    const lines = await linesOf(SAMPLE);
    const value = JSON.parse(SAMPLE);
    const turned = {
      nbformat: 4,
      ...value.metadata,
      metadata: value.metadata,
      cells: value.cells,
    };
    for (
      const text of [
        JSON.stringify(value),
        JSON.stringify(turned, null, "\t"),
        `\uFEFF\n${JSON.stringify(value, null, 2)}\n\n`,
      ]
    ) assertEquals(await linesOf(text), lines);
  });
  it("never shows base64, even of an invalid or very large image", async () => {
    const large = base64(bytesOf(png(1500, 1500)));
    const display = (data: object) => ({
      output_type: "display_data",
      metadata: {},
      data,
    });
    const text = (await linesOf(notebook([
      code("", [display({ "image/png": large })]),
      code("", [display({ "image/png": "bm90IGFuIGltYWdl" })]),
      code("", [display({ "application/octet-stream": large })]),
      {
        ...markdown("![](a.png)"),
        attachments: { "a.png": { "image/png": base64(png(3, 2)) } },
      },
    ]))).join("\n");
    assert(!/[A-Za-z0-9+/]{50}/.test(text), text);
    assert(
      /a PNG image of 1500 x 1500 pixels, about 22\d{5} bytes/.test(text),
      text,
    );
    assertStringIncludes(text, "an image of an unknown kind, 12 bytes");
    assertStringIncludes(
      text,
      "cell 4 attachment a.png: a PNG image of 3 x 2 pixels",
    );
  });
  it("says how much of a long text is omitted", async () => {
    const long = "x\\u00e9\n".repeat(400_000);
    const lines = await linesOf(notebook([code(["a"], [
      { output_type: "stream", name: "stdout", text: long },
    ])]));
    const told = lines.at(-1);
    assert(/^\[\d{6,7} more bytes are left out\]$/.test(told!), told);
  });
  it("may begin with a byte order mark, also in short reads", async () => {
    const fs = memoryFs({
      "/repo/a": `\uFEFF${notebook([markdown("a")])}`,
      "/repo/b": '\uFEFF{"cells":[],"nbformat":4} x',
    });
    for (const cut of CUTS) {
      const views = [notebookView()];
      const port = cutFs(fs, cut);
      const workspace = await openWorkspace("/repo", { fs: port, views });
      const { lines } = await workspace.read("a");
      assertEquals(lines.at(-1)?.text, "a", `${cut}`);
      await assertRejects(
        () => workspace.read("b"),
        ReadFileError,
        "it is not JSON at byte 29",
      );
    }
  });
  it("shows U+FFFF before digits as a lost character, not as a cut", async () => {
    const source = ["a\uFFFF12", "\uFFFF345", "\\uFFFF6", "c"];
    const own = JSON.stringify(source);
    const escaped = own.replaceAll("\uFFFF", "\\uffff");
    for (const text of [own, escaped]) {
      const long = "x".repeat(2 ** 21);
      const cell = code("SOURCE", [
        { output_type: "stream", name: "stdout", text: long },
      ]);
      const book = notebook([cell]).replace('"SOURCE"', text);
      const workspace = await workspaceOf(book);
      const { lines, inexact } = await workspace.read("a.ipynb");
      assertEquals(lines[2]?.text, "a\uFFFD12\uFFFD345\\uFFFF6c");
      assertEquals(inexact, [{ number: 3, reason: "not UTF-8" }]);
      assertMatch(lines.at(-1)!.text, /^\[\d{6,7} more bytes are left out\]$/);
    }
  });
  it("says how much of a JSON output is omitted", async () => {
    const data = { "application/json": { a: "x".repeat(2 ** 21) } };
    const lines = await linesOf(notebook([
      code("", [{ output_type: "display_data", data }]),
    ]));
    const told = lines.filter((line) => line.endsWith("left out]"));
    assertEquals([told.length, lines.at(-1)], [1, '"}']);
  });
  it("says once how much of a list of texts is omitted", async () => {
    const line = "x".repeat(99) + "\n";
    const text = Array.from({ length: 90_000 }, () => line);
    const lines = await linesOf(notebook([code(["a"], [
      { output_type: "stream", name: "stdout", text },
    ])]));
    const told = lines.filter((line) => line.endsWith("left out]"));
    assertEquals(told.length, 1);
    const [, left] = /^\[(\d+) more bytes/.exec(told[0]!)!;
    const shown = lines.filter((line) => line.startsWith("x"));
    // In JSON, a line feed takes two bytes; the last line is cut before its line feed.
    const kept = shown.length * 101 - 101 + shown.at(-1)!.length;
    assertEquals(kept + Number(left), 90_000 * 101);
  });
  it("never cuts a long text inside a character, wherever a read ends", async () => {
    const book = notebook([code("あ".repeat(400_000))]);
    for (const place of [65_534, 65_535, 65_536, 65_537]) {
      // The text begins at `place`, and reads end at multiples of 64 KiB.
      const padding = " ".repeat(place - book.indexOf("あ"));
      const lines = await linesOf(book.replace('"あ', `${padding}"あ`));
      const kept = Math.floor(2 ** 20 / 3);
      const left = 1_200_000 - kept * 3;
      assertEquals(lines.at(-2), "あ".repeat(kept), `${place}`);
      assertEquals(lines.at(-1), `[${left} more bytes are left out]`);
    }
  });
  it("does not mistake digits after a long text for omitted bytes", async () => {
    const text = ["x".repeat(2 ** 20 + 7), "2026\n"];
    const lines = await linesOf(notebook([code(text)]));
    assertEquals(lines.slice(-2), ["[7 more bytes are left out]", "2026"]);
  });
  it("gives the size of an image whose base64 is a list", async () => {
    const head = base64(png(64, 48)).slice(0, 76);
    const rest = Array.from({ length: 70_000 }, () => "A".repeat(76));
    const data = { "image/png": [head, ...rest] };
    const lines = await linesOf(notebook([
      code("", [{ output_type: "display_data", data }]),
    ]));
    const bytes = 70_001 * 76 * 3 / 4;
    const told = `a PNG image of 64 x 48 pixels, about ${bytes} bytes`;
    assertEquals(lines.at(-1), `--- cell 1 output: ${told}`);
  });
  it("gives the size of an image that is not base64", async () => {
    const data = { "image/png": "data:image/png;base64,bm90" };
    const lines = await linesOf(notebook([
      code("", [{ output_type: "display_data", data }]),
    ]));
    const told = "an image of an unknown kind, 19 bytes";
    assertEquals(lines.at(-1), `--- cell 1 output: ${told}`);
  });
  it("names the lines in which U+FFFD stands for invalid UTF-8", async () => {
    const cells = [
      code("a\uFFFDb"),
      code("a#b"),
      code("a\uD800b"),
      code("one\ntwo \uD83D#\n\uD83D\uDE00\uFFFD\n#"),
    ];
    const bytes = new TextEncoder().encode(notebook(cells));
    for (let at = 0; (at = bytes.indexOf(0x23, at)) >= 0; at++) {
      bytes[at] = 0xe9;
    }
    const workspace = await workspaceOf(bytes);
    const page = await workspace.read("a.ipynb");
    const shown = page.lines.map(({ text }) => text);
    assertEquals(shown.slice(0, 7), [
      "notebook of 4 cells",
      ...["--- cell 1: code", "a\uFFFDb"],
      ...["--- cell 2: code", "a\uFFFDb"],
      ...["--- cell 3: code", "a\uFFFDb"],
    ]);
    assertEquals([shown[8], shown[10]], ["one", "\u{1F600}\uFFFD"]);
    assert(shown[9]!.endsWith("\uFFFD"));
    const reason = "not UTF-8" as const;
    assertEquals(
      page.inexact,
      [5, 7, 10, 12].map((number) => ({ number, reason })),
    );
    assertEquals([page.exact, page.encoding.why], [false, "nothing else fits"]);
    // A page that begins inside a cell does the same.
    const later = await workspace.read("a.ipynb", { start: 12, column: 2 });
    assertEquals(later.inexact, []);
    const inside = await workspace.read("a.ipynb", { start: 12 });
    assertEquals(inside.inexact, [{ number: 12, reason }]);
    assertMatch(
      renderPage(inside),
      /\n12 not UTF-8\t/,
    );
  });
  it("is UTF-8, regardless of the encoding option and of a detector", async () => {
    const book = notebook([code("日本 \uD800")]);
    const fs = memoryFs({ "/ws/a": book });
    const detect = () => [{ label: "shift_jis", confidence: 1 }];
    const views = [notebookView()];
    const workspace = await openWorkspace("/ws", { fs, views, detect });
    for (const encoding of ["auto", "shift_jis", "utf-16le"]) {
      const page = await workspace.read("a", { tail: 1, encoding });
      assertEquals(page.lines[0]?.text, "日本 \uFFFD");
      assertEquals(page.encoding.label, "utf-8");
    }
  });
  it("is read page by page, like any file", async () => {
    const workspace = await workspaceOf(SAMPLE);
    const whole = await workspace.read("a.ipynb");
    const bytes: number[] = [];
    let last: Page | undefined;
    for await (const page of workspace.pages("a.ipynb", { maxBytes: 40 })) {
      bytes.push(...page.bytes());
      checkRendering(page);
      assertEquals(page.next === null || page.next.view === "cells", true);
      last = page;
    }
    assertEquals(bytes, Array.from(whole.bytes()));
    assertEquals(last?.totalLines, whole.totalLines);
    const tail = await workspace.read("a.ipynb", { tail: 1 });
    assertEquals(tail.lines[0]?.text, "forged");
    assertStringIncludes(
      renderPage(tail),
      ' Shown as cells; "view": "raw" shows the file itself.',
    );
  });
  it("has another etag than the file itself", async () => {
    const workspace = await workspaceOf(SAMPLE);
    const cells = await workspace.read("a.ipynb", { count: 2 });
    const raw = await workspace.read("a.ipynb", { view: "raw" });
    assertEquals([raw.view, raw.size], [null, SAMPLE.length]);
    assertEquals(
      (await workspace.read("a.ipynb", cells.next!)).lines[0]?.number,
      3,
    );
    const mixed = () =>
      workspace.read("a.ipynb", { view: "raw", etag: cells.etag });
    assertEquals((await assertRejects(mixed, ReadFileError)).code, "CHANGED");
  });
  it("is shown if the call names its view, even if the workspace has no views", async () => {
    const fs = memoryFs({ "/repo/a.ipynb": SAMPLE });
    const workspace = await openWorkspace("/repo", { fs });
    assertEquals((await workspace.read("a.ipynb")).view, null);
    const page = await workspace.read("a.ipynb", { view: "cells", count: 1 });
    assertEquals(page.lines[0]?.text, "notebook of 4 cells, in python");
    const [answer] = await workspace.readMany([{
      path: "a.ipynb",
      view: "cells",
    }]);
    assertEquals(answer?.kind === "page" && answer.page.view, "cells");
  });
  it("gives an error code if it is invalid, and can be read as text", async () => {
    const broken: readonly (readonly [string, string])[] = [
      [
        SAMPLE.slice(0, -2),
        "it is not JSON: it ends before its last bracket is closed",
      ],
      [
        SAMPLE.slice(0, 90),
        "it is not JSON: it ends before its last bracket is closed",
      ],
      ['{"cells": [{"cell_type": code}]}', "it is not JSON at byte 25"],
      ['{"cells": [{"cell_type": true false}]}', "it is not JSON in cell 1"],
      [`${SAMPLE}{}`, `it is not JSON at byte ${SAMPLE.length}`],
      ['{"cells": [{"cell_type": "code"}}', "it is not JSON at byte 32"],
      ['{"nbformat": 4, "metadata": {}}', "it has no list of cells"],
      ['{"nbformat": 4, "\\"cells": [{}]}', "it has no list of cells"],
      [
        `{"cells": [{"cell_type": ${"[".repeat(10_000)}`,
        "it has more than 500 brackets in each other at byte 522",
      ],
    ];
    for (const [text, problem] of broken) {
      const error = await failureOf(text);
      assert(error.is("UNREADABLE"), error.message);
      assertEquals(error.details, { as: "cells", problem });
      assertEquals(error.hint, 'read the file itself with view "raw"');
      const workspace = await workspaceOf(text);
      assertEquals(
        (await workspace.read("a.ipynb", { view: "raw" })).size,
        text.length,
      );
    }
  });
  it("that is invalid is to be read without its view, if that is not the default", async () => {
    const fs = memoryFs({ "/repo/a.ipynb": SAMPLE.slice(0, -2) });
    const workspace = await openWorkspace("/repo", { fs });
    const error = await assertRejects(
      () => workspace.read("a.ipynb", { view: "cells" }),
      ReadFileError,
    );
    assertEquals(
      error.hint,
      'leave view out, or read the file itself with view "raw"',
    );
  });
  it("with unusual cells is shown as far as possible", async () => {
    const text =
      '{"nbformat": 4, "cells": [{}, {"cell_type": 7, "source": {"a": 1}, "outputs": {}}, ' +
      '{"cell_type": "code", "source": [1, null], "outputs": [null, 3, {"data": []}]}, 5, "x"]}';
    assertEquals(await linesOf(text), [
      "notebook of 3 cells",
      "--- cell 1: unknown",
      "--- cell 2: unknown",
      ...["--- cell 3: code", "1null"],
    ]);
  });
  it("is shown without a part that cannot be a string", async () => {
    // `String()` throws for such an object.
    const odd = '{"toString": 1, "valueOf": 1}';
    const text =
      `{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", ${odd}]}]}`;
    assertEquals((await linesOf(text)).at(-1), "a");
  });
  it("shows only the last text of a line that was overwritten", async () => {
    const shown = async (text: string) =>
      (await linesOf(notebook([code("", [{ output_type: "stream", text }])])))
        .slice(3).join("|");
    assertEquals(await shown("a\rbc\rd\nab\r\ne"), "d|ab|e");
    assertEquals(await shown("a\rb\rc\r"), "c");
    assertEquals(await shown("\r\na\r"), "|a");
  });
  it("is distinguished from other JSON, for any file name", async () => {
    for (
      const text of [
        '{"cells": [1, 2]}',
        '[{"cell_type": "code"}]',
        '{"a": {"nbformat": 4}}',
        "",
      ]
    ) {
      const workspace = await workspaceOf(text);
      assertEquals((await workspace.read("a.ipynb")).view, null, text);
    }
    const error = await failureOf("{}", "cells");
    assert(error.is("UNREADABLE"));
    assertEquals(error.details.problem, "it is not of a kind that it shows");
    const unknown = await failureOf("{}", "cell");
    assertEquals(
      unknown.message,
      'Cannot read "a.ipynb": view must be one of "raw", "cells", "gunzip", not "cell"',
    );
    const pages = await assertRejects(
      async () =>
        await (await workspaceOf(SAMPLE)).read("a.ipynb", { pages: "1" }),
      ReadFileError,
    );
    assertStringIncludes(
      pages.message,
      'pages means nothing for the view "cells"',
    );
  });
});
