import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  type EncodingDetector,
  memoryFs,
  openWorkspace,
  type Page,
  ReadFileError,
  type ReadOptions,
  renderPage,
} from "../../../mod.ts";
import {
  KernelPool,
  wasmKernel,
  withKernels,
} from "../../../src/core/lines/scan.ts";
import { cutFs, CUTS } from "../../support/cuts.ts";
import { encodedIn, utf16Of } from "../../support/encoded.ts";
import { checkRendering } from "../../support/rendered.ts";

/** A workspace with one file. */
async function open(content: Uint8Array | string, detect?: EncodingDetector) {
  const fs = memoryFs({ "/ws/a": content });
  return await openWorkspace("/ws", { fs, ...(detect && { detect }) });
}

async function pageOf(
  content: Uint8Array | string,
  options: ReadOptions = {},
): Promise<Page> {
  return await (await open(content)).read("a", options);
}

const textOf = (page: Pick<Page, "lines">) =>
  page.lines.map(({ text, ending }) => text + ending).join("");

/** Japanese in Shift_JIS; the second byte of 表 and ソ is a backslash. */
const JAPANESE = "表ソ予\r\nｶﾅ\r\nsecond 表\r\n";

describe("ISO-2022-JP before lines of ASCII", () => {
  // The larger file is scanned by the WebAssembly kernel.
  for (const lines of [20, 12_000]) {
    it(`is detected by its escape, among ${lines} lines`, async () => {
      const words = encodedIn("いろは\n", "iso-2022-jp");
      const ascii = new TextEncoder().encode("a line\n".repeat(lines));
      const content = new Uint8Array(words.length + ascii.length);
      content.set(words);
      content.set(ascii, words.length);
      const fs = withKernels(
        memoryFs({ "/ws/a": content }),
        new KernelPool(wasmKernel),
      );
      const workspace = await openWorkspace("/ws", { fs });
      const page = await workspace.read("a", { start: 2, count: 3 });
      assertEquals(page.encoding.label, "iso-2022-jp");
    });
  }
});

describe("a page in another encoding", () => {
  const texts: Readonly<Record<string, string>> = {
    "shift_jis": JAPANESE,
    "euc-jp": JAPANESE,
    "iso-2022-jp": "いろは abc\nにほへ\n",
    "gb18030": "简体 中文\n𝄞 é ñ\n",
    "gbk": "简体 中文 €\n",
    "big5": "繁體中文\n第二行\n",
    "euc-kr": "한국어 글\n둘째\n",
    "windows-1251": "Привет, мир\nвторая\n",
    "koi8-r": "Привет, мир\n",
    "windows-1252": "Grüße für 5 €\n",
    "utf-16le": "\uFEFFone\r\n𝄞 two\n",
    "utf-16be": "\uFEFF一\n上 0A\n",
  };
  for (const [encoding, text] of Object.entries(texts)) {
    it(`has the exact text of ${encoding}, also in its rendering`, async () => {
      const bytes = encodedIn(text, encoding);
      const page = await pageOf(bytes, { encoding });
      assertEquals(textOf(page), text);
      assertEquals([page.exact, page.inexact], [false, []]);
      assertEquals(page.encoding, { label: encoding, why: "asked" });
      assertEquals(page.bytes(), bytes);
      checkRendering(page);
    });
    it(`continues in ${encoding}, for reads of any size`, async () => {
      const bytes = encodedIn(text, encoding);
      for (const cut of CUTS) {
        const fs = cutFs(memoryFs({ "/ws/a": bytes }), cut);
        const workspace = await openWorkspace("/ws", { fs });
        let all = "";
        for await (
          const page of workspace.pages("a", { maxBytes: 5, encoding })
        ) {
          all += textOf(page);
          assertEquals(page.next?.encoding ?? encoding, encoding);
          checkRendering(page);
        }
        assertEquals(all, text);
      }
    });
    it(`ends after the last line of ${encoding}`, async () => {
      const bytes = encodedIn(text, encoding);
      for (const numbered of [true, false]) {
        const page = await pageOf(bytes, { tail: 1, numbered, encoding });
        assertEquals(textOf(page), text.match(/[^\n]*\n$/)![0]);
      }
    });
  }
  it("accepts every label of an encoding", async () => {
    const bytes = encodedIn(JAPANESE, "shift_jis");
    for (const encoding of ["sjis", "MS932", "x-sjis", " shift-jis "]) {
      const page = await pageOf(bytes, { encoding });
      assertEquals(page.encoding.label, "shift_jis");
    }
  });
  it("refuses an unknown label, and suggests the nearest", async () => {
    const workspace = await open("");
    const problems = {
      "shift_jsi": "did you mean shift_jis?",
      "utf8mb": 'must be "auto" or the label of an encoding',
      "windows1251x": "did you mean windows-1251?",
      "": 'not ""',
    };
    for (const [encoding, problem] of Object.entries(problems)) {
      const error = await assertRejects(
        () => workspace.read("a", { encoding }),
        ReadFileError,
        problem,
      );
      assertEquals(error.code, "INVALID_ARGUMENT");
    }
  });
  it("reports the hidden characters of its text, not of its bytes", async () => {
    // The bytes of U+2066 in UTF-16 are printable ASCII.
    const page = await pageOf(utf16Of("\u2066\u2020\n"), {
      encoding: "utf-16le",
    });
    assertEquals(page.warnings.map(({ code }) => code), ["U+2066"]);
  });
  it("cuts between graphemes if possible", async () => {
    const bytes = utf16Of("ab👩‍💻👩‍💻\n");
    const page = await pageOf(bytes, { maxBytes: 18, encoding: "utf-16le" });
    assertEquals(textOf(page), "ab👩‍💻");
  });
});

