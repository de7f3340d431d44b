/** A piece of text on a page, or a mark without text. */
export type PageItem =
  | {
    readonly str: string;
    /** Whether a line ends after it. */
    readonly hasEOL: boolean;
  }
  | { readonly str?: never; readonly type: string };

/** Joins the pieces of a page. */
export function joinItems(items: readonly PageItem[]): string {
  let text = "";
  for (const item of items) {
    if (item.str === undefined) continue;
    text += item.str + (item.hasEOL ? "\n" : "");
  }
  return text;
}

/** The lines of a page without blank lines at the beginning and end; each line ends with a line feed. */
export function linesOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines.map((line) => `${line}\n`).join("");
}
