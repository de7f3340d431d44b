import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, type ReadOptions } from "../../mod.ts";
import {
  choosePlace,
  isThere,
  type Place,
  placesOf,
  writePlace,
} from "../../src/core/places.ts";
import { quote } from "../../src/core/base/words.ts";
import { Random, SEED } from "../support/random.ts";

const all = {} as const;
const search = (match: string) => ({ match, regex: true });

/** The place that is meant among these files. */
async function chosen(
  text: string,
  ...files: readonly string[]
): Promise<Place> {
  const exists = (path: string) => Promise.resolve(files.includes(path));
  const place = await choosePlace(placesOf(text), exists);
  // Options have no prototype.
  return { ...place, parts: place.parts.map((part) => ({ ...part })) };
}

const lines = (start: number, end: number) => ({ start, end });

describe("a place, if no file has that name", () => {
  for (
    const [text, path, ...parts] of [
      ["a.txt", "a.txt", all],
      ["a.txt:120", "a.txt", lines(120, 120)],
      ["a.txt:120-150", "a.txt", lines(120, 150)],
      ["a.txt:120-", "a.txt", { start: 120 }],
      ["a.txt:-20", "a.txt", { tail: 20 }],
      ["a.txt:120+10", "a.txt", { around: 120, before: 10, after: 10 }],
      ["a.txt:120+0", "a.txt", { around: 120, before: 0, after: 0 }],
      ["a:50-52+2", "a", { ...lines(50, 52), before: 2, after: 2 }],
      ["a:1,3-5,7-", "a", lines(1, 1), lines(3, 5), { start: 7 }],
      ["a:9,-2,1", "a", lines(9, 9), { tail: 2 }, lines(1, 1)],
      ["a:1-2,/x/+1", "a", lines(1, 2), {
        ...search("x"),
        before: 1,
        after: 1,
      }],
      ["a:/x/,/y/", "a", search("x/,/y")],
      ["a:/TODO/", "a", search("TODO")],
      ["a:/b/c/", "a", search("b/c")],
      ["a:/x:/y/", "a", search("x:/y")],
      ["a:/TODO/i+3", "a", {
        ...search("TODO"),
        ignoreCase: true,
        before: 3,
        after: 3,
      }],
      ["a:9-/x/", "a", { start: 9, ...search("x") }],
      ["a:9-12/x/", "a", { ...lines(9, 12), ...search("x") }],
      ["a.ts#L5", "a.ts", lines(5, 5)],
      ["a.ts#L5-L9", "a.ts", lines(5, 9)],
      ["a.ts#L5-9", "a.ts", lines(5, 9)],
      ["a.ts#L5C2-L9C7", "a.ts", lines(5, 9)],
      ["a.ts:L5-L9", "a.ts", lines(5, 9)],
      ["a.ts:5:3", "a.ts", lines(5, 5)],
      ["a.ts:5:30000", "a.ts", { ...lines(5, 5), column: 30_000 }],
      ["file:///ws/a.ts", "/ws/a.ts", all],
      ["file:///ws/a%20b.ts#L5", "/ws/a b.ts", lines(5, 5)],
      ["file://localhost/ws/a.ts:5-6", "/ws/a.ts", lines(5, 6)],
      ["file:///C:/ws/a.ts", "C:/ws/a.ts", all],
      ["file:///ws/100%.ts", "/ws/100%.ts", all],
      ["src\\a.ts", "src/a.ts", all],
      ["src\\a.ts:5-6", "src/a.ts", lines(5, 6)],
      ["a.ts:/\\d+/", "a.ts", search("\\d+")],
      ["a:/x", "a:/x", all],
      ["a://", "a://", all],
      ["a:5-+2", "a:5-+2", all],
      ["a.txt:", "a.txt", all],
      ["odd:7:", "odd:7", all],
      ["odd::", "odd:", all],
      [":5", ":5", all],
      ["a:b", "a:b", all],
      ["a:+5", "a:+5", all],
      ["a:1-2-3", "a:1-2-3", all],
      ["a:1,", "a:1,", all],
      ["a:--5", "a:--5", all],
      ["a#5", "a#5", all],
      ["a\nb:2", "a\nb", lines(2, 2)],
    ] as const
  ) {
    it(`${JSON.stringify(text)} is ${JSON.stringify([path, parts])}`, async () => {
      assertEquals<Place>(await chosen(text), { path, parts });
    });
  }

  for (
    const [text, path, problem] of [
      ["a:0", "a", "lines are counted from 1; name one from there on"],
      ["a:1-0", "a", "lines are counted from 1; name one from there on"],
      ["a:-0", "a", "lines are counted from 1; name one from there on"],
      ["a:0+3", "a", "lines are counted from 1; name one from there on"],
      ["a:1,0", "a", "lines are counted from 1; name one from there on"],
      ["a:5-4", "a", "line 5 comes after line 4; turn them round"],
      ["a:5-4+1", "a", "line 5 comes after line 4; turn them round"],
      ["a:5-4/x/", "a", "line 5 comes after line 4; turn them round"],
      ["a:0-4/x/", "a", "lines are counted from 1; name one from there on"],
      ["a#L9-L5", "a", "line 9 comes after line 5; turn them round"],
      ["a:0:3", "a", "lines are counted from 1; name one from there on"],
      ...["", "1-", "1+", "-"].map((before) =>
        [
          `a:${before}99999999999999999999`,
          "a",
          "no file has so many lines; name a smaller number",
        ] as const
      ),
      [
        `a:${"1,".repeat(50)}1`,
        "a",
        "it names more than 50 parts; name fewer",
      ],
    ] as const
  ) {
    it(`${text.slice(0, 30)} is a mistake`, async () => {
      assertEquals<Place>(await chosen(text), { path, parts: [{}], problem });
    });
  }
});

