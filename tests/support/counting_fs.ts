/** A port that counts open files, bytes read, and calls. */
import type { FileHandle, FsPort } from "../../mod.ts";

/** The counts of a {@linkcode countingFs}. */
export interface Counts {
  /** How many files are open now. */
  open: number;
  /** How many files were opened. */
  opened: number;
  /** How many bytes were read. */
  bytes: number;
  /** How often `read` was called. */
  reads: number;
  /** How many calls were made, reads included. */
  calls: number;
}

/** Wraps a port to count its calls. */
export function countingFs(fs: FsPort): FsPort & { readonly counts: Counts } {
  const counts: Counts = { open: 0, opened: 0, bytes: 0, reads: 0, calls: 0 };
  const counted = (handle: FileHandle): FileHandle => ({
    stat: () => (counts.calls++, handle.stat()),
    path: () => (counts.calls++, handle.path()),
    async read(buffer, position) {
      counts.calls++;
      counts.reads++;
      const bytes = await handle.read(buffer, position);
      counts.bytes += bytes;
      return bytes;
    },
    close() {
      counts.open--;
      return handle.close();
    },
  });
  return {
    counts,
    realPath: (path) => (counts.calls++, fs.realPath(path)),
    lstat: (path, role) => (counts.calls++, fs.lstat(path, role)),
    readLink: (path) => (counts.calls++, fs.readLink(path)),
    async open(path) {
      counts.calls++;
      const handle = await fs.open(path);
      counts.open++;
      counts.opened++;
      return counted(handle);
    },
  };
}
