import { type Call, isPromise } from "../base/call.ts";
import { codeOf } from "../base/errno.ts";
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { MAX_LINK_STEPS, MAX_LINKS, MAX_PATH_NAMES } from "../base/limits.ts";
import type { FsPort, PathRole } from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { join, type Names, namesBelow, splitPath } from "./path.ts";
import {
  asksPlace,
  changedError,
  confirm,
  HERE,
  LSTATS_PER_YIELD,
  mayHideLinks,
  refusal,
} from "./proof.ts";
import type { Attempt, PathStat, Question, Trail } from "./proof.ts";
import type { Root } from "./root.ts";

const encoder = new TextEncoder();

/**
 * Walks from the root down, one name at a time, and follows links itself. The
 * trail begins with that of the root. The port is never called for a path outside
 * the root, so that nothing outside is touched: not a FIFO, not an automount. A
 * failure is confirmed to be of the tree below the root before it is thrown. The
 * caller must prove what was found.
 */
export async function resolve(
  attempt: Attempt,
  names: Names,
  lastRole: PathRole = "last",
): Promise<Trail> {
  const { fs, root, call } = attempt;
  const rootLength = root.trail.length;
  const asksPlaces = mayHideLinks(fs);
  const trail: PathStat[] = [...root.trail];
  const todo = [...names].reverse();
  /** The trail, and what the walk saw but left again: links, and directories before a `..`. */
  const seen: PathStat[] = [...root.trail];
  const questions: Question[] = [];
  /** The call of the port that has not answered yet. */
  let pending: Question["ask"] | undefined;
  let verb: "lstat" | "readLink" = "lstat";
  let links = 0;
  let taken = 0;
  try {
    while (todo.length > 0) {
      if (taken++ === names.length + MAX_LINK_STEPS) {
        throw new ReadFileError("SYMLINK_LOOP", call.path, {});
      }
      if (taken % LSTATS_PER_YIELD === 0) await call.yieldIfDue();
      const name = todo.pop()!;
      const here = trail.at(-1)!;
      if (here.stat.kind !== "directory") {
        const reason = "not_a_directory";
        throw new ReadFileError("NOT_FOUND", call.path, { reason });
      }
      // "." comes only from the target of a link that ends in "/" or "/.".
      if (name === ".") continue;
      if (name === "..") {
        // This `..` comes from a link: `parsePath` has resolved the caller's.
        if (trail.length === rootLength || here.stat.top === true) {
          throw new ReadFileError("OUTSIDE_WORKSPACE", call.path, {});
        }
        trail.pop();
        continue;
      }
      if (trail.length - rootLength >= MAX_PATH_NAMES) {
        const problem =
          `leads more than ${MAX_PATH_NAMES} names below the root`;
        throw invalidPath(call.path, problem);
      }
      const path = join(here.path, name);
      const denial = denialOf(root.deny, path);
      if (denial?.mode === "refuse") throw refusal(denial, call);
      const isHidden = denial !== undefined;
      const lstatPath = isHidden
        ? join(here.path, placeholderFor(name, fs.spelling))
        : path;
      const role = isHidden ? "last" : roleBefore(todo.at(-1), lastRole);
      verb = "lstat";
      const look = () => fs.lstat(lstatPath, role, call.signal);
      pending = look;
      const looking = call.wait(look());
      const stat = isPromise(looking) ? await looking : looking;
      pending = undefined;
      if (isHidden) {
        // A real file has the name of the placeholder. Usually, `lstat` fails, and the
        // `catch` below adds a question. Add one here too, so that the number of calls
        // does not tell this. An answer without a value counts as "".
        questions.push({ ask: async () => void await look(), answer: "" });
        throw refusal(denial, call);
      }
      if (asksPlaces && stat.kind !== "symlink") {
        const ask = asksPlace(attempt, path);
        pending = ask;
        const answer = await call.wait(ask());
        pending = undefined;
        if (answer !== HERE) {
          questions.push({ ask, answer: "" });
          throw new ReadFileError("OUTSIDE_WORKSPACE", call.path, {});
        }
      }
      seen.push({ path, stat });
      if (stat.kind !== "symlink") {
        trail.push({ path, stat });
        continue;
      }
      if (++links > MAX_LINKS) {
        throw new ReadFileError("SYMLINK_LOOP", call.path, {});
      }
      verb = "readLink";
      const read = () => fs.readLink(path, call.signal);
      pending = read;
      const reading = call.wait(read());
      const target = isPromise(reading) ? await reading : reading;
      questions.push({ ask: read, answer: target });
      pending = undefined;
      if (target.startsWith("/")) trail.length = rootLength;
      todo.push(...namesOfTarget(target, root, call).reverse());
    }
  } catch (error) {
    if (error instanceof ReadFileError) {
      if (error.is("ABORTED")) throw error;
    } else if (pending !== undefined) {
      const answer = codeOf(error);
      // `lstat` found a link a moment ago.
      if (answer === "EINVAL" && verb === "readLink") throw changedError(call);
      questions.push({ ask: pending, answer });
    }
    await confirm(attempt, seen, questions);
    throw error;
  }
  // A directory may have been swapped, so that a link outside the root was read, even
  // if the walk ended inside.
  if (links > 0) await confirm(attempt, seen, questions);
  return trail;
}

/** The role of a name, by the name that follows it. */
function roleBefore(next: string | undefined, lastRole: PathRole): PathRole {
  if (next === undefined) return lastRole;
  // The walk does not go below this name, so no later call would fail if it is absent.
  return next === "." || next === ".." ? "last" : "way";
}

/**
 * An absent name as long as `name`, which `lstat` gets in place of a hidden one. So
 * the call fails as for any absent name: also with another code than `ENOENT`, if the
 * directory is locked, the name too long, or the disk broken.
 */
function placeholderFor(name: string, spelling: FsPort["spelling"]): string {
  const inUnits = spelling?.nameUnits === "utf-16";
  return "~".repeat(inUnits ? name.length : encoder.encode(name).length);
}

/** The names of a link's target; those of an absolute target are from the root. */
function namesOfTarget(target: string, root: Root, call: Call): string[] {
  // U+FFFD stands for bytes that are not UTF-8: the string may name another file.
  if (target === "" || target.includes("\uFFFD")) {
    throw invalidPath(call.path, "leads through a link that is not Unicode");
  }
  const names = splitPath(target);
  if (/\/\.?$/.test(target)) names.push(".");
  if (!target.startsWith("/")) return names;
  // The text does not show where a ".." leads: the name before it may be a link.
  const isPlain = !names.includes("..");
  const below = isPlain ? namesBelow(target, root.aliases) : undefined;
  if (below === undefined) {
    throw new ReadFileError("OUTSIDE_WORKSPACE", call.path, {});
  }
  return names.at(-1) === "." ? [...below, "."] : below;
}