describe("lines in the words of other tools", () => {
  for (
    const [text, meant] of [
      ["a:/TODO", "a:/TODO/"],
      ["a:/TODO/g", "a:/TODO/"],
      ["a:/TODO/gi", "a:/TODO/i"],
      ["a:/TODO/,+3", "a:/TODO/+3"],
      ["a:parse", "a:/parse/"],
      ["a:-5-", "a:-5"],
      ["a:-5--1", "a:-5"],
      ["a#5", "a:5"],
      ["a#L5,L9", "a:L5,L9"],
      ["a:10..20", "a:10-20"],
      ["a:10\u201320", "a:10-20"],
      ["a:10 - 20", "a:10-20"],
      ["a:10to20", "a:10-20"],
      ["a:10,+5", "a:10-15"],
      ["a:10,20p", "a:10-20"],
      ["a:10-20:5", "a:10-20"],
      ["a:10-$", "a:10-"],
      ["a:10-end", "a:10-"],
      ["a:$", "a:-1"],
      ["a:+5", "a:5-"],
      ["a:line 5", "a:5"],
      ["a:lines 5-7", "a:5-7"],
      ["a:5:", "a:5"],
      ["a:5,", "a:5"],
      ["file:///a:10..20", "/a:10-20"],
      ["a:..20", "a:1-20"],
      ["a:to 20", "a:1-20"],
      ["a::5", "a:5"],
      ["a#lines-5-9", "a:5-9"],
      ["a:5 10", "a:5-10"],
      ["a:5,$", "a:5-"],
      ["a:5,$p", "a:5-"],
      ["a:5:3-6:4", "a:5-6"],
      ["a:[5-10]", "a:5-10"],
      ["a:5;7", "a:5-7"],
      // Only the file is known.
      ["a:/TODO/+3,90", "a"],
      ["a:/TODO/,5", "a"],
      ["a:/TODO/-3", "a"],
      ["a://", "a"],
      ["a:1,2,x", "a"],
      ["a:?", "a"],
    ] as const
  ) {
    it(`${text} is refused with ${meant}, which works`, async () => {
      const files = ["a", "/a"];
      const { path, parts, problem } = await chosen(text, ...files);
      assertEquals([meant.replace(/:.*/, ""), []], [path, parts]);
      const rest = text.replace(/^.*?a[:#]/, "");
      assertEquals(
        problem,
        `${quote(rest)} names no lines; did you mean ${quote(meant)}?`,
      );
      const again = await chosen(meant, ...files);
      assertEquals([again.path, again.problem], [path, undefined]);
    });
  }

  it("are refused in another way if they still name none", async () => {
    const { problem } = await chosen("a:20..10", "a");
    assertEquals(problem, "line 20 comes after line 10; turn them round");
  });

  it("are part of a name if no such file exists", async () => {
    const text = "b:10..20";
    assertEquals<Place>(await chosen(text, "a"), { path: text, parts: [all] });
  });
});

describe("a file that has the name of a place", () => {
  for (
    const [text, files, path] of [
      ["odd:7", ["odd", "odd:7"], "odd:7"],
      ["odd:7:3", ["odd", "odd:7"], "odd:7"],
      ["odd:7:3", ["odd", "odd:7", "odd:7:3"], "odd:7:3"],
      ["odd:7:3", ["odd"], "odd"],
      ["a:/x:/y/", ["a", "a:/x"], "a:/x"],
      ["a#L5", ["a", "a#L5"], "a#L5"],
      ["a\\b", ["a/b", "a\\b"], "a\\b"],
      ["a\\b:5", ["a/b", "a\\b"], "a\\b"],
      ["file:///a", ["/a", "file:///a"], "file:///a"],
    ] as const
  ) {
    it(`${text} is ${path} among ${files.join(" ")}`, async () => {
      assertEquals((await chosen(text, ...files)).path, path);
    });
  }

  it(`wins over each place, for 100,000 random names (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const signs = [":", ":", "/", "-", "+", ",", "#L", "\\", "7", "42", "0"];
    const letters = ["a", "b.ts", "x y", "\u4e2d", "i", "L", "C", ".", "file:"];
    const ranges: readonly ReadOptions[] = [
      lines(3, 9),
      lines(4, 4),
      { start: 7 },
      { tail: 5 },
      { around: 6, before: 2, after: 2 },
      { ...lines(3, 9), before: 2, after: 2 },
      { start: 1, ...search("a/b") },
      { ...lines(3, 9), ...search(":x"), ignoreCase: true },
    ];
    let places = 0;
    for (let count = 0; count < 100_000; count++) {
      const name = Array.from(
        { length: random.from(1, 8) },
        () => random.pick(random.below(2) === 0 ? signs : letters),
      ).join("");
      const [literal, ...others] = placesOf(name);
      assertEquals(literal, { path: name, parts: [{}] });
      places += others.length > 0 ? 1 : 0;
      const whole = await chosen(name, name);
      assertEquals(whole, { path: name, parts: [{}] });
      // Lines of that file are found, too.
      const parts = Array.from(
        { length: random.from(1, 3) },
        (_, at) => ranges[random.below(at === 0 ? 8 : 6)]!,
      );
      if (parts[0]!.match !== undefined) parts.reverse();
      const last = parts.at(-1)!;
      const isPlain = parts.slice(0, -1)
        .every(({ match }) => match === undefined);
      if (!isPlain) continue;
      const text = writePlace(name, parts);
      // A search may begin at any of the first colons.
      const isFound = last.match === undefined ||
        placesOf(text).some(({ path }) => path === name);
      assert(isFound, text);
      assertEquals(await chosen(text, name), { path: name, parts });
    }
    assert(places > 10_000, `${places} names look like places`);
  });

  it("is looked for in the workspace; what is denied is there", async () => {
    const fs = memoryFs({ "/ws/odd:7": "", "/ws/dir/b": "", "/ws/.env": "" });
    const workspace = await openWorkspace("/ws", { fs, deny: [".env"] });
    const found = async (path: string) =>
      await isThere(workspace, path, undefined);
    const paths = ["odd:7", "dir", ".env", "odd", "../x", "a\0"];
    assertEquals(
      await Promise.all(paths.map(found)),
      [true, true, true, false, false, false],
    );
  });
});

describe("placesOf()", () => {
  it("takes few steps for hostile texts: each has few places", () => {
    for (
      const text of [
        ":1".repeat(4000),
        ":/".repeat(4000),
        "1,".repeat(4000),
        "a:" + "1,".repeat(4000) + "x",
        "a:" + "9-9/".repeat(2000),
        "a#L" + "1".repeat(8000),
        "\\:".repeat(4000),
        "file://".repeat(1100),
        "file:///".repeat(1000),
      ]
    ) {
      assert(placesOf(text).length < 30, text.slice(0, 20));
    }
    assertEquals(placesOf("a:1".repeat(9000)).length, 1);
  });
});
