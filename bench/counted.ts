// How many bytes a read costs, by a port that counts; it is not used for timing.
import { hostFs, openWorkspace, type Workspace } from "../mod.ts";
import { countingFs } from "../tests/support/counting_fs.ts";
import { NO_CACHE } from "./no_cache.ts";

/** A workspace, and how many bytes were read through it. */
export interface Counted {
  readonly workspace: Workspace;
  bytes(): number;
}

/** Opens a workspace that counts. */
export async function countedWorkspace(
  root: string,
  options: { readonly cacheBytes?: number } = NO_CACHE,
): Promise<Counted> {
  const fs = countingFs(hostFs());
  const workspace = await openWorkspace(root, { fs, ...options });
  return { workspace, bytes: () => fs.counts.bytes };
}
