// Runtime-agnostic.
import { keepLabels, numberLines } from "./numbered.ts";

const labelOf = /* @__PURE__ */ keepLabels((number) => `${number}| `);

/**
 * Numbers lines: the number, as wide as that of the `last` one, then `| `, then
 * the line.
 *
 * CR LF shows as LF. The view ends with a newline only if its last line does.
 */
export function numberedView(
  text: string,
  first: number,
  last: number,
): string {
  const { length } = labelOf(last);
  const view = numberLines(
    text,
    first,
    (number, line) => labelOf(number).padStart(length) + line,
  );
  return text.endsWith("\n") ? `${view}\n` : view;
}

/** A multiple of three, so that no part but the last is padded; small enough for one call. */
const PART_BYTES = 12_288;

/** Writes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let base64 = "";
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const part = bytes.subarray(from, from + PART_BYTES);
    base64 += btoa(String.fromCharCode(...part));
  }
  return base64;
}
