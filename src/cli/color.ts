// Deno and Bun: their specifiers of npm packages differ.
import type { Highlighter } from "../core/color.ts";

const PACKAGE = "highlight.js";
const VERSION = "11.12.0";
const ENTRY = "lib/common";

/** Loads the highlighter. The specifier is computed, so that it is not a dependency of the library. */
export async function loadHighlighter(): Promise<Highlighter> {
  const address = "Deno" in globalThis
    ? `npm:${PACKAGE}@${VERSION}/${ENTRY}`
    : `${PACKAGE}/${ENTRY}`;
  const loaded = await import(address) as { readonly default: Highlighter };
  return loaded.default;
}
