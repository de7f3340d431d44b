// Runtime-agnostic.
import { type Call, orElse, untilGiven, whenThere } from "../base/call.ts";
import { type Denial, denialOf, type DenyRules } from "./deny.ts";
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { MAX_LINKS, MAX_STEPS } from "../base/limits.ts";
import { isWithin, join, namesBelow, type Way } from "./path.ts";
import type { Awaitable, FileStat, FsPort, PathRole } from "../base/port.ts";
import type { RecentSet } from "../base/recent_set.ts";

/** The directory that everything read must lie below. */
export interface Root {
  /** Its canonical path. */
  readonly path: string;
  /** The ways an absolute path may begin with: the canonical one, and the one given. */
  readonly ways: readonly Way[];
  /** What it was when the workspace was made. */
  readonly stat: FileStat;
  /** For a narrowed workspace, the way to it from the first root. */
  readonly above: Trail;
  /** What below it may not be read. */
  readonly deny: readonly DenyRules[];
  /** The versions of files that a challenge has proved to lie below it. */
  readonly proved: RecentSet;
  /** The paths that led to a file without a link, which the system called by that path. */
  readonly straight: RecentSet;
}

/** One step of the way down: a path free of links, and what was seen there. */
interface Step {
  readonly path: string;
  readonly stat: FileStat;
}

/** The way from the root, at `[0]`, to what the path names, at the end. */
export type Trail = readonly Step[];

/** A link's target that is unsafe to take for what it seems. */
const REPLACEMENT = "\uFFFD";

const encoder = new TextEncoder();

/**
 * Walks from the root down, one name at a time, following links by itself.
 *
 * No call of the port ever names anything outside the root, so that nothing
 * outside is touched: not a FIFO, not an automount, and no message can tell
 * what exists there.
 *
 * @param end What the place that the path names is looked at for.
 */
export function resolve(
  fs: FsPort,
  root: Root,
  names: readonly string[],
  call: Call,
  end: PathRole = "last",
): Awaitable<Trail> {
  const trail: Step[] = [{ path: root.path, stat: root.stat }];
  const todo = [...names].reverse();
  let links = 0;
  let steps = 0;
  return untilGiven((): Awaitable<Trail | undefined> => {
    if (todo.length === 0) return trail;
    if (steps++ === names.length + MAX_STEPS) throw loop(call);
    const name = todo.pop()!;
    const here = trail.at(-1)!;
    if (here.stat.kind !== "directory") {
      const reason = "not_a_directory";
      throw new ReadFileError("NOT_FOUND", call.path, { reason });
    }
    if (name === "..") {
      // Only links climb: what was asked for has lost its own in the string.
      if (trail.length === 1 || here.stat.top === true) throw outside(call);
      trail.pop();
      return undefined;
    }
    // "." comes only from a link's target that must be a directory.
    if (name === ".") return undefined;
    const path = join(here.path, name);
    const denial = denialOf(root.deny, path);
    if (denial !== undefined) {
      const looking = denial.mode === "hide"
        ? call.wait(
          fs.lstat(join(here.path, neighbourOf(name)), undefined, call.signal),
        )
        : undefined;
      return whenThere(looking, () => {
        throw refusal(denial, call);
      });
    }
    const role = roleBefore(todo.at(-1), end);
    return whenThere(call.wait(fs.lstat(path, role, call.signal)), (stat) => {
      if (stat.kind !== "symlink") {
        trail.push({ path, stat });
        return undefined;
      }
      if (++links > MAX_LINKS) throw loop(call);
      return whenThere(readTarget(fs, path, call), (target) => {
        if (target.startsWith("/")) trail.length = 1;
        todo.push(...namesOf(target, root, call).reverse());
        return undefined;
      });
    });
  });
}

/** A directory that no name below is asked of has only this look to show itself. */
function roleBefore(next: string | undefined, end: PathRole): PathRole {
  if (next === undefined) return end;
  return next === "." || next === ".." ? "last" : "way";
}

/**
 * The name of a neighbour that nobody has. It is looked at in place of what is
 * hidden, for what is absent may fail in other ways than with `ENOENT`: the
 * directory is locked, the name too long, the disk broken.
 */
function neighbourOf(name: string): string {
  return "~".repeat(encoder.encode(name).length);
}

/** The failure of a denied path; hidden, it is that of the port for an absent one. */
export function refusal({ mode, rule }: Denial, call: Call): Error {
  return mode === "refuse"
    ? new ReadFileError("POLICY_DENIED", call.path, { rule })
    : Object.assign(new Error("hidden"), { code: "ENOENT" });
}

function readTarget(
  fs: FsPort,
  path: string,
  call: Call,
): Awaitable<string> {
  return orElse(() => call.wait(fs.readLink(path, call.signal)), (error) => {
    // It was a link a moment ago.
    if ((error as { code?: unknown }).code !== "EINVAL") throw error;
    throw new ReadFileError("CHANGED", call.path, { how: "path" });
  });
}

function namesOf(target: string, root: Root, call: Call): string[] {
  // Bun shows bytes that are no UTF-8 as U+FFFD, which names another file.
  if (target === "" || target.includes(REPLACEMENT)) {
    throw invalidPath(call.path, "leads through a link that is not Unicode");
  }
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  if (/\/\.?$/.test(target)) names.push(".");
  if (!target.startsWith("/")) return names;
  // Where the system would take ".." after a link, the string alone cannot tell.
  if (names.includes("..")) throw outside(call);
  const below = namesBelow(target, root.ways);
  if (below === undefined) throw outside(call);
  return names.at(-1) === "." ? [...below, "."] : [...below];
}

/** Whether `path` is a place below the root, and not the root itself. */
export function isBelow(root: Root, path: string): boolean {
  return path !== root.path && isWithin(root.path, path);
}

function outside(call: Call): ReadFileError<"OUTSIDE_WORKSPACE"> {
  return new ReadFileError("OUTSIDE_WORKSPACE", call.path, {});
}

function loop(call: Call): ReadFileError<"SYMLINK_LOOP"> {
  return new ReadFileError("SYMLINK_LOOP", call.path, {});
}
