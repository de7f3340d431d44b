import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  boundTokens,
  type FsPort,
  memoryFs,
  openWorkspace,
  type PageRequest,
  ReadFileError,
  type ReadManyOptions,
  type ReadOptions,
  renderPage,
} from "../../mod.ts";
import { STEP_ITEMS } from "../../src/core/base/call.ts";
import { MAX_OPEN_FILES, SLICE_MS } from "../../src/core/base/limits.ts";
import { withClock } from "../support/clock.ts";
import { countingFs } from "../support/counting_fs.ts";
import { encodedIn, utf16Of } from "../support/encoded.ts";
import { linesOf, openOn, pagesIn, shownBy, told } from "../support/many.ts";

describe("Workspace.readMany()", () => {
  it("answers in the order of the requests, also after an error", async () => {
    const workspace = await openOn({ a: "one\n", "dir/b": "two\n" });
    const paths = ["dir/b", "none", "dir", "a", "../x", "dir/b"];
    const answers = await workspace.readMany(paths.map((path) => ({ path })));
    assertEquals(answers.map(({ path }) => path), paths);
    const codes = ["NOT_FOUND", "NOT_A_FILE", 4, "OUTSIDE_WORKSPACE", 4];
    assertEquals(told(answers), [4, ...codes]);
    const [, missing] = answers;
    assert(missing?.kind === "error");
    assertEquals(missing.error.message.slice(0, 20), 'Cannot read "none": ');
  });
  it("starts few of many requests at a time", async () => {
    const workspace = await openOn({ a: "one\n" });
    const { signal } = new AbortController();
    let waiting = 0;
    let most = 0;
    const listen = signal.addEventListener.bind(signal);
    // Each waiting request listens for an abort.
    signal.addEventListener = (...args: Parameters<typeof listen>) => {
      most = Math.max(most, ++waiting);
      listen(...args);
    };
    const forget = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (...args: Parameters<typeof forget>) => {
      waiting--;
      forget(...args);
    };
    const requests = Array.from({ length: 3_000 }, () => ({ path: "a" }));
    const answers = await workspace.readMany(requests, {}, { signal });
    assertEquals(pagesIn(answers).length, requests.length);
    assert(most < requests.length / 4, `${most} waited`);
  });
  it("reads nothing without requests", async () => {
    const workspace = await openOn({});
    assertEquals(await workspace.readMany([]), []);
    assertEquals(await workspace.readMany([], { maxBytes: 1 }), []);
  });
  it("gives the same pages as read() if it has no limit", async () => {
    const workspace = await openOn({ a: linesOf(3), b: "\ufeffx\r\ny" });
    const requests: (PageRequest & { readonly path: string })[] = [
      { path: "a", start: 2 },
      { path: "b", tail: 1 },
      { path: "a", count: 2 },
      { path: "b", column: 2, width: 1, escape: true },
    ];
    const answers = await workspace.readMany(requests);
    for (const [index, answer] of answers.entries()) {
      const { path, ...options } = requests[index]!;
      const page = await workspace.read(path, options as ReadOptions);
      assert(answer.kind === "page");
      assertEquals(answer.page.toJSON(), page.toJSON());
      assertEquals(answer.page.bytes(), page.bytes());
    }
  });
  it("shows small files whole, and shares the rest among the others", async () => {
    const workspace = await openOn({
      large: linesOf(90),
      small: linesOf(2),
      empty: "",
      larger: linesOf(900),
      middle: linesOf(11),
    });
    const paths = ["large", "small", "empty", "larger", "middle"];
    const requests = paths.map((path) => ({ path }));
    const answers = await workspace.readMany(requests, { maxBytes: 500 });
    // 500 - 20 - 0 - 110 leaves 185 bytes for each of the two others.
    assertEquals(told(answers), [180, 20, 0, 180, 110]);
    const nexts = pagesIn(answers).map(({ page: { next } }) => next?.start);
    assertEquals(nexts, [19, undefined, undefined, 19, undefined]);
  });
  it("gives the unused share of a range to the others", async () => {
    const workspace = await openOn({ a: linesOf(90), b: linesOf(90) });
    const requests = [
      { path: "a" },
      { path: "a", count: 4 },
      { path: "b", start: 3, end: 5 },
      { path: "b", start: 9, width: 4 },
      { path: "b", maxBytes: 25 },
      { path: "b" },
    ];
    const answers = await workspace.readMany(requests, { maxBytes: 534 });
    assertEquals(told(answers), [220, 40, 30, 4, 20, 220]);
    const nexts = pagesIn(answers).map(({ page: { next } }) => next);
    assertEquals(nexts.map((next) => next?.maxBytes), [
      534,
      534,
      undefined,
      534,
      25,
      534,
    ]);
  });
  it("shows all lines around a hit if the other files leave room", async () => {
    const workspace = await openOn({
      a: `${linesOf(49)}hit......\n${linesOf(50)}`,
      line: "y".repeat(900) + "\nfoo\n",
      small: linesOf(1),
    });
    const requests = [
      { path: "a", match: "hit", before: 30 },
      { path: "a", lines: [50], before: 3, after: 30 },
      { path: "line", match: "y", limit: 1 },
      { path: "small" },
    ];
    for (const request of requests) {
      const maxBytes = 410;
      const [page] = pagesIn(
        await workspace.readMany([request], { maxBytes: maxBytes - 10 }),
      );
      const answers = await workspace.readMany(
        [request, { path: "small" }],
        { maxBytes },
      );
      assertEquals(told(answers), [shownBy(page!), 10]);
    }
    const [first] = await workspace.readMany(
      [requests[0]!, { path: "small" }],
      { maxTokens: 410 },
    );
    assert(first?.kind === "page");
    assertEquals(first.page.lines.length, 31);
  });
  it("shares tokens of the pages' texts, and characters of them", async () => {
    const hit = "hit......\n";
    const text = linesOf(49) + hit + linesOf(49) + hit + linesOf(49);
    const workspace = await openOn({
      a: text,
      b: linesOf(900),
      small: linesOf(1),
    });
    const requests = [
      { path: "a", match: "hit", limit: 1, before: 30 },
      { path: "b", maxBytes: 40 },
      { path: "b" },
      { path: "small" },
    ];
    const units: Readonly<Record<string, (text: string) => number>> = {
      maxTokens: boundTokens,
      maxChars: (text) => text.length,
    };
    for (const [unit, sizeOf] of Object.entries(units)) {
      const most = 3_000;
      const answers = await workspace.readMany(requests, { [unit]: most });
      const texts = pagesIn(answers).map(({ page }) => renderPage(page));
      const sizes = texts.map(sizeOf);
      const sum = sizes.reduce((sum, size) => sum + size, 0);
      assert(sum <= most && sum > 0.9 * most, `${sum} of ${most} ${unit}`);
      const [hits, bytes, cut, small] = pagesIn(answers);
      assertEquals(hits!.page.lines.length, 31);
      assertEquals([shownBy(bytes!), shownBy(small!)], [40, 10]);
      // The next page has the limit of the call.
      const { next } = cut!.page;
      assertEquals(next?.[unit as "maxChars"], most);
      assertEquals(bytes!.page.next?.maxBytes, 40);
    }
  });
  it("gives all tokens that are left to a file with fewer bytes than tokens", async () => {
    const text = "\u4e2d".repeat(1_000);
    const files = {
      "/a": utf16Of(text),
      "/b": "x\n",
      "/c": "\u200b\x01".repeat(99),
    };
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const large = { path: "a", encoding: "utf-16le" };
    const one = [large, { path: "b" }];
    const [wide] = await workspace.readMany(one, { maxTokens: 3_500 });
    assertEquals(told([wide!]), [2_000]);
    const escaped = [{ path: "c", escape: true }, { path: "b" }];
    const [shown] = await workspace.readMany(escaped, { maxTokens: 2_500 });
    assertEquals(told([shown!]), [396]);
  });
  it("shows a line ending of UTF-16 if the other files leave enough", async () => {
    const files = { "/a": utf16Of("ab\r\ncd"), "/b": "x" };
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const first = { path: "a", encoding: "utf-16le", width: 2 };
    const requests = [first, { path: "b" }];
    const answers = await workspace.readMany(requests, { maxBytes: 13 });
    assertEquals(told(answers), [8, 1]);
  });
  it("shows no more bytes than maxBytes if it also has maxTokens", async () => {
    const files = { a: "one\n", b: "two\n", c: "three\n" };
    const workspace = await openOn(files);
    const requests = Object.keys(files).map((path) => ({ path }));
    const shown = async (maxBytes: number) =>
      told(await workspace.readMany(requests, { maxBytes, maxTokens: 999 }));
    assertEquals(await shown(1), [1, "skipped", "skipped"]);
    assertEquals(await shown(9), [4, 4, "skipped"]);
    assertEquals(await shown(18), [4, 4, 6]);
  });
  it("skips the last requests if no tokens are left for their frames", async () => {
    const text = "a\n".repeat(999);
    const workspace = await openOn({ a: text, b: text, c: text });
    const requests = ["a", "b", "c"].map((path) => ({ path }));
    const shown = async (maxTokens: number) =>
      told(await workspace.readMany(requests, { maxTokens }))
        .map((bytes) => typeof bytes === "number");
    assertEquals(await shown(900), [true, true, true]);
    assertEquals(await shown(200), [true, true, false]);
    assertEquals(await shown(16), [true, false, false]);
    assertEquals(told(await workspace.readMany(requests, { maxTokens: 1 })), [
      1,
      "skipped",
      "skipped",
    ]);
  });
  it("skips the last requests if no bytes are left, each with its own next", async () => {
    const workspace = await openOn({ a: linesOf(9), b: linesOf(9), c: "x" });
    const requests: PageRequest[] = [
      { path: "a" },
      { path: "b", start: 2, count: 1 },
      { path: "b", tail: 3, maxBytes: 7 },
      { path: "c" },
      { path: "none" },
    ];
    const answers = await workspace.readMany(requests, { maxBytes: 8 });
    assertEquals(told(answers), [7, "skipped", "skipped", 1, "NOT_FOUND"]);
    assertEquals(answers[1], {
      kind: "skipped",
      path: "b",
      next: { start: 2, count: 1, maxBytes: 8 },
    });
    assertEquals(answers[2], {
      kind: "skipped",
      path: "b",
      next: { tail: 3, maxBytes: 7 },
    });
  });
  it("shows the files that fit, for any number of files", async () => {
    const files = Array.from({ length: 100 }, (_, at) => [`f${at}`, "x"]);
    const workspace = await openOn(Object.fromEntries(files));
    const requests = files.map(([path]) => ({ path: path! }));
    const all = await workspace.readMany(requests, { maxBytes: 100 });
    assertEquals(told(all), files.map(() => 1));
    const some = await workspace.readMany(requests, { maxBytes: 98 });
    assertEquals(told(some).filter((what) => what === 1).length, 98);
    assertEquals(told(some).filter((what) => what === "skipped").length, 2);
  });
  it("shows the smallest files if not all small files fit", async () => {
    const workspace = await openOn({ a: "aaaa", b: "bbbb", c: "c" });
    const requests = ["a", "b", "c"].map((path) => ({ path }));
    const answers = await workspace.readMany(requests, { maxBytes: 5 });
    assertEquals(told(answers), [4, "skipped", 1]);
  });
  it("shows the ending after a window of columns if other requests leave room", async () => {
    const workspace = await openOn({ a: "abcd\nxyz", b: "x" });
    const requests = [{ path: "a", width: 4 }, { path: "b" }];
    const answers = await workspace.readMany(requests, { maxBytes: 8 });
    assertEquals(told(answers), [5, 1]);
  });
  it("shows one character even if it does not fit", async () => {
    const workspace = await openOn({ a: "😀😀", b: "😀", empty: "" });
    const requests = ["none", "empty", "a", "b"].map((path) => ({ path }));
    const answers = await workspace.readMany(requests, { maxBytes: 1 });
    assertEquals(told(answers), ["NOT_FOUND", 0, 4, "skipped"]);
  });
  it("shows a later file if no character of the first one fits", async () => {
    // Each character has three bytes before it and three after it.
    const japanese = encodedIn("日\nabc\n", "iso-2022-jp");
    const files = { "/a": japanese, "/b": "x\n".repeat(9), "/c": "😀" };
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const first = { path: "a", encoding: "iso-2022-jp" };
    const shown = async (paths: string, maxBytes: number) => {
      const others = Array.from(paths, (path) => ({ path }));
      return told(await workspace.readMany([first, ...others], { maxBytes }));
    };
    assertEquals(await shown("b", 7), ["skipped", 6]);
    assertEquals(await shown("cb", 3), ["skipped", "skipped", 2]);
    // If nothing fits, one character is shown anyway.
    assertEquals(await shown("c", 3), [8, "skipped"]);
    const both = async (maxBytes: number) =>
      told(
        await workspace.readMany([first, { path: "b" }], {
          maxBytes,
          maxTokens: 999,
        }),
      );
    assertEquals(await both(8), ["skipped", 8]);
    assertEquals(await both(16), [8, 8]);
  });
  it("opens at most 64 files at a time", async () => {
    const files = Array.from({ length: 200 }, (_, at) => [`/f${at}`, "x\n"]);
    let most = 0;
    const fs = countingFs(memoryFs(Object.fromEntries(files)));
    const { open } = fs;
    const watched = {
      ...fs,
      async open(path: string) {
        const handle = await open(path);
        most = Math.max(most, fs.counts.open);
        await Promise.resolve();
        return handle;
      },
    };
    const workspace = await openWorkspace("/", { fs: watched });
    const requests = files.map(([path]) => ({ path: path! }));
    const answers = await workspace.readMany(requests, { maxBytes: 999 });
    assertEquals(told(answers), files.map(() => 2));
    assert(most > 1 && most <= 64, `${most} at a time`);
    assertEquals(fs.counts.open, 0);
  });
});

