// deno-lint-ignore-file no-control-regex -- Signatures are bytes of any value.
import type { FailureOf, FileMedia, ReadFileError } from "../base/errors.ts";
import { dimensionsOf } from "./check_image.ts";
import { SNIFF_BYTES } from "../base/limits.ts";
import type { Source } from "../lines/source.ts";

/** A media type, whose `application/` is left out; its name in messages; and a pattern for the first bytes as Latin-1. */
type Signature = readonly [type: string, name: string, bytes: RegExp];

/** The first match counts, so the more specific of two comes first. */
const SIGNATURES: readonly Signature[] = [
  ["image/png", "a PNG image", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", "a JPEG image", /^\xff\xd8\xff/],
  ["image/gif", "a GIF image", /^GIF8[79]a/],
  ["image/webp", "a WebP image", /^RIFF.{4}WEBPVP8/s],
  ["image/avif", "an AVIF image", /^.{4}ftypavi[fs]/s],
  ["image/heic", "a HEIC image", /^.{4}ftyp(?:hei|mif1)/s],
  // The letters "BM" alone would match text.
  ["image/bmp", "a BMP image", /^BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}/s],
  ["image/tiff", "a TIFF image", /^(?:II\*\0|MM\0\*)/],
  ["image/x-icon", "an icon", /^\0\0\x01\0/],
  [
    "image/svg+xml",
    "an SVG image",
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/,
  ],
  // Readers of PDF skip bytes before the header. A header after ASCII in its line does not count: source code may quote it.
  ["pdf", "a PDF document", /^(?:.{0,1018}[^\t -~])?%PDF-\d/s],
  ["epub+zip", "an EPUB book", /^PK.{36}application\/epub/s],
  [
    "vnd.oasis.opendocument",
    "an OpenDocument file",
    /^PK.{36}application\/vnd\.oasis/s,
  ],
  [
    "vnd.openxmlformats-officedocument",
    "an Office document",
    /^PK\x03\x04.*(?:\[Content_Types\]|_rels\/)/s,
  ],
  ["java-archive", "a Java archive", /^PK\x03\x04.{26}META-INF\//s],
  ["zip", "a ZIP archive", /^PK(?:\x03\x04|\x05\x06)/],
  ["gzip", "gzip data", /^\x1f\x8b\x08/],
  ["x-bzip2", "bzip2 data", /^BZh[1-9]1AY/],
  ["x-xz", "xz data", /^\xfd7zXZ\0/],
  ["zstd", "Zstandard data", /^\x28\xb5\x2f\xfd/],
  ["x-7z-compressed", "a 7z archive", /^7z\xbc\xaf\x27\x1c/],
  ["vnd.rar", "a RAR archive", /^Rar!\x1a\x07/],
  ["x-tar", "a tar archive", /^.{257}ustar/s],
  ["wasm", "a WebAssembly module", /^\0asm/],
  ["x-elf", "an ELF program", /^\x7fELF/],
  ["x-mach-binary", "a Mach-O program", /^[\xce\xcf]\xfa\xed\xfe/],
  ["java-vm", "a Java class", /^\xca\xfe\xba\xbe\0/],
  ["x-msdownload", "a Windows program", /^MZ.{58}.{2}\0\0/s],
  ["vnd.sqlite3", "an SQLite database", /^SQLite format 3\0/],
  ["vnd.apache.parquet", "Parquet data", /^PAR1/],
  ["audio/mpeg", "MP3 audio", /^(?:ID3[\x02-\x04]|\xff[\xfb\xf3\xf2])/],
  ["audio/flac", "FLAC audio", /^fLaC/],
  ["audio/wav", "WAV audio", /^RIFF.{4}WAVE/s],
  ["ogg", "Ogg media", /^OggS\0/],
  ["video/x-msvideo", "AVI video", /^RIFF.{4}AVI /s],
  ["video/quicktime", "QuickTime video", /^.{4}ftypqt /s],
  ["video/mp4", "MP4 media", /^.{4}ftyp/s],
  ["video/webm", "WebM or Matroska media", /^\x1aE\xdf\xa3/],
  ["font/woff", "a WOFF font", /^wOF[F2]/],
  ["font/otf", "an OpenType font", /^(?:OTTO|\0\x01\0\0\0)/],
  ["text/plain;charset=utf-32le", "text in UTF-32LE", /^\xff\xfe\0\0/],
  ["text/plain;charset=utf-32be", "text in UTF-32BE", /^\0\0\xfe\xff/],
  ["text/plain;charset=utf-16le", "text in UTF-16LE", /^\xff\xfe/],
  ["text/plain;charset=utf-16be", "text in UTF-16BE", /^\xfe\xff/],
];

/** How many of the first bytes are compared: a PDF may have its header anywhere in the first 1,024. */
const COMPARED_BYTES = 1088;

/** Finds the type of a file by its first 8 KiB; `null` if no signature matches. */
export function mediaOf(head: Uint8Array): FileMedia | null {
  const text = String.fromCharCode(...head.subarray(0, COMPARED_BYTES));
  const found = SIGNATURES.find(([, , bytes]) => bytes.test(text));
  if (found === undefined) return null;
  const [short, name] = found;
  const type = short.includes("/") ? short : `application/${short}`;
  return { type, name, ...dimensionsOf(type, head) };
}

/** Adds the type of a binary file to its failure, and how to read it. */
export async function explainBinary(
  failure: FailureOf<"BINARY">,
  source: Source,
): Promise<ReadFileError> {
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

export function adviceFor({ type }: FileMedia): string {
  const [, what] = ADVICE.find(([pattern]) => pattern.test(type))!;
  return `use a tool that ${what}`;
}

/** What the tool for a type does. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^image\//, "shows images"],
  [/pdf$/, "reads PDF"],
  [/gzip|bzip2|xz$|zstd/, "decompresses it"],
  [/charset/, "decodes it"],
  [/zip$|java-ar|tar$|7z|rar$/, "unpacks it: unzip, tar, 7z"],
  [/sqlite/, "queries it, such as sqlite3"],
  [/parquet$/, "queries it, such as duckdb"],
  [/wasm$/, "reads WebAssembly, such as wasm-objdump"],
  [/java-vm$/, "reads classes, such as javap"],
  [/x-elf$|binary$|download$/, "reads programs: objdump, strings"],
  [/^font/, "reads fonts, such as fc-scan"],
  [/document$/, "reads office documents"],
  [/^audio|^video|ogg$/, "reads audio or video"],
];
