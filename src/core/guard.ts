// Runtime-agnostic.
import { Call } from "./call.ts";
import { type DenyMode, readDenyRules } from "./deny.ts";
import { fromPort } from "./errno.ts";
import { quote, ReadFileError } from "./errors.ts";
import { OPEN_RETRIES } from "./limits.ts";
import { OpenedFile } from "./opened_file.ts";
import { type AskedPath, parsePath } from "./path.ts";
import type { FileHandle, FileKind, FsPort } from "./port.ts";
import { prove } from "./proof.ts";
import { resolve, type Root } from "./resolve.ts";

/** Which paths may not be read, and how they are refused. */
export interface DenyOptions {
  /** Globs of paths from the root; one that begins with `!` makes an exception. */
  readonly deny?: readonly string[];
  /** How a denied path is refused; `"refuse"` by default. */
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
    const stat = await fs.lstat(real);
    refuseOther(path, stat.kind);
    const given = path.replace(/\/+$/, "") || "/";
    const names = given === real ? [real] : [real, given];
    return { path: real, names, stat, deny: rulesOf(real, options) };
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
    const found = (await resolve(fs, root, names, call)).at(-1)!;
    refuseOther(path, found.stat.kind);
    const deny = [...root.deny, ...rulesOf(found.path, options)];
    return { path: found.path, names: [found.path], stat: found.stat, deny };
  } catch (error) {
    throw error instanceof TypeError ? error : fromPort(error, path);
  }
}

function rulesOf(base: string, options: DenyOptions): Root["deny"] {
  const { deny = [], denied = "refuse" } = options;
  return [readDenyRules(base, deny, denied)];
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
export async function openBelow(
  fs: FsPort,
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Promise<OpenedFile> {
  const asked = parsePath(path, root.names);
  const call = new Call(path, signal);
  for (let left = OPEN_RETRIES;; left--) {
    try {
      return await openOnce(fs, root, asked, call);
    } catch (error) {
      const failure = fromPort(error, path);
      if (left === 0 || !failure.is("CHANGED")) throw failure;
    }
  }
}

/** One try: walk, open what was found, and prove that it is what was opened. */
async function openOnce(
  fs: FsPort,
  root: Root,
  asked: AskedPath,
  call: Call,
): Promise<OpenedFile> {
  call.check();
  const trail = await resolve(fs, root, asked.names, call);
  const { path, stat: { kind } } = trail.at(-1)!;
  if (kind === "file" && asked.asDirectory) {
    const reason = "not_a_directory";
    throw new ReadFileError("NOT_FOUND", call.path, { reason });
  }
  if (kind !== "file") {
    throw new ReadFileError("NOT_A_FILE", call.path, { kind });
  }
  const handle = await openFound(fs, path, call);
  try {
    const stat = await call.wait(handle.stat());
    // Between the walk and the opening, a FIFO may have taken its place.
    if (stat.kind !== "file") {
      throw new ReadFileError("NOT_A_FILE", call.path, { kind: stat.kind });
    }
    await prove(handle, stat, fs, root, trail, call);
    const name = asked.names.join("/");
    return new OpenedFile(name, stat, handle, call);
  } catch (error) {
    // Not waited for: what keeps a read from ending may keep a close as well.
    void closeQuietly(handle);
    throw error;
  }
}

async function openFound(
  fs: FsPort,
  path: string,
  call: Call,
): Promise<FileHandle> {
  try {
    return await call.wait(fs.open(path), closeQuietly);
  } catch (error) {
    const { code } = Object(error) as { code?: unknown };
    // It was there, and no link, a moment ago.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
      throw new ReadFileError("CHANGED", call.path, { how: "path" });
    }
    throw error;
  }
}

/** Closes a file whose content no one will see; how that goes matters to no one. */
async function closeQuietly(handle: FileHandle): Promise<void> {
  try {
    await handle.close();
  } catch {
    // The failure on its way out says more.
  }
}
