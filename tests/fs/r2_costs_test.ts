/** How many bytes and requests a read costs. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { describe, it } from "node:test";
import {
  createCodexReadFile,
  createForgeRead,
  openWorkspace,
  type Page,
  r2Fs,
  type ReadOptions,
  respond,
  type Workspace,
} from "../../mod.ts";
import { GIANT_BLOCK_LINES, giantLine, type Place } from "../support/giant.ts";
import {
  buckets,
  countingBucket,
  GIANT_BLOCKS,
  newFolder,
  type TestBucket,
} from "../support/r2_bucket.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const LIMITS: readonly ReadOptions[] = [
  {},
  { binary: "refuse-nul" },
  { binary: "bytes" },
  { maxLineBytes: 999, maxBytes: 64 * KIB },
];

/** Opens the folder with the large file, and counts bytes and requests. */
async function giant(bucket: TestBucket) {
  const counting = countingBucket(bucket);
  const fs = r2Fs(counting.bucket, { prefix: "giant" });
  const workspace = await openWorkspace("/", { fs });
  return { workspace, counts: counting.counts };
}

/** The lines `from` to `to` of a block. */
function linesOf(place: Place, from: number, to: number): string {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => giantLine(place, from + index),
  ).join("");
}

const LAST = linesOf("final", GIANT_BLOCK_LINES - 19, GIANT_BLOCK_LINES);
const NEAR = linesOf("first", 101, 150);

/** The lines of a page. */
function textOf({ lines }: Page): string {
  return lines.map(({ text }) => `${text}\n`).join("");
}

/** Ways to read the last 20 lines, and the lines they must give. */
const TAILS: Readonly<Record<string, (at: Workspace) => Promise<string>>> = {
  ...Object.fromEntries(LIMITS.map((limits) => [
    `a page with ${JSON.stringify(limits)}`,
    async (workspace: Workspace) => {
      const tail = { tail: 20, keepEnd: true, ...limits };
      const page = await workspace.read("big.txt", tail as ReadOptions);
      return new TextDecoder().decode(page.bytes());
    },
  ])),
  "a page": async (workspace) =>
    textOf(await workspace.read("big.txt", { tail: 20 })),
};

/** Ways to read lines 101 to 150. */
const WINDOWS: Readonly<Record<string, (at: Workspace) => Promise<string>>> = {
  ...Object.fromEntries(LIMITS.map((limits) => [
    `a page with ${JSON.stringify(limits)}`,
    async (workspace: Workspace) => {
      const lines = { start: 101, count: 50, ...limits };
      const page = await workspace.read("big.txt", lines as ReadOptions);
      return new TextDecoder().decode(page.bytes());
    },
  ])),
  "a page": async (workspace) =>
    textOf(await workspace.read("big.txt", { start: 101, count: 50 })),
};

describe(`a file of ${GIANT_BLOCKS} MiB in R2`, () => {
  for (const [name, bucket] of buckets()) {
    describe(`in ${name}`, () => costTests(bucket));
  }
});

function costTests(bucket: TestBucket): void {
  for (const [way, read] of Object.entries(TAILS)) {
    it(`transfers at most 256 KiB for its last 20 lines: ${way}`, async () => {
      const { workspace, counts } = await giant(bucket);
      assertEquals(await read(workspace), LAST);
      assertLessOrEqual(counts.bytes, 256 * KIB);
    });
  }
  for (const [way, read] of Object.entries(WINDOWS)) {
    it(`transfers at most 128 KiB for a window near the start: ${way}`, async () => {
      const { workspace, counts } = await giant(bucket);
      assertEquals(await read(workspace), NEAR);
      assertLessOrEqual(counts.bytes, 128 * KIB);
    });
  }
  it("transfers as little for the tools without limits", async () => {
    const { workspace, counts } = await giant(bucket);
    const forge = createForgeRead(workspace);
    const tail = await respond(forge, {
      path: "big.txt",
      tail: 20,
      show_line_numbers: false,
    });
    assert(tail.ok, tail.content);
    assert(tail.content.includes(LAST.trimEnd()), tail.content);
    assertLessOrEqual(counts.bytes, 256 * KIB);
    counts.bytes = 0;
    const codex = createCodexReadFile(workspace);
    const window = { file_path: "/big.txt", offset: 101, limit: 50 };
    const near = await respond(codex, window);
    assert(near.content.includes("L101: first0000000101"), near.content);
    assertLessOrEqual(counts.bytes, 128 * KIB);
  });
  it("is read in growing ranges, and no byte twice", async () => {
    const { workspace, counts } = await giant(bucket);
    // 32 MiB into the file.
    const start = 32 * GIANT_BLOCK_LINES + 1;
    const { text } = await workspace.read("big.txt", { start, count: 1 });
    assertEquals(text, giantLine("inner", 1));
    assertLessOrEqual(counts.bytes, (32 + 4) * MIB);
    // After lstat(): six ranges from 64 KiB to 2 MiB, and eight of 4 MiB.
    assertEquals(counts.requests.length, 1 + 6 + 8);
  });
  it("has the stored number of lines", async () => {
    const { workspace } = await giant(bucket);
    const { stat } = await workspace.open("big.txt");
    assertEquals(stat.size, GIANT_BLOCKS * MIB);
  });
  it("costs two requests for a small file, also below a folder", async () => {
    const prefix = newFolder();
    await bucket.put(`${prefix}/d/e/a.txt`, "hello");
    const counting = countingBucket(bucket);
    const fs = r2Fs(counting.bucket, { prefix });
    const workspace = await openWorkspace("/", { fs });
    assertEquals((await workspace.read("d/e/a.txt")).text, "hello");
    const key = `${prefix}/d/e/a.txt`;
    assertEquals(counting.counts.requests, [`head ${key}`, `get ${key}`]);
  });
}
