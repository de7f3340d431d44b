// Runtime-agnostic.

/** A piece of text on a page, or a mark between two pieces, which has no text. */
export type PageItem =
  | {
    readonly str: string;
    /** Whether the line ends after it. */
    readonly hasEOL: boolean;
  }
  | { readonly str?: never; readonly type: string };

/** Joins pieces of a page. */
export function joinItems(items: readonly PageItem[]): string {
  let text = "";
  for (const item of items) {
    if (item.str === undefined) continue;
    text += item.str + (item.hasEOL ? "\n" : "");
  }
  return text;
}

/** The lines of the text of a page, without blank ones before and after; each ends with a line feed. */
export function linesOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines.map((line) => `${line}\n`).join("");
}
