/** Objects that are replaced during a read. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { said } from "../support/said.ts";
import {
  memoryFs,
  openWorkspace,
  type R2BucketLike,
  r2Fs,
  ReadFileError,
  type ReadOptions,
} from "../../mod.ts";
import { buckets, newFolder, type TestBucket } from "../support/r2_bucket.ts";

/** Contents of several ranges that share no line. */
const COUNT = 40_000;
const OLD = linesOf("old", COUNT);

/** The replacements; `undefined` removes the object. */
const CHANGES: Readonly<Record<string, string | undefined>> = {
  "the same size": linesOf("new", COUNT),
  "more": linesOf("newer", COUNT),
  "less": linesOf("new", COUNT / 2),
  "very little": "new\n",
  "an empty object": "",
  "a missing object": undefined,
};

function linesOf(word: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`)
    .join("");
}

/** A binding whose object changes just before its request `number`, counted from 0. */
function meeting(
  bucket: TestBucket,
  number: number,
  change: () => Promise<unknown>,
): { readonly bucket: R2BucketLike; readonly asked: () => number } {
  let asked = 0;
  const meet = async () => {
    if (asked++ === number) await change();
  };
  return {
    asked: () => asked,
    bucket: {
      head: async (key) => (await meet(), await bucket.head(key)),
      get: async (key, options) => (
        await meet(), await bucket.get(key, options)
      ),
      list: async (options) => (await meet(), await bucket.list(options)),
    },
  };
}

/** The first word of all lines; fails if they differ. */
function wordIn(text: string): string {
  const words = new Set(
    text.trimEnd().split("\n").map((line) => line.split(" ")[0]!),
  );
  assertEquals(words.size, 1, "a mixture of two versions");
  return [...words].join();
}

/** The selected text of a file that does not change. */
async function alone(content: string, options: ReadOptions): Promise<string> {
  const fs = memoryFs({ "/a.txt": content });
  const workspace = await openWorkspace("/", { fs });
  return (await workspace.read("a.txt", options)).text;
}

const LINES: readonly ReadOptions[] = [
  {},
  { start: COUNT - 3, count: 2 },
  { tail: 2, keepEnd: true },
];

describe("an R2 object that is replaced", () => {
  for (const [name, bucket] of buckets()) {
    describe(`in ${name}`, () => changeTests(bucket));
  }
});

function changeTests(bucket: TestBucket): void {
  for (const [what, other] of Object.entries(CHANGES)) {
    for (const options of LINES) {
      it(`by ${what} is never mixed: ${JSON.stringify(options)}`, async () => {
        const codes = new Set<string>();
        let more = true;
        for (let number = 0; more; number++) {
          const prefix = newFolder();
          const key = `${prefix}/a.txt`;
          await bucket.put(key, OLD);
          const met = meeting(
            bucket,
            number,
            () =>
              other === undefined ? bucket.delete(key) : bucket.put(key, other),
          );
          const fs = r2Fs(met.bucket, { prefix });
          const workspace = await openWorkspace("/", { fs });
          const outcome = await workspace.read("a.txt", options)
            .catch((error: unknown) => error);
          more = met.asked() > number;
          if (outcome instanceof ReadFileError) {
            codes.add(outcome.code);
            continue;
          }
          const { text } = outcome as { readonly text: string };
          codes.add(wordIn(text));
        }
        assert(codes.has("CHANGED"), "no read was between two ranges");
        codes.delete("CHANGED");
        // A change before the first request has no effect.
        const before = other === undefined
          ? "NOT_FOUND"
          : wordIn(await alone(other, options));
        assertEquals([...codes].sort(), ["old", before].sort());
      });
    }
  }
  it("fails with CHANGED, and the advice to read it again", async () => {
    const prefix = newFolder();
    await bucket.put(`${prefix}/a.txt`, OLD);
    const change = () => bucket.put(`${prefix}/a.txt`, linesOf("new", COUNT));
    // lstat() and open() make one request each; then comes the first range.
    const met = meeting(bucket, 2, change);
    const fs = r2Fs(met.bucket, { prefix });
    const workspace = await openWorkspace("/", { fs });
    const error = await assertRejects(
      () => workspace.read("a.txt"),
      ReadFileError,
    );
    assertEquals(error.code, "CHANGED");
    assertEquals(error.details, { how: "replaced" });
    assertEquals(
      said(error),
      'Cannot read "a.txt": it changed while it was read; read it again',
    );
    assertEquals(
      (await workspace.read("a.txt", { tail: 1, keepEnd: true })).text,
      `new ${COUNT}\n`,
    );
  });
  it("is requested by its etag in every range after the first", async () => {
    const prefix = newFolder();
    const key = `${prefix}/a.txt`;
    await bucket.put(key, OLD);
    const conditions: unknown[] = [];
    const fs = r2Fs({
      head: (key) => bucket.head(key),
      get(key, options) {
        conditions.push(options.onlyIf);
        return bucket.get(key, options);
      },
    }, { prefix });
    await (await openWorkspace("/", { fs })).read("a.txt");
    const { etag } = (await bucket.head(key))!;
    const [first, ...rest] = conditions;
    assertEquals(first, undefined);
    assert(rest.length > 0);
    for (const condition of rest) {
      assertEquals(condition, { etagMatches: etag });
    }
  });
  it("is noticed if the binding ignores conditions", async () => {
    const prefix = newFolder();
    const key = `${prefix}/a.txt`;
    await bucket.put(key, OLD);
    const change = () => bucket.put(key, linesOf("new", COUNT));
    const { bucket: met } = meeting(bucket, 2, change);
    const fs = r2Fs({
      head: (key) => met.head(key),
      get: (key, { range }) => met.get(key, { range }),
    }, { prefix });
    const workspace = await openWorkspace("/", { fs });
    const error = await assertRejects(
      () => workspace.read("a.txt"),
      ReadFileError,
    );
    assertEquals([error.code, error.details], ["CHANGED", { how: "replaced" }]);
  });
  it("also fails with CHANGED between two pages", async () => {
    const prefix = newFolder();
    await bucket.put(`${prefix}/a.txt`, linesOf("old", 100));
    const fs = r2Fs(bucket, { prefix });
    const workspace = await openWorkspace("/", { fs });
    const { etag } = await workspace.read("a.txt", { count: 10 });
    const next = { start: 11, count: 10, etag };
    const { lines } = await workspace.read("a.txt", next);
    assertEquals(lines[0]?.text, "old 11");
    await bucket.put(`${prefix}/a.txt`, linesOf("new", 100));
    const error = await assertRejects(
      () => workspace.read("a.txt", next),
      ReadFileError,
    );
    assertEquals([error.code, error.details], ["CHANGED", { how: "replaced" }]);
  });
}
