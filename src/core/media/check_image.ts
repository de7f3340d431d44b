import type { FileMedia } from "../base/errors.ts";

/** How many images a file holds, `null` if unknown; or the problem of its structure. */
type Frames = number | null | string;

const TRUNCATED = "it ends before its pixels do";
const NO_PIXELS = "it has no pixels";

/** The media types of images that can be read. */
type ImageType = keyof typeof CHECKS;

const CHECKS = {
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/gif": checkGif,
  "image/webp": checkWebp,
  "image/avif": checkAvif,
  "image/bmp": checkBmp,
} satisfies Readonly<Record<string, (bytes: Uint8Array) => Frames>>;

export function isImageType(type: string | undefined): type is ImageType {
  return type !== undefined && Object.hasOwn(CHECKS, type);
}

/** Checks the structure of an image, from its first byte to its last. */
export function checkImage(type: ImageType, bytes: Uint8Array): Frames {
  return CHECKS[type](bytes);
}

/** Checks the chunks of a PNG, among them pixels and an end. */
function checkPng(bytes: Uint8Array): Frames {
  let frames = 1;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bigEndian(bytes, at, 4);
    const name = nameAt(bytes, at + 4);
    if (name === "IDAT" && length > 0) hasPixels = true;
    if (name === "acTL") frames = Math.max(1, bigEndian(bytes, at + 8, 4));
    at += 12 + length;
    if (name === "IEND" && at <= bytes.length) {
      return hasPixels ? frames : NO_PIXELS;
    }
  }
  return TRUNCATED;
}

/** Checks the segments of a JPEG up to its pixels, and the end marker after them. */
function checkJpeg(bytes: Uint8Array): Frames {
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    at += segmentLength(bytes, at);
    if (marker !== START_OF_SCAN) continue;
    // The end marker is FF D9; other bytes may follow it.
    let end = bytes.lastIndexOf(0xd9);
    while (end > at && bytes[end - 1] !== 0xff) {
      end = bytes.lastIndexOf(0xd9, end - 1);
    }
    return end > at ? 1 : TRUNCATED;
  }
  return TRUNCATED;
}

const START_OF_SCAN = 0xda;

/** The length of a segment of a JPEG with its marker; 1 for a byte that only pads. */
function segmentLength(bytes: Uint8Array, at: number): number {
  return bytes[at + 1] === 0xff ? 1 : 2 + bigEndian(bytes, at + 2, 2);
}

/** Checks the blocks of a GIF up to its trailer, and counts the images: without a trailer, later ones may be missing. */
function checkGif(bytes: Uint8Array): Frames {
  let at = 13 + colorsAt(bytes, 10);
  let frames = 0;
  while (at < bytes.length && bytes[at] !== TRAILER) {
    if (bytes[at] === IMAGE) {
      frames++;
      at += 11 + colorsAt(bytes, at + 9);
    } else if (bytes[at] === EXTENSION) at += 2;
    else return `it holds no block at byte ${at}`;
    while (bytes[at]) at += 1 + bytes[at]!;
    at++;
  }
  if (at > bytes.length || frames === 0) return TRUNCATED;
  return at < bytes.length ? frames : "it has no trailer";
}

/** The first bytes of the blocks of a GIF. */
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;

