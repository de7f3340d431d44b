import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { memoryFs, openWorkspace, readerTools, respond } from "../../../mod.ts";
import { visibleJson } from "../../../src/core/base/words.ts";
import { escapeHidden } from "../../../src/core/unicode/escape.ts";

/** Names that look like others, or have a part that no one sees. */
const NAMES: Readonly<Record<string, string>> = {
  "a b.txt": '"a b.txt"',
  "a\u00a0b.txt": '"a\\u00a0b.txt"',
  "a\u2003b.txt": '"a\\u2003b.txt"',
  "a\u2800b.txt": '"a\\u2800b.txt"',
  "a\u3000b.txt": '"a\\u3000b.txt"',
  "\ue000.txt": '"\\ue000.txt"',
  "\u{f0000}.txt": '"\\udb80\\udc00.txt"',
};

describe("a name", () => {
  for (const [name, shown] of Object.entries(NAMES)) {
    it(`is shown as ${shown}, in messages and in lists`, async () => {
      const fs = memoryFs({ [`/${name}`]: "text" });
      const workspace = await openWorkspace("/", { fs });
      const error = await workspace.read(`${name}/x`).catch(String);
      assertStringIncludes(`${error}`, shown.slice(0, -1));
      const [, , list] = readerTools(workspace);
      const { content } = await respond(list!, {});
      const isPlain = shown === `"${name}"`;
      assertStringIncludes(content, `\t${isPlain ? name : shown}`);
    });
  }
});

describe("visibleJson()", () => {
  it("escapes each hidden character, and no other, and is JSON", () => {
    const characters = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point));
    // In a name, other blanks look like spaces, and private letters like anything.
    const isHidden = (character: string) =>
      escapeHidden(character) !== character ||
      /[\p{Zs}\p{Co}]/u.test(character) && character !== " ";
    const hidden = characters.filter(isHidden).join("");
    const json = visibleJson(hidden);
    assertEquals(escapeHidden(json), json);
    assertEquals(JSON.parse(json), hidden);
    const shown = characters.filter((character) => !isHidden(character))
      .join("");
    assertEquals(visibleJson(shown), JSON.stringify(shown));
  });
});
