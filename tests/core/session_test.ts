import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import {
  createReadSession,
  memoryFs,
  openWorkspace,
  parsePage,
  ReadFileError,
  type ReadSessionOptions,
  type SessionAnswer,
  type Workspace,
} from "../../mod.ts";
import { oneFileFs } from "../support/one_file_fs.ts";

const linesTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);

/** A session over a file that a test can change. */
async function openOn(lines: readonly string[], options: ReadSessionOptions) {
  const fs = oneFileFs();
  const write = (lines: readonly string[]) => {
    fs.content = new TextEncoder().encode(lines.join(""));
  };
  write(lines);
  const workspace = await openWorkspace("/ws", { fs });
  return { write, workspace, session: createReadSession(workspace, options) };
}

const numbersOf = ({ lines }: SessionAnswer) =>
  lines.map(({ number }) => number);

describe("a session whose host remembers the text", () => {
  it("counts a page as shown only if it can be rendered", async () => {
    const { workspace, session } = await openOn(["a\n"], { remember: true });
    const page = await workspace.read("a");
    const lines = [...page.lines, { ...page.lines[0]!, text: "a\nb" }];
    assertThrows(
      () => session.answer({ ...page, lines }),
      TypeError,
      "holds a line feed",
    );
    const kinds = [1, 2].map(() => session.answer(page).kind);
    assertEquals(kinds, ["page", "unchanged"]);
  });
  it("always gives the full text of a very large page", async () => {
    const { session } = await openOn(linesTo(50_001), { remember: true });
    for (const times of [1, 2]) {
      const { kind, lines, ...answer } = await session.read("a");
      assertEquals([kind, lines.length], ["page", 50_001]);
      assertEquals(answer.times, times);
    }
    assertEquals((await session.read("a", { end: 9 })).kind, "page");
    assertEquals((await session.read("a", { end: 9 })).kind, "unchanged");
  });
  it("answers with one line if nothing is new", async () => {
    const { session } = await openOn(linesTo(200), { remember: true });
    const first = await session.read("a");
    assertEquals([first.kind, first.lines.length], ["page", 200]);
    assertEquals(parsePage(first.text).lines, first.page.lines);
    const second = await session.read("a");
    assertEquals([second.kind, second.lines.length], ["unchanged", 0]);
    assertEquals(
      second.text,
      '¦ "a": lines 1-200 of 200, unchanged since they were shown; their text is above.',
    );
    assertEquals(second.page.lines.length, 200);
  });
  it("says only how to continue", async () => {
    const { session } = await openOn(linesTo(9), { remember: true });
    await session.read("a", { count: 3 });
    const { text } = await session.read("a", { count: 3 });
    assertMatch(
      text,
      / More follows: read this path again with \{"start":4,"count":3\}\.$/,
    );
  });
  it("shows the new lines of a part", async () => {
    const { session } = await openOn(linesTo(300), { remember: true });
    await session.read("a", { end: 200 });
    const part = await session.read("a", { start: 150, end: 203 });
    assertEquals([part.kind, numbersOf(part)], ["new", [201, 202, 203]]);
    assertEquals(part.kept, [[150, 200]]);
    assertMatch(
      part.text,
      /^¦ lines 150-200 unchanged\n201¦line 201\n202¦line 202\n203¦line 203\n¦ "a": lines 150-203 of /,
    );
    assertMatch(part.text, / Unchanged lines were shown before\. /);
    const again = await session.read("a", { start: 1, end: 203 });
    assertEquals(again.kind, "unchanged");
  });
  it("names the hidden characters of the shown lines only", async () => {
    const lines = ["\u202ea\n", "b\n", "\u200bc\n"];
    const { session } = await openOn(lines, { remember: true });
    await session.read("a", { end: 1, escape: true });
    const { text } = await session.read("a", { escape: true });
    const { lines: shown, inexact, warnings } = parsePage(text);
    assertEquals(shown.map(({ number }) => number), [2, 3]);
    assertEquals(inexact, [{ number: 3, reason: "escaped" }]);
    assertEquals(warnings.map(({ line }) => line), [3]);
  });
  it("says which lines between hits are unchanged, and where the hits are", async () => {
    const { session } = await openOn(linesTo(9), { remember: true });
    await session.read("a", { start: 4, end: 4 });
    const { text } = await session.read("a", {
      match: "[248]",
      regex: true,
      after: 1,
    });
    assertMatch(
      text,
      /^2¦line 2\n3¦line 3\n¦ line 4 unchanged\n5¦line 5\n¦ lines 6-7 not shown, 14 bytes\n8¦line 8\n9¦line 9\n¦ .* Hits: 3 of 3, on lines 2, 4, 8\. /,
    );
    await session.read("a", { start: 7, end: 7 });
    const other = await session.read("a", { match: "7", before: 1, start: 6 });
    assertMatch(other.text, /^6¦line 6\n¦ line 7 unchanged\n.*, on line 7\. /);
  });
  it("shows only the changed line, and its text once", async () => {
    const lines = linesTo(20);
    const { session, write } = await openOn(lines, { remember: true });
    await session.read("a");
    write(lines.with(4, "new\n"));
    assertEquals(numbersOf(await session.read("a")), [5]);
    assertEquals((await session.read("a")).kind, "unchanged");
    write(lines);
    assertEquals(numbersOf(await session.read("a")), [5]);
  });
  it("shows lines again if their numbers, endings or columns changed", async () => {
    const { session, write } = await openOn(["a\n", "b"], { remember: true });
    await session.read("a");
    write(["a\n", "b\n"]);
    assertEquals(numbersOf(await session.read("a")), [2]);
    write(["xyz\n", "a\n", "b\n"]);
    assertEquals(numbersOf(await session.read("a")), [1, 2, 3]);
    const part = await session.read("a", { column: 1, width: 1 });
    assertEquals(numbersOf(part), [1]);
  });
  for (const how of ["forget(path)", "forget()", "compacted()"] as const) {
    it(`gives the full text after ${how}`, async () => {
      const { session } = await openOn(linesTo(9), { remember: true });
      await session.read("a");
      assertEquals((await session.read("a")).kind, "unchanged");
      if (how === "forget(path)") session.forget("./a");
      else if (how === "forget()") session.forget();
      else session.compacted();
      assertEquals((await session.read("a")).lines.length, 9);
    });
  }
  it("keeps other files when one is forgotten", async () => {
    const fs = memoryFs({ "/a": "a\n", "/ab": "b\n" });
    const workspace = await openWorkspace("/", { fs });
    const session = createReadSession(workspace, { remember: true });
    for (const path of ["a", "ab"]) await session.read(path);
    session.forget("a");
    assertEquals((await session.read("ab")).kind, "unchanged");
    assertEquals((await session.read("a")).kind, "page");
  });
  it("fails like the workspace if the file is denied meanwhile", async () => {
    const fs = memoryFs({ "/a.key": "one\n" });
    const open = await openWorkspace("/", { fs });
    const denying = await open.narrow({ deny: ["*.key"] });
    const session = createReadSession(denying, { remember: true });
    session.answer(await open.read("a.key"));
    const error = await assertRejects(
      () => session.read("a.key"),
      ReadFileError,
    );
    assertEquals(error.code, "POLICY_DENIED");
  });
  it("forgets the oldest text before it takes too much memory", async () => {
    const long = "x".repeat(1024 * 1024);
    const names = Array.from({ length: 20 }, (_, at) => `/${at}`);
    const files = Object.fromEntries(names.map((name) => [name, long]));
    const workspace = await openWorkspace("/", { fs: memoryFs(files) });
    const session = createReadSession(workspace, { remember: true });
    for (const name of names) await session.read(name);
    assertEquals((await session.read("/19")).kind, "unchanged");
    assertEquals((await session.read("/0")).kind, "page");
  });
  it("limits lines without text and pages, too", async () => {
    const { session } = await openOn(["\n"], { remember: true });
    const { page } = await session.read("a");
    const lines = Array.from({ length: 50_000 }, (_, at) => at)
      .map((
        number,
      ) => ({ number, column: 1, text: "", ending: "\n" } as const));
    session.answer({ ...page, path: "b" });
    for (let part = 0; part < 6; part++) {
      session.answer({ ...page, path: `${part}`, lines });
    }
    assertEquals(session.answer({ ...page, path: "b" }).kind, "page");
    const receipt = "x".repeat(1024 * 1024);
    for (let part = 0; part < 17; part++) {
      session.answer({ ...page, path: "c", receipt: `${part}${receipt}` });
    }
    assertEquals(session.answer({ ...page, path: "b" }).kind, "page");
    assertEquals(session.answer({ ...page, path: "b" }).kind, "unchanged");
  });
});

