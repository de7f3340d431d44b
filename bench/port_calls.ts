// Measures the two parts of a call separately: its calls of the port, and its own work.
import { type FileHandle, type FsPort, hostFs, openWorkspace } from "../mod.ts";
import type { Workspace } from "../mod.ts";
import type { Check } from "./check.ts";
import { NO_CACHE } from "./no_cache.ts";
import type { Contender, Times } from "./stats.ts";

/** One recorded call of the port. */
interface Asked {
  readonly ask: () => unknown;
  readonly answer: unknown;
  /** The bytes that were read. */
  readonly bytes?: Uint8Array;
}

/**
 * Records the calls of the port in a repeated call. `port` repeats only these calls.
 * `work` repeats the whole call with the recorded answers instead of the disk.
 */
export async function partsOf(
  root: string,
  make: (workspace: Workspace) => () => Promise<unknown>,
): Promise<Contender[]> {
  const disk = hostFs();
  let recorded: Asked[] = [];
  /** The next recorded answer; `undefined` while the disk answers. */
  let next: number | undefined;
  const note = <Answer>(ask: () => Answer): Answer => {
    if (next !== undefined) return recorded[next++]!.answer as Answer;
    const answer = ask();
    recorded.push({ ask, answer });
    return answer;
  };
  const open = (path: string): FileHandle => {
    let file: FileHandle;
    note(() => file = disk.open(path) as FileHandle);
    return {
      stat: () => note(() => file.stat()),
      path: () => note(() => file.path()),
      close: () => note(() => file.close()),
      read(buffer, position) {
        if (next === undefined) {
          const bytes = new Uint8Array(buffer.length);
          const ask = () => file.read(bytes, position);
          recorded.push({ ask, answer: ask(), bytes });
        }
        const { answer, bytes } = recorded[next ?? recorded.length - 1]!;
        if (next !== undefined) next++;
        buffer.set(bytes!);
        return answer as number;
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
  // The first call proves the file; later calls rely on the proof.
  await call();
  await call();
  recorded = [];
  await call();
  const asked = recorded;
  return [
    {
      name: "port",
      run() {
        for (const { ask } of asked) ask();
      },
    },
    {
      name: "work",
      run() {
        next = 0;
        return call();
      },
    },
  ];
}

/** The lower bounds in the table: a call takes at least the time of its calls of the port. */
export function floorsOf(
  call: string,
  against: string,
  times: Times,
): Check[] {
  const check = (subject: string, name: string): Check => ({
    ...{ subject, against, unit: "×", limit: null, isInTable: true },
    value: times.ratio(name, "raw"),
    medians: [times.median(name), times.median("raw")],
  });
  return [
    check(`what ${call} asks of the disk, alone`, "port"),
    check(`${call} with a disk that takes no time`, "work"),
  ];
}
