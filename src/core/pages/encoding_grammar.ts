// Runtime-agnostic.
import { nameOf } from "../encodings/labels.ts";
import { type EncodingSign, type FileEncoding, UTF_8 } from "../lines/codec.ts";

/** Writes the encoding of a file, unless it is UTF-8. */
export function writeEncoding(
  { label, why, runnersUp = [] }: FileEncoding,
): string {
  if (why === UTF_8.why) return "";
  const others = ["", ...runnersUp].join(", ").replace(",", "; or");
  return ` Encoding ${label} (${why}${others}).`;
}

/** The encoding that a notice names, or UTF-8; `undefined` for an unknown name. */
export function readEncoding(
  label: string | undefined,
  why: string | undefined,
  others: string | undefined,
): FileEncoding | undefined {
  if (label === undefined) return UTF_8;
  if (nameOf(label) !== label) return undefined;
  return {
    label,
    why: why as EncodingSign,
    ...(others !== undefined && { runnersUp: others.split(", ") }),
  };
}