/** How many bytes the color table takes, if the flags at `at` announce one. */
function colorsAt(bytes: Uint8Array, at: number): number {
  const flags = bytes[at] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Checks the chunks of a WebP, and its declared length. */
function checkWebp(bytes: Uint8Array): Frames {
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
  if (frames > 0) return frames;
  return hasPixels ? 1 : NO_PIXELS;
}

function checkAvif(bytes: Uint8Array): Frames {
  const names = new Set<string>();
  for (let at = 0; at < bytes.length;) {
    names.add(nameAt(bytes, at + 4));
    let length = bigEndian(bytes, at, 4);
    // A length of 0 means up to the end of the file; 1 means that a longer field has it.
    if (length === 0) length = bytes.length - at;
    else if (length === 1) length = bigEndian(bytes, at + 8, 8);
    if (length < 8 || at + length > bytes.length) return TRUNCATED;
    at += length;
  }
  if (!names.has("mdat")) return NO_PIXELS;
  return nameAt(bytes, 8) === "avis" ? null : 1;
}

/** Checks the declared size of a BMP, and its rows unless they are compressed. */
function checkBmp(bytes: Uint8Array): Frames {
  const number = (at: number, count = 4) => littleEndian(bytes, at, count);
  const declared = number(2);
  const start = number(10);
  const isPlain = number(14) >= 40 && number(30) === 0;
  const row = Math.ceil(number(18) * number(28, 2) / 32) * 4;
  const pixels = isPlain ? row * Math.abs(number(22) | 0) : 1;
  const end = start + pixels;
  return Math.max(declared, end) > bytes.length ? TRUNCATED : 1;
}

/** Reads an unsigned number of `count` bytes, big-endian; bytes past the end are 0. */
function bigEndian(bytes: Uint8Array, at: number, count: number): number {
  let number = 0;
  for (let i = 0; i < count; i++) number = number * 256 + (bytes[at + i] ?? 0);
  return number;
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  const reversed = bytes.slice(at, at + count).reverse();
  return bigEndian(reversed, 0, reversed.length);
}

/** Four bytes as Latin-1. */
function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** The width and the height. */
type Dimensions = readonly [number, number];

type ReadDimensions = (bytes: Uint8Array) => Dimensions | undefined;

const MEASURES: Readonly<Record<string, ReadDimensions>> = {
  "image/png": (bytes) =>
    nameAt(bytes, 12) === "IHDR" ? sizeAt(bytes, 16, 4, bigEndian) : undefined,
  "image/gif": (bytes) => sizeAt(bytes, 6, 2),
  "image/bmp": (bytes) => {
    if (littleEndian(bytes, 14, 4) === 12) return sizeAt(bytes, 18, 2);
    const [width, height] = sizeAt(bytes, 18, 4);
    // A negative height means that the first row is the top one.
    return [width, Math.abs(height | 0)];
  },
  "image/webp": measureWebp,
  "image/jpeg": measureJpeg,
  "image/avif": (bytes) => measureAvif(bytes, 0, bytes.length),
};

/** Reads two adjacent numbers of `count` bytes. */
function sizeAt(
  bytes: Uint8Array,
  at: number,
  count: number,
  read = littleEndian,
): Dimensions {
  return [read(bytes, at, count), read(bytes, at + count, count)];
}

/** Reads the size of an image from its header; empty if these bytes do not hold it. */
export function dimensionsOf(
  type: string,
  bytes: Uint8Array,
): Pick<FileMedia, "width" | "height"> {
  const [width, height] = MEASURES[type]?.(bytes) ?? [0, 0];
  return width > 0 && height > 0 ? { width, height } : {};
}

function measureWebp(bytes: Uint8Array): Dimensions | undefined {
  const kind = nameAt(bytes, 12);
  if (kind === "VP8X") {
    const [width, height] = sizeAt(bytes, 24, 3);
    return [width + 1, height + 1];
  }
  if (kind === "VP8L" && bytes[20] === 0x2f) {
    const bits = littleEndian(bytes, 21, 4);
    return [(bits & 0x3fff) + 1, (bits >>> 14 & 0x3fff) + 1];
  }
  if (bigEndian(bytes, 23, 3) !== 0x9d012a) return undefined;
  const size = (at: number) => littleEndian(bytes, at, 2) & 0x3fff;
  return [size(26), size(28)];
}

/** The markers `SOF0` to `SOF15`, which begin a frame, without the markers of tables between them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads the segments of a JPEG up to the one with its size. */
function measureJpeg(bytes: Uint8Array): Dimensions | undefined {
  for (let at = 2; bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (isFrame(marker)) {
      const [height, width] = sizeAt(bytes, at + 5, 2, bigEndian);
      return [width, height];
    }
    // A scan before a frame: the size is unknown.
    if (marker === START_OF_SCAN) return undefined;
    at += segmentLength(bytes, at);
  }
  return undefined;
}

/** The way through the boxes of an AVIF to the sizes of its items. */
const WAY = ["meta", "iprp", "ipco", "ispe"];

/** The largest size of an item, which is the image; the others are parts or thumbnails. */
function measureAvif(bytes: Uint8Array, from: number, to: number, depth = 0) {
  const name = WAY[depth];
  let largest: Dimensions = [0, 0];
  for (let at = from; at + 8 <= to;) {
    const length = bigEndian(bytes, at, 4);
    if (length < 8) break;
    const end = Math.min(to, at + length);
    if (nameAt(bytes, at + 4) === name) {
      // Of these boxes, only "meta" has a version before its content.
      const inner = at + (name === "meta" ? 12 : 8);
      const size: Dimensions = name === "ispe"
        ? sizeAt(bytes, at + 12, 4, bigEndian)
        : measureAvif(bytes, inner, end, depth + 1);
      if (size[0] * size[1] > largest[0] * largest[1]) largest = size;
    }
    at += length;
  }
  return largest;
}
