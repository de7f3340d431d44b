// Runtime-agnostic.
import { MAX_LINKS } from "../../core/base/limits.ts";
import type { FsPort } from "../../core/base/port.ts";
import { below, failure, parentOf } from "../directory.ts";

/** Follows the links in `path` one by one; none may leave the mount it is in. */
export async function realPathOf(fs: FsPort, path: string): Promise<string> {
  const todo = stepsOf(path, false);
  /** The directories on the way that are mount points. */
  const tops = new Set<string>();
  let here = "/";
  let links = 0;
  while (todo.length > 0) {
    const { name, ofLink } = todo.pop()!;
    if (name === "..") {
      if (ofLink && tops.has(here)) throw failure("EXDEV");
      here = parentOf(here);
      continue;
    }
    const next = below(here, `/${name}`);
    const { kind, top = false } = await fs.lstat(next, "way");
    if (kind !== "symlink") {
      if (top) tops.add(next);
      here = next;
      continue;
    }
    if (++links > MAX_LINKS) throw failure("ELOOP");
    const target = await fs.readLink(next);
    if (target.startsWith("/")) here = "/";
    todo.push(...stepsOf(target, true));
  }
  return here;
}

/** The names in a path, the last one first, and whether a link brought them. */
function stepsOf(path: string, ofLink: boolean) {
  return path.split("/").filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, ofLink })).reverse();
}
