/** Pages of remote files: how many bytes they transfer, and how they are numbered. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { describe, it } from "node:test";
import {
  type FsPort,
  httpFs,
  memoryFs,
  openWorkspace,
  type Page,
} from "../../../mod.ts";
import { mountFs, overlayFs } from "../../../layers/mod.ts";
import {
  GIANT_BLOCK_LINES,
  giantContent,
  giantLine,
} from "../../support/giant.ts";
import { remoteFs } from "../../support/remote_fs.ts";

const KIB = 1024;
const LAST = GIANT_BLOCK_LINES;

/** A server with one large file that counts the transferred bytes. */
function giantServer(blocks: number) {
  const content = giantContent(blocks);
  const counts = { bytes: 0 };
  const fetch = (_url: string, { method, headers }: RequestInit) => {
    const told = { etag: '"v1"', "content-length": `${content.size}` };
    if (method === "HEAD") {
      return Promise.resolve(new Response(null, { headers: told }));
    }
    const range = new Headers(headers).get("range")!;
    const [first, last] = range.match(/\d+/g)!.map(Number) as [number, number];
    const end = Math.min(last + 1, content.size);
    const bytes = content.slice(first, end);
    counts.bytes += bytes.length;
    return Promise.resolve(
      new Response(bytes, {
        status: 206,
        headers: {
          ...told,
          "content-length": `${bytes.length}`,
          "content-range": `bytes ${first}-${end - 1}/${content.size}`,
        },
      }),
    );
  };
  return { counts, fs: httpFs("https://files.example", { fetch }) };
}

/** Ports over the server, and the path of the file in each. */
const PLACES: Readonly<
  Record<string, (fs: FsPort) => readonly [FsPort, string]>
> = {
  "of httpFs": (fs) => [fs, "big"],
  "in a mountFs": (fs) => [
    mountFs({
      "/far": { fs, root: "/" },
      "/near": memoryFs({ "/near/a": "" }),
    }),
    "far/big",
  ],
  "below an overlayFs": (fs) => [overlayFs(fs, new Map([["/a", ""]])), "big"],
};

function textOf({ lines }: Page): string {
  return lines.map(({ text, ending }) => text + ending).join("");
}

describe("a page of a file of 1 GiB", () => {
  for (const [where, place] of Object.entries(PLACES)) {
    it(`${where} transfers at most 256 KiB for the last 20 lines`, async () => {
      const { fs: far, counts } = giantServer(1024);
      const [fs, path] = place(far);
      const workspace = await openWorkspace("/", { fs });
      const page = await workspace.read(path, { tail: 20 });
      const wanted = Array.from(
        { length: 20 },
        (_, index) => giantLine("final", LAST - 19 + index),
      );
      assertEquals(textOf(page), wanted.join(""));
      const numbers = page.lines.map(({ number }) => number);
      assertEquals([numbers[0], numbers.at(-1)], [-20, -1]);
      assertEquals(page.totalLines, null);
      assertLessOrEqual(counts.bytes, 256 * KIB);
    });
    it(`${where} transfers at most 128 KiB for a window near the start`, async () => {
      const { fs: far, counts } = giantServer(1024);
      const [fs, path] = place(far);
      const workspace = await openWorkspace("/", { fs });
      const page = await workspace.read(path, { start: 101, count: 50 });
      const numbers = page.lines.map(({ number }) => number);
      assertEquals([numbers[0], numbers.at(-1)], [101, 150]);
      assert(textOf(page).startsWith(giantLine("first", 101)));
      assertLessOrEqual(counts.bytes, 128 * KIB);
    });
  }
});

describe("a page of the last lines of a remote file", () => {
  it("is numbered on request, and transfers the whole file", async () => {
    const { fs, counts } = giantServer(8);
    const workspace = await openWorkspace("/", { fs });
    const page = await workspace.read("big", { tail: 20, numbered: true });
    assertEquals(page.totalLines, 8 * GIANT_BLOCK_LINES);
    assertEquals(page.lines.at(-1)?.number, 8 * GIANT_BLOCK_LINES);
    assertLessOrEqual(8 * 1024 * KIB, counts.bytes);
  });
  it("is numbered if maxBytes cuts it, and has a next page", async () => {
    const { fs } = giantServer(2);
    const workspace = await openWorkspace("/", { fs });
    const total = 2 * GIANT_BLOCK_LINES;
    const texts: string[] = [];
    const numbers: number[] = [];
    for await (
      const page of workspace.pages("big", { tail: 4, maxBytes: 40 })
    ) {
      texts.push(textOf(page));
      numbers.push(...page.lines.map(({ number }) => number));
    }
    assertEquals(numbers, [total - 3, total - 2, total - 1, total]);
    assertEquals(texts.length, 2);
  });
  it("is counted from the end even in a small file, unless it begins at line 1", async () => {
    const fs = remoteFs(memoryFs({ "/a": "one\ntwo\nthree\n" }));
    const workspace = await openWorkspace("/", { fs });
    const some = await workspace.read("a", { tail: 2 });
    assertEquals(some.lines.map(({ number }) => number), [-2, -1]);
    const all = await workspace.read("a", { tail: 3 });
    assertEquals(all.lines.map(({ number }) => number), [1, 2, 3]);
    assertEquals(all.totalLines, 3);
  });
  it("is numbered if the file is edited, since edits are local", async () => {
    const far = remoteFs(memoryFs({ "/a": "one\ntwo\n" }));
    const fs = overlayFs(far, new Map([["/a", "new\ntwo\nthree\n"]]));
    const workspace = await openWorkspace("/", { fs });
    const { lines } = await workspace.read("a", { tail: 1 });
    assertEquals(lines[0]?.number, 3);
  });
  it("can share a limit with the pages of other files", async () => {
    const { fs, counts } = giantServer(1024);
    const workspace = await openWorkspace("/", {
      fs: mountFs({
        "/far": { fs, root: "/" },
        "/near": memoryFs({
          "/near/a": "one\ntwo\n",
          "/near/b": "b\n".repeat(999),
        }),
      }),
    });
    const requests = [
      { path: "far/big", tail: 3 },
      { path: "near/a", tail: 1 },
      { path: "near/b" },
    ];
    const answers = await workspace.readMany(requests, { maxBytes: 300 });
    const numbers = answers.map((answer) => {
      assert(answer.kind === "page");
      return answer.page.lines[0]?.number;
    });
    assertEquals(numbers, [-3, 2, 1]);
    const [far, , cut] = answers;
    assert(far?.kind === "page" && cut?.kind === "page");
    assertEquals(far.page.next, null);
    assertEquals(cut.page.next?.maxBytes, 300);
    assertLessOrEqual(counts.bytes, 512 * KIB);
  });
  it("is numbered if a shared limit cuts it", async () => {
    const { fs } = giantServer(2);
    const workspace = await openWorkspace("/", { fs });
    const requests = [{ path: "big", tail: 9 }, { path: "big", tail: 1 }];
    const [cut, whole] = await workspace.readMany(requests, { maxBytes: 100 });
    assert(cut?.kind === "page" && whole?.kind === "page");
    const total = 2 * GIANT_BLOCK_LINES;
    assertEquals(cut.page.lines[0]?.number, total - 8);
    assertEquals(cut.page.next?.end, total);
    assertEquals(whole.page.lines[0]?.number, -1);
  });
});
