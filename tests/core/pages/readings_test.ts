import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  memoryFs,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";

const encoder = new TextEncoder();
const KIB = 1024;

/** 10,000 lines of 64 bytes. */
const TEXT = Array.from(
  { length: 10_000 },
  (_, at) => `${`line ${at + 1}`.padEnd(63)}\n`,
).join("");

async function openOn(
  {
    text = TEXT,
    mtimeMs = 1_000 as number | null,
    cacheBytes = undefined as
      | number
      | undefined,
  } = {},
) {
  const fs = oneFileFs();
  fs.content = encoder.encode(text);
  fs.mtimeMs = mtimeMs;
  const counted = countingFs(fs);
  const options = cacheBytes === undefined ? {} : { cacheBytes };
  const workspace = await openWorkspace("/ws", { fs: counted, ...options });
  return { fs, workspace, counts: counted.counts };
}

/** How many bytes the second read of a page costs. */
async function costAgain(
  setting: Parameters<typeof openOn>[0],
  options: ReadOptions = { start: 5000, count: 50 },
): Promise<number> {
  const { workspace, counts } = await openOn(setting);
  const first = await workspace.read("a", options);
  counts.bytes = 0;
  const second = await workspace.read("a", options);
  assertEquals(second.toJSON(), first.toJSON());
  assertEquals(second.text, first.text);
  assertEquals(second.bytes(), first.bytes());
  return counts.bytes;
}

const PAGES: readonly ReadOptions[] = [
  {},
  { start: 5000, count: 50 },
  { start: 9000, end: 9050 },
  { tail: 20 },
  { around: 700 },
  { maxBytes: 999 },
  { start: 3, column: 5, width: 9 },
  { start: 20_000 },
  { start: 5, count: 2, escape: true },
  { start: 7000, count: 50, countLines: true },
  { tail: 3, numbered: false },
  { tail: 3, keepEnd: true, maxBytes: 100 },
  { around: 700, block: true },
  { start: 5, count: 2, maxLineBytes: 3 },
  { start: 5, maxChars: 999 },
];

describe("the same lines of a file at rest", () => {
  for (const options of PAGES) {
    it(`cost no read: a page with ${JSON.stringify(options)}`, async () => {
      assertEquals(await costAgain({}, options), 0);
    });
  }
  it("are not checked for a change afterwards, since nothing is read", async () => {
    const calls = async (cacheBytes?: number) => {
      const { workspace, counts } = await openOn({ cacheBytes });
      const options = { start: 5000, count: 50 };
      await workspace.read("a", options);
      counts.calls = counts.reads = 0;
      await workspace.read("a", options);
      return counts.calls - counts.reads;
    };
    assertEquals(await calls(), await calls(0) - 1);
  });
  it("are still opened, stated and proved", async () => {
    const { workspace, counts } = await openOn();
    const options = { start: 5000, count: 50 };
    await workspace.read("a", options);
    await workspace.read("a", options);
    counts.calls = counts.opened = 0;
    await workspace.read("a", options);
    assertEquals(counts.opened, 1);
    assert(counts.calls >= 3, `${counts.calls} calls`);
  });
  it("cost no read with the etag of a page", async () => {
    const { workspace, counts } = await openOn();
    const { next } = await workspace.read("a", { count: 50 });
    const first = await workspace.read("a", next!);
    counts.bytes = 0;
    assertEquals((await workspace.read("a", next!)).lines, first.lines);
    assertEquals(counts.bytes, 0);
  });
  it("are read again if the cache is off", async () => {
    assert(await costAgain({ cacheBytes: 0 }) > 0);
  });
  it("are read again for hits, bytes and other options", async () => {
    for (const options of [{ match: "77" }, { lines: [5, 9] }]) {
      assert(await costAgain({}, options) > 0, JSON.stringify(options));
    }
    assert(await costAgain({ text: "a\0b" }, { binary: "bytes" }) > 0);
    const { workspace, counts } = await openOn();
    for (const binary of ["text", "refuse-nul", "refuse-invalid"] as const) {
      counts.bytes = 0;
      await workspace.read("a", { count: 5, binary });
      assert(counts.bytes > 0, binary);
    }
  });
  it("are not those of a page that continues another, whose numbers may be wrong", async () => {
    const { fs, workspace } = await openOn();
    const { next } = await workspace.read("a", { start: 5000, count: 50 });
    // A thousand line feeds before the page are overwritten, and the file grows.
    const head = TEXT.slice(0, 64_000).padEnd(128_000, "x");
    fs.content = encoder.encode(`${head}${TEXT.slice(128_000)}more\n`);
    fs.mtimeMs = 2_000;
    const { lines } = await workspace.read("a", next!);
    assertEquals(lines[0]?.text.trim(), "line 5050");
    const { start, count } = next!;
    const page = await workspace.read("a", { start: start!, count: count! });
    assertEquals(page.lines[0]?.number, 5050);
    assertEquals(page.lines[0]?.text.trim(), "line 6050");
  });
  it("are shared by narrowed workspaces, and refused where they deny it", async () => {
    const { workspace, counts } = await openOn();
    await workspace.read("a", { count: 5 });
    const narrow = await workspace.narrow({});
    counts.bytes = 0;
    await narrow.read("a", { count: 5 });
    assertEquals(counts.bytes, 0);
    const denying = await workspace.narrow({ deny: ["a"] });
    const error = await assertRejects(
      () => denying.read("a", { count: 5 }),
      ReadFileError,
    );
    assertEquals(error.code, "POLICY_DENIED");
  });
  it("are not used for a view of the file", async () => {
    const cells = [{ cell_type: "markdown", source: ["text"] }];
    const content = JSON.stringify({ cells, metadata: {}, nbformat: 4 });
    const fs = memoryFs({ "/a.ipynb": { content, mtimeMs: 1 } });
    const workspace = await openWorkspace("/", { fs });
    const texts: (string | undefined)[] = [];
    for (const view of ["raw", "cells", "raw", "cells"]) {
      const { lines } = await workspace.read("a.ipynb", { view, count: 2 });
      texts.push(lines.at(-1)?.text);
    }
    assertEquals(texts, [content, texts[1], content, texts[1]]);
    assert(texts[1] !== content);
  });
  it("are not affected if the caller changes their bytes", async () => {
    const { fs, workspace } = await openOn();
    // These bytes are kept beside the text, since they are not UTF-8.
    fs.content = Uint8Array.of(0x61, 0xff, 0x0a, 0x62);
    const options = { start: 1, count: 2 };
    for (const _ of [1, 2, 3]) {
      const page = await workspace.read("a", options);
      const bytes = page.bytes();
      assertEquals(new TextDecoder().decode(bytes), page.text);
      bytes.fill(0);
    }
  });
});

