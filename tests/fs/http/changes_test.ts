/** Objects that are replaced during a read. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openWorkspace, ReadFileError } from "../../../mod.ts";
import { assertCode } from "../../support/codes.ts";
import {
  type HttpHabits,
  LONG_AGO,
  RECENTLY,
  type ServedFile,
  storeOf,
} from "../../support/http_store.ts";

/** Contents of several ranges that share no line. */
const OLD = "old line\n".repeat(40_000);
const NEW = "new line\n".repeat(40_000);
const LATER = "Mon, 01 Jan 2024 06:00:00 GMT";

/** How the versions differ, and the status of the range that reveals it. */
const SIGNS: Readonly<
  Record<string, readonly [ServedFile, ServedFile, string]>
> = {
  "a strong tag": [
    { content: OLD, etag: '"a"' },
    { content: NEW, etag: '"b"' },
    "412",
  ],
  "a strong tag, with equal times": [
    { content: OLD, etag: '"a"', lastModified: null },
    { content: NEW, etag: '"b"', lastModified: null },
    "412",
  ],
  "a weak tag": [
    { content: OLD, etag: 'W/"a"' },
    { content: NEW, etag: 'W/"b"' },
    "206",
  ],
  "the time, with a weak tag": [
    { content: OLD, etag: 'W/"a"' },
    { content: NEW, etag: 'W/"a"', lastModified: LATER },
    "206",
  ],
  "a tag that became weak": [
    { content: OLD, etag: '"a"' },
    { content: NEW, etag: 'W/"a"' },
    "412",
  ],
  "a removed tag": [
    { content: OLD, etag: 'W/"a"' },
    { content: NEW, etag: null },
    "206",
  ],
  "an old time": [
    { content: OLD, etag: null },
    { content: NEW, etag: null, lastModified: LATER },
    "200",
  ],
  "a recent time": [
    { content: OLD, etag: null, lastModified: RECENTLY },
    { content: NEW, etag: null, lastModified: LATER },
    "206",
  ],
  "a removed time": [
    { content: OLD, etag: null, lastModified: RECENTLY },
    { content: NEW, etag: null, lastModified: null },
    "206",
  ],
  "an added time": [
    { content: OLD, etag: null, lastModified: null },
    { content: NEW, etag: null, lastModified: LATER },
    "206",
  ],
  "only a larger size": [
    { content: OLD, etag: null, lastModified: null },
    { content: `${NEW}x`, etag: null, lastModified: null },
    "206",
  ],
  "only a smaller size": [
    { content: OLD, etag: null, lastModified: null },
    { content: "new line\n".repeat(30_000), etag: null, lastModified: null },
    "206",
  ],
  "only a size smaller than the position": [
    { content: OLD, etag: null, lastModified: null },
    { content: "new line\n", etag: null, lastModified: null },
    "416",
  ],
};

/** Lines several ranges into the file. */
const FAR = { start: 29_000, count: 2 } as const;

/** Reads lines of a file that is replaced after its first range. */
async function readReplaced(
  [before, after]: readonly [ServedFile, ServedFile | undefined],
  habits: HttpHabits = {},
) {
  const { store, fs } = storeOf(before);
  const url = "https://files.example/base/a.txt";
  const workspace = await openWorkspace("/", { fs });
  Object.assign(store.habits, habits);
  store.habits.answer = (_, number) => {
    if (number === 3 && after === undefined) store.files.delete(url);
    else if (number === 3) store.files.set(url, after!);
    return undefined;
  };
  const outcome = await workspace.read("a.txt", FAR)
    .catch((error) => error);
  return { store, outcome };
}

describe("an object that is replaced between two ranges", () => {
  for (const [sign, [before, after, status]] of Object.entries(SIGNS)) {
    it(`is CHANGED by ${sign}`, async () => {
      const { store, outcome } = await readReplaced([before, after]);
      assert(
        outcome instanceof ReadFileError,
        "it was read as a mixture of two versions",
      );
      assertEquals(outcome.code, "CHANGED");
      assertEquals(outcome.details, { how: "replaced" });
      assertEquals(store.log.at(-1)!.split(" ")[1], status);
      assertEquals([store.log.length, store.open], [3, 0]);
    });
    it(`is CHANGED by ${sign} if the server ignores conditions`, async () => {
      const { store, outcome } = await readReplaced(
        [before, after],
        { conditions: false },
      );
      assertEquals(outcome.code, "CHANGED");
      assertEquals(store.open, 0);
    });
    it(`is CHANGED by ${sign} if the server has no range requests`, async () => {
      const { store, outcome } = await readReplaced(
        [before, after],
        { conditions: false, ranges: false },
      );
      assertEquals(outcome.code, "CHANGED");
      assertEquals(store.open, 0);
    });
  }
  it("is CHANGED if it was removed", async () => {
    const { outcome } = await readReplaced([{ content: OLD }, undefined]);
    assertEquals([outcome.code, outcome.details], [
      "CHANGED",
      { how: "replaced" },
    ]);
  });
  it("is not noticed if the server gives no version, which makes the id null", async () => {
    const bare = { etag: null, lastModified: null };
    const { fs } = storeOf({ content: OLD, ...bare });
    const { id, mtimeMs } = await fs.lstat("/a.txt");
    assertEquals([id, mtimeMs], [null, null]);
  });
});

