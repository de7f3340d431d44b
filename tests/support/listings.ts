/** Listings of directories, and all that follow from one. */
import type { Listing, ListOptions, Workspace } from "../../mod.ts";

export function pathsOf({ entries }: Listing): string[] {
  return entries.map(({ path }) => path);
}

/** The entries of a listing and its next ones, and the number of calls. */
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
