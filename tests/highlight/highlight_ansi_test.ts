import { highlightAnsi } from "@agent-tools/read-file-highlight";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { escapeHidden } from "../../mod.ts";
import { Random, SEED } from "../support/random.ts";

// deno-lint-ignore no-control-regex -- colors begin with an escape character
const COLORS = /\x1b\[\d+m/g;

describe("highlightAnsi()", () => {
  it("colors each line separately, and keeps line endings", () => {
    const text = "const a = 1;\r\n/* b\nc */";
    const colored = highlightAnsi(text, "ts");
    assert(colored.startsWith("\x1b[35mconst\x1b[0m "));
    assertEquals(colored.replace(COLORS, ""), text);
    assertEquals(colored.split("\n").at(-1), "\x1b[90mc */\x1b[0m");
  });

  it("changes only hidden characters, in any text", () => {
    const random = new Random(SEED);
    const pieces = [
      "const ",
      "'",
      "\n",
      "\r\n",
      "/*",
      "<b>",
      "&amp;",
      "\x1b[2J",
      "\u202e",
      "é",
      "\\u{1B}",
      "}",
    ];
    for (let round = 0; round < 300; round++) {
      let text = "";
      while (random.below(9) > 0) text += random.pick(pieces);
      const language = random.pick(["ts", "python", "html", "json", "c"]);
      const colored = highlightAnsi(text, language);
      const plain = text.split(/(\r?\n)/)
        .map((part) => /\n$/.test(part) ? part : escapeHidden(part)).join("");
      assertEquals(colored.replace(COLORS, ""), plain);
    }
  });

  it("refuses an unknown language, and a value that is not a string", () => {
    assertThrows(
      () => highlightAnsi("a", "zzz"),
      TypeError,
      "language must be",
    );
    assertThrows(() => highlightAnsi(7 as never, "ts"), TypeError, "text must");
    assertThrows(() => highlightAnsi("a", 7 as never), TypeError, "language");
  });
});
