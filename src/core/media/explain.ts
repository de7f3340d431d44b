// Runtime-agnostic.
import type { FileMedia, ReadFileError } from "../base/errors.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { Source } from "../lines/source.ts";
import { mediaOf } from "./signatures.ts";

/** Says of a binary file what it is, and what reads it. */
export async function explainBinary(
  failure: ReadFileError<"BINARY">,
  source: Source,
): Promise<ReadFileError> {
  const end = Math.min(SNIFF_BYTES, source.size);
  const media = mediaOf(await source.piece(0, end));
  if (media === null) return failure;
  const details = { ...failure.details, media };
  const hint = `it is ${tellMedia(media)}; ${adviceFor(media)}`;
  return failure.with({ details, hint });
}

/** What it is in words, with the size of an image. */
export function tellMedia({ name, width, height }: FileMedia): string {
  return width === undefined ? name : `${name} of ${width} x ${height} pixels`;
}

/** What reads it. */
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
  [/zip$|java-archive/, "use a tool that unpacks it, such as unzip"],
  [/x-tar$/, "use a tool that unpacks it, such as tar"],
  [/7z|rar$/, "use a tool that unpacks it, such as 7z"],
  [/sqlite/, "use a tool that queries it, such as sqlite3"],
  [/parquet/, "use a tool that queries it, such as duckdb"],
  [/document$/, "use a tool that reads office documents"],
  [/^audio|^video|ogg$/, "use a tool that reads audio or video"],
];
