/** Ports that give wrong answers, fail, or change during a read. */
import type { Awaitable, FileHandle, FileStat, FsPort } from "../../mod.ts";

/** Replaces methods of the handles of a port. */
export function withHandles(
  fs: FsPort,
  change: (handle: FileHandle, path: string) => Partial<FileHandle>,
): FsPort {
  return {
    ...fs,
    async open(path) {
      const handle = await fs.open(path);
      return { ...handle, ...change(handle, path) };
    },
  };
}

/** A port on a system that cannot name open files. */
export function nameless(fs: FsPort): FsPort {
  return withHandles(fs, () => ({ path: () => undefined }));
}

/** Replaces the stats of paths and of open files. */
export function withStats(
  fs: FsPort,
  change: (stat: FileStat) => Partial<FileStat>,
): FsPort {
  const changed = async (stat: Awaitable<FileStat>) => {
    const known = await stat;
    return { ...known, ...change(known) };
  };
  return {
    ...withHandles(fs, (handle) => ({ stat: () => changed(handle.stat()) })),
    lstat: (path, role) => changed(fs.lstat(path, role)),
  };
}

/** An error with a code, as ports give it. */
export function failure(code: string): Error {
  return Object.assign(new Error(`${code}, /some/where/outside`), { code });
}

/** Chooses one of two trees for each question of a proof, by the question's number. */
export type Swapper = (question: number) => "real" | "swapped";

/**
 * A disk on which two trees are swapped. The walk sees the real tree, `open` sees
 * the swapped one, and the proof sees the one that the swapper chooses.
 */
export function swappingFs(
  real: FsPort,
  swapped: FsPort,
  swapper: Swapper,
): FsPort {
  let proving = false;
  let questions = 0;
  const trees = { real, swapped };
  return {
    ...real,
    lstat: (path, role) =>
      (proving ? trees[swapper(questions++)] : real).lstat(path, role),
    async open(path) {
      // The current target of the link at the path.
      const handle = await swapped.open(await swapped.realPath(path));
      proving = true;
      questions = 0;
      return {
        ...handle,
        path: () => undefined,
        close() {
          proving = false;
          return handle.close();
        },
      };
    },
  };
}