describe("the default encoding", () => {
  it("is UTF-8, which a page does not name", async () => {
    const page = await pageOf("é\n");
    assertEquals(page.encoding, { label: "utf-8", why: "valid UTF-8" });
    assertEquals(
      renderPage(page),
      '"a": line 1 of 1.\n1\té\nEnd of file.',
    );
    assertEquals(
      (await pageOf("a\nb\n", { count: 1 })).next?.encoding,
      undefined,
    );
  });
  it("is UTF-16 with or without a BOM, for every way to read", async () => {
    const text = "The first line is here,\r\nand the second.\n";
    for (const big of [false, true]) {
      for (const mark of ["", "\uFEFF"]) {
        const workspace = await open(utf16Of(mark + text, big));
        assertEquals(textOf(await workspace.read("a")), mark + text);
        const second = await workspace.read("a", { start: 2 });
        assertEquals(textOf(second), "and the second.\n");
        for (const numbered of [true, false]) {
          const last = await workspace.read("a", { tail: 1, numbered });
          assertEquals(last.text, "and the second.\n");
        }
        const [answer] = await workspace.readMany([{ path: "a" }]);
        assert(answer?.kind === "page");
        assertEquals(answer.page.totalLines, 2);
        const past = await workspace.read("a", { start: 9 });
        assertEquals([past.empty, past.totalLines], ["past the end", 2]);
      }
    }
  });
  it("is detected by statistics only if nothing else decides", async () => {
    const asked: number[] = [];
    const detect: EncodingDetector = ({ length }) => {
      asked.push(length);
      return [
        { label: "ascii", confidence: 1 },
        { label: "sjis", confidence: 0.9 },
        { label: "nonsense", confidence: 0.9 },
        { label: "windows-1252", confidence: 0.5 },
      ].slice(1);
    };
    const bytes = encodedIn(JAPANESE, "shift_jis");
    const workspace = await open(bytes, detect);
    const page = await workspace.read("a");
    assertEquals(textOf(page), JAPANESE);
    assertEquals(page.encoding, {
      label: "shift_jis",
      why: "statistics",
      runnersUp: ["windows-1252"],
    });
    assertStringIncludes(
      renderPage(page),
      " In shift_jis (statistics, or windows-1252).",
    );
    await workspace.read("a", { start: 2 });
    assertEquals(asked, [bytes.length]);
    for (const other of ["plain\n", "é\n", utf16Of("\uFEFFa")]) {
      await (await open(other, detect)).read("a");
    }
    assertEquals(asked.length, 1);
  });
  it("is detected from the shown lines, if the file begins with ASCII", async () => {
    const detect: EncodingDetector = () => [{ label: "gbk", confidence: 1 }];
    const text = "plain\n".repeat(20_000) + "中文\nend\n";
    const workspace = await open(encodedIn(text, "gbk"), detect);
    assertEquals((await workspace.read("a", { count: 1 })).exact, true);
    const page = await workspace.read("a", { start: 20_001 });
    assertEquals(textOf(page), "中文\nend\n");
    assertEquals(page.encoding.label, "gbk");
  });
  it("is detected if a search beyond ASCII finds nothing as UTF-8", async () => {
    const detect: EncodingDetector = () => [{ label: "gbk", confidence: 1 }];
    const text = "plain\n".repeat(200_000) + "中文\nend 中\n";
    const workspace = await open(encodedIn(text, "gbk"), detect);
    for (const query of [{ match: "中" }, { match: "d .$", regex: true }]) {
      const page = await workspace.read("a", query);
      const lines = query.regex ? [200_002] : [200_001, 200_002];
      assertEquals([page.hits?.lines, page.encoding.label], [lines, "gbk"]);
    }
    for (const other of [text, "plain\n".repeat(200_000)]) {
      const page = await (await open(other, detect)).read("a", { match: "國" });
      assertEquals([page.empty, page.encoding.why], ["no hit", "valid UTF-8"]);
    }
  });
  it("is used by a search, and by its next page", async () => {
    const rest = "5\r\n".repeat(40);
    const text = `\uFEFFone 一\r\ntwo\r\nthree 一\r\nfour\r\n${rest}`;
    const workspace = await open(utf16Of(text));
    const first = await workspace.read("a", { match: "一", limit: 1 });
    assertEquals(textOf(first), "\uFEFFone 一\r\n");
    assertEquals(first.encoding.why, "byte order mark");
    checkRendering(first);
    const second = await workspace.read("a", first.next!);
    assertEquals(textOf(second), "three 一\r\n");
    assertEquals(second.encoding.why, "as on the page before");
    checkRendering(second);
    const again = await workspace.read("a", { encoding: "utf-16le" });
    assertEquals(again.encoding.why, "asked");
    const hits = await workspace.read("a", {
      match: "T[wh]",
      regex: true,
      ignoreCase: true,
    });
    assertEquals(hits.text, "two\r\nthree 一\r\n");
    const asked = { path: "a", lines: [3], before: 1 };
    const [around] = await workspace.readMany([asked]);
    assert(around?.kind === "page");
    assertEquals(textOf(around.page), "two\r\nthree 一\r\n");
    const [found] = await workspace.readMany([{ path: "a", match: "four" }]);
    assert(found?.kind === "page");
    assertEquals(found.page.hits?.lines, [4]);
  });
  it("is the same in a narrowed workspace", async () => {
    const workspace = await open(utf16Of("\uFEFFa\n"));
    const narrow = await workspace.narrow({});
    assertEquals(textOf(await narrow.read("a")), "\uFEFFa\n");
  });
});

