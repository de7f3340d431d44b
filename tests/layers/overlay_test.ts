import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, ReadFileError } from "../../mod.ts";
import { type Edit, overlayFs } from "../../layers/mod.ts";
import { attackSuite } from "../suites/attacks.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { attackMemory, LEFT_OUT } from "../support/attack_memory.ts";
import { assertCode, kindOpened } from "../support/codes.ts";
import { outcome, SAVED, withEdits } from "../support/edited_tree.ts";
import { FakeR2 } from "../support/fake_r2.ts";
import {
  inMemory,
  type LayOut,
  type Place,
  readLayout,
} from "../support/layout.ts";
import { inBucket } from "../support/r2_bucket.ts";
import { listed } from "../support/listings.ts";
import { WRAPPINGS } from "../support/wrappings.ts";

for (const wrapping of ["overlay", "overlayOfOthers"] as const) {
  const name = `overlayFs(), ${wrapping}`;
  fsPortSuite(name, async (layout) => {
    const place = await inMemory(layout);
    return { ...place, ...WRAPPINGS[wrapping](place) };
  });
  attackSuite(name, (row) => attackMemory(row, wrapping), LEFT_OUT);
}

/** Creates each file as an edit; every second file is not saved. */
function edited(saved: "none" | "some"): LayOut {
  return async (layout): Promise<Place> => {
    const files = readLayout(layout).filter(({ kind }) => kind === "file");
    const edits = new Map<string, Edit>();
    const base = layout.filter((line) => line.includes(" -> "));
    files.forEach((entry, index) => {
      if (entry.kind !== "file") return;
      const isText = index % 3 > 0;
      const content = isText
        ? entry.text
        : new TextEncoder().encode(entry.text);
      edits.set(`/base/${entry.path}`, content);
      // The folders exist on the port, so that links to them work.
      base.push(entry.path.replace(/[^/]*$/, ""));
      if (saved === "some" && index % 2 === 0) {
        base.push(`${entry.path}: saved, and not what was typed`);
      }
    });
    const place = await inMemory(base);
    return { ...place, fs: overlayFs(place.fs, edits) };
  };
}

fsPortSuite("overlayFs(), new files", edited("none"));
fsPortSuite("overlayFs(), all edited", edited("some"));
fsPortSuite("overlayFs() of a store", async (layout) => {
  const place = await inBucket(new FakeR2(), layout);
  return { ...place, fs: overlayFs(place.fs, { "/base/ws/other": "typed" }) };
}, { lacks: ["links"] });

