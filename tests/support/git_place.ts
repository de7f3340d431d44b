/** Plants files as a revision in memory, and opens it by gitFs(). */
import { memoryFs } from "../../mod.ts";
import { gitFs } from "../../git/mod.ts";
import {
  type GitFiles,
  type MadeFile,
  repositoryOf,
} from "./git_repository.ts";
import { type Place, readLayout } from "./layout.ts";

/** An entry of a memory file system. */
export type MemoryEntry = Parameters<typeof memoryFs>[0][string];

/** A memory file system with a repository at `/repo`. */
export function memoryRepository(
  files: GitFiles,
  others: Readonly<Record<string, MemoryEntry>> = {},
) {
  const inside = Object.entries(files)
    .map(([path, content]) => [`/repo/.git/${path}`, content] as const);
  return memoryFs({ ...Object.fromEntries(inside), ...others });
}

/** The port of a revision with these files. */
export function revisionOf(files: Readonly<Record<string, MadeFile>>) {
  const fs = memoryRepository(repositoryOf(files));
  return gitFs({ repository: "/repo", rev: "main", fs });
}

/** Creates a layout as a revision. */
export async function inRevision(layout: readonly string[]): Promise<Place> {
  const base = "/base";
  const files: Record<string, MadeFile> = {};
  for (const entry of readLayout(["ws/", ...layout])) {
    const path = `base/${entry.path}`;
    if (entry.kind === "file") files[path] = entry.text;
    else if (entry.kind === "link") {
      files[path] = { link: entry.to.replace("$", base) };
    } else files[`${path}/`] = "";
  }
  return {
    fs: await revisionOf(files),
    base,
    root: `${base}/ws`,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