describe("an inexact line", () => {
  it("is reported for each line in another encoding", async () => {
    // A byte that encodes nothing, and a second encoding of U+FFE2.
    const bytes = Uint8Array.of(0x41, 0xfd, 0x0a, 0xfa, 0x54, 0x0a, 0x42, 0x0a);
    const page = await pageOf(bytes, { encoding: "shift_jis" });
    assertEquals(textOf(page), "A\uFFFD\n￢\nB\n");
    assertEquals(page.inexact, [
      { number: 1, reason: "undecodable" },
    ]);
    checkRendering(page);
    assertEquals(page.bytes(), bytes);
  });
  it("is not one that contains U+FFFD itself", async () => {
    for (const encoding of ["utf-16le", "gb18030"]) {
      const bytes = encodedIn("a\uFFFDb\n", encoding);
      assertEquals((await pageOf(bytes, { encoding })).inexact, []);
    }
  });
  const faults: Readonly<Record<string, Uint8Array>> = {
    "half a code unit at the end": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62),
    "the first half of a pair": Uint8Array.of(0xff, 0xfe, 0, 0xd8, 0x61, 0),
    "the second half of a pair": Uint8Array.of(0xff, 0xfe, 0, 0xdc, 0x61, 0),
    "half a pair at the end": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0, 0xd8),
  };
  for (const [fault, bytes] of Object.entries(faults)) {
    it(`is one with ${fault} in UTF-16`, async () => {
      const page = await pageOf(bytes);
      assertEquals(page.encoding.label, "utf-16le");
      assertEquals(page.inexact, [{ number: 1, reason: "undecodable" }]);
      assertEquals(textOf(page).split("\uFFFD").length, 2);
      assertEquals(page.bytes(), bytes);
      checkRendering(page);
    });
  }
  it("is not a line of only a byte order mark", async () => {
    const marks = [[0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]];
    for (const mark of marks) {
      const page = await pageOf(Uint8Array.from(mark));
      assertEquals([textOf(page), page.inexact], ["\uFEFF", []]);
      assertEquals(page.totalLines, 1);
    }
  });
  it("is every undecodable line of a file with several encodings", async () => {
    const bytes = Uint8Array.of(
      ...new TextEncoder().encode("é\n"),
      ...encodedIn("é\n", "windows-1252"),
    );
    const page = await pageOf(bytes);
    assertEquals(page.inexact, [{ number: 2, reason: "not UTF-8" }]);
    assertEquals(page.encoding.why, "no detector");
    checkRendering(page);
    // What a page is as JSON says as much.
    const facts = JSON.parse(JSON.stringify(page));
    assertEquals(renderPage(facts), renderPage(page));
    assertStringIncludes(renderPage(facts), '"encoding": "windows-1252"');
  });
  it("is none of a page that shows no text of a binary file", async () => {
    const fs = memoryFs({ "/a": Uint8Array.of(0, 0xff) });
    const workspace = await openWorkspace("/", { fs });
    const page = await workspace.read("a", { binary: "bytes" });
    assertEquals([page.empty, page.exact], ["binary", false]);
  });
});