describe("an object that is not replaced", () => {
  for (
    const file of [
      { etag: '"a"' },
      { etag: 'W/"a"' },
      { etag: null },
      { etag: null, lastModified: RECENTLY },
      { etag: null, lastModified: null },
      { etag: "unquoted" },
    ]
  ) {
    it(`is read to its end: ${JSON.stringify(file)}`, async () => {
      const { fs } = storeOf({ content: OLD, ...file });
      const workspace = await openWorkspace("/", { fs });
      assertEquals((await workspace.read("a.txt")).text, OLD);
    });
  }
  it("is requested with If-Range if its version is an old time", async () => {
    const { store, fs } = storeOf({ content: OLD, etag: null });
    const handle = await fs.open("/a.txt");
    await handle.read(new Uint8Array(1), 0);
    const { headers } = store.requests[1]!;
    assertEquals(headers.get("if-range"), LONG_AGO);
    assertEquals(headers.get("if-match"), null);
  });
  for (
    const [what, file] of Object.entries({
      "a weak tag": { etag: 'W/"a"' },
      "a time just now": { etag: null, lastModified: RECENTLY },
      "nothing": { etag: null, lastModified: null },
    })
  ) {
    it(`is requested without a condition if its version is ${what}`, async () => {
      const { store, fs } = storeOf({ content: OLD, ...file });
      const handle = await fs.open("/a.txt");
      await handle.read(new Uint8Array(1), 0);
      const names = [...store.requests[1]!.headers.keys()];
      assertEquals(names.filter((name) => name.startsWith("if-")), []);
    });
  }
  it("may omit Last-Modified in a range requested with If-Range", async () => {
    const { store, fs } = storeOf({ content: "hello", etag: null });
    const handle = await fs.open("/a.txt");
    store.habits.answer = (request) =>
      store.send(request, new Uint8Array(5), {
        status: 206,
        headers: { "content-range": "bytes 0-4/5" },
      });
    assertEquals(await handle.read(new Uint8Array(5), 0), 5);
  });
  it("must repeat Last-Modified in an answer with the whole object", async () => {
    const { store, fs } = storeOf({ content: "hello", etag: null });
    const handle = await fs.open("/a.txt");
    store.habits.answer = (request) =>
      store.send(request, new Uint8Array(5), { status: 200 });
    await assertCode(() => handle.read(new Uint8Array(5), 0), "ESTALE");
  });
});

describe("the stat of an open file", () => {
  it("is the stat of the opened version", async () => {
    const { store, fs } = storeOf({ content: OLD, etag: '"a"' });
    const handle = await fs.open("/a.txt");
    const before = await handle.stat();
    const url = "https://files.example/base/a.txt";
    store.files.set(url, { content: NEW, etag: '"b"' });
    assertEquals(await handle.stat(), before);
    await assertCode(() => handle.read(new Uint8Array(9), 0), "ESTALE");
    assertEquals(store.log, ["HEAD 200", "GET 412 0-65535"]);
  });
});

describe("pages of an object", () => {
  it("are CHANGED if it was replaced between them", async () => {
    const { store, fs } = storeOf({ content: OLD, etag: '"a"' });
    const workspace = await openWorkspace("/", { fs });
    const { etag } = await workspace.read("a.txt", { count: 10 });
    const url = "https://files.example/base/a.txt";
    store.files.set(url, { content: NEW, etag: '"b"' });
    const next = { start: 11, count: 10, etag };
    const error = await workspace.read("a.txt", next).catch((error) => error);
    assertEquals([error.code, error.details], [
      "CHANGED",
      { how: "replaced" },
    ]);
  });
});
