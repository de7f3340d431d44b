/** Encodes texts in legacy encodings, with tables derived from the decoder. */
import { codecOf } from "../../src/core/encodings/resolve.ts";

/** A text in UTF-16, without a BOM. */
export function utf16Of(text: string, big = false): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    bytes.setUint16(at * 2, text.charCodeAt(at), !big);
  }
  return new Uint8Array(bytes.buffer);
}

/** Encodes a text; throws if the encoding lacks one of its characters. */
export function encodedIn(text: string, label: string): Uint8Array {
  const bytes = codecOf(label)!.encode(text);
  const { decode } = codecOf(label)!;
  if (bytes === undefined || decode(bytes) !== text) {
    throw new Error(`${label} has no bytes for ${JSON.stringify(text)}`);
  }
  return bytes;
}