describe("Workspace.readMany() refuses", () => {
  it("to continue after an abort", async () => {
    const workspace = await openOn({ a: "x", b: "y" });
    const requests = [{ path: "a" }, { path: "b" }];
    const signal = AbortSignal.abort();
    const error = await assertRejects(
      () => workspace.readMany(requests, {}, { signal }),
      ReadFileError,
    );
    assertEquals(error.code, "ABORTED");
  });
});

describe("once all files are read, readMany() lets other work run", () => {
  const requests = (count: number) =>
    Array.from({ length: count }, () => ({ path: "/a" }));
  /** How often the clock is read after the last file was opened, if each check yields from then on: some three times a yield. */
  async function looksAfter(count: number, options: ReadManyOptions) {
    const fs = memoryFs({ "/a": "one\n" });
    let left = Math.min(count, options.maxFiles ?? Infinity);
    let looks = 0;
    const open: FsPort["open"] = async (path) => {
      left--;
      return await fs.open(path);
    };
    const workspace = await openWorkspace("/", { fs: { ...fs, open } });
    const step = () => {
      if (left > 0) return 0;
      looks++;
      return SLICE_MS;
    };
    await withClock(step, () => workspace.readMany(requests(count), options));
    return looks;
  }
  it("while it shares a limit, and shortens the pages", async () => {
    const count = 3 * MAX_OPEN_FILES;
    const looks = await looksAfter(count, { maxBytes: 4 * count });
    // Of each page, and of the steps that share the limit.
    assert(looks > 2 * count, `${looks} looks`);
  });
  it("while it names what was skipped", async () => {
    const before = await looksAfter(1, { maxFiles: 1 });
    const after = await looksAfter(4 * STEP_ITEMS, { maxFiles: 1 });
    assert(after - before >= 4, `${after} looks after ${before}`);
  });
});

describe("each file that readMany() reads", () => {
  const lines = Array.from({ length: 50 }, (_, at) => 1 + at * at);
  const large = linesOf(9_000);
  const ways: Readonly<Record<string, (count: number) => ReadOptions>> = {
    "whole files": () => ({}),
    "the last lines of large files": (tail) => ({ tail }),
    "the requested bytes of large files": (count) => ({
      maxBytes: count * 10,
    }),
  };
  for (const [what, way] of Object.entries(ways)) {
    it(`is opened once: ${what}`, async () => {
      const files = lines.map((count, at) => [
        `/f${at}`,
        what === "whole files" ? linesOf(count) : large,
      ]);
      const fs = countingFs(memoryFs(Object.fromEntries(files)));
      const workspace = await openWorkspace("/", { fs });
      const requests = lines.map((count, at) => ({
        path: `f${at}`,
        ...way(count),
      }));
      const options = { maxBytes: 100_000 };
      const answers = await workspace.readMany(requests, options);
      const shown = pagesIn(answers)
        .reduce((sum, page) => sum + shownBy(page), 0);
      assert(shown > 95_000 && shown <= 100_000, `${shown} bytes`);
      assertEquals(fs.counts.opened, requests.length);
    });
  }
});
