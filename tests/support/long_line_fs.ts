/** A port with one file of one long line, whose bytes are made when they are read. */
import type { FileStat, FsPort } from "../../mod.ts";

/** Digits: the byte at `position` is `position % 10`. */
const DIGITS = new TextEncoder().encode("0123456789".repeat(40_000));

/** A workspace `/ws` with a file `a` of one line of `length` digits. */
export function longLineFs(length: number): FsPort {
  const facts = { mtimeMs: 1, ctimeMs: 1 };
  const folder: FileStat = { ...facts, kind: "directory", size: 0, id: "1" };
  const file: FileStat = { ...facts, kind: "file", size: length + 1, id: "2" };
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
        const most = DIGITS.length - 10;
        const wanted = Math.min(buffer.length, length - position, most);
        if (wanted <= 0) {
          if (position === length) buffer[0] = 0x0a;
          return position === length ? 1 : 0;
        }
        const from = position % 10;
        buffer.set(DIGITS.subarray(from, from + wanted));
        return wanted;
      },
    }),
  };
}
