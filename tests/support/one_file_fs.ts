/** A port with one file with replaceable content, which is cheaper than a new tree for each test. */
import type { FileHandle, FileStat, FsPort } from "../../mod.ts";

/** A workspace `/ws` with a file `a`. */
export interface OneFileFs extends FsPort {
  /** The current content of the file. */
  content: Uint8Array;
  /** The time of its last change; `null` by default, so that the file never counts as at rest. */
  mtimeMs: number | null;
  /** The time of the last change of its metadata; the same as `mtimeMs` if `undefined`. */
  ctimeMs: number | null | undefined;
  /** The identity of the file. */
  id: string;
}

const FOLDER: FileStat = {
  kind: "directory",
  size: 0,
  mtimeMs: null,
  ctimeMs: null,
  id: "folder",
};

/** Makes the port with an empty file. */
export function oneFileFs(): OneFileFs {
  const fs: OneFileFs = {
    content: new Uint8Array(0),
    mtimeMs: null,
    ctimeMs: undefined,
    id: "file",
    realPath: (path) => path,
    lstat: (path) => path === "/ws/a" ? statOf() : FOLDER,
    readLink() {
      throw Object.assign(new Error("no link"), { code: "EINVAL" });
    },
    open: () => handle,
  };
  const statOf = (): FileStat => {
    const { content: { length: size }, mtimeMs, id } = fs;
    const ctimeMs = fs.ctimeMs === undefined ? mtimeMs : fs.ctimeMs;
    return { kind: "file", size, mtimeMs, ctimeMs, id };
  };
  const handle: FileHandle = {
    stat: statOf,
    path: () => "/ws/a",
    close() {},
    read(buffer, position) {
      const end = position + buffer.length;
      const bytes = fs.content.subarray(position, end);
      buffer.set(bytes);
      return bytes.length;
    },
  };
  return fs;
}
