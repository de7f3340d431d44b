/** Lists a bucket, with one request for many names. */
import type { R2BucketLike } from "../../mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { type FsPort, openWorkspace, r2Fs, ReadFileError } from "../../mod.ts";
import { assertCode } from "../support/codes.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import {
  buckets,
  countingBucket,
  newFolder,
  withoutList,
} from "../support/r2_bucket.ts";
import { listed } from "../support/listings.ts";
import { batchesIn } from "../../src/core/guard/lister.ts";

type R2ListOptionsLike = Parameters<NonNullable<R2BucketLike["list"]>>[0];

/** A bucket that lists a few names per request, and counts its requests. */
class SmallPages extends FakeR2 {
  readonly pages: R2ListOptionsLike[] = [];
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override list(options: R2ListOptionsLike) {
    this.pages.push(options);
    const limit = Math.min(options.limit, this.#most);
    return super.list({ ...options, limit });
  }
}

async function filled<Bucket extends FakeR2>(
  bucket: Bucket,
  keys: readonly string[],
): Promise<Bucket> {
  for (const key of keys) await bucket.put(key, "x");
  return bucket;
}

async function all(fs: FsPort, path: string) {
  const entries = await listed(fs, path);
  return entries.map(({ name, kind }) => `${kind} ${name}`).sort();
}

describe("a workspace in a bucket", () => {
  for (const [name, bucket] of buckets()) {
    it(`lists files with their sizes, and directories: over ${name}`, async () => {
      const prefix = newFolder();
      for (const key of ["a.txt", "b/c.txt", "b/d/e.txt", ".env", "z/"]) {
        await bucket.put(`${prefix}/${key}`, key);
      }
      const fs = r2Fs(bucket, { prefix });
      const workspace = await openWorkspace("/", { fs, deny: [".env"] });
      const { entries, omitted } = await workspace.list(".", { depth: 3 });
      assertEquals(
        entries.map(({ path, kind, size }) => [path, kind, size]),
        [
          ["a.txt", "file", 5],
          ["b", "directory", null],
          ["b/c.txt", "file", 7],
          ["b/d", "directory", null],
          ["b/d/e.txt", "file", 9],
          ["z", "directory", null],
        ],
      );
      assertEquals(omitted, ["denied"]);
      const error = await assertRejects(
        () => workspace.list("none"),
        ReadFileError,
      );
      assertEquals(error.code, "NOT_FOUND");
    });
  }

  it("suggests names for a wrong path", async () => {
    const fs = r2Fs(await filled(new FakeR2(), ["app.log", "b.log"]));
    const workspace = await openWorkspace("/", { fs });
    const error = await assertRejects(
      () => workspace.read("app.lgo"),
      ReadFileError,
    );
    assert(error.is("NOT_FOUND"));
    assertEquals(error.details.suggestions, ["app.log"]);
  });
});

describe("the entries of a bucket", () => {
  it("are listed in batches of one request, each name once", async () => {
    const keys = ["a", "a!b", "a-b", "a.b", "a/c", "a/d", "b/c", "c"];
    for (const most of [1, 2, 3, 4, 5, 8]) {
      const bucket = await filled(new SmallPages(most), keys);
      // An object and a folder with the same name: the object wins.
      assertEquals(await all(r2Fs(bucket), "/"), [
        "directory b",
        "file a",
        "file a!b",
        "file a-b",
        "file a.b",
        "file c",
      ]);
      assertEquals(bucket.pages.length, Math.ceil(7 / most), `${most}`);
    }
  });

  it("leave out names that no path can contain", async () => {
    const odd = ["", "/x", "./x", "../x", ".", "..", "a\0b", "n\0/x"];
    const plain = [".a", "...", "..b/c"];
    const bucket = await filled(
      new FakeR2(),
      [...odd, ...plain].map((name) => `d/${name}`),
    );
    assertEquals(await all(r2Fs(bucket), "/d"), [
      "directory ..b",
      "file ...",
      "file .a",
    ]);
    const names = await listed(r2Fs(bucket), "/d", 3);
    assertEquals(names.length, 3);
  });

  it("are the entries of the folder in the prefix", async () => {
    const bucket = await filled(
      new FakeR2(),
      ["logs/a", "logs/b/c", "logs-old/a", "logs/../secret", "secret"],
    );
    const { bucket: counting, counts } = countingBucket(bucket);
    const fs = r2Fs(counting, { prefix: "logs" });
    const inside = ["directory b", "file a"];
    for (const path of ["/", "/..", "/../logs-old/../..", "/./b/.."]) {
      assertEquals(await all(fs, path), inside, path);
    }
    await assertCode(() => all(fs, "/../logs-old"), "ENOENT");
    const outside = counts.requests
      .filter((request) => !/^(head|list) logs\//.test(request));
    assertEquals(outside, []);
  });

  it("of an empty bucket are an empty list", async () => {
    assertEquals(await all(r2Fs(new FakeR2()), "/"), []);
  });

  it("end between two requests if the signal aborts", async () => {
    const bucket = await filled(new SmallPages(1), ["a", "b", "c"]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const error = await assertRejects(async () => {
      const { signal } = controller;
      for await (const _ of batchesIn(r2Fs(bucket), "/", Infinity, signal)) {
        controller.abort(reason);
      }
    });
    assertEquals(error, reason);
    assertEquals(bucket.pages.length, 1);
  });

  it("fail if the binding repeats a cursor, or ignores the delimiter", async () => {
    const stuck = await filled(new FakeR2(), ["a", "b/c"]);
    let asked = 0;
    stuck.list = () => {
      assert(++asked < 10, "the requests do not end");
      const objects = [{ key: "a" }] as never[];
      return Promise.resolve({ objects, truncated: true, cursor: "same" });
    };
    await assertCode(() => all(r2Fs(stuck), "/"), "EIO");
    const deep = await filled(new FakeR2(), ["a", "b/c"]);
    const list = deep.list.bind(deep);
    deep.list = ({ prefix, limit }) => list({ prefix, limit });
    await assertCode(() => all(r2Fs(deep), "/"), "ENOSYS");
  });

  it("fail after a thousand pages in a row without a name", async () => {
    for (const folders of [[], ["b/"]]) {
      const bucket = await filled(new FakeR2(), []);
      let asked = 0;
      bucket.list = () => {
        assert(++asked < 5000, "the requests do not end");
        const delimitedPrefixes = asked === 1000 ? folders : [];
        const cursor = `${asked}`;
        return Promise.resolve({
          objects: [],
          delimitedPrefixes,
          truncated: true,
          cursor,
        });
      };
      await assertCode(() => all(r2Fs(bucket), "/"), "EIO");
      assertEquals(asked, folders.length === 0 ? 1000 : 2000);
    }
  });

  it("cannot be listed without list() of the binding", () => {
    assertEquals(r2Fs(withoutList(new FakeR2())).list, undefined);
  });

  it("need one request for a thousand names", async () => {
    const keys = Array.from({ length: 1500 }, (_, at) => `d/${at}`);
    const bucket = await filled(new SmallPages(1000), keys);
    const entries = await all(r2Fs(bucket), "/d");
    assertEquals([entries.length, bucket.pages.length], [1500, 2]);
    assertEquals((await listed(r2Fs(bucket), "/d", 5)).length, 5);
    assertEquals(bucket.pages.at(-1)!.limit, 5);
  });
});