describe("overlayFs()", () => {
  it("reads edited files, and saved files that are not edited", async () => {
    const edits = { "/ws/a.txt": "typed", "/ws/dir/b.txt": new Uint8Array(0) };
    assertEquals(await withEdits(edits, "a.txt"), "typed");
    assertEquals(await withEdits(edits, "dir/b.txt"), "");
    assertEquals(await withEdits(edits, "dir/c.txt"), "saved c");
  });
  it("contains new files and the directories above them", async () => {
    const edits = { "/ws/new/deep/x.txt": "X" };
    assertEquals(await withEdits(edits, "new/deep/x.txt"), "X");
    assertEquals(await withEdits(edits, "new/deep"), "NOT_A_FILE");
    assertEquals(await withEdits(edits, "new/deep/y.txt"), "NOT_FOUND");
    const fs = overlayFs(memoryFs(SAVED), edits);
    assertEquals(await fs.realPath("/ws/new/deep"), "/ws/new/deep");
    assertEquals(await kindOpened(fs, "/ws/new"), "directory");
    await assertCode(() => fs.readLink("/ws/new"), "EINVAL");
    await assertCode(() => fs.readLink("/ws/new/deep/x.txt"), "EINVAL");
  });
  it("opens a workspace whose root exists only because of an edit", async () => {
    const fs = overlayFs(memoryFs({}), { "/new/ws/a.txt": "A" });
    const workspace = await openWorkspace("/new/ws", { fs });
    assertEquals((await workspace.read("a.txt")).text, "A");
  });
  it("hides a removed file, and all files below a removed directory", async () => {
    assertEquals(await withEdits({ "/ws/a.txt": null }, "a.txt"), "NOT_FOUND");
    const edits = { "/ws/dir": null, "/ws/dir/new.txt": "N" };
    assertEquals(await withEdits(edits, "dir/new.txt"), "N");
    assertEquals(await withEdits(edits, "dir/b.txt"), "NOT_FOUND");
    const fs = overlayFs(memoryFs(SAVED), { "/ws/dir": null });
    for (const path of ["/ws/dir", "/ws/dir/b.txt"]) {
      await assertCode(() => fs.realPath(path), "ENOENT");
      await assertCode(() => fs.lstat(path), "ENOENT");
      await assertCode(() => fs.readLink(path), "ENOENT");
      await assertCode(() => fs.open(path), "ENOENT");
    }
  });
  it("lets an edit replace a file, a directory or a link", async () => {
    assertEquals(await withEdits({ "/ws/device": "D" }, "device"), "D");
    assertEquals(await withEdits({ "/ws/dir": "D" }, "dir"), "D");
    const fs = overlayFs(memoryFs(SAVED), { "/ws/dir": "D" });
    await assertCode(() => fs.lstat("/ws/dir/b.txt"), "ENOTDIR");
    assertEquals(await withEdits({ "/ws/a.txt/x": "X" }, "a.txt/x"), "X");
    assertEquals(await withEdits({ "/ws/loop": "L" }, "loop"), "L");
  });
  it("has no other files in a directory that an edit makes of a saved file", async () => {
    const fs = overlayFs(memoryFs({ "/a": "A" }), { "/a/b.txt": "B" });
    await assertCode(async () => await fs.lstat("/a/c"), "ENOENT");
    await assertCode(async () => await fs.lstat("/a/b.txt/c"), "ENOTDIR");
    const workspace = await openWorkspace("/", { fs });
    const reasonOf = async (path: string) => {
      const error = await assertRejects(() => workspace.read(path));
      return error instanceof ReadFileError && error.details;
    };
    const details = { reason: "missing", suggestions: ["a/b.txt"] };
    assertEquals(await reasonOf("a/c.txt"), details);
    const inFile = await reasonOf("a/b.txt/c");
    assertEquals(inFile, { reason: "not_a_directory" });
  });
  it("lists a directory that an edit makes of a saved file", async () => {
    const edits = { "/a/b/c.txt": "C" };
    const fs = overlayFs(memoryFs({ "/a": "A", "/d/e.txt": "E" }), edits);
    const workspace = await openWorkspace("/", { fs });
    const listing = await workspace.list(".", { depth: 3 });
    const paths = ["a", "a/b", "a/b/c.txt", "d", "d/e.txt"];
    assertEquals(listing.entries.map(({ path }) => path), paths);
    assertEquals(listing.unlisted, []);
    await assertCode(() => listed(fs, "/d/e.txt"), "ENOTDIR");
  });
  it("applies a changed edit at the next read", async () => {
    const edits = new Map<string, Edit>();
    const fs = overlayFs(memoryFs(SAVED), edits);
    const steps: readonly (readonly [Edit | undefined, string])[] = [
      ["one", "one"],
      ["two", "two"],
      [null, "NOT_FOUND"],
      [undefined, "saved a"],
      [Uint8Array.of(0x33), "3"],
    ];
    for (const [edit, expected] of steps) {
      if (edit === undefined) edits.delete("/ws/a.txt");
      else edits.set("/ws/a.txt", edit);
      assertEquals(await outcome(fs, "a.txt"), expected);
    }
    const record: Record<string, Edit> = {};
    const other = overlayFs(memoryFs(SAVED), record);
    record["/ws/a.txt"] = "typed";
    assertEquals(await outcome(other, "a.txt"), "typed");
  });
  it("applies bytes that were changed in place", async () => {
    const bytes = new TextEncoder().encode("one");
    const fs = overlayFs(memoryFs(SAVED), { "/ws/a.txt": bytes });
    const { id } = await fs.lstat("/ws/a.txt");
    const handle = await fs.open("/ws/a.txt");
    bytes[0] = 0x4f;
    assertEquals(await outcome(fs, "a.txt"), "One");
    assertEquals((await fs.lstat("/ws/a.txt")).id === id, false);
    // An open file keeps its content.
    const buffer = new Uint8Array(3);
    await handle.read(buffer, 0);
    assertEquals(new TextDecoder().decode(buffer), "one");
  });
});

describe("pages of an edited file", () => {
  const lines = (word: string) =>
    Array.from({ length: 20 }, (_, at) => `${word} ${at}\n`).join("");
  const rows: readonly (readonly [string, Edit | undefined, string])[] = [
    ["edited again", lines("new"), "CHANGED"],
    ["extended at its end", `${lines("old")}more\n`, "CHANGED"],
    [
      "changed outside the shown lines",
      lines("old").replace("19", "18"),
      "CHANGED",
    ],
    ["saved", undefined, "CHANGED"],
    ["removed", null, "NOT_FOUND"],
    ["left unchanged", lines("old"), "old 5"],
  ];
  for (const [what, edit, expected] of rows) {
    it(
      `cannot continue if it is ${what}`.replace(
        "cannot continue if it is left unchanged",
        "continue if it is left unchanged",
      ),
      async () => {
        const edits = new Map<string, Edit>([["/ws/a.txt", lines("old")]]);
        const fs = overlayFs(memoryFs(SAVED), edits);
        const workspace = await openWorkspace("/ws", { fs });
        const { etag } = await workspace.read("a.txt", { count: 5 });
        if (edit === undefined) edits.delete("/ws/a.txt");
        else edits.set("/ws/a.txt", edit);
        const next = workspace.read("a.txt", { start: 6, count: 5, etag });
        const told = await next.then(
          ({ lines }) => lines[0]!.text,
          (error: ReadFileError) => error.code,
        );
        assertEquals(told, expected);
      },
    );
  }
  it("continue in another overlay with the same edits", async () => {
    const etags = [];
    for (let round = 0; round < 2; round++) {
      const fs = overlayFs(memoryFs(SAVED), { "/ws/a.txt": lines("old") });
      const workspace = await openWorkspace("/ws", { fs });
      etags.push((await workspace.read("a.txt", { count: 5 })).etag);
    }
    assertEquals(etags[0], etags[1]);
  });
});
