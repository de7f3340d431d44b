/** Ports with short reads, so that reads end inside lines and characters. */
import type { FsPort } from "../../mod.ts";

/** The sizes of reads that every test of lines uses. */
export const CUTS: readonly number[] = [1, 2, 3, 7, 64 * 1024];

/** A port whose reads give at most `most` bytes; with odd sizes it returns promises. */
export function cutFs(fs: FsPort, most: number): FsPort {
  return {
    realPath: (path) => fs.realPath(path),
    lstat: (path, role) => fs.lstat(path, role),
    readLink: (path) => fs.readLink(path),
    async open(path) {
      const handle = await fs.open(path);
      return {
        stat: () => handle.stat(),
        path: () => handle.path(),
        close: () => handle.close(),
        read(buffer, position) {
          const bytes = handle.read(buffer.subarray(0, most), position);
          return most % 2 === 1 ? Promise.resolve(bytes) : bytes;
        },
      };
    },
  };
}
