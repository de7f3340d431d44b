// Runtime-agnostic.

/** A piece of text on a page, or a mark between two, which has neither. */
export type PageItem =
  | {
    readonly str: string;
    /** Whether its line ends with it. */
    readonly hasEOL: boolean;
  }
  | { readonly str?: never; readonly type: string };

/** Joins the pieces of a page to lines as they are laid out; each ends with a line feed. */
export function linesOf(items: readonly PageItem[]): string {
  let text = "";
  for (const item of items) {
    if (item.str === undefined) continue;
    text += item.str + (item.hasEOL ? "\n" : "");
  }
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines.map((line) => `${line}\n`).join("");
}
