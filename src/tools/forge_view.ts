// Runtime-agnostic.
import type { Line } from "../core/lines/line.ts";

/**
 * Numbers lines: the number, as wide as the last one, then `| `, then the line.
 *
 * CR LF shows as LF. The view ends with a newline only if its last line does.
 */
export function numberedView(lines: readonly Line[]): string {
  const width = String(lines.at(-1)?.number ?? "").length;
  let view = "";
  for (const { number, text, ending } of lines) {
    const end = ending === "" ? "" : "\n";
    view += `${String(number).padStart(width)}| ${text}${end}`;
  }
  return view;
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
