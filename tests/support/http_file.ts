/** A file on a server in memory, and its bytes. */
import type { FileHandle, FsPort } from "../../mod.ts";
import { type HttpStore, storeOf } from "./http_store.ts";

/** Bytes that differ at neighboring positions. */
export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = at * 31 + (at >> 8);
  return bytes;
}

/** A server of one file with these bytes, and the file opened. */
export async function opened(
  content: Uint8Array | string,
): Promise<{ readonly store: HttpStore; readonly handle: FileHandle }> {
  const { store, fs } = storeOf({ content, etag: '"v1"' });
  const handle = await fs.open("/a.txt");
  store.requests.length = 0;
  return { store, handle };
}

/** Reads once; may return fewer bytes than requested. */
export async function read(
  handle: FileHandle,
  length: number,
  position: number,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  return buffer.subarray(0, await handle.read(buffer, position));
}

/** The text of a file, read in small parts. */
export async function readThrough(fs: FsPort, path: string): Promise<string> {
  const handle = await fs.open(path);
  const { size } = await handle.stat();
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size;) {
    at += await handle.read(bytes.subarray(at, at + 32 * 1024), at);
  }
  await handle.close();
  return new TextDecoder().decode(bytes);
}
