// Runtime-agnostic.
import type { Call } from "../base/call.ts";
import { ReadFileError } from "../base/errors.ts";
import { CHUNK_BYTES, MAX_UNSIZED_BYTES } from "../base/limits.ts";
import type { FileHandle, FileStat } from "../base/port.ts";
import { OpenedFile } from "../guard/open.ts";

/**
 * Gives a file of size 0 its true size: those of `/proc` have content all the
 * same. It is read to its end, into memory, and that is the version shown.
 *
 * @returns The same file, if it is empty.
 */
export async function sizeOf(
  file: OpenedFile,
  call: Call,
): Promise<OpenedFile> {
  // A remote store knows its sizes, and a look would cost a request.
  if (file.stat.size > 0 || file.stat.remote) return file;
  const bytes = await readToEnd(file, call);
  if (bytes.length === 0 || await hasGrown(file)) return file;
  // Such a file changes without a change of its times, so they prove nothing.
  const stat: FileStat = {
    ...file.stat,
    size: bytes.length,
    mtimeMs: null,
    ctimeMs: null,
  };
  const handle: FileHandle = {
    stat: () => stat,
    read(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
    path: () => undefined,
    close: () => file.close(),
  };
  return new OpenedFile(file.path, stat, handle, call);
}

async function readToEnd(file: OpenedFile, call: Call): Promise<Uint8Array> {
  const limit = MAX_UNSIZED_BYTES;
  let bytes = new Uint8Array(4096);
  for (let length = 0;;) {
    if (length === bytes.length) {
      const longer = new Uint8Array(
        Math.min(limit + 1, length + Math.min(length, CHUNK_BYTES)),
      );
      longer.set(bytes);
      bytes = longer;
    }
    await call.breathe();
    const count = await file.read(bytes.subarray(length), length);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
    if (length <= limit) continue;
    const facts = { what: "file", size: length, limit } as const;
    throw new ReadFileError("TOO_LARGE", call.path, facts);
  }
}

/** Whether it is an ordinary file, to which something was written meanwhile: its size says so. */
async function hasGrown(file: OpenedFile): Promise<boolean> {
  try {
    return await file.checkUnchanged() === "larger";
  } catch (error) {
    // Its size is 0 still, and the time alone is another.
    const isTouched = error instanceof ReadFileError && error.is("CHANGED");
    if (isTouched) return false;
    throw error;
  }
}
