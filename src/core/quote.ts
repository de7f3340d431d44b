// Runtime-agnostic.

const MAX_QUOTED_LENGTH = 256;

/** Quotes untrusted text so that it cannot pass for more than itself. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH;
  return JSON.stringify(cut ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);
}

/** Quotes files that may have been meant. */
export function quoteAny(names: readonly string[]): string {
  return inRow(names.map(quote), " or ");
}

/** Quotes what a directory holds. */
export function quoteEntries(names: readonly string[], more: boolean): string {
  return inRow([...names.map(quote), ...more ? ["more"] : []], " and ");
}

function inRow(parts: readonly string[], last: string): string {
  return [...parts.slice(0, -2), parts.slice(-2).join(last)].join(", ");
}
