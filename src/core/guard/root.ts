// Runtime-agnostic.
import { Call } from "../base/call.ts";
import { type DenyMode, type DenyRules, readDenyRules } from "./deny.ts";
import { fromPort } from "../base/errno.ts";
import { ReadFileError } from "../base/errors.ts";
import { MAX_PROVED_FILES, MAX_STRAIGHT_PATHS } from "../base/limits.ts";
import { parsePath, type Way } from "./path.ts";
import type { FileKind, FsPort } from "../base/port.ts";
import { quote } from "../base/words.ts";
import { RecentSet } from "../base/recent_set.ts";
import { resolve, type Root } from "./walk.ts";
import {
  checkValue,
  refuseMistake,
  type Rules,
  takeOptions,
} from "../base/check.ts";

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
   * each of them. One that begins with `/**\/` is matched against the real path
   * from `/`, so that it sees the names above the root as well.
   *
   * A glob is made of `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, `@(a|b)`, `?(a)`, of
   * `**` and `!(a|b)` for a whole name, and of `\` before a character that is
   * meant itself. Any other is refused with a `TypeError`.
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

/** What bounds a workspace, and when to give up finding it. */
interface RootOptions extends DenyOptions {
  /** Ends the call early, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/** The same, of one below another. */
interface NarrowRootOptions extends RootOptions {
  /** A directory below the root, to be the root; the same one by default. */
  readonly root?: string;
}

const OPTIONS: Rules<RootOptions> = {
  // The rules are checked where they are read.
  deny: "any",
  denied: "any",
  signal: "signal",
};
const FAILED = "Cannot open a workspace";

/** Finds the directory that everything read must lie below. */
export async function findRoot(
  fs: FsPort,
  path: string,
  asked: RootOptions | undefined,
): Promise<Root> {
  if (typeof path !== "string" || path === "") {
    throw new TypeError(`${FAILED}: its root must be named`);
  }
  const refuse = refuseMistake(FAILED);
  checkValue("fs", fs, "port", refuse);
  const options = takeOptions(asked, OPTIONS, refuse);
  const { deny = [], denied = "refuse", signal } = options;
  const call = new Call(path, signal);
  try {
    const real = await call.wait(fs.realPath(path));
    if (real.includes("\uFFFD")) {
      throw new TypeError(`${FAILED}: the path of its root is not Unicode`);
    }
    const stat = await call.wait(fs.lstat(real, "way", signal));
    refuseOther(path, stat.kind);
    const ways = [real, path].filter((name) => name.startsWith("/")).map(wayTo);
    const rules = [readDenyRules(real, deny, denied)];
    return rootAt({ path: real, ways, stat, above: [], deny: rules });
  } catch (error) {
    throw error instanceof TypeError ? error : fromPort(error, path);
  }
}

/** Finds a directory below the root, and keeps all that the root denies. */
export async function narrowRoot(
  fs: FsPort,
  root: Root,
  asked: NarrowRootOptions,
): Promise<Root> {
  const rules = { root: "text", ...OPTIONS } as const;
  const options = takeOptions(asked, rules, refuseMistake(FAILED));
  const { root: path = ".", signal } = options;
  const call = new Call(path, signal);
  try {
    const { names } = parsePath(path, root.ways);
    const trail = await resolve(fs, root, names, call, "way");
    const { path: found, stat } = trail.at(-1)!;
    refuseOther(path, stat.kind);
    const above = [...root.above, ...trail.slice(0, -1)];
    const deny = narrowRules(root.deny, found, options);
    // Whoever knows the root by another name knows what is below it by that, too.
    const down = wayTo(found).slice(wayTo(root.path).length);
    const ways = root.ways.map((way) => [...way, ...down]);
    return rootAt({ path: found, ways, stat, above, deny });
  } catch (error) {
    throw error instanceof TypeError ? error : fromPort(error, path);
  }
}

/** A root of which nothing was read yet. */
function rootAt(place: Omit<Root, "proved" | "straight">): Root {
  return {
    ...place,
    proved: new RecentSet(MAX_PROVED_FILES),
    straight: new RecentSet(MAX_STRAIGHT_PATHS),
  };
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

/** The way that a caller may begin an absolute path with; `..` is left to the system. */
function wayTo(path: string): Way {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function refuseOther(path: string, kind: FileKind): void {
  if (kind === "directory") return;
  throw kind === "file"
    ? new ReadFileError("NOT_A_FILE", path, { kind: "other" }, {
      words: {
        NOT_A_FILE: ({ path }) => [
          `Cannot open the workspace ${quote(path)}: it is a file`,
          "name a directory",
        ],
      },
    })
    : new ReadFileError("NOT_A_FILE", path, { kind });
}
