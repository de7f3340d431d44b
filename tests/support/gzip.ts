/** Compresses a text or bytes with gzip. */
export async function gzip(
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([content]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A gzip file with stored (uncompressed) content, in which a test can forge bytes. */
export function storedGzip(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [
    Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
  ];
  const MOST = 0xffff;
  for (let at = 0; at === 0 || at < content.length; at += MOST) {
    const block = content.subarray(at, at + MOST);
    const head = new DataView(new ArrayBuffer(5));
    head.setUint8(0, at + MOST >= content.length ? 1 : 0);
    head.setUint16(1, block.length, true);
    head.setUint16(3, ~block.length, true);
    parts.push(new Uint8Array(head.buffer), block);
  }
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc32(content), true);
  trailer.setUint32(4, content.length, true);
  return joined([...parts, new Uint8Array(trailer.buffer)]);
}

/** Joins bytes. */
export function joined(
  parts: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
