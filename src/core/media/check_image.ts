// Runtime-agnostic.
import { bigEndian, littleEndian, nameAt } from "./dimensions.ts";

/** The facts of an image by its structure, or the `problem` of it. */
export type ImageStructure =
  | { readonly frames: number | null }
  | { readonly problem: string };

const TRUNCATED: ImageStructure = { problem: "it ends before its pixels do" };
const ONE: ImageStructure = { frames: 1 };

/** The media types of images that can be read. */
export type ImageType =
  | "image/png"
  | "image/jpeg"
  | "image/gif"
  | "image/webp"
  | "image/avif"
  | "image/bmp";

const CHECKS: Readonly<
  Record<ImageType, (bytes: Uint8Array) => ImageStructure>
> = {
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/gif": checkGif,
  "image/webp": checkWebp,
  "image/avif": checkAvif,
  "image/bmp": checkBmp,
};

/** Whether images of a media type can be read. */
export function isImageType(type: string | undefined): type is ImageType {
  return type !== undefined && Object.hasOwn(CHECKS, type);
}

/** Checks the structure of an image, from its first byte to its last. */
export function checkImage(type: ImageType, bytes: Uint8Array): ImageStructure {
  return CHECKS[type](bytes);
}

/** Checks the chunks of a PNG, among them pixels and an end. */
function checkPng(bytes: Uint8Array): ImageStructure {
  let frames = 1;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bigEndian(bytes, at, 4);
    const name = nameAt(bytes, at + 4);
    if (name === "IDAT" && length > 0) hasPixels = true;
    if (name === "acTL") frames = Math.max(1, bigEndian(bytes, at + 8, 4));
    at += 12 + length;
    if (name === "IEND" && at <= bytes.length) {
      return hasPixels ? { frames } : { problem: "it has no pixels" };
    }
  }
  return TRUNCATED;
}

/** Checks the segments of a JPEG up to its pixels, and the end marker after them. */
function checkJpeg(bytes: Uint8Array): ImageStructure {
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    const length = marker === 0xff ? -1 : bigEndian(bytes, at + 2, 2);
    at += 2 + length;
    if (marker !== 0xda) continue;
    for (let end = bytes.length - 1; end > at; end--) {
      end = bytes.lastIndexOf(0xd9, end);
      if (end <= at) break;
      if (bytes[end - 1] === 0xff) return ONE;
    }
    break;
  }
  return TRUNCATED;
}

/** Checks the blocks of a GIF up to its trailer, and counts the images: without a trailer, later ones may be missing. */
function checkGif(bytes: Uint8Array): ImageStructure {
  let at = 13 + colorsAt(bytes, 10);
  let frames = 0;
  while (at < bytes.length && bytes[at] !== 0x3b) {
    if (bytes[at] === 0x2c) {
      frames++;
      at += 11 + colorsAt(bytes, at + 9);
    } else if (bytes[at] === 0x21) at += 2;
    else return { problem: `it holds no block at byte ${at}` };
    while (bytes[at]) at += 1 + bytes[at]!;
    at++;
  }
  if (at > bytes.length || frames === 0) return TRUNCATED;
  return at < bytes.length ? { frames } : { problem: "it has no trailer" };
}

/** How many bytes the color table takes, if the flags at `at` announce one. */
function colorsAt(bytes: Uint8Array, at: number): number {
  const flags = bytes[at] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Checks the chunks of a WebP, and its declared length. */
function checkWebp(bytes: Uint8Array): ImageStructure {
  const end = 8 + littleEndian(bytes, 4, 4);
  if (end > bytes.length) return TRUNCATED;
  let frames = 0;
  let hasPixels = false;
  for (let at = 12; at + 8 <= end;) {
    const name = nameAt(bytes, at);
    if (name === "ANMF") frames++;
    if (name === "VP8 " || name === "VP8L") hasPixels = true;
    const length = littleEndian(bytes, at + 4, 4);
    at += 8 + length + length % 2;
    if (at > end + 1) return TRUNCATED;
  }
  if (frames > 0) return { frames };
  return hasPixels ? ONE : { problem: "it has no pixels" };
}

/** Checks the outer boxes of an AVIF. */
function checkAvif(bytes: Uint8Array): ImageStructure {
  const names = new Set<string>();
  for (let at = 0; at < bytes.length;) {
    const length = bigEndian(bytes, at, 4);
    names.add(nameAt(bytes, at + 4));
    // A box of length 0 goes to the end of the file; a box of length 1 has a longer length field.
    const whole = length === 0
      ? bytes.length - at
      : length === 1
      ? bigEndian(bytes, at + 8, 8)
      : length;
    if (whole < 8 || at + whole > bytes.length) return TRUNCATED;
    at += whole;
  }
  if (!names.has("mdat")) return { problem: "it has no pixels" };
  return nameAt(bytes, 8) === "avis" ? { frames: null } : ONE;
}

/** Checks the declared size of a BMP, and its rows unless they are compressed. */
function checkBmp(bytes: Uint8Array): ImageStructure {
  const number = (at: number, count = 4) => littleEndian(bytes, at, count);
  const [declared, start, header] = [number(2), number(10), number(14)];
  const isPlain = header >= 40 && number(30) === 0;
  const row = Math.ceil(number(18) * number(28, 2) / 32) * 4;
  const end = isPlain ? start + row * Math.abs(number(22) | 0) : start + 1;
  return Math.max(declared, end) > bytes.length ? TRUNCATED : ONE;
}
