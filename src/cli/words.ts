// Runtime-agnostic.
import { escapeHidden } from "../core/pages/escape.ts";

/** Writes a word so that a shell takes it as it is. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * The same for a person who copies it from a terminal, which shows no hidden
 * character as it is: those are written as their bytes, as `$'\033'`. Every
 * shell that people type in takes that; scripts may be run by one that does not.
 */
export function quoteWordVisibly(word: string): string {
  if (!isHidden(word)) return quoteWord(word);
  const characters = Array.from(
    word,
    (character) =>
      /['\\]/.test(character) || isHidden(character)
        ? bytesOf(character)
        : character,
  );
  return `$'${characters.join("")}'`;
}

/** Whether a terminal would not be sent it, or would not show it. */
function isHidden(text: string): boolean {
  return /[\t\n]/.test(text) || escapeHidden(text) !== text;
}

/** Three digits each, so that none that follows is taken for one of them. */
function bytesOf(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character));
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
