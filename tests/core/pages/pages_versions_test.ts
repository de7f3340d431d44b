import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FileStat,
  openWorkspace,
  type PageOptions,
  ReadFileError,
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
  options: PageOptions | null,
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
  for (let next: PageOptions | null = PAGE; next !== null;) {
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

describe("continuing in a file without a time", () => {
  it("reads the shown bytes again with the last page: each byte twice in total", async () => {
    const costs = await costOf({ mtimeMs: null });
    const before = (PAGES - 1) * PAGE_BYTES;
    assert(costs.at(-1)! >= before + PAGE_BYTES, `${costs.at(-1)}`);
    const all = costs.reduce((sum, bytes) => sum + bytes, 0);
    assert(all <= 2 * PAGES * PAGE_BYTES, `${all} bytes`);
  });
  it("reads each byte at most twice in total if each version has an id", async () => {
    const facts = { id: "v1", mtimeMs: 0, ctimeMs: null };
    const all = (await costOf(facts)).reduce((sum, bytes) => sum + bytes, 0);
    assert(all <= 2 * PAGES * PAGE_BYTES, `${all} bytes`);
  });
  it("reads each byte at most twice if an mtime in the future was set long ago", async () => {
    const facts = { mtimeMs: Date.now() + 1e9, ctimeMs: 1 };
    const all = (await costOf(facts)).reduce((sum, bytes) => sum + bytes, 0);
    assert(all <= 2 * PAGES * PAGE_BYTES, `${all} bytes`);
    for (const ctimeMs of [null, Date.now()]) {
      const last = (await costOf({ ...facts, ctimeMs })).at(-1)!;
      assert(last >= PAGES * PAGE_BYTES, `${last} bytes`);
    }
  });
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
