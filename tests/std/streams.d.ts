// Types of the used part of @std/streams.

export class ByteSliceStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(start?: number, end?: number);
}

export class TextLineStream extends TransformStream<string, string> {
  constructor(options?: { allowCR?: boolean });
}

export function toArrayBuffer(
  stream: ReadableStream<Uint8Array>,
): Promise<ArrayBuffer>;
export function toBytes(
  stream: ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>>;
export function toText(
  stream: ReadableStream<string | Uint8Array>,
): Promise<string>;
