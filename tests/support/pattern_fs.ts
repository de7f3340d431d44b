/** A port with one file of any size, made of repeated bytes. */
import type { FileStat, FsPort } from "../../mod.ts";

/** The content of the file. */
export interface Pattern {
  /** The bytes that are repeated. */
  readonly block: Uint8Array;
  /** How often they are repeated. */
  readonly times: number;
  /** The times of the file; a time long ago by default. */
  readonly facts?: Partial<FileStat>;
}

/** A workspace `/ws` with a file `a`. */
export function patternFs({ block, times, facts }: Pattern): FsPort {
  const size = block.length * times;
  const old = { size: 0, mtimeMs: 1, ctimeMs: 1 };
  const folder: FileStat = { ...old, kind: "directory", id: "1" };
  const file: FileStat = { ...old, kind: "file", id: "2", size, ...facts };
  return {
    realPath: (path) => path,
    lstat: (path) => path === "/ws/a" ? file : folder,
    readLink() {
      throw Object.assign(new Error("no link"), { code: "EINVAL" });
    },
    open: (path) => ({
      stat: () => file,
      path: () => path,
      close() {},
      read(buffer, position) {
        const end = Math.min(size, position + buffer.length);
        for (let at = position; at < end;) {
          const from = at % block.length;
          const some = block.subarray(from, from + end - at);
          buffer.set(some, at - position);
          at += some.length;
        }
        return Math.max(0, end - position);
      },
    }),
  };
}

/** Makes lines of these lengths, their endings included. */
export function linesOfLengths(lengths: readonly number[]): Uint8Array {
  const lines = lengths.map((length) => `${"x".repeat(length - 1)}\n`);
  return new TextEncoder().encode(lines.join(""));
}
