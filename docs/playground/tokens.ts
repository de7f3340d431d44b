// The tokens of a text for recent models of OpenAI; two MiB, so it is loaded after the page.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Counts the tokens of a text; what looks like a special token is text. */
export function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}
