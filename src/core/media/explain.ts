// Runtime-agnostic.
import type { FileMedia, ReadFileError } from "../base/errors.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { Source } from "../lines/source.ts";
import { mediaOf } from "./signatures.ts";

/** Adds the type of a binary file to its failure, and how to read it. */
export async function explainBinary(
  failure: ReadFileError,
  source: Source,
): Promise<ReadFileError> {
  if (!failure.is("BINARY")) return failure;
  const end = Math.min(SNIFF_BYTES, source.size);
  const media = mediaOf(await source.piece(0, end));
  if (media === null) return failure;
  const details = { ...failure.details, media };
  const hint = `it is ${tellMedia(media)}; ${adviceFor(media)}`;
  return failure.with({ details, hint });
}

/** The type of a file in words, with the size of an image. */
export function tellMedia({ name, width, height }: FileMedia): string {
  return width === undefined ? name : `${name} of ${width} x ${height} pixels`;
}

/** How to read a file of this type. */
export function adviceFor({ type }: FileMedia): string {
  const [, advice = "use a tool that gives bytes"] =
    ADVICE.find(([pattern]) => pattern.test(type)) ?? [];
  return advice;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^image\//, "use a tool that shows images"],
  [/pdf$/, "use a tool that reads PDF"],
  [/gzip|bzip2|xz$|zstd/, "use a tool that decompresses it"],
  [/charset/, "use a tool that decodes it"],
];
