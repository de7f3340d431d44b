/** A repository in memory, with commits one after the other. */
import { type MemoryEntry, memoryRepository } from "./git_place.ts";
import {
  commitOf,
  emptyRepository,
  type GitFiles,
  looseFiles,
  type MadeFile,
  type MadeObject,
  objectsOf,
} from "./git_repository.ts";

/** The files of a version, by path. */
export type Version = Readonly<Record<string, MadeFile>>;

/** The files of `.git` for commits, the last of which is HEAD. */
export function gitFilesOf(commits: readonly Version[]): GitFiles {
  const objects: MadeObject[] = [];
  let last: MadeObject | undefined;
  for (const files of commits) {
    const made = objectsOf(files);
    last = commitOf(made.root.oid, last === undefined ? [] : [last.oid]);
    objects.push(...made.objects, last);
  }
  return { ...emptyRepository(last!.oid), ...looseFiles(objects) };
}

/** The file system of a repository at `/repo`: its commits, and the files of its working tree. */
export function versionedFs(
  commits: readonly Version[],
  now: Readonly<Record<string, MemoryEntry>>,
) {
  return memoryRepository(
    gitFilesOf(commits),
    Object.fromEntries(
      Object.entries(now).map(([path, entry]) => [`/repo/${path}`, entry]),
    ),
  );
}
