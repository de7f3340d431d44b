// Counts the tokens of a text for recent OpenAI models. It has two MiB, so it loads after the page.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Counts the tokens of a text; special tokens in the text count as ordinary text. */
export function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}
