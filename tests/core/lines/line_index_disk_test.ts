import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  openWorkspace,
  type ReadOptions,
  type Workspace,
} from "../../../mod.ts";
import {
  CHUNK_BYTES,
  CLOCK_GRAIN_MS,
  FIRST_CHUNK_BYTES,
} from "../../../src/core/base/limits.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { onDisk } from "../../support/disk.ts";
import { withStats } from "../../support/fake_fs.ts";
import { Random, SEED } from "../../support/random.ts";
import { some } from "../../support/share.ts";

/** Random lines, in a file long enough for an index. */
function drawFile(random: Random, bytes: number): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const line = "x".repeat(random.below(random.pick([3, 90, 2_000])));
    const ending = random.pick(["\n", "\n", "\r\n"]);
    lines.push(line + ending);
    length += line.length + ending.length;
  }
  return Buffer.from(lines.join(""));
}

/** Random bytes. */
function drawBytes(random: Random, count: number): Buffer {
  const bytes = Buffer.alloc(count, 0x79);
  for (let at = 0; at < count; at += random.from(1, 40)) bytes[at] = 0x0a;
  return bytes;
}

/** Changes of a file between two reads. */
const CHANGES: Readonly<
  Record<string, (file: Buffer, random: Random) => Buffer>
> = {
  "nothing": (file) => file,
  "an append": (file, random) =>
    Buffer.concat([file, drawBytes(random, random.from(1, 9_000))]),
  "a truncation": (file, random) =>
    file.subarray(0, random.from(CHUNK_BYTES, file.length)),
  "a rewrite of the same size": (file, random) =>
    drawBytes(random, file.length),
  "an edit of the same size": overwrite,
  "an edit and an append": (file, random) =>
    Buffer.concat([overwrite(file, random), drawBytes(random, 99)]),
  "an insertion": (file, random) => {
    const at = random.below(file.length);
    const some = drawBytes(random, random.from(1, 5_000));
    return Buffer.concat([file.subarray(0, at), some, file.subarray(at)]);
  },
  "a deletion": (file, random) => {
    const at = random.below(file.length >> 1);
    const after = at + random.from(1, 5_000);
    return Buffer.concat([file.subarray(0, at), file.subarray(after)]);
  },
};

function overwrite(file: Buffer, random: Random): Buffer {
  const copy = Buffer.from(file);
  const some = drawBytes(random, random.from(1, 9_000));
  some.copy(copy, random.below(copy.length - some.length));
  return copy;
}

/** A read, and the output of sed that it must equal. */
interface Question {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly total: number | null;
  readonly bytes: Uint8Array;
}

/** Draws the first line: any line, or one near the end of a chunk, where the index has places. */
function drawStart(file: Buffer, random: Random): number {
  if (random.below(2) === 0) return random.from(1, countFeeds(file));
  const chunks = Math.floor(file.length / FIRST_CHUNK_BYTES);
  const end = random.from(1, chunks) * FIRST_CHUNK_BYTES;
  return countFeeds(file.subarray(0, end)) + random.from(1, 2);
}

/** Reads some lines of a file, through a random API. */
async function ask(
  workspace: Workspace,
  name: string,
  file: Buffer,
  random: Random,
): Promise<Question[]> {
  const start = drawStart(file, random);
  const count = random.from(1, 300);
  const options = random.pick<ReadOptions>([
    { start, count },
    { tail: count },
    { start, count, maxBytes: 20_000 },
    { around: start, before: count, after: 9 },
  ]);
  if (random.below(3) === 0) {
    const countLines = random.below(2) === 0;
    const page = await workspace.read(name, { start, count, countLines });
    const { totalLines: total } = page;
    const last = start + count - 1;
    return [{ name, first: start, last, total, bytes: page.bytes() }];
  }
  const questions: Question[] = [];
  for await (const page of workspace.pages(name, options)) {
    const [first] = page.lines;
    const last = page.lines.at(-1);
    questions.push({
      name,
      // A file that became shorter may lack these lines.
      first: first?.number ?? start,
      last: last?.number ?? start,
      total: page.totalLines,
      bytes: page.bytes(),
    });
    if (questions.length === 3) break;
  }
  return questions;
}

