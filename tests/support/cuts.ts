/** Ports with short reads, which cut everything somewhere. */
import type { FsPort } from "../../mod.ts";

/** The largest reads, in every test about lines. */
export const CUTS: readonly number[] = [1, 2, 3, 7, 64 * 1024];

/** A port whose reads give at most `most` bytes; at odd cuts it answers with promises. */
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
