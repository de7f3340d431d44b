import type { Call } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import { MAX_UNSIZED_BYTES } from "../base/limits.ts";
import type { FileHandle } from "../base/port.ts";
import { OpenedFile } from "../guard/open.ts";
import { joinBytes } from "./text.ts";

/** How many bytes are read at a time: `/proc` gives 4096. */
const PART_BYTES = 16 * 1024;

/** Reads a file of size 0 into memory, since files in `/proc` have content; returns the same file if it is empty, or if it is an ordinary file that has just been written. */
export async function loadAll(
  file: OpenedFile,
  call: Call,
): Promise<OpenedFile> {
  const bytes = await readToEnd(file, call);
  if (bytes.length === 0) return file;
  // A file in `/proc` changes without a change of its times. An ordinary one that was
  // emptied, written, and emptied again has others: the bytes may be of two versions.
  const how = await file.checkUnchanged();
  if (how === "larger") return file;
  if (how === "touched") throw file.changed("rewritten");
  const { length: size } = bytes;
  const stat = { ...file.stat, size, mtimeMs: null, ctimeMs: null };
  const handle: FileHandle = {
    stat: () => stat,
    read: readerOf(bytes),
    path: () => undefined,
    close: () => file.close(),
  };
  return new OpenedFile(file.path, stat, handle, call);
}

/** Makes the `read` of a file whose bytes are in memory. */
export function readerOf(bytes: Uint8Array) {
  return (buffer: Uint8Array, position: number): number => {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  };
}

async function readToEnd(file: OpenedFile, call: Call): Promise<Uint8Array> {
  const limit = MAX_UNSIZED_BYTES;
  const parts: Uint8Array[] = [];
  for (let length = 0; length <= limit;) {
    await call.yieldIfDue();
    const part = new Uint8Array(PART_BYTES);
    const count = await file.read(part, length);
    if (count === 0) return joinBytes(parts);
    parts.push(part.slice(0, count));
    length += count;
  }
  const facts = { what: "file", size: limit + 1, limit } as const;
  throw new ReadFileError("TOO_LARGE", call.path, facts);
}
