/** A port with one file of any size, whose bytes are made when they are read. */
import type { FileStat, FsPort } from "../../mod.ts";

/** The length of every line of the file, with its ending. */
export const ENDLESS_LINE_BYTES = 16;

/** Line `number` of the file: its number, and a line feed. */
export function endlessLine(number: number): string {
  return `${String(number).padStart(ENDLESS_LINE_BYTES - 1, "0")}\n`;
}

/** A workspace `/ws` with a file `big.txt` of `lines` lines. */
export function endlessFs(lines: number): FsPort {
  const facts = { mtimeMs: 0, ctimeMs: 0 };
  const folder: FileStat = { ...facts, kind: "directory", size: 0, id: "1" };
  const size = lines * ENDLESS_LINE_BYTES;
  const file: FileStat = { ...facts, kind: "file", size, id: "2" };
  const encoder = new TextEncoder();
  return {
    realPath: (path) => path,
    lstat: (path) => path.endsWith("/big.txt") ? file : folder,
    readLink() {
      throw Object.assign(new Error("no link"), { code: "EINVAL" });
    },
    open: (path) => ({
      stat: () => file,
      path: () => path,
      close: () => {},
      read(buffer, position) {
        const end = Math.min(size, position + buffer.length);
        for (let at = position; at < end;) {
          const column = at % ENDLESS_LINE_BYTES;
          const number = (at - column) / ENDLESS_LINE_BYTES + 1;
          const rest = encoder.encode(endlessLine(number)).subarray(column);
          buffer.set(rest.subarray(0, end - at), at - position);
          at += rest.length;
        }
        return Math.max(0, end - position);
      },
    }),
  };
}
