import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  gunzipView,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { bytesOf, png } from "../support/images.ts";
import { encodedIn } from "../support/encoded.ts";
import { gzip } from "../support/gzip.ts";

async function workspaceOf(bytes: Uint8Array, options = {}) {
  const fs = memoryFs({ "/repo/a.log": bytes });
  return await openWorkspace("/repo", { fs, views: [gunzipView(options)] });
}

async function failureOf(bytes: Uint8Array, options = {}) {
  const workspace = await workspaceOf(bytes, options);
  return await assertRejects(() => workspace.read("a.log"), ReadFileError);
}

const FILLER = ", all is well".repeat(4);

/** Lines that compress badly. */
function logOf(count: number): string {
  let text = "";
  for (let line = 1; line <= count; line++) {
    text += `line ${line}: request ${
      Math.imul(line, 0x9e3779b1) >>> 0
    }${FILLER}\n`;
  }
  return text;
}

describe("a file compressed with gzip", () => {
  it("is shown as its text, for any file name", async () => {
    const workspace = await workspaceOf(await gzip("one\ntwo\nthree\n"));
    const page = await workspace.read("a.log", { start: 2 });
    assertEquals(page.view, "gunzip");
    assertEquals(page.lines.map(({ text }) => text), ["two", "three"]);
    assertEquals([page.size, page.totalLines], [14, 3]);
  });
  it("is read at any position, in any order, exactly", async () => {
    const count = 180_000;
    const text = logOf(count);
    const packed = await gzip(text);
    const workspace = await workspaceOf(packed);
    // More than the cached beginning and end together.
    assert(text.length > 13_500_000, `${text.length}`);
    const bytes = new TextEncoder().encode(text);
    for (const start of [1, 80_000, 70_000, count]) {
      const page = await workspace.read("a.log", { start, count: 3 });
      const told = page.lines.map((
        { number, text },
      ) => [number, text.split(":")[0]]);
      const wanted = [start, start + 1, start + 2].filter((line) =>
        line <= count
      )
        .map((line) => [line, `line ${line}`]);
      assertEquals(told, wanted);
      assertEquals(page.bytes(), bytes.slice(page.shown.start, page.shown.end));
    }
    const tail = await workspace.read("a.log", { tail: 2 });
    assertEquals(tail.lines.map(({ number }) => number), [count - 1, count]);
  });
  it("may contain UTF-16 without a BOM, or with a BOM in a separate member", async () => {
    const text = "a line of UTF-16\n".repeat(9);
    const wide = Uint8Array.from(encodedIn(text, "utf-16le"));
    const mark = await gzip(bytesOf("\xff\xfe"));
    const packed = await gzip(wide);
    for (const bytes of [packed, Uint8Array.from([...mark, ...packed])]) {
      const workspace = await workspaceOf(bytes);
      const { encoding, lines } = await workspace.read("a.log", { tail: 1 });
      assertEquals(encoding.label, "utf-16le");
      assertEquals(`${lines[0]?.text}\n`, "a line of UTF-16\n");
    }
  });
  it("is read in the encoding of its text", async () => {
    const text = "日本語のログ\n二行目\n";
    const bytes = await gzip(Uint8Array.from(encodedIn(text, "shift_jis")));
    const fs = memoryFs({ "/repo/a.log": bytes });
    const detect = () => [{ label: "shift_jis", confidence: 1 }];
    const views = [gunzipView()];
    const workspace = await openWorkspace("/repo", { fs, views, detect });
    for (const encoding of ["auto", "shift_jis"]) {
      const page = await workspace.read("a.log", { encoding });
      assertEquals(page.lines[1]?.text, "二行目");
      assertEquals([page.view, page.encoding.label], ["gunzip", "shift_jis"]);
    }
    const wrong = await workspace.read("a.log", { encoding: "utf-8" });
    assertEquals(wrong.inexact.map(({ number }) => number), [1, 2]);
  });
  it("is read page by page, with etags", async () => {
    const text = logOf(5000);
    const workspace = await workspaceOf(await gzip(text));
    let read = "";
    for await (const page of workspace.pages("a.log", { maxBytes: 40_000 })) {
      read += new TextDecoder().decode(page.bytes());
    }
    assertEquals(read, text);
  });
  it("is refused with its size if its content is too large", async () => {
    const bomb = await gzip(new Uint8Array(1024 * 1024));
    // Text, since binary content is refused earlier.
    const text = await gzip("a\n".repeat(9 * 1024 * 1024));
    const error = await failureOf(text);
    assert(error.is("TOO_LARGE"));
    const { what, size, limit } = error.details;
    assertEquals([what, limit, size > 200 && size < 1100], ["view", 200, true]);
    assertEquals(
      error.message,
      `Cannot read "a.log": how many times as large it becomes, ${size}, is above the limit of 200`,
    );
    const most = await failureOf(text, { maxBytes: 1_000_000 });
    assert(most.is("TOO_LARGE"));
    assertEquals(most.details.limit, 1_000_000);
    // The file itself is binary.
    assertEquals(most.hint, "use a tool that decompresses it");
    assert(most.details.size < 11_000_000, most.message);
    assertEquals((await failureOf(bomb)).code, "UNREADABLE");
    const allowed = await workspaceOf(text, { maxRatio: 5000 });
    assertEquals(
      (await allowed.read("a.log", { tail: 1 })).size,
      18 * 1024 * 1024,
    );
  });
  it("gives an error code if it is damaged or cut at any byte", async () => {
    const packed = await gzip(logOf(3000));
    for (
      const end of [
        10,
        11,
        30,
        packed.length >> 1,
        packed.length - 8,
        packed.length - 1,
      ]
    ) {
      const error = await failureOf(packed.slice(0, end));
      assertEquals(error.code, "UNREADABLE", `${end}`);
    }
    const damaged = packed.slice();
    damaged.fill(0xff, 2000, 2100);
    assertEquals((await failureOf(damaged)).code, "UNREADABLE");
    assertEquals((await failureOf(bytesOf(packed, "more"))).code, "UNREADABLE");
  });
  it("names the type of content that is not text", async () => {
    const error = await failureOf(await gzip(png(64, 48)));
    assert(error.is("UNREADABLE"));
    assertEquals(
      error.details.problem,
      "what it holds is binary: a PNG image of 64 x 48 pixels",
    );
    const other = await failureOf(await gzip("a\0b"));
    assert(other.is("UNREADABLE"));
    assertEquals(
      other.details.problem,
      "what it holds is binary: it holds a NUL byte",
    );
    const utf16 = await workspaceOf(await gzip(bytesOf("\xff\xfea\0\n\0")));
    assertEquals((await utf16.read("a.log")).size, 6);
  });
  it("is an empty file if its content is empty", async () => {
    const workspace = await workspaceOf(await gzip(""));
    assertEquals((await workspace.read("a.log")).empty, "empty file");
  });
  it("ends when the call is aborted, at any read", async () => {
    const fs = memoryFs({ "/repo/a.log": await gzip(logOf(10_000)) });
    const aborted: number[] = [];
    for (let last = 1; aborted.length === last - 1; last++) {
      const controller = new AbortController();
      let reads = 0;
      const port: FsPort = {
        ...fs,
        async open(path) {
          const handle = await fs.open(path);
          return {
            ...handle,
            read(buffer, position) {
              if (++reads === last) controller.abort();
              return handle.read(buffer, position);
            },
          };
        },
      };
      const views = [gunzipView()];
      const workspace = await openWorkspace("/repo", { fs: port, views });
      const { signal } = controller;
      const [{ status, ...outcome }] = await Promise.allSettled([
        workspace.read("a.log", { tail: 1 }, { signal }),
      ]);
      if (status === "fulfilled") continue;
      const { reason } = outcome as PromiseRejectedResult;
      assertEquals([reason.code, reads], ["ABORTED", last]);
      aborted.push(last);
    }
    assert(aborted.length > 10, `${aborted}`);
  });
});
