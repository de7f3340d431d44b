/** Reads listings of directories. */
import type {
  FileEntry,
  FsPort,
  Listing,
  ListOptions,
  Workspace,
} from "../../mod.ts";
import { batchesIn } from "../../src/core/guard/lister.ts";

export function pathsOf({ entries }: Listing): string[] {
  return entries.map(({ path }) => path);
}

/** The entries of a listing and of those that continue it, and the number of calls. */
export async function follow(
  workspace: Workspace,
  path: string,
  options: ListOptions,
) {
  const found: string[] = [];
  let next: ListOptions | null = options;
  let calls = 0;
  for (; next !== null; calls++) {
    const listing: Listing = await workspace.list(path, next);
    found.push(...pathsOf(listing));
    next = listing.next;
  }
  return { found, calls };
}

/** The first entries of a directory that a port lists. */
export async function listed(fs: FsPort, path: string, most = Infinity) {
  const entries: FileEntry[] = [];
  for await (const batch of batchesIn(fs, path, most)) {
    entries.push(...batch);
    if (entries.length >= most) break;
  }
  return entries.slice(0, most);
}