describe("read() in another encoding", () => {
  const LINES = JAPANESE + "  表\r\n    x\r\n";
  const bytes = encodedIn(LINES, "shift_jis");
  const encoding = "shift_jis";

  it("gives lines, blocks and clipped lines", async () => {
    const workspace = await open(bytes);
    const page = await workspace.read("a", { start: 2, count: 1, encoding });
    assertEquals([page.text, page.next?.start], ["ｶﾅ\r\n", 3]);
    assertEquals(page.encoding, { label: encoding, why: "asked" });
    const block = { around: 5, block: { header: false } };
    const same = await open(LINES);
    assertEquals(
      (await workspace.read("a", { ...block, encoding })).text,
      (await same.read("a", block)).text,
    );
    const clipped = await workspace.read("a", { encoding, maxLineBytes: 3 });
    assertEquals(
      clipped.lines.map(({ text, ending }) => text + ending),
      ["表\r\n", "ｶﾅ\r\n", "sec\r\n", "  \r\n", "   \r\n"],
    );
  });
  it("shows an empty line once between lines that are clipped", async () => {
    for (const encoding of ["utf-16le", "utf-16be", "shift_jis"]) {
      const workspace = await open(encodedIn("long\n\n\r\nlong\n", encoding));
      const options = { encoding, maxLineBytes: 2 };
      const { text } = await workspace.read("a", options);
      const start = encoding.startsWith("utf-16") ? "l" : "lo";
      assertEquals(text, `${start}\n\n\r\n${start}\n`, encoding);
    }
  });
  it("detects the encoding before it refuses binary files", async () => {
    const workspace = await open(utf16Of("\uFEFFone\ntwo\n"));
    const refusing = ["refuse-nul", "refuse-shown"] as const;
    for (const binary of [...refusing, "refuse-invalid", "bytes"] as const) {
      for (const options of [{ binary }, { binary, encoding: "auto" }]) {
        const page = await workspace.read("a", options);
        assertEquals([page.text, page.empty], ["\uFEFFone\ntwo\n", null]);
      }
    }
    for (const binary of refusing) {
      await assertRejects(
        () => workspace.read("a", { binary, encoding: "utf-8" }),
        ReadFileError,
        "it holds a NUL byte",
      );
    }
  });
});

