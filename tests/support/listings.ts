/** Reads a listing of a directory to its end. */
import type { Listing, ListOptions, Workspace } from "../../mod.ts";

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
