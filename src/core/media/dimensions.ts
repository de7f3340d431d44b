// Runtime-agnostic.

/** The size of an image in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Reads an unsigned number of `count` bytes, big-endian; bytes past the end are 0. */
export function bigEndian(
  bytes: Uint8Array,
  at: number,
  count: number,
): number {
  let number = 0;
  for (let i = 0; i < count; i++) number = number * 256 + (bytes[at + i] ?? 0);
  return number;
}

export function littleEndian(
  bytes: Uint8Array,
  at: number,
  count: number,
): number {
  let number = 0;
  for (let i = count; i-- > 0;) number = number * 256 + (bytes[at + i] ?? 0);
  return number;
}

/** Four bytes as Latin-1. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

type Measure = (bytes: Uint8Array) => readonly [number, number] | undefined;

const MEASURES: Readonly<Record<string, Measure>> = {
  "image/png": (bytes) =>
    nameAt(bytes, 12) === "IHDR"
      ? [bigEndian(bytes, 16, 4), bigEndian(bytes, 20, 4)]
      : undefined,
  "image/gif": (bytes) => [
    littleEndian(bytes, 6, 2),
    littleEndian(bytes, 8, 2),
  ],
  "image/bmp": (bytes) => {
    if (littleEndian(bytes, 14, 4) === 12) {
      return [littleEndian(bytes, 18, 2), littleEndian(bytes, 20, 2)];
    }
    // A negative height means that the first row is the top one.
    const height = littleEndian(bytes, 22, 4) | 0;
    return [littleEndian(bytes, 18, 4), Math.abs(height)];
  },
  "image/webp": measureWebp,
  "image/jpeg": measureJpeg,
  "image/avif": (bytes) => measureAvif(bytes, 0, bytes.length),
};

/** Reads the size of an image from its header; empty if these bytes do not hold it. */
export function dimensionsOf(
  type: string,
  bytes: Uint8Array,
): Dimensions | Record<never, never> {
  const [width, height] = MEASURES[type]?.(bytes) ?? [0, 0];
  return width > 0 && height > 0 ? { width, height } : {};
}

function measureWebp(bytes: Uint8Array) {
  const kind = nameAt(bytes, 12);
  if (kind === "VP8X") {
    return [
      littleEndian(bytes, 24, 3) + 1,
      littleEndian(bytes, 27, 3) + 1,
    ] as const;
  }
  if (kind === "VP8L" && bytes[20] === 0x2f) {
    const bits = littleEndian(bytes, 21, 4);
    return [(bits & 0x3fff) + 1, (bits >>> 14 & 0x3fff) + 1] as const;
  }
  if (bigEndian(bytes, 23, 3) !== 0x9d012a) return undefined;
  const size = (at: number) => littleEndian(bytes, at, 2) & 0x3fff;
  return [size(26), size(28)] as const;
}

/** Whether a marker begins a frame: `SOF0` to `SOF15`, without the markers of tables between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf &&
    marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Reads the segments of a JPEG up to the one with its size. */
function measureJpeg(bytes: Uint8Array) {
  for (let at = 2; at < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrame(marker)) {
      return [
        bigEndian(bytes, at + 7, 2),
        bigEndian(bytes, at + 5, 2),
      ] as const;
    }
    // A scan before a frame: there is no size.
    if (marker === 0xda) return undefined;
    at += 2 + bigEndian(bytes, at + 2, 2);
  }
  return undefined;
}

/** The boxes that contain the sizes of the items of an AVIF, and how many bytes come before the content of each. */
const WAY_TO_SIZES: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
};

/** The deepest nesting of boxes: the box of a size is the third. */
const MAX_BOXES = 8;

/** The largest size of an item, which is the image; the others are parts or thumbnails. */
function measureAvif(
  bytes: Uint8Array,
  from: number,
  to: number,
  depth = 0,
): readonly [number, number] | undefined {
  let largest: readonly [number, number] | undefined;
  for (let at = from; at + 8 <= to;) {
    const length = bigEndian(bytes, at, 4);
    const name = nameAt(bytes, at + 4);
    if (length < 8) break;
    const skipped = WAY_TO_SIZES[name];
    const end = Math.min(to, at + length);
    const found = name === "ispe"
      ? [bigEndian(bytes, at + 12, 4), bigEndian(bytes, at + 16, 4)] as const
      : skipped === undefined || depth === MAX_BOXES
      ? undefined
      : measureAvif(bytes, at + 8 + skipped, end, depth + 1);
    const area = largest === undefined ? 0 : largest[0] * largest[1];
    if (found !== undefined && found[0] * found[1] > area) largest = found;
    at += length;
  }
  return largest;
}
