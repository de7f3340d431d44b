// Runtime-agnostic.
import { type FileHandle, type FsPort, isPromise } from "../core/port.ts";

/** Hears of each read: how many bytes came, of a file of which size. */
export type Listener = (bytes: number, size: number) => void;

/** The same file system, with someone who hears of each read. */
export function meteredFs(fs: FsPort, listener: Listener): FsPort {
  const metered = (handle: FileHandle): FileHandle => {
    let size = 0;
    const heard = (bytes: number) => {
      listener(bytes, size);
      return bytes;
    };
    return {
      stat() {
        const stat = handle.stat();
        if (isPromise(stat)) {
          return stat.then((facts) => {
            size = facts.size;
            return facts;
          });
        }
        size = stat.size;
        return stat;
      },
      read(buffer, position) {
        const bytes = handle.read(buffer, position);
        return isPromise(bytes) ? bytes.then(heard) : heard(bytes);
      },
      path: () => handle.path(),
      close: () => handle.close(),
    };
  };
  // A verb that a port need not have is passed on where it is there.
  return {
    ...fs,
    open(path) {
      const handle = fs.open(path);
      return isPromise(handle) ? handle.then(metered) : metered(handle);
    },
  };
}
