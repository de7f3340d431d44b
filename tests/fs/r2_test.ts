import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  openWorkspace,
  r2Fs,
  type R2Options,
  ReadFileError,
} from "../../mod.ts";
import { plainPath } from "../../src/fs/store.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { r2BucketSuite } from "../suites/r2_bucket.ts";
import { assertCode, kindOpened } from "../support/codes.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import { buckets, countingBucket, inBucket } from "../support/r2_bucket.ts";

describe("r2Fs()", () => {
  for (const [name, bucket] of buckets()) {
    r2BucketSuite(name, bucket);
    fsPortSuite(`over ${name}`, (layout) => inBucket(bucket, layout), {
      lacks: ["links"],
    });
    fsPortSuite(
      `over ${name}, which cannot list`,
      (layout) => inBucket(bucket, layout, { lists: false }),
      { lacks: ["links", "directories"] },
    );
    describe(`over ${name}`, () => directoryTests(() => inBucket(bucket, [])));
  }
});

/** Tests of directories, which a bucket does not store. */
function directoryTests(plantEmpty: () => ReturnType<typeof inBucket>): void {
  it("treats an empty object with a trailing slash, as consoles create it, as a directory", async () => {
    await using place = await plantEmpty();
    assertEquals((await place.fs.lstat(place.root)).kind, "directory");
    assertEquals(await kindOpened(place.fs, place.root), "directory");
  });
  it("has a root, even in an empty bucket", async () => {
    await using place = await plantEmpty();
    assertEquals((await place.fs.lstat("/")).kind, "directory");
    assertEquals(await place.fs.realPath("/"), "/");
    assertEquals(await kindOpened(place.fs, "/"), "directory");
  });
  it("opens no workspace at a missing path", async () => {
    await using place = await plantEmpty();
    const error = await assertRejects(
      () => openWorkspace("/nope", { fs: place.fs }),
      ReadFileError,
    );
    assertEquals(error.code, "NOT_FOUND");
  });
}

/** A bucket with a folder, a sibling with the same prefix, and names that contain "..". */
async function besides() {
  const bucket = new FakeR2();
  await bucket.put("logs/a.txt", "INSIDE");
  await bucket.put("logs-old/a.txt", "SECRET");
  await bucket.put("logs/../secret", "SECRET");
  await bucket.put("logs//secret", "SECRET");
  await bucket.put("logs/./secret", "SECRET");
  await bucket.put("secret", "SECRET");
  const counting = countingBucket(bucket);
  return { ...counting, fs: r2Fs(counting.bucket, { prefix: "logs" }) };
}

describe("the prefix of r2Fs()", () => {
  it("cannot be left by any spelling of a path", async () => {
    const { fs, counts } = await besides();
    for (
      const path of [
        "/../secret",
        "/../../secret",
        "/a/../../secret",
        "//secret",
        "/./secret",
        "/.././secret",
        "../secret",
        "/..",
        "/../logs-old/a.txt",
      ]
    ) {
      // ".." stops at the root.
      const kind = await kindOpened(fs, path);
      assertEquals(kind, path === "/.." ? "directory" : "ENOENT", path);
      if (path !== "/..") await assertCode(() => fs.lstat(path), "ENOENT");
      if (path !== "/..") await assertCode(() => fs.realPath(path), "ENOENT");
    }
    const outside = counts.requests
      .filter((request) => !/^(head|get|list) logs\/[^/]/.test(request));
    assertEquals(outside, []);
    const odd = counts.requests.filter((request) =>
      /\/\/|\/\.{1,2}(\/|$)/.test(request)
    );
    assertEquals(odd, []);
  });
  it("may end with a slash", async () => {
    const { bucket } = await besides();
    for (const prefix of ["logs", "logs/"]) {
      assertEquals(
        await kindOpened(r2Fs(bucket, { prefix }), "/a.txt"),
        "file",
      );
    }
    const begins = r2Fs(bucket, { prefix: "log" });
    assertEquals(await kindOpened(begins, "/s/a.txt"), "ENOENT");
  });
  it("may have several names", async () => {
    const bucket = new FakeR2();
    await bucket.put("a/b/c.txt", "x");
    const fs = r2Fs(bucket, { prefix: "a/b" });
    assertEquals(await kindOpened(fs, "/c.txt"), "file");
  });
  for (const prefix of ["/", "/logs", "logs//", "a//b", ".", "..", "a/../b"]) {
    it(`cannot be ${JSON.stringify(prefix)}`, () => {
      const error = assertThrows(
        () => r2Fs(new FakeR2(), { prefix }),
        TypeError,
      );
      assertEquals(
        error.message,
        `Cannot read an R2 bucket: the prefix ${
          JSON.stringify(prefix)
        } is not a folder; write it as "logs/2024"`,
      );
    });
  }
});

describe("the options of r2Fs()", () => {
  // A misspelled prefix would open the whole bucket.
  for (
    const options of [
      null,
      "tenant",
      [],
      new Map([["prefix", "tenant"]]),
      { Prefix: "tenant" },
      { prefx: "tenant" },
      { prefix: null },
      { prefix: 5 },
      { prefix: ["tenant"] },
    ]
  ) {
    it(`cannot be ${JSON.stringify(options)} (${typeof options})`, () => {
      assertThrows(
        () => r2Fs(new FakeR2(), options as unknown as R2Options),
        TypeError,
        "Cannot read an R2 bucket: ",
      );
    });
  }
});

describe("plainPath()", () => {
  for (
    const [path, plain] of [
      ["/", "/"],
      ["", "/"],
      ["/a", "/a"],
      ["a", "/a"],
      ["/a/", "/a"],
      ["//a///b", "/a/b"],
      ["/a/./b/.", "/a/b"],
      ["/a/../b", "/b"],
      ["/a/b/..", "/a"],
      ["/../..", "/"],
      ["/...", "/..."],
      ["/..a/.b", "/..a/.b"],
      ["/a\n/..", "/"],
      ["/a/..\nb", "/a/..\nb"],
    ] as const
  ) {
    it(`of ${JSON.stringify(path)} is ${JSON.stringify(plain)}`, () => {
      assertEquals(plainPath(path), plain);
    });
  }
});
