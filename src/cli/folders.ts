// Runtime-agnostic.
import type { FsPort } from "../core/port.ts";
import { plainPath } from "../fs/plain_path.ts";

/**
 * What a runtime must be let read for a workspace: the directory as it is named
 * and, if a link is on the way, also where that leads.
 */
export async function foldersOf(
  workspace: string,
  fs: FsPort,
): Promise<readonly string[]> {
  const real = await realPathOf(workspace, fs);
  if (workspace === "." || real === undefined) return [workspace];
  const here = workspace.startsWith("/") ? "" : await realPathOf(".", fs);
  // Whoever may not look at the current directory is told both, which is right too.
  const isPlain = here !== undefined &&
    plainPath(`${here}/${workspace}`) === real;
  return isPlain ? [workspace] : [workspace, real];
}

async function realPathOf(
  path: string,
  fs: FsPort,
): Promise<string | undefined> {
  try {
    return await fs.realPath(path);
  } catch {
    return undefined;
  }
}