describe("reads with an index never give a wrong line", () => {
  const FILES = 3;
  const ROUNDS = some(10, 7);
  for (const [index, what] of Object.keys(CHANGES).entries()) {
    const seed = SEED + index;
    it(`after ${what}: sed agrees (seed ${seed})`, async () => {
      const random = new Random(seed);
      await using place = await onDisk([]);
      // The ctime of a real file cannot be set, so it is that of the mtime here.
      const fs = withStats(place.fs, ({ mtimeMs }) => ({ ctimeMs: mtimeMs }));
      const workspace = await openWorkspace(place.root, { fs });
      const names = Array.from({ length: FILES }, (_, at) => `${at}.txt`);
      const files = names.map(() => drawFile(random, 2 * CHUNK_BYTES));
      for (let round = 0; round < ROUNDS; round++) {
        const questions: Question[] = [];
        for (const [at, name] of names.entries()) {
          const path = join(place.root, name);
          if (round > 0) files[at] = CHANGES[what]!(files[at]!, random);
          writeFileSync(path, files[at]!);
          // Set a time in the past, later than the previous one.
          const isNothing = what === "nothing";
          const seconds = 1_000_000 + (isNothing ? 0 : round * 10);
          utimesSync(path, seconds, seconds);
          for (let left = 4; left > 0; left--) {
            questions.push(...await ask(workspace, name, files[at]!, random));
          }
        }
        assertSed(place.root, questions);
      }
    });
  }
});

/** Compares a read with the output of sed. */
function assertSed(root: string, questions: readonly Question[]): void {
  const names = [...new Set(questions.map(({ name }) => name))];
  const commands = names.map((name) => {
    const parts = questions.flatMap((question, place) =>
      question.name === name
        ? [`-e '${question.first},${question.last}w ../${place}'`]
        : []
    );
    return `sed -n ${parts.join(" ")} ${name}`;
  });
  // sed counts the lines: a count of line feeds would miss a last line without one.
  commands.push(
    ...names.map((name) => `sed -n '$=' ${name} >../${name}.total`),
  );
  const script = ["set -e", "export LC_ALL=C", ...commands].join("\n");
  execFileSync("sh", ["-c", script], { cwd: root });
  for (
    const [place, { bytes, name, total, ...question }] of questions.entries()
  ) {
    const what = JSON.stringify({ name, ...question });
    const wanted = readFileSync(join(root, "..", `${place}`));
    assertPart(bytes, wanted, what);
    const lines = Number(readFileSync(join(root, "..", `${name}.total`)));
    assert(total === null || total === lines, `${total} of ${lines}: ${what}`);
  }
}

/** Only the last line of a page may be cut. */
function assertPart(bytes: Uint8Array, wanted: Buffer, what: string): void {
  const isSame = Buffer.compare(bytes, wanted) === 0;
  const isPart = wanted.subarray(0, -1).lastIndexOf(0x0a) < 0 &&
    wanted.includes(Buffer.from(bytes));
  assert(isSame || isPart, what);
}

function countFeeds(file: Buffer): number {
  let count = 0;
  for (let at = file.indexOf(10); at >= 0; at = file.indexOf(10, at + 1)) {
    count++;
  }
  return count;
}

describe("the index of a file on the disk", () => {
  it("is used only once the file has been at rest for a while", async () => {
    await using place = await onDisk([]);
    const fs = countingFs(place.fs);
    const workspace = await openWorkspace(place.root, { fs });
    const path = join(place.root, "log.txt");
    const LINES = 40_000;
    writeFileSync(path, `${"x".repeat(63)}\n`.repeat(LINES));
    const costOf = async () => {
      fs.counts.bytes = 0;
      const page = await workspace.read("log.txt", { start: LINES, count: 1 });
      assertEquals(page.shown.start, (LINES - 1) * 64);
      return fs.counts.bytes;
    };
    const costs = [await costOf(), await costOf()];
    assert(costs.every((bytes) => bytes >= (LINES - 1) * 64), `${costs}`);
    const { mtimeMs, ctimeMs } = statSync(path);
    const rest = Math.max(mtimeMs, ctimeMs) + CLOCK_GRAIN_MS - Date.now();
    await new Promise((resolve) => setTimeout(resolve, rest + 50));
    const later = [await costOf(), await costOf()];
    assert(later[0]! >= (LINES - 1) * 64, `${later}`);
    assert(later[1]! <= 2 * CHUNK_BYTES, `${later}`);
    // The size is the same, and the tick too; the times still change.
    writeFileSync(path, `${"\n".repeat(64)}`.repeat(LINES));
    const page = await workspace.read("log.txt", { start: LINES, count: 1 });
    assertEquals(page.shown.start, LINES - 1);
  });
});
