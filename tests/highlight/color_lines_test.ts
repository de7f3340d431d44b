import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  colorLines,
  type Highlighter,
  languageOf,
} from "../../highlight/src/color_lines.ts";

/** A highlighter that returns this value. */
function fakeHighlighter(value: string): Highlighter {
  return {
    getLanguage: (name) => /^(ts|makefile)$/.test(name) ? {} : undefined,
    highlight: () => ({ value }),
  };
}

const color = (lines: readonly string[], value: string) =>
  colorLines(lines, "ts", fakeHighlighter(value));

describe("colors", () => {
  it("are those of the highlighter", () => {
    const value = '<span class="hljs-keyword">const</span> a';
    assertEquals(color(["const a"], value), ["\x1b[35mconst\x1b[0m a"]);
  });

  it("end with each line, and start again in the next", () => {
    const value = '<span class="hljs-comment">/* a\nb */</span> c';
    assertEquals(color(["/* a", "b */ c"], value), [
      "\x1b[90m/* a\x1b[0m",
      "\x1b[90mb */\x1b[0m c",
    ]);
  });

  it("continue after a nested color", () => {
    const value =
      '<span class="hljs-string">`a<span class="hljs-subst">${<span class="hljs-number">1</span>}</span>`</span>';
    assertEquals(color(["`a${1}`"], value), [
      "\x1b[32m`a\x1b[32m${\x1b[33m1\x1b[0m\x1b[32m}\x1b[0m\x1b[32m`\x1b[0m",
    ]);
  });

  it("do not change the text", () => {
    const value = "&lt;a&gt; &amp;amp; &quot;&#x27;";
    assertEquals(color(["<a> &amp; \"'"], value), ["<a> &amp; \"'"]);
    for (const wrong of ["ab", "a\nb", "", "a &copy;", "a<b"]) {
      assertEquals(color(["a"], wrong), ["a"]);
    }
  });

  it("are chosen by the extension of a file name, or by the whole name", () => {
    const known = fakeHighlighter("");
    assertEquals(languageOf("src/a.TS", known), "ts");
    assertEquals(languageOf("src/Makefile", known), "makefile");
    assertEquals(languageOf("ts/readme", known), undefined);
    assertEquals(languageOf("a.zzz", known), undefined);
  });
});