describe("refuse-invalid in another encoding", () => {
  const binary = "refuse-invalid";
  it("takes U+FFFD that the file has bytes for", async () => {
    for (const encoding of ["utf-16le", "utf-16be", "gb18030"]) {
      const workspace = await open(encodedIn("a\uFFFDb\n", encoding));
      const { text } = await workspace.read("a", { encoding, binary });
      assertEquals(text, "a\uFFFDb\n");
    }
  });
  it("refuses undecodable bytes, in clipped lines too", async () => {
    const workspace = await open(Uint8Array.of(0xff, 0x41, 0x41, 0x0a));
    for (const maxLineBytes of [2, 99]) {
      const options = { encoding: "shift_jis", binary, maxLineBytes } as const;
      const { code } = await assertRejects(
        () => workspace.read("a", options),
        ReadFileError,
      );
      assertEquals(code, "BINARY");
    }
  });
});

describe("a page of a line in another encoding", () => {
  it("counts its columns in that encoding, if it shows only ASCII", async () => {
    for (const before of ["", "ascii\n".repeat(5000), "ascii ".repeat(5000)]) {
      const line = "数据结构与算法 abcdef";
      const content = encodedIn(`${before}${line}\n文件\n`, "gbk");
      const start = before.split("\n").length;
      const column = (before.endsWith("\n") ? 0 : before.length) + 11;
      for (const cut of CUTS) {
        const fs = cutFs(memoryFs({ "/ws/a": content }), cut);
        const detect = () => [{ label: "gbk", confidence: 1 }];
        const workspace = await openWorkspace("/ws", { fs, detect });
        const page = await workspace.read("a", { start, column, count: 1 });
        assertEquals(
          [page.lines[0]?.text, page.lines[0]?.column, page.encoding.label],
          ["cdef", column, "gbk"],
        );
      }
    }
  });
  it("stays in UTF-8 beyond ASCII, wherever it begins", async () => {
    const content = "数据 ".repeat(40_000) + "abc\n";
    for (const column of [3, 4, 90_000, 120_001, 120_002]) {
      const page =
        await (await open(content, () => [{ label: "gbk", confidence: 1 }]))
          .read("a", { column, width: 2 });
      const text = content.slice(column - 1, column + 1);
      assertEquals([page.lines[0]?.text, page.encoding.why], [
        text,
        "valid UTF-8",
      ]);
    }
  });
  it("ends between two flags, like one of UTF-8", async () => {
    for (const encoding of ["utf-16le", "gb18030"]) {
      const content = encodedIn("a" + "🇩🇪".repeat(400), encoding);
      for (let maxBytes = 1000; maxBytes < 1020; maxBytes += 3) {
        const { lines } = await pageOf(content, { encoding, maxBytes });
        assert(/^a(🇩🇪)+$/u.test(lines[0]!.text), `${encoding}, ${maxBytes}`);
      }
    }
  });
});
