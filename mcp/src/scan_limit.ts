// Runtime-agnostic.
import {
  type Awaitable,
  type FileHandle,
  type FsPort,
  ReadFileError,
} from "@agent-tools/read-file";

/** Wraps a port to refuse reading more than `limit` bytes of one open file. */
export function limitScans(fs: FsPort, limit: number): FsPort {
  return {
    ...fs,
    open: (path, signal) => limited(fs.open(path, signal), path, limit),
  };
}

async function limited(
  opening: Awaitable<FileHandle>,
  path: string,
  limit: number,
): Promise<FileHandle> {
  const handle = await opening;
  // Bytes between these were read before, so they are not counted again.
  let [low, high] = [Infinity, -Infinity];
  let read = 0;
  return {
    stat: () => handle.stat(),
    async read(buffer, position) {
      if (read >= limit) throw tooFar(path, limit);
      const count = await handle.read(buffer, position);
      const end = position + count;
      read += Math.max(0, Math.min(end, low) - position);
      read += Math.max(0, end - Math.max(position, high));
      [low, high] = [Math.min(low, position), Math.max(high, end)];
      return count;
    },
    path: () => handle.path(),
    close: () => handle.close(),
  };
}

function tooFar(path: string, limit: number): ReadFileError<"SCAN_LIMIT"> {
  const hint =
    "read the end of the file with tail, or ask the user for a larger --max-scan";
  return new ReadFileError("SCAN_LIMIT", path, { limit }, { hint });
}