describe("a session without remember", () => {
  it("always gives the full text", async () => {
    for (const options of [{}, { remember: false }]) {
      const { session } = await openOn(linesTo(9), options);
      for (const _ of [1, 2, 3]) {
        const { kind, lines } = await session.read("a");
        assertEquals([kind, lines.length], ["page", 9]);
      }
    }
  });
});

describe("a loop", () => {
  const LOOP =
    / These lines were asked for (\d+) times, with the same answer: reading them again shows nothing new\.$/;
  for (const remember of [true, false]) {
    it(`is reported from the third equal answer on, and never refused: ${remember}`, async () => {
      const { session } = await openOn(linesTo(5), { remember });
      const named: (string | undefined)[] = [];
      for (let times = 1; times < 6; times++) {
        const { text } = await session.read("a");
        named.push(LOOP.exec(text)?.[1]);
      }
      assertEquals(named, [undefined, undefined, "3", "4", "5"]);
    });
  }
  it("is not reported for several searches without a hit", async () => {
    const { session } = await openOn(linesTo(5), { remember: true });
    for (const match of ["x", "y", "z", "0"]) {
      const { text, times } = await session.read("a", { match });
      assertEquals([LOOP.test(text), times], [false, 1]);
    }
  });
  it("is not reported for following pages, or a changing file", async () => {
    const { session, write } = await openOn(linesTo(50), { remember: true });
    for (let start = 1; start < 50; start += 5) {
      assert(!LOOP.test((await session.read("a", { start, count: 5 })).text));
    }
    for (let at = 0; at < 9; at++) {
      write(linesTo(50).with(at, "new\n"));
      assert(!LOOP.test((await session.read("a")).text));
    }
  });
});

describe("createReadSession()", () => {
  it("refuses a value that is not a workspace, and unknown options", async () => {
    const workspace = await openWorkspace("/", { fs: memoryFs({}) });
    assertThrows(
      () => createReadSession({} as Workspace),
      TypeError,
      "workspace must be a workspace",
    );
    const shapes = [{ remember: 1 }, { remember: () => true }, null];
    const options = [...shapes, { remembers: true }];
    for (const bad of options as ReadSessionOptions[]) {
      assertThrows(() => createReadSession(workspace, bad), TypeError);
    }
  });
});
