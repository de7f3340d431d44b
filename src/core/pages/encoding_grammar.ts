// Runtime-agnostic.
import { nameOf } from "../encodings/labels.ts";
import { type EncodingSign, type FileEncoding, UTF_8 } from "../lines/codec.ts";

/** Writes which encoding a file is in, unless it is UTF-8 as most are. */
export function writeEncoding(
  { label, why, runnersUp = [] }: FileEncoding,
): string {
  if (why === UTF_8.why) return "";
  const others = ["", ...runnersUp].join(", ").replace(",", "; or");
  return ` Encoding ${label} (${why}${others}).`;
}

/** The encoding that a notice names, or UTF-8; `undefined` if there is none of that name. */
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
