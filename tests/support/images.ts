/** Images of one color, encoded without a library. */

const ascii = (text: string) =>
  Uint8Array.from(text, (sign) => sign.charCodeAt(0));

/** Joins numbers and arrays of bytes. */
export function bytesOf(
  ...parts: readonly (number | string | Uint8Array)[]
): Uint8Array<ArrayBuffer> {
  const joined: number[] = [];
  for (const part of parts) {
    if (typeof part === "number") joined.push(part);
    else {for (const byte of typeof part === "string" ? ascii(part) : part) {
        joined.push(byte);
      }}
  }
  return Uint8Array.from(joined);
}

/** A number as big-endian bytes. */
export function big(number: number, count: number): Uint8Array {
  return little(number, count).reverse();
}

/** A number as little-endian bytes. */
export function little(number: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    bytes[at] = number % 256;
    number = Math.floor(number / 256);
  }
  return bytes;
}

/** The CRC-32 of PNG and ZIP. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}

function adler32(bytes: Uint8Array): number {
  let [one, two] = [1, 0];
  for (const byte of bytes) {
    one = (one + byte) % 65521;
    two = (two + one) % 65521;
  }
  return two * 65536 + one;
}

/** Bytes in the zlib format, stored without compression. */
function stored(bytes: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 0xffff) {
    const part = bytes.subarray(at, at + 0xffff);
    const last = at + 0xffff >= bytes.length ? 1 : 0;
    const { length } = part;
    blocks.push(
      bytesOf(last, little(length, 2), little(0xffff - length, 2), part),
    );
  }
  return bytesOf(0x78, 1, ...blocks, big(adler32(bytes), 4));
}

function pngChunk(name: string, content: Uint8Array): Uint8Array {
  const body = bytesOf(name, content);
  return bytesOf(big(content.length, 4), body, big(crc32(body), 4));
}

/** A gray PNG; an animated one says how many frames it has. */
export function png(width: number, height: number, frames = 1) {
  // Each row begins with its filter type.
  const rows = new Uint8Array((width + 1) * height)
    .map((_, at) => at % (width + 1) === 0 ? 0 : 0x80);
  return bytesOf(
    "\x89PNG\r\n\x1a\n",
    pngChunk("IHDR", bytesOf(big(width, 4), big(height, 4), 8, 0, 0, 0, 0)),
    frames > 1 ? pngChunk("acTL", bytesOf(big(frames, 4), big(0, 4))) : "",
    pngChunk("IDAT", stored(rows)),
    pngChunk("IEND", new Uint8Array(0)),
  );
}

/** An animated GIF with frames of one pixel. */
export function gif(width: number, height: number, frames = 1) {
  const frame = bytesOf(
    "\x2c",
    little(0, 4),
    little(1, 2),
    little(1, 2),
    0,
    2,
    2,
    0x44,
    1,
    0,
  );
  const pause = bytesOf("\x21\xf9\x04\0\x05\0\0\0");
  return bytesOf(
    "GIF89a",
    ...[little(width, 2), little(height, 2), 0x80, 0, 0],
    ...[255, 255, 255, 0, 0, 0],
    ...Array.from({ length: frames }, () => bytesOf(pause, frame)),
    0x3b,
  );
}

/** A gray baseline JPEG: each block of 8 x 8 pixels takes two bits. */
export function jpeg(width: number, height: number, comment = "") {
  const segment = (marker: number, content: Uint8Array) =>
    bytesOf(0xff, marker, big(content.length + 2, 2), content);
  const table = (kind: number) => bytesOf(kind, 1, new Uint8Array(15), 0);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return bytesOf(
    ...[0xff, 0xd8],
    segment(0xe0, bytesOf("JFIF\0", 1, 1, 0, 0, 1, 0, 1, 0, 0)),
    comment === "" ? "" : segment(0xfe, bytesOf(comment)),
    segment(0xdb, bytesOf(0, new Uint8Array(64).fill(1))),
    segment(0xc0, bytesOf(8, big(height, 2), big(width, 2), 1, 1, 0x11, 0)),
    segment(0xc4, table(0x00)),
    segment(0xc4, table(0x10)),
    segment(0xda, bytesOf(1, 1, 0, 0, 63, 0)),
    new Uint8Array(Math.ceil(blocks / 4)),
    ...[0xff, 0xd9],
  );
}

/** A WebP chunk, padded to an even length. */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const pad = content.length % 2 === 1 ? "\0" : "";
  return bytesOf(name, little(content.length, 4), content, pad);
}

function riff(...chunks: readonly Uint8Array[]) {
  const body = bytesOf("WEBP", ...chunks);
  return bytesOf("RIFF", little(body.length, 4), body);
}

/** A lossless WebP image: each of its five codes has one symbol, so pixels take no bits. */
function lossless(width: number, height: number): Uint8Array {
  const bits: number[] = [];
  const add = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push(value >>> bit & 1);
  };
  add(width - 1, 14);
  add(height - 1, 14);
  // No alpha, version 0; no transform, no color cache, one group of codes.
  add(0, 1 + 3 + 1 + 1 + 1);
  for (let code = 0; code < 5; code++) {
    // A simple code with one symbol of one bit, which is 0.
    add(1, 1);
    add(0, 1 + 1 + 1);
  }
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, at) => bytes[at >>> 3]! |= bit << at % 8);
  return bytesOf(0x2f, bytes);
}

/** A WebP file: lossless, with a lossy header, or animated. */
export function webp(
  width: number,
  height: number,
  kind: "lossless" | "lossy" | number = "lossless",
) {
  const pixels = chunk("VP8L", lossless(width, height));
  if (kind === "lossless") return riff(pixels);
  if (kind === "lossy") {
    const header = bytesOf(
      0x10,
      0,
      0,
      0x9d,
      1,
      0x2a,
      little(width, 2),
      little(height, 2),
      0,
      0,
    );
    return riff(chunk("VP8 ", header));
  }
  const size = [little(width - 1, 3), little(height - 1, 3)];
  const frame = bytesOf(little(0, 6), ...size, little(100, 3), 0, pixels);
  return riff(
    chunk("VP8X", bytesOf(2, 0, 0, 0, ...size)),
    chunk("ANIM", bytesOf(little(0, 4), little(0, 2))),
    ...Array.from({ length: kind }, () => chunk("ANMF", frame)),
  );
}

function box(name: string, ...content: readonly (string | Uint8Array)[]) {
  const body = bytesOf(...content);
  return bytesOf(big(body.length + 8, 4), name, body);
}

/** The boxes of an AVIF with a thumbnail; it has no image data. */
export function avif(width: number, height: number, animated = false) {
  const brand = animated ? "avis" : "avif";
  const size = (width: number, height: number) =>
    box("ispe", big(0, 4), big(width, 4), big(height, 4));
  return bytesOf(
    box("ftyp", brand, big(0, 4), "mif1"),
    box(
      "meta",
      big(0, 4),
      box("iprp", box("ipco", size(1, 1), size(width, height))),
    ),
    box("mdat", new Uint8Array(9)),
  );
}

/** A black BMP with its rows from top to bottom. */
export function bmp(width: number, height: number) {
  const pixels = new Uint8Array(Math.ceil(width * 3 / 4) * 4 * height);
  return bytesOf(
    "BM",
    ...[little(54 + pixels.length, 4), little(0, 4), little(54, 4)],
    ...[little(40, 4), little(width, 4), little(2 ** 32 - height, 4)],
    ...[little(1, 2), little(24, 2), little(0, 4), little(pixels.length, 4)],
    ...[little(2835, 4), little(2835, 4), little(0, 8)],
    pixels,
  );
}
