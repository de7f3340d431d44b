// The lowest cost of a read: only the system calls.
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
} from "node:fs";
import { Buffer } from "node:buffer";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Resolves the real path, opens the file, reads its stat, reads once into `buffer`, and closes. */
export function readRaw(path: string, buffer: Uint8Array): number {
  const fd = openSync(realpathSync.native(path), "r");
  fstatSync(fd);
  const count = readSync(fd, buffer, 0, buffer.length, 0);
  closeSync(fd);
  return count;
}

/** Flattens a string, since engines join its parts lazily. */
export function flatten(answer: unknown): void {
  for (
    const value of typeof answer === "object" && answer !== null
      ? Object.values(answer)
      : [answer]
  ) {
    if (typeof value === "string") value.charCodeAt(value.length - 1);
  }
}

/** Opens the file, reads its last bytes once into `buffer`, and closes. */
export function readRawEnd(
  path: string,
  size: number,
  buffer: Uint8Array,
): number {
  const fd = openSync(path, "r");
  const { length } = buffer;
  const count = readSync(fd, buffer, 0, length, Math.max(0, size - length));
  closeSync(fd);
  return count;
}

/** Reads and decodes the whole file. */
export function decodeRaw(path: string): string {
  const fd = openSync(path, "r");
  const bytes = Buffer.allocUnsafeSlow(fstatSync(fd).size);
  readSync(fd, bytes, 0, bytes.length, 0);
  closeSync(fd);
  return decoder.decode(bytes);
}
