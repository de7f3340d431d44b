import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import {
  openWorkspace,
  type R2BucketLike,
  r2Fs,
  ReadFileError,
} from "../../mod.ts";
import { assertCode } from "../support/codes.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import { newFolder, withoutList } from "../support/r2_bucket.ts";

type Stored = NonNullable<Awaited<ReturnType<R2BucketLike["get"]>>>;

/** How Cloudflare's types describe the place of bytes. */
type RangeOfR2 =
  | { readonly offset: number; readonly length?: number }
  | { readonly offset?: number; readonly length: number }
  | { readonly suffix: number };

describe("the binding of r2Fs()", () => {
  it("may have the types of Cloudflare", () => {
    class Typed extends FakeR2 {
      declare get: (
        ...args: Parameters<FakeR2["get"]>
      ) => Promise<
        | (Omit<Stored, "range"> & { readonly range?: RangeOfR2 })
        | null
      >;
    }
    const bucket: R2BucketLike = Object.create(Typed.prototype) as Typed;
    assertEquals(typeof bucket.head, "function");
  });
  it("is required, with a message that says what to pass", () => {
    for (const bucket of [undefined, null, "BUCKET", {}, { head() {} }]) {
      // `env.NAME` is undefined if the worker has no such binding.
      const error = assertThrows(() => r2Fs(bucket as never), TypeError);
      assertEquals(
        error.message,
        "Cannot read an R2 bucket: it has no head() and get(); pass a binding, such as env.BUCKET",
      );
    }
  });
  it("is called with itself as `this`, which bindings require", async () => {
    class Bound extends FakeR2 {
      readonly #own = true;
      override head(key: string) {
        return this.#own ? super.head(key) : Promise.resolve(null);
      }
      override list(options: Parameters<FakeR2["list"]>[0]) {
        if (!this.#own) throw new TypeError("Illegal invocation");
        return super.list(options);
      }
    }
    const bucket = new Bound();
    await bucket.put("a/b", "x");
    const fs = r2Fs(bucket);
    assertEquals((await fs.lstat("/a")).kind, "directory");
    assertEquals((await fs.lstat("/a/b")).kind, "file");
  });
  it("can be read below a directory without list()", async () => {
    const bucket = new FakeR2();
    await bucket.put("ws/d/a.txt", "hello");
    const fs = r2Fs(withoutList(bucket));
    const workspace = await openWorkspace("/ws", { fs });
    assertEquals((await workspace.read("d/a.txt")).text, "hello");
    const narrow = await workspace.narrow({ root: "d" });
    assertEquals((await narrow.read("a.txt")).text, "hello");
  });
  it("finds one object by two spellings of its name, if R2 does", async () => {
    const bucket = new FakeR2();
    await bucket.put("caf\u00e9", "x");
    const folding: R2BucketLike = {
      head: (key) => bucket.head(key.normalize("NFC")),
      get: (key, options) => bucket.get(key.normalize("NFC"), options),
    };
    const fs = r2Fs(folding);
    const one = await fs.lstat("/caf\u00e9");
    assertEquals(await fs.lstat("/cafe\u0301"), one);
  });
  it("gives the upload time as the modification time", async () => {
    const bucket = new FakeR2();
    await bucket.put("a", "x");
    const { mtimeMs, ctimeMs } = await r2Fs(bucket).lstat("/a");
    const { uploaded } = (await bucket.head("a"))!;
    assertEquals([mtimeMs, ctimeMs], [uploaded.getTime(), uploaded.getTime()]);
  });
});

describe("a failure of R2", () => {
  const failing = (message: string) => {
    const fail = () => Promise.reject(new Error(message));
    return r2Fs({ head: fail, get: fail, list: fail });
  };
  for (
    const [message, code] of [
      ["head: Access denied. (10003)", "EACCES"],
      ["head: The specified object name is not valid. (10020)", "ENAMETOOLONG"],
      ["get: The requested range is not satisfiable (10039)", "ESTALE"],
      ["head: We encountered an internal error. (10001)", "EIO"],
      ["head: Unspecified error (0)", "EIO"],
      ["(10003) in the middle", "EIO"],
      ["constructor (constructor)", "EIO"],
    ] as const
  ) {
    it(`with ${JSON.stringify(message)} is ${code}`, async () => {
      await assertCode(() => failing(message).lstat("/a"), code);
      await assertCode(() => failing(message).open("/a"), code);
    });
  }
  it("does not reveal names of the bucket", async () => {
    const error = await assertRejects(
      () => openWorkspace("/a", { fs: failing("head: logs/a is locked (1)") }),
      ReadFileError,
    );
    assertEquals([error.code, `${error.cause}`], [
      "IO",
      "Error: The system said EIO",
    ]);
  });
  it("during the transfer of bytes fails the read", async () => {
    const bucket = new FakeR2();
    const key = `${newFolder()}/a`;
    await bucket.put(key, "hello");
    const breaking: R2BucketLike = {
      head: (key) => bucket.head(key),
      async get(key, options) {
        const object = (await bucket.get(key, options))!;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => controller.error(new Error("cut off")),
        });
        return { ...object, body };
      },
    };
    await assertCode(() => r2Fs(breaking).open(`/${key}`), "EIO");
  });
});
