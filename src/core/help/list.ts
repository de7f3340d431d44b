// Runtime-agnostic.
import type { Call } from "../call.ts";
import type { FileEntry, FileHandle, FsPort } from "../port.ts";
import { denialOf } from "../guard/deny.ts";
import { openBelow } from "../guard/guard.ts";
import { join } from "../guard/path.ts";
import { prove } from "../guard/proof.ts";
import { resolve, type Root } from "../guard/resolve.ts";

/** What a directory holds that may be told, and how many names were looked at. */
export interface Listing {
  readonly entries: readonly FileEntry[];
  readonly looked: number;
}

/**
 * Lists a directory below the root, without what is denied there.
 *
 * Whoever rewrites the workspace meanwhile can have another directory listed,
 * so none of these names may be told before {@linkcode isThere} has found it.
 */
export async function listBelow(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  most: number,
  call: Call,
): Promise<Listing> {
  if (fs.list === undefined) return NOTHING;
  const trail = await resolve(fs, root, names, call);
  const { path, stat } = trail.at(-1)!;
  if (stat.kind !== "directory") return NOTHING;
  const listed = (await call.wait(fs.list(path, most))).slice(0, most);
  const entries = listed
    .filter(({ name }) =>
      isName(name) && denialOf(root.deny, join(path, name)) === undefined
    )
    // The port's own order could tell what else is there.
    .sort((one, two) => one.name < two.name ? -1 : 1);
  return { entries, looked: listed.length };
}

const NOTHING: Listing = { entries: [], looked: 0 };

/** Whether a name can be asked for again: Bun shows bytes that are no UTF-8 as U+FFFD. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.isWellFormed() &&
    !/[/\0\uFFFD]/.test(name);
}

/** Whether a file, or a directory, is below the root: it is opened, and proved to be. */
export async function isThere(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  kind: "file" | "directory",
  call: Call,
): Promise<boolean> {
  try {
    if (kind === "directory") return await isDirectory(fs, root, names, call);
    const file = await openBelow(fs, root, names.join("/"), call.signal);
    await file.close();
    return true;
  } catch {
    return false;
  }
}

async function isDirectory(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  call: Call,
): Promise<boolean> {
  const trail = await resolve(fs, root, names, call);
  const { path, stat: { kind } } = trail.at(-1)!;
  if (kind !== "directory") return false;
  const handle = await openDirectory(fs, path, call);
  if (handle === undefined) return true;
  try {
    const stat = await call.wait(handle.stat());
    await prove(handle, stat, fs, root, trail, call);
    return stat.kind === "directory";
  } finally {
    await handle.close();
  }
}

/** Opens a directory; a port that opens none says by its refusal that it is one. */
async function openDirectory(
  fs: FsPort,
  path: string,
  call: Call,
): Promise<FileHandle | undefined> {
  try {
    return await call.wait(fs.open(path), (late) => void late.close());
  } catch (error) {
    if ((Object(error) as { code?: unknown }).code !== "EISDIR") throw error;
  }
}
