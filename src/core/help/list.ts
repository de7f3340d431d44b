// Runtime-agnostic.
import type { Call } from "../call.ts";
import type { FileEntry, FsPort } from "../port.ts";
import { denialOf } from "../guard/deny.ts";
import { join } from "../guard/path.ts";
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
 * so none of these names may be told before `isThere` has found it.
 */
export async function listBelow(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  most: number,
  call: Call,
): Promise<Listing> {
  if (fs.list === undefined) return { entries: [], looked: 0 };
  const trail = await resolve(fs, root, names, call);
  const { path } = trail.at(-1)!;
  const listed = (await call.wait(fs.list(path, most))).slice(0, most);
  const entries = listed
    .filter(({ name }) =>
      isName(name) && denialOf(root.deny, join(path, name)) === undefined
    )
    // The port's own order could tell what else is there.
    .sort((one, two) => one.name < two.name ? -1 : 1);
  return { entries, looked: listed.length };
}

/** Whether a name can be asked for again: Bun shows bytes that are no UTF-8 as U+FFFD. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.isWellFormed() &&
    !/[/\0\uFFFD]/.test(name);
}
