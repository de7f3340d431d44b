// The floor of a call: what it asks of its port, without any of our own work.
import { type FileHandle, type FsPort, hostFs, openWorkspace } from "../mod.ts";
import type { Workspace } from "../mod.ts";
import type { Check } from "./check.ts";
import { NO_CACHE } from "./no_cache.ts";
import type { Times } from "./stats.ts";

/** Records what a repeated call asks of the disk; gives a function that asks the same. */
export async function portCalls(
  root: string,
  make: (workspace: Workspace) => () => Promise<unknown>,
): Promise<() => void> {
  const disk = hostFs();
  const recorded: (() => unknown)[] = [];
  const note = <Answer>(ask: () => Answer): Answer => {
    recorded.push(ask);
    return ask();
  };
  const open = (path: string): FileHandle => {
    let file: FileHandle;
    note(() => file = disk.open(path) as FileHandle);
    return {
      stat: () => note(() => file.stat()),
      path: () => note(() => file.path()),
      close: () => note(() => file.close()),
      read: (buffer, position) => {
        const scratch = new Uint8Array(buffer.length);
        recorded.push(() => file.read(scratch, position));
        return file.read(buffer, position);
      },
    };
  };
  const fs: FsPort = {
    ...disk,
    realPath: (path) => note(() => disk.realPath(path)),
    lstat: (path, role) => note(() => disk.lstat(path, role)),
    readLink: (path) => note(() => disk.readLink(path)),
    open,
  };
  const call = make(await openWorkspace(root, { fs, ...NO_CACHE }));
  // The first call walks to the file; those after it rely on that.
  await call();
  await call();
  recorded.length = 0;
  await call();
  const asks = [...recorded];
  return () => {
    for (const ask of asks) ask();
  };
}

/** The floor in the table: no call can take less than what it asks of the disk. */
export function floorOf(
  call: string,
  against: string,
  times: Times,
): Check {
  return {
    subject: `what ${call} asks of the disk, alone`,
    against,
    value: times.ratio("port", "raw"),
    unit: "×",
    limit: null,
    isInTable: true,
    medians: [times.median("port"), times.median("raw")],
  };
}
