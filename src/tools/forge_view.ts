// Runtime-agnostic.
import type { Line } from "../core/lines/line.ts";

/** How many lines are put together at a time: a million short strings take their room. */
const LINES_AT_A_TIME = 512;

/**
 * Numbers lines: the number, as wide as that of the `last` one, then `| `, then
 * the line.
 *
 * CR LF shows as LF. The view ends with a newline only if its last line does.
 */
export function numberedView(lines: Iterable<Line>, last: number): string {
  const width = String(last).length;
  let view = "";
  let part: string[] = [];
  for (const { number, text, ending } of lines) {
    const end = ending === "" ? "" : "\n";
    part.push(`${String(number).padStart(width)}| ${text}${end}`);
    if (part.length < LINES_AT_A_TIME) continue;
    view += part.join("");
    part = [];
  }
  return view + part.join("");
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
