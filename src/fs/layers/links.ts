// Runtime-agnostic.
import type { FsPort } from "../../core/base/port.ts";
import { failure } from "../directory.ts";

/** How many links one path may lead through, as on a disk. */
const MAX_LINKS = 40;

/** One name of a path, and whether a link brought it. */
interface Step {
  readonly name: string;
  readonly ofLink: boolean;
}

/** Follows every link in `path` by itself, so that none leads out of its place. */
export async function realPathOf(fs: FsPort, path: string): Promise<string> {
  const todo = stepsOf(path, false);
  const way: { readonly path: string; readonly top: boolean }[] = [];
  const here = () => way.at(-1) ?? { path: "/", top: false };
  let links = 0;
  while (todo.length > 0) {
    const { name, ofLink } = todo.pop()!;
    if (name === "..") {
      if (ofLink && here().top) throw failure("EXDEV");
      way.pop();
      continue;
    }
    const next = here().path === "/" ? `/${name}` : `${here().path}/${name}`;
    const { kind, top = false } = await fs.lstat(next, "way");
    if (kind !== "symlink") {
      way.push({ path: next, top });
      continue;
    }
    if (++links > MAX_LINKS) throw failure("ELOOP");
    const target = await fs.readLink(next);
    if (target.startsWith("/")) way.length = 0;
    todo.push(...stepsOf(target, true));
  }
  return here().path;
}

/** The names in a path, the last one first. */
function stepsOf(path: string, ofLink: boolean): Step[] {
  return path.split("/").filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, ofLink })).reverse();
}

/** Says what was passed instead of what should have been, as "a number". */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const name = Array.isArray(value)
    ? "array"
    : typeof value === "object" && !isRecord(value)
    ? "list or a map"
    : typeof value;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Whether it holds values by their names, as no list and no map does. */
export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null &&
    !(Symbol.iterator in value);
}
