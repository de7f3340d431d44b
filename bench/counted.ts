// Counts the bytes that a read costs, with a counting port that is not used for timing.
import { hostFs, openWorkspace, type Workspace } from "../mod.ts";
import { countingFs } from "../tests/support/counting_fs.ts";
import { NO_CACHE } from "./no_cache.ts";

/** A workspace, and the number of bytes that were read through it. */
export interface Counted {
  readonly workspace: Workspace;
  bytes(): number;
}

/** Opens a workspace that counts bytes. */
export async function countedWorkspace(
  root: string,
  options: { readonly cacheBytes?: number } = NO_CACHE,
): Promise<Counted> {
  const fs = countingFs(hostFs());
  const workspace = await openWorkspace(root, { fs, ...options });
  return { workspace, bytes: () => fs.counts.bytes };
}
