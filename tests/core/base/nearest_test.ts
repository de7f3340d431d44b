import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  bestMatches,
  likenessTo,
  nearest,
} from "../../../src/core/base/words.ts";
import { Random, SEED } from "../../support/random.ts";

/** Computes the distance by its definition, by trying all edits. */
function distance(one: string, two: string): number {
  if (one === "" || two === "") return one.length + two.length;
  const rest = (i: number, j: number) => distance(one.slice(i), two.slice(j));
  const swapped = one.length > 1 && two.length > 1 && one[0] === two[1] &&
    one[1] === two[0];
  return Math.min(
    rest(1, 0) + 1,
    rest(0, 1) + 1,
    rest(1, 1) + (one[0] === two[0] ? 0 : 1),
    swapped ? rest(2, 2) + 1 : Infinity,
  );
}

describe("nearest()", () => {
  const cases:
    readonly (readonly [string, string, readonly string[], string[]])[] = [
      ["another case", "readme.md", ["README.md", "main.ts"], ["README.md"]],
      ["NFC for NFD", "cafe\u0301.txt", ["caf\u00e9.txt"], ["caf\u00e9.txt"]],
      ["NFD for NFC", "caf\u00e9.txt", ["cafe\u0301.txt"], ["cafe\u0301.txt"]],
      ["a no-break space", "a b.txt", ["a\u00a0b.txt"], ["a\u00a0b.txt"]],
      ["a narrow no-break space", "9.41 PM.png", ["9.41\u202fPM.png"], [
        "9.41\u202fPM.png",
      ]],
      ["other dashes", "start-line", ["start_line"], ["start_line"]],
      ["words joined differently", "startLine", ["start_line", "end_line"], [
        "start_line",
      ]],
      ["a missing letter", "pakage.json", ["package.json"], ["package.json"]],
      ["an additional letter", "packkage.json", ["package.json"], [
        "package.json",
      ]],
      ["letters swapped", "pacakge.json", ["package.json"], ["package.json"]],
      ["another ending", "main.js", ["main.ts"], ["main.ts"]],
      ["nothing alike", "main.ts", ["LICENSE", "deno.json"], []],
      ["an empty list", "main.ts", [], []],
      ["an equal name", "a.txt", ["a.txt"], []],
    ];
  for (const [what, name, names, found] of cases) {
    it(`recognizes ${what}`, () =>
      assertEquals(nearest(name, names), found[0]));
  }
  it("returns the most similar first, equal ones by name, up to the limit", () => {
    const names = ["tests.ts", "test.tsx", "TEST.ts", "rest.ts", "best.ts"];
    const likeness = likenessTo("test.ts");
    const matches = names.flatMap((name) => likeness(name) ?? []);
    assertEquals(bestMatches(matches, 3), ["TEST.ts", "best.ts", "rest.ts"]);
    assertEquals(bestMatches(matches, 0), []);
    assertEquals(nearest("test.ts", names), "TEST.ts");
  });
  it(`counts edits like the definition (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const word = () =>
      Array.from({ length: 3 + random.below(4) }, () => random.pick([..."abc"]))
        .join("");
    let found = 0;
    for (let round = 0; round < 2_000; round++) {
      const [one, two] = [word(), word()];
      const allowed = Math.max(1, Math.floor(one.length / 3));
      const isNear = one !== two && distance(one, two) <= allowed;
      assertEquals(
        nearest(one, [two]),
        isNear ? two : undefined,
        `${one} ${two}`,
      );
      if (isNear) found++;
    }
    assert(found > 100, `${found} were near`);
  });
  it("compares very long names only for equality", () => {
    const long = "x".repeat(100_000);
    assertEquals(nearest(`${long}y`, [`${long}z`]), undefined);
    assertEquals(nearest(long, [long.toUpperCase()]), long.toUpperCase());
  });
});
