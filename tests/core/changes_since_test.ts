import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  changesSince,
  memoryFs,
  openWorkspace,
  ReadFileError,
} from "../../mod.ts";
import { STEP_ITEMS } from "../../src/core/base/call.ts";
import {
  changedCount,
  checkRanges,
  versionsOf,
} from "../suites/changes_since.ts";
import { withClock } from "../support/clock.ts";
import { largeTexts } from "../support/large_texts.ts";
import { draws } from "../support/share.ts";

/** The changes of a file with one letter a line, as words. */
async function since(before: string | undefined, after: string, options = {}) {
  const text = (letters: string) =>
    [...letters].map((one) => `${one}\n`).join("");
  const old = before === undefined ? undefined : text(before);
  const workspace = await versionsOf(text(after), { old });
  const { lines } = await changesSince(workspace, "a", "old", options);
  return lines.map(({ kind, before, after, text }) =>
    `${kind} ${before} ${after} ${text}`
  );
}

describe("changesSince()", () => {
  it("tells what became of each line, with both numbers", async () => {
    assertEquals(await since("abc", "xac"), [
      "added null 1 x",
      "moved 1 2 a",
      "gone 2 3 b",
      "same 3 3 c",
    ]);
    assertEquals(await since("abcd", "aXYd"), [
      "same 1 1 a",
      "gone 2 2 b",
      "gone 3 3 c",
      "changed null 2 X",
      "changed null 3 Y",
      "same 4 4 d",
    ]);
    assertEquals(await since("ab", ""), ["gone 1 0 a", "gone 2 0 b"]);
    assertEquals(await since("", ""), []);
  });

  it("shows a line that is gone with the line in its place, or the next one", async () => {
    assertEquals(await since("abc", "ac", { start: 1, end: 1 }), [
      "same 1 1 a",
    ]);
    assertEquals(await since("abc", "ac", { start: 2 }), [
      "gone 2 2 b",
      "moved 3 2 c",
    ]);
    // At the end of the file, with the last line.
    assertEquals(await since("abc", "ab", { start: 2 }), [
      "same 2 2 b",
      "gone 3 2 c",
    ]);
    // Of a change that is cut, each line stands for one of before.
    assertEquals(await since("abcde", "aXYe", { start: 3, end: 3 }), [
      "gone 3 3 c",
      "gone 4 3 d",
      "changed null 3 Y",
    ]);
  });

  it("takes ranges as a read does", async () => {
    const numbers = async (options: object) =>
      (await since("abcdefghij", "abcdefghij", options))
        .map((line) => Number(line.split(" ")[2]));
    assertEquals(await numbers({ tail: 2 }), [9, 10]);
    assertEquals(await numbers({ around: 5, before: 1, after: 2 }), [
      4,
      5,
      6,
      7,
    ]);
    assertEquals(await numbers({ start: 9, count: 5 }), [9, 10]);
    assertEquals(await numbers({ start: 11 }), []);
    await assertRejects(() => numbers({ start: 3, end: 2 }), ReadFileError);
    await assertRejects(() => numbers({ match: "a" }), ReadFileError, "match");
    await assertRejects(() => numbers({ strat: 3 }), ReadFileError, "start");
  });

  it("compares with nothing where the file, or its folder, was not there", async () => {
    assertEquals(await since(undefined, "ab"), [
      "added null 1 a",
      "added null 2 b",
    ]);
    const fs = memoryFs({ "/ws/new/a": "one\n" });
    for (const old of [{ "/ws/b": "" }, { "/other": "" }, { "/ws/new": "" }]) {
      const revisions = { open: () => memoryFs(old) };
      const workspace = await openWorkspace("/ws/new", { fs, revisions });
      const changes = await changesSince(workspace, "a", "old");
      assertEquals([changes.totalBefore, changedCount(changes)], [null, 1]);
    }
  });

  it("compares line endings, and the end of a file", async () => {
    const workspace = await versionsOf("a\nb\r\nc", { old: "a\r\nb\r\nc\n" });
    const { lines } = await changesSince(workspace, "a", "old");
    assertEquals(
      lines.map(({ kind, text, ending }) => [kind, text, ending]),
      [
        ["gone", "a", "\r\n"],
        ["changed", "a", "\n"],
        ["same", "b", "\r\n"],
        ["gone", "c", "\n"],
        ["changed", "c", ""],
      ],
    );
  });

  it("compares bytes where they are no text", async () => {
    const bytes = (...last: number[]) =>
      Uint8Array.of(97, 10, 0xff, 10, ...last);
    const fs = memoryFs({ "/a": bytes(0xfe, 10, 98, 10) });
    const revisions = {
      open: () => memoryFs({ "/a": bytes(0xfd, 10, 98, 10) }),
    };
    const workspace = await openWorkspace("/", { fs, revisions });
    const { lines } = await changesSince(workspace, "a", "old");
    const shown = lines.map(({ kind, text, inexact }) => [kind, text, inexact]);
    assertEquals(shown, [
      ["same", "a", undefined],
      ["same", "\uFFFD", "not UTF-8"],
      ["gone", "\uFFFD", "not UTF-8"],
      ["changed", "\uFFFD", "not UTF-8"],
      ["same", "b", undefined],
    ]);
  });

  it("does not compare endings that differ everywhere, and says so", async () => {
    const workspace = await versionsOf("a\r\nB\r\nc", { old: "a\nb\nc\n" });
    const { lines, endingBefore } = await changesSince(workspace, "a", "old");
    assertEquals(endingBefore, "\n");
    assertEquals(
      lines.map(({ kind, text, ending }) => [kind, text, ending]),
      [
        ["same", "a", "\r\n"],
        ["gone", "b", "\n"],
        ["gone", "c", "\n"],
        ["changed", "B", "\r\n"],
        ["changed", "c", ""],
      ],
    );
    const mixed = await versionsOf("a\r\nb\n", { old: "a\nb\n" });
    const changes = await changesSince(mixed, "a", "old");
    assertEquals([changes.endingBefore, changedCount(changes)], [null, 2]);
  });

  it("applies to random edits, and no difference is smaller", async () => {
    const { numRuns, seed } = draws(10_000, 1000);
    await checkRanges(numRuns, seed);
  });

  it("ends with 20,000 changed lines, in an answer that says that it may not be the smallest", async () => {
    const [before, after] = largeTexts("few words, drawn twice", 20_000);
    const workspace = await versionsOf(after.join(""), {
      old: before.join(""),
    });
    const { lines, minimal } = await changesSince(workspace, "a", "old");
    assert(!minimal);
    const texts = (isOld: boolean) =>
      lines.filter(({ kind, before }) =>
        isOld ? before !== null : kind !== "gone"
      )
        .map(({ text, ending }) => text + ending).join("");
    assert(texts(true) === before.join(""));
    assert(texts(false) === after.join(""));
  });

  it("lets other work run while it prepares lines that are compared without their endings", async () => {
    const lines = 5 * STEP_ITEMS;
    /** How often it asks whether to yield. */
    const checksFor = async (old: string, now: string) => {
      const workspace = await versionsOf(now.repeat(lines), {
        old: old.repeat(lines),
      });
      let checks = 0;
      const work = () => changesSince(workspace, "a", "old");
      await withClock(() => (checks++, 0), work);
      return checks;
    };
    const same = await checksFor("a\n", "a\n");
    const other = await checksFor("a\r\n", "a\n");
    assert(other >= same + 5, `${other}, and with one ending ${same}`);
  });

  it("refuses more than it can compare", async () => {
    const now = "\n".repeat(250_001);
    const both = await versionsOf(now, { old: "a\n" });
    const error = await assertRejects(
      () => changesSince(both, "a", "old"),
      ReadFileError,
      "250000 lines",
    );
    assertEquals(error.code, "TOO_LARGE");
    const old = await versionsOf("a\n", { old: now });
    const other = await assertRejects(
      () => changesSince(old, "a", "old"),
      ReadFileError,
      'Cannot compare "old:a"',
    );
    assert(other.is("TOO_LARGE"));
  });

  it("names the version that a failure is about", async () => {
    const workspace = await versionsOf("a\n", { old: "\0\n", none: undefined });
    const error = await assertRejects(
      () => changesSince(workspace, "a", "old"),
      ReadFileError,
      'Cannot read "old:a"',
    );
    assertEquals([error.code, error.path], ["BINARY", "a"]);
    const gone = await versionsOf("a\n", { old: "b\n" });
    await assertRejects(
      () => changesSince(gone, "c", "none"),
      ReadFileError,
      "nothing is there",
    );
    const deleted = await openWorkspace("/ws", {
      fs: memoryFs({ "/ws/b": "" }),
      revisions: { open: () => memoryFs({ "/ws/a": "one\n" }) },
    });
    await assertRejects(
      () => changesSince(deleted, "a", "HEAD"),
      ReadFileError,
      'it is gone since "HEAD"',
    );
  });

  it("needs revisions, and a name of one", async () => {
    const fs = memoryFs({ "/ws/a": "" });
    const plain = await openWorkspace("/ws", { fs });
    const refused = (work: () => Promise<unknown>, words: string) =>
      assertRejects(work, ReadFileError, words);
    await refused(() => changesSince(plain, "a", "HEAD"), "no revisions");
    await refused(() => plain.at("HEAD"), "no revisions");
    const versions = await versionsOf("", { old: "" });
    await refused(() => changesSince(versions, "a", ""), "name of a revision");
    // A revision has no revisions of its own.
    const old = await versions.at("old");
    await refused(() => old.at("old"), "no revisions");
    await assertRejects(
      () => openWorkspace("/ws", { fs, revisions: {} as never }),
      TypeError,
      "gitRevisions()",
    );
  });

  it("keeps the deny rules, of narrowed workspaces too, for the names of then", async () => {
    const fs = memoryFs({ "/ws/src/a": "one\n", "/ws/src/key": "" });
    const old = {
      "/ws/src/key": "secret\n",
      "/ws/src/a": { link: "key" },
      "/ws/src/b": { link: "../../out" },
      "/out": "outside\n",
    };
    const revisions = { open: () => memoryFs(old) };
    const wide = await openWorkspace("/ws", {
      fs,
      revisions,
      deny: ["**/key"],
    });
    for (const workspace of [wide, await wide.narrow({ root: "src" })]) {
      const path = workspace === wide ? "src/a" : "a";
      const error = await assertRejects(
        () => changesSince(workspace, path, "old"),
        ReadFileError,
      );
      assertEquals(error.code, "POLICY_DENIED");
      const before = await workspace.at("old");
      assertEquals(before.root, workspace.root);
      const codeOf = async (path: string) =>
        (await assertRejects(() => before.read(path), ReadFileError)).code;
      const at = (name: string) =>
        path.replace("a", name).replace(
          "src/",
          workspace === wide ? "src/" : "",
        );
      assertEquals(await codeOf(at("key")), "POLICY_DENIED");
      assertEquals(await codeOf(at("b")), "OUTSIDE_WORKSPACE");
    }
  });

  it("opens no other directory if a link stood at the root, or above", async () => {
    const now = memoryFs({ "/ws/in/src/a": "one\n" });
    const read = async (old: Parameters<typeof memoryFs>[0]) => {
      const revisions = { open: () => memoryFs(old) };
      const root = "/ws/in/src";
      const workspace = await openWorkspace(root, { fs: now, revisions });
      const { totalBefore } = await changesSince(workspace, "a", "old");
      if (totalBefore === null) {
        const open = () => workspace.at("old");
        await assertRejects(open, ReadFileError, "the directory is not in it");
      }
      return totalBefore;
    };
    const secret = { "/ws/other/src/a": "secret\n" };
    assertEquals(await read({ ...secret, "/ws/in": { link: "other" } }), null);
    const at = { "/ws/in/src": { link: "../other/src" } };
    assertEquals(await read({ ...secret, ...at }), null);
    // The control.
    assertEquals(await read({ ...secret, "/ws/in/src/a": "" }), 0);
  });
});
