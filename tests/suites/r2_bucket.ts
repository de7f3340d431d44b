/** The behavior of R2 that r2Fs() relies on; the bucket in memory must have it, too. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { newFolder, type TestBucket } from "../support/r2_bucket.ts";

/** Runs the tests on a bucket. */
export function r2BucketSuite(name: string, bucket: TestBucket): void {
  const stored = async (content: string) => {
    const key = `${newFolder()}/a`;
    await bucket.put(key, content);
    return key;
  };
  const bytesOf = async (key: string, offset: number, length: number) => {
    const object = await bucket.get(key, { range: { offset, length } });
    return await new Response(object!.body!).text();
  };
  describe(`${name} is like R2`, () => {
    it("returns the requested range, or the part that exists", async () => {
      const key = await stored("hello");
      assertEquals(await bytesOf(key, 1, 3), "ell");
      assertEquals(await bytesOf(key, 3, 100), "lo");
    });
    it("returns the size of the whole object, for any range", async () => {
      const key = await stored("hello");
      const object = await bucket.get(key, { range: { offset: 1, length: 1 } });
      assertEquals([object?.size, object?.key], [5, key]);
      await object!.body!.cancel();
    });
    it("returns null for a missing object", async () => {
      const key = `${newFolder()}/nope`;
      assertEquals(await bucket.head(key), null);
      const range = { offset: 0, length: 1 };
      assertEquals(await bucket.get(key, { range }), null);
    });
    it("returns no body if the content changed", async () => {
      const key = await stored("hello");
      const range = { offset: 0, length: 1 };
      const onlyIf = { etagMatches: "another" };
      const object = await bucket.get(key, { range, onlyIf });
      assertEquals(object?.size, 5);
      assertEquals(object?.body, undefined);
      const { etag } = (await bucket.head(key))!;
      const same = await bucket.get(key, {
        range,
        onlyIf: { etagMatches: etag },
      });
      assertEquals(await new Response(same!.body!).text(), "h");
    });
    it("has different etags for different content", async () => {
      const key = await stored("hello");
      const before = await bucket.head(key);
      await bucket.put(key, "world");
      const after = await bucket.head(key);
      assert(before!.etag !== after!.etag);
    });
    it("gives the same etag to the same content", async () => {
      const etagOf = async (content: string) =>
        (await bucket.head(await stored(content)))!.etag;
      assertEquals(await etagOf("hello"), await etagOf("hello"));
    });
    it("fails for a missing range, with a number at the end", async () => {
      const key = await stored("hello");
      await assertRejects(() => bytesOf(key, 6, 1), Error, "(10039)");
      await assertRejects(() => bytesOf(key, 5, 1), Error);
      const empty = await stored("");
      await assertRejects(() => bytesOf(empty, 0, 1), Error);
    });
    it("fails for a name that is too long, with a number at the end", async () => {
      const long = "x".repeat(1025);
      await assertRejects(() => bucket.head(long), Error, "(10020)");
      await assertRejects(() => bytesOf(long, 0, 1), Error, "(10020)");
    });
    it("lists by prefix, at most the requested number", async () => {
      const folder = newFolder();
      for (const name of ["a", "b", "c"]) {
        await bucket.put(`${folder}/${name}`, "x");
      }
      const count = async (prefix: string, limit: number) =>
        (await bucket.list({ prefix, limit })).objects.length;
      assertEquals(await count(`${folder}/`, 2), 2);
      assertEquals(await count(`${folder}/b`, 2), 1);
      assertEquals(await count(`${folder}/d`, 2), 0);
    });
    it("lists one folder by the delimiter, and continues at the cursor", async () => {
      const folder = newFolder();
      const names = ["a", "a-b", "a/c", "a/d/e", "f/g", "/h", "i"];
      for (const name of names) await bucket.put(`${folder}/${name}`, "x");
      for (const limit of [1, 2, 3, 1000]) {
        const options = { prefix: `${folder}/`, delimiter: "/", limit };
        const listed: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await bucket.list(
            cursor === undefined ? options : { ...options, cursor },
          );
          const keys = page.objects.map(({ key }) => key);
          const batch = [...keys, ...page.delimitedPrefixes!];
          assert(batch.length <= limit, `${batch}`);
          listed.push(...batch);
          cursor = page.truncated ? page.cursor : undefined;
        } while (cursor !== undefined);
        assertEquals(
          listed.map((key) => key.slice(folder.length)).sort(),
          ["//", "/a", "/a-b", "/a/", "/f/", "/i"],
        );
      }
    });
    it("treats dots and slashes as ordinary parts of a name", async () => {
      const folder = newFolder();
      await bucket.put(`${folder}/../secret`, "SECRET");
      assertEquals(await bytesOf(`${folder}/../secret`, 0, 9), "SECRET");
      assertEquals(await bucket.head("secret"), null);
    });
  });
}
