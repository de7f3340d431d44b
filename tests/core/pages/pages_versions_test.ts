import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  openWorkspace,
  ReadFileError,
  type ReadOptions,
  type Workspace,
} from "../../../mod.ts";
import { countingFs } from "../../support/counting_fs.ts";
import { oneFileFs } from "../../support/one_file_fs.ts";
import { linesOfLengths, patternFs } from "../../support/pattern_fs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const TEXT = "one\ntwo\nthree\nfour\nfive\n";

/** The text of all pages that follow. */
async function readOn(
  workspace: Workspace,
  options: ReadOptions | null,
): Promise<string> {
  let shown = "";
  for (let next = options; next !== null;) {
    const page = await workspace.read("a", next);
    shown += decoder.decode(page.bytes());
    next = page.next;
  }
  return shown;
}

async function openOn(text: string) {
  const fs = oneFileFs();
  fs.content = encoder.encode(text);
  fs.mtimeMs = 1;
  return { fs, workspace: await openWorkspace("/ws", { fs }) };
}

describe("the last lines", () => {
  for (const tail of [2, 5, 99]) {
    it(`of ${tail} are those at the time of the first request`, async () => {
      const { fs, workspace } = await openOn(TEXT);
      const first = await workspace.read("a", { tail, maxBytes: 6 });
      assertEquals(first.next?.end, 5);
      fs.content = encoder.encode(`${TEXT}six\n`);
      fs.mtimeMs = 2;
      const shown = decoder.decode(first.bytes()) +
        await readOn(workspace, first.next);
      assert(TEXT.endsWith(shown) && shown.endsWith("five\n"), shown);
    });
  }
});

describe("an mtime that was set back", () => {
  it("does not hide that a shown line changed", async () => {
    const { fs, workspace } = await openOn(TEXT);
    const { next } = await workspace.read("a", { count: 2 });
    fs.content = encoder.encode(TEXT.replace("one", "ONE"));
    fs.ctimeMs = 2_000;
    const error = await assertRejects(
      () => workspace.read("a", next!),
      ReadFileError,
    );
    assert(error.is("CHANGED"), error.message);
    assertEquals(error.details, { how: "rewritten" });
  });
  it("is not assumed if only the name or owner changed", async () => {
    const { fs, workspace } = await openOn(TEXT);
    const { next } = await workspace.read("a", { count: 2 });
    fs.ctimeMs = 2_000;
    assertEquals(await readOn(workspace, next), "three\nfour\nfive\n");
  });
});

/** A file of 4 MiB in lines of 64 bytes, and pages of 2,048 lines. */
const KIB = 1024;
const PAGE = { count: 2 * KIB };
const PAGE_BYTES = 128 * KIB;
const PAGES = 32;

async function costOf(facts: Partial<FileStat>): Promise<readonly number[]> {
  const block = linesOfLengths(Array.from({ length: KIB }, () => 64));
  const fs = countingFs(patternFs({ block, times: 64, facts }));
  const workspace = await openWorkspace("/ws", { fs });
  const costs: number[] = [];
  for (let next: ReadOptions | null = PAGE; next !== null;) {
    fs.counts.bytes = 0;
    const page = await workspace.read("a", next);
    assertEquals(page.shown.start, costs.length * PAGE_BYTES);
    costs.push(fs.counts.bytes);
    next = page.next;
  }
  assertEquals(costs.length, PAGES);
  return costs;
}

describe("reading by pages of 1 MiB", () => {
  it("reads each byte once", async () => {
    const block = linesOfLengths(Array.from({ length: KIB }, () => 61));
    const facts = { mtimeMs: 1, ctimeMs: 1 };
    const fs = countingFs(patternFs({ block, times: 128, facts }));
    const workspace = await openWorkspace("/ws", { fs });
    let shown = 0;
    for await (const page of workspace.pages("a", { maxBytes: KIB * KIB })) {
      shown += page.bytes().length;
    }
    assert(fs.counts.bytes <= 1.1 * shown, `${fs.counts.bytes} for ${shown}`);
  });
});

describe("what the next page reads", () => {
  /** How many bytes a page may read ahead. */
  const AHEAD = PAGE_BYTES / 4;
  const now = Date.now();
  const proved: Readonly<Record<string, Partial<FileStat>>> = {
    "of a file at rest": { mtimeMs: 1, ctimeMs: 1 },
    "if an mtime in the future was set long ago": {
      mtimeMs: now + 1e9,
      ctimeMs: 1,
    },
    "of a remote file without a ctime": {
      mtimeMs: 1,
      ctimeMs: null,
      remote: true,
    },
  };
  for (const [what, facts] of Object.entries(proved)) {
    it(`${what}: only what it shows`, async () => {
      const [, ...later] = await costOf(facts);
      for (const bytes of later) {
        assert(bytes <= PAGE_BYTES + AHEAD, `${bytes} bytes`);
      }
    });
  }
  const compared: Readonly<Record<string, Partial<FileStat>>> = {
    "of a file without times": { mtimeMs: null, ctimeMs: null },
    "of a file on a disk without a ctime": { mtimeMs: 1, ctimeMs: null },
    "of a file that has just changed": {
      mtimeMs: now + 1e6,
      ctimeMs: now + 1e6,
    },
    "if an mtime in the future has no ctime": {
      mtimeMs: now + 1e9,
      ctimeMs: null,
    },
  };
  for (const [what, facts] of Object.entries(compared)) {
    it(`${what}: also the page before, to compare it`, async () => {
      const [, ...later] = await costOf(facts);
      for (const bytes of later) {
        assert(bytes >= 2 * PAGE_BYTES, `${bytes} bytes`);
        // Where another write may leave the same times, what is shown is compared once more.
        const reads = facts.mtimeMs === null ? 2 : 3;
        assert(bytes <= reads * PAGE_BYTES + AHEAD, `${bytes} bytes`);
      }
    });
  }
});

describe("pages of a giant line", () => {
  const SIZE = 20_000_000;
  const times = { "at rest": 1, "without times": null } as const;
  for (const [what, time] of Object.entries(times)) {
    it(`${what} read little more than they show and compare`, async () => {
      const line = oneFileFs();
      line.content = new Uint8Array(SIZE).fill(0x61);
      line.mtimeMs = time;
      const fs = countingFs(line);
      const workspace = await openWorkspace("/ws", { fs });
      let shown = 0;
      // With the total, which only the first page counts.
      const options = { maxBytes: 50_000, countLines: time !== null };
      for await (const page of workspace.pages("a", options)) {
        assertEquals(page.shown.start, shown);
        shown = page.shown.end;
      }
      assertEquals(shown, SIZE);
      // Less than a quarter of a page is read ahead.
      const most = (time === null ? 2.25 : 1.25 + 1) * SIZE;
      assert(fs.counts.bytes <= most, `${fs.counts.bytes} bytes`);
    });
  }
});

describe("a store that names each version", () => {
  it("is CHANGED if the version has another id", async () => {
    const { fs, workspace } = await openOn(TEXT);
    [fs.mtimeMs, fs.ctimeMs] = [0, null];
    const { next } = await workspace.read("a", { count: 2 });
    fs.id = "v2";
    const error = await assertRejects(
      () => workspace.read("a", next!),
      ReadFileError,
    );
    assertEquals(error.details, { how: "replaced" });
  });
});