describe("the same lines of a file", () => {
  it("are read again if the times prove nothing", async () => {
    for (const mtimeMs of [null, Date.now(), Date.now() + 1e7, NaN]) {
      assert(await costAgain({ mtimeMs }) > 0, `${mtimeMs}`);
    }
  });
  it("are read again after any change of size, times or identity", async () => {
    const changes: readonly ((fs: ReturnType<typeof oneFileFs>) => void)[] = [
      (fs) => fs.mtimeMs = 2_000,
      (fs) => fs.ctimeMs = 2_000,
      (fs) => fs.id = "other",
      (fs) => fs.content = encoder.encode(`${TEXT}more\n`),
      (fs) => fs.content = encoder.encode(TEXT.slice(64)),
    ];
    for (const change of changes) {
      const { fs, workspace, counts } = await openOn();
      await workspace.read("a", { count: 5 });
      change(fs);
      counts.bytes = 0;
      await workspace.read("a", { count: 5 });
      assert(counts.bytes > 0);
    }
  });
  it("have a total only if that is asked for, whatever was counted meanwhile", async () => {
    const { workspace } = await openOn();
    const totalOf = async (options: ReadOptions) =>
      (await workspace.read("a", options)).totalLines;
    assertEquals(await totalOf({ count: 5 }), null);
    assertEquals(await totalOf({ start: 9990 }), 10_000);
    assertEquals(await totalOf({ count: 5 }), null);
    assertEquals(await totalOf({ count: 5, countLines: true }), 10_000);
  });
  it("are never from a version that is overwritten meanwhile", async () => {
    const one = "a\n".repeat(500);
    const two = "b\n".repeat(500);
    const fs = oneFileFs();
    const set = (text: string, mtimeMs: number) => {
      fs.content = encoder.encode(text);
      fs.mtimeMs = mtimeMs;
    };
    let looks = 0;
    /** The `stat` call during which the open file is overwritten. */
    let at = Infinity;
    const racing: FsPort = {
      ...fs,
      lstat: fs.lstat,
      open: (path) => {
        const handle = fs.open(path) as Awaited<ReturnType<typeof fs.open>>;
        const stat = () => {
          if (++looks === at) set(two, 2_000);
          return handle.stat();
        };
        return { ...handle, stat };
      },
    };
    const workspace = await openWorkspace("/ws", { fs: racing });
    for (at = 1; at < 5; at++) {
      set(one, 1_000);
      const before = at;
      at = Infinity;
      await workspace.read("a", { count: 9 });
      [at, looks] = [before, 0];
      const told = await workspace.read("a", { count: 9 }).then(
        ({ lines }) => lines[0]?.text,
        (error) => error.code,
      );
      if (looks < at) return;
      // Before the first `stat`, the read gets the new version; later, it fails.
      assertEquals(told, at === 1 ? "b" : "CHANGED");
    }
  });
});

describe("the cache of a workspace", () => {
  it("holds at most its limit, and drops the least recently used", async () => {
    const { workspace, counts } = await openOn({ cacheBytes: 256 * KIB });
    const read = async (start: number) => {
      counts.bytes = 0;
      await workspace.read("a", { start, count: 50 });
      return counts.bytes;
    };
    // A page uses about 11 KiB.
    await read(1);
    for (let start = 101; start <= 4000; start += 100) {
      await read(start);
      assertEquals(await read(1), 0);
    }
    assertEquals(await read(3901), 0);
    assert(await read(101) > 0);
  });
  it("holds pages of at most an eighth of its size", async () => {
    assertEquals(await costAgain({ cacheBytes: 256 * KIB }, { count: 100 }), 0);
    assert(await costAgain({ cacheBytes: 256 * KIB }, { count: 900 }) > 0);
  });
  it("is at most 16 MiB", async () => {
    const fs = memoryFs({});
    for (const cacheBytes of [-1, 0.5, 17 * KIB * KIB, "1" as never]) {
      const error = await assertRejects(() =>
        openWorkspace("/", { fs, cacheBytes })
      );
      assert(error instanceof TypeError || error instanceof RangeError);
    }
  });
});
