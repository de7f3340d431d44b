/** A port whose files are `remote`. */
import type { FileStat, FsPort } from "../../mod.ts";

/** Marks the files of a port as `remote`. */
export function remoteFs(fs: FsPort): FsPort {
  const afar = (stat: FileStat): FileStat => ({ ...stat, remote: true });
  return {
    ...fs,
    async open(path, signal) {
      const handle = await fs.open(path, signal);
      return {
        stat: async () => afar(await handle.stat()),
        read: (buffer, position) => handle.read(buffer, position),
        path: () => handle.path(),
        close: () => handle.close(),
      };
    },
  };
}
