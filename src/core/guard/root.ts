// Runtime-agnostic.
import { Call } from "../call.ts";
import { type DenyMode, type DenyRules, readDenyRules } from "./deny.ts";
import { fromPort } from "./errno.ts";
import { ReadFileError } from "../errors.ts";
import { join, parsePath } from "./path.ts";
import type { FileKind, FsPort } from "../port.ts";
import { quote } from "../quote.ts";
import { resolve, type Root } from "./resolve.ts";

/**
 * Which paths may not be read, and how they are refused.
 *
 * The rules are asked about where a path leads, and about each link on the way:
 * a link to a denied file is denied, and so is a link whose own name is. They
 * take no heed of case. What is denied is not looked at, so that it is denied
 * whether or not anything is there.
 */
export interface DenyOptions {
  /**
   * Globs of paths from the root: `.env` denies the one in the root, `**\/.env`
   * each of them.
   *
   * What a glob matches is denied with all that is below it; `dir/**` denies
   * `dir` too. A glob that begins with `!` makes an exception of what it matches.
   * The last glob that matches decides. An exception opens no directory that is
   * itself denied: deny `dir/*`, and except `!dir/a.txt`.
   */
  readonly deny?: readonly string[];
  /**
   * How a denied path is refused; `"refuse"` by default, or as the workspace
   * that is narrowed refuses it.
   */
  readonly denied?: DenyMode;
}

/** Finds the directory that everything read must lie below. */
export async function findRoot(
  fs: FsPort,
  path: string,
  options: DenyOptions,
): Promise<Root> {
  if (typeof path !== "string" || path === "") {
    throw new TypeError("Cannot open a workspace: its root must be named");
  }
  try {
    const real = await fs.realPath(path);
    if (real.includes("\uFFFD")) {
      throw new TypeError(
        "Cannot open a workspace: the path of its root is not Unicode",
      );
    }
    const stat = await fs.lstat(real, "way");
    refuseOther(path, stat.kind);
    const given = withoutDots(path);
    const names = given === real ? [real] : [real, given];
    const { deny = [], denied = "refuse" } = options;
    const rules = [readDenyRules(real, deny, denied)];
    return { path: real, names, stat, above: [], deny: rules };
  } catch (error) {
    throw error instanceof TypeError ? error : fromPort(error, path);
  }
}

/** Finds a directory below the root, and keeps all that the root denies. */
export async function narrowRoot(
  fs: FsPort,
  root: Root,
  path: string,
  options: DenyOptions,
): Promise<Root> {
  const call = new Call(path);
  try {
    const { names } = parsePath(path, root.names);
    const trail = await resolve(fs, root, names, call, "way");
    const { path: found, stat } = trail.at(-1)!;
    refuseOther(path, stat.kind);
    const above = [...root.above, ...trail.slice(0, -1)];
    const deny = narrowRules(root.deny, found, options);
    return { path: found, names: namesOf(root, found), stat, above, deny };
  } catch (error) {
    throw error instanceof TypeError ? error : fromPort(error, path);
  }
}

/** Whoever knows the root by another name knows what is below it by that, too. */
function namesOf(root: Root, path: string): readonly string[] {
  if (path === root.path) return root.names;
  const below = path.slice(root.path === "/" ? 1 : root.path.length + 1);
  return root.names.map((name) => join(name, below));
}

/** The rules of a workspace and further ones; those it had can become no weaker. */
function narrowRules(
  rules: readonly DenyRules[],
  base: string,
  { deny = [], denied }: DenyOptions,
): readonly DenyRules[] {
  const added = readDenyRules(base, deny, denied ?? rules.at(-1)!.mode);
  const kept = denied === "hide"
    ? rules.map((set) => ({ ...set, mode: denied }))
    : rules;
  return [...kept, added];
}

/** The root as a caller may begin an absolute path; `..` is left to the system. */
function withoutDots(path: string): string {
  if (!path.startsWith("/")) return path;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return `/${names.join("/")}`;
}

function refuseOther(path: string, kind: FileKind): void {
  if (kind === "directory") return;
  if (kind !== "file") throw new ReadFileError("NOT_A_FILE", path, { kind });
  throw new ReadFileError("NOT_A_FILE", path, { kind: "other" }, {
    message: `Cannot open the workspace ${
      quote(path)
    }: it is a file; name a directory`,
  });
}
