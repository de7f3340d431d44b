// Runtime-agnostic.
import { orElse, whenThere } from "../awaitable.ts";
import { Call } from "../call.ts";
import { type DenyMode, type DenyRules, readDenyRules } from "./deny.ts";
import { fromPort } from "./errno.ts";
import { ReadFileError } from "../errors.ts";
import { quote } from "../quote.ts";
import { OPEN_RETRIES } from "../limits.ts";
import { OpenedFile } from "./opened_file.ts";
import { type AskedPath, join, parsePath } from "./path.ts";
import type { Awaitable, FileHandle, FileKind, FsPort } from "../port.ts";
import { prove } from "./proof.ts";
import { resolve, type Root, type Trail } from "./resolve.ts";

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

/** Opens a regular file below the root: what changes on the way is tried again. */
export function openBelow(
  fs: FsPort,
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Awaitable<OpenedFile> {
  const asked = parsePath(path, root.names);
  const call = new Call(path, signal);
  const open = (retries: number): Awaitable<OpenedFile> =>
    orElse(() => openOnce(fs, root, asked, call), (error) => {
      const failure = fromPort(error, path);
      if (retries === 0 || !failure.is("CHANGED")) throw failure;
      return open(retries - 1);
    });
  return open(OPEN_RETRIES);
}

/** One try: walk, open what was found, and prove that it is what was opened. */
function openOnce(
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  call: Call,
): Awaitable<OpenedFile> {
  call.check();
  return whenThere(resolve(fs, root, asked.names, call), (trail) => {
    const { path, stat: { kind } } = trail.at(-1)!;
    if (kind !== "directory" && asked.asDirectory) {
      const reason = "not_a_directory";
      throw new ReadFileError("NOT_FOUND", call.path, { reason });
    }
    if (kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind });
    }
    return whenThere(openFound(fs, path, call), (handle) =>
      orElse(
        () => checkOpened(handle, fs, root, asked, trail, call),
        async (error) => {
          await closeQuietly(handle, call);
          throw error;
        },
      ));
  });
}

/** What was opened must be a file, and the one that was found, or another below the root. */
function checkOpened(
  handle: FileHandle,
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  trail: Trail,
  call: Call,
): Awaitable<OpenedFile> {
  return whenThere(call.wait(handle.stat()), (stat) => {
    // Between the walk and the opening, a FIFO may have taken its place.
    if (stat.kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind: stat.kind });
    }
    return whenThere(
      prove(handle, stat, fs, root, trail, call),
      () => new OpenedFile(asked.names.join("/"), stat, handle, call),
    );
  });
}

function openFound(
  fs: FsPort,
  path: string,
  call: Call,
): Awaitable<FileHandle> {
  const discard = (late: FileHandle) => void closeQuietly(late, call);
  return orElse(() => call.wait(fs.open(path), discard), (error) => {
    const { code } = Object(error) as { code?: unknown };
    // It was there, and no link, a moment ago.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
      throw new ReadFileError("CHANGED", call.path, { how: "path" });
    }
    throw error;
  });
}

/**
 * Closes a file whose content no one will see; how that goes matters to no one.
 * What keeps a read from ending may keep a close as well: a caller who has given
 * up does not wait for it.
 */
async function closeQuietly(handle: FileHandle, call: Call): Promise<void> {
  try {
    await call.wait(handle.close());
  } catch {
    // The failure on its way out says more.
  }
}
