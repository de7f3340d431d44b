// Runtime-agnostic.
import { EACH_HIDDEN } from "../core/pages/hidden_rules.ts";
import type { PageOptions } from "../core/pages/options.ts";
import type { Page } from "../core/pages/page.ts";
import { toBase64 } from "../tools/forge_view.ts";
import type { BlockPart } from "./block.ts";
import type { Part } from "./target.ts";

/** Which page a part of a file is; a block is a part only once it is found. */
export function pageOptionsOf(
  part: Exclude<Part, BlockPart>,
  column: number,
): PageOptions {
  const from = column === 1 ? {} : { column };
  switch (part.kind) {
    case "all":
      return from;
    case "lines": {
      const { start, end } = part;
      return { start, ...from, ...(end === undefined ? {} : { end }) };
    }
    case "head":
      return { ...from, end: part.count };
    case "tail":
      return { tail: part.count };
    case "around": {
      const { line: around, margin } = part;
      return { around, before: margin, after: margin };
    }
  }
}

/**
 * Writes a page as one line of JSON. Its texts and endings are its bytes; where
 * they are not, the bytes stand beside them, so that nothing is lost. What a
 * reader would not see is written as an escape, which says the same in JSON.
 */
export function pageJson(page: Page): string {
  const base64 = page.exact ? null : toBase64(page.bytes());
  const json = JSON.stringify({ ...page, base64 });
  return `${json.replace(EACH_HIDDEN, escapeInJson)}\n`;
}

/** Writes a character as JSON's escapes, one for each half of a pair. */
function escapeInJson(character: string): string {
  let escapes = "";
  for (let index = 0; index < character.length; index++) {
    const code = character.charCodeAt(index).toString(16).padStart(4, "0");
    escapes += `\\u${code}`;
  }
  return escapes;
}
