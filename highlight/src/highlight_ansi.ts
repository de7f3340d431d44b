import { escapeHidden } from "@agent-tools/read-file";
import highlighter from "highlight.js/lib/common";
import { colorLines, languageOf } from "./color_lines.ts";

/**
 * Colors a text for a terminal. Hidden characters are first shown as escapes such
 * as `\u{1B}`, as by `escapeHidden()`, so that the text cannot control the
 * terminal. Colors change no character.
 *
 * @example Usage
 * ```ts
 * import { highlightAnsi } from "@agent-tools/read-file-highlight";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(highlightAnsi("// \x1b[2J\n", "ts"), "\x1b[90m// \\u{1B}[2J\x1b[0m\n");
 * ```
 *
 * @param text Some or all lines of a file.
 * @param language A name or file extension that highlight.js knows, such as `"ts"` or `"python"`.
 * @throws {TypeError} If the language is unknown.
 */
export function highlightAnsi(text: string, language: string): string {
  for (const [name, value] of Object.entries({ text, language })) {
    if (typeof value === "string") continue;
    throw new TypeError(`Cannot highlight: ${name} must be a string`);
  }
  if (highlighter.getLanguage(language) === undefined) {
    const names = highlighter.listLanguages().join(", ");
    throw new TypeError(
      `Cannot highlight: language must be one of ${names}, or an ending of their files`,
    );
  }
  const lines: string[] = [];
  const endings: string[] = [];
  for (const [line] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const [ending = ""] = /\r?\n$/.exec(line) ?? [];
    lines.push(escapeHidden(line.slice(0, line.length - ending.length)));
    endings.push(ending);
  }
  if (lines.length === 0) return "";
  return colorLines(lines, language, highlighter)
    .map((line, at) => line + endings[at])
    .join("");
}

/**
 * Colors lines of a file for a terminal, by the name of the file. Their hidden
 * characters must be escaped already, as by `escapeHidden()`.
 *
 * @example Usage
 * ```ts
 * import { highlightLines } from "@agent-tools/read-file-highlight";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(highlightLines(["// a"], "src/a.ts"), ["\x1b[90m// a\x1b[0m"]);
 * ```
 *
 * @returns A line for each line; the same lines if the language is unknown.
 */
export function highlightLines(
  lines: readonly string[],
  path: string,
): readonly string[] {
  const language = languageOf(path, highlighter);
  return language === undefined
    ? lines
    : colorLines(lines, language, highlighter);
}
