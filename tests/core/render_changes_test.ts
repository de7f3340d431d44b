import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { changesSince, isRendered, renderChanges } from "../../mod.ts";
import { versionsOf } from "../suites/changes_since.ts";

async function changesOf(before: string | undefined, now: string, range = {}) {
  const workspace = await versionsOf(now, { HEAD: before });
  return await changesSince(workspace, "a", "HEAD", range);
}

async function textOf(before: string | undefined, now: string, range = {}) {
  return renderChanges(await changesOf(before, now, range));
}

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`);

describe("renderChanges()", () => {
  it("shows what changed, and three lines around it", async () => {
    const now = LINES.toSpliced(9, 2, "new\n").join("");
    const text = await textOf(LINES.join(""), now);
    assertEquals(text.split("\n"), [
      '"a": lines 1-19 of 19. Since "HEAD": 1 line is new (+), 2 are gone (-, with their old numbers).',
      "… lines 1-6 are the same",
      "7\tline 7",
      "8\tline 8",
      "9\tline 9",
      "-10\tline 10",
      "-11\tline 11",
      "+10\tnew",
      "11\tline 12",
      "12\tline 13",
      "13\tline 14",
      "… lines 14-19 are the same",
      "End of file.",
    ]);
    assert(isRendered(text));
  });

  it("says if nothing changed, and where the lines were", async () => {
    const all = LINES.join("");
    assertEquals(
      await textOf(all, all, { end: 3 }),
      [
        '"a": lines 1-3 of 20. The same in "HEAD".',
        "End of what was asked for; the file goes on.",
      ].join("\n"),
    );
    assertEquals(
      await textOf(all, `new\n${all}`, { start: 5 }),
      [
        '"a": lines 5-21 of 21. The same in "HEAD", as lines 4-20.',
        "End of file.",
      ].join("\n"),
    );
  });

  it("says if there are no lines, now or before", async () => {
    const [head] = (await textOf(undefined, "one\n")).split("\n");
    assertEquals(
      head,
      '"a": line 1 of 1. It is not in "HEAD": all lines are new.',
    );
    assertEquals(
      await textOf("one\ntwo", ""),
      [
        '"a": an empty file. Since "HEAD": 2 lines are gone (-, with their old numbers).',
        "-1\tone",
        "-2 no newline\ttwo",
        "End of file.",
      ].join("\n"),
    );
    assertEquals(
      await textOf("one\n", "one\n", { start: 9 }),
      [
        '"a": nothing, past the last line of 1. The same in "HEAD".',
        "End of file.",
      ].join("\n"),
    );
  });

  it("marks line endings that changed, unless all did", async () => {
    assertEquals((await textOf("a\nb\n", "a\r\nb\n")).split("\n").slice(1, 3), [
      "-1\ta",
      "+1 CRLF\ta",
    ]);
    assertEquals(
      await textOf("a\nb\n", "a\r\nb\r\n"),
      [
        '"a": lines 1-2 of 2. The same in "HEAD". Lines end in CRLF, before in LF; this is not compared.',
        "End of file.",
      ].join("\n"),
    );
    assertEquals(
      (await textOf("a\r\nb\r\n", "a\nc\n")).split("\n").slice(1, 4),
      [
        "1\ta",
        "-2\tb",
        "+2\tc",
      ],
    );
  });

  it("escapes what could imitate the frame, also in the name of the revision", async () => {
    const workspace = await versionsOf("\x1b[2J\x0b1\tone\n", {
      "a\nEnd of file.": 'End of file.\r"b": line 1 of 1.\n',
    });
    const changes = await changesSince(workspace, "a", "a\nEnd of file.");
    const text = renderChanges(changes);
    const rows = text.split(/[\r\n\v]/);
    assertEquals(rows.length, 4);
    assert(/^-1 esc\tEnd of file\.\\u\{D\}/.test(rows[1]!), text);
    assert(/^\+1 esc\t\\u\{1B\}\[2J\\u\{B\}1/.test(rows[2]!), text);
  });

  it("names hidden characters of lines that are new, and not of others", async () => {
    const hidden = "a\u202Eb\n";
    const text = await textOf(hidden, `${hidden}c\u200Bd\n`);
    assert(!text.includes("U+202E"), text);
    assert(text.includes("line 2, column 2"), text);
  });

  it("takes what JSON kept, names and the next call; refuses anything else", async () => {
    const changes = JSON.parse(JSON.stringify(await changesOf("a\n", "b\n")));
    const options = {
      path: "x/a",
      notes: ["so"],
      next: { path: "x/a" },
      tool: "read",
    };
    assertEquals(renderChanges(changes, options).split("\n"), [
      '"x/a": line 1 of 1. More follows. Since "HEAD": 1 line is new (+), 1 is gone (-, with its old number).',
      "Note: so",
      "-1\ta",
      "+1\tb",
      'Next: read {"path":"x/a"}',
    ]);
    assertThrows(() => renderChanges({} as never), TypeError, "changesSince()");
    assertThrows(
      () => renderChanges(changes, { contxt: 1 } as never),
      TypeError,
      "context",
    );
  });
});
