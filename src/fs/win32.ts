/** A disk of Windows, for a core that knows only `/C:/dir/name` and `/server/share/name`. */
import { codeOf } from "../core/base/errno.ts";
import { isPromise } from "../core/base/call.ts";
import type {
  Awaitable,
  FileStat,
  FsPort,
  PathSpelling,
} from "../core/base/port.ts";
import { canonicalPath, nameMistake } from "../core/base/windows_paths.ts";
import { failure } from "./store.ts";

/** What is true of every disk of Windows. */
const SPELLING: PathSpelling = {
  form: "windows",
  // As libuv does for a junction whose target has no drive letter.
  hidesLinks: true,
  foldsNames: true,
  nameUnits: "utf-16",
};

/** Options for {@linkcode win32Fs}. */
export interface Win32Options {
  /** Whether the runtime rounds identities, as Deno does. */
  readonly roundsIds?: boolean;
}

/**
 * Makes a port of a disk whose paths are those of Windows. Win32 reads `..\x`, `x::$DATA`,
 * `x.` and `NUL` as other files, while the core compares names: so a name that does
 * not mean only itself is absent here.
 */
export function win32Fs(
  disk: FsPort,
  { roundsIds = false }: Win32Options = {},
): FsPort {
  const lstat = (path: string) => then(disk.lstat(nativePath(path)), known);

  /** Win32 says that nothing is there, also below a file. */
  async function absent(error: unknown, path: string): Promise<never> {
    if (codeOf(error) === "ENOENT" && await isBelowFile(disk, path)) {
      throw failure("ENOTDIR");
    }
    throw error;
  }

  return {
    spelling: SPELLING,
    realPath(path) {
      const ask = () => then(disk.realPath(nativeStart(path)), canonicalReal);
      return attempt(ask, (error) => {
        // So libuv calls a function that a disk does not have, as some RAM disks.
        const isUnknown = codeOf(error) === "EISDIR";
        return absent(isUnknown ? noRealPath() : error, path);
      });
    },
    lstat(path) {
      // The path of a root may end in "/."; Win32 would drop that, and describe a link.
      const ask = path.endsWith("/.")
        ? () =>
          then(
            disk.realPath(nativePath(path)),
            (real) => then(disk.lstat(real), known),
          )
        : () => lstat(path);
      return attempt(ask, (error) => absent(error, path));
    },
    readLink(path) {
      const ask = () => then(disk.readLink(nativePath(path)), canonicalTarget);
      return attempt(ask, async (error) => {
        // Win32 has several answers for what is not a link.
        const { kind } = await lstat(path);
        throw kind === "symlink" || codeOf(error) === "EXDEV"
          ? error
          : failure("EINVAL");
      }, (error) => absent(error, path));
    },
    open(path) {
      const ask = () =>
        then(disk.open(nativePath(path)), (handle) => ({
          ...handle,
          stat: () => then(handle.stat(), opened),
          path: () => undefined,
        }));
      return attempt(ask, async (error) => {
        const isRefused = /^(?:EACCES|EPERM)$/.test(codeOf(error));
        if (isRefused && (await lstat(path)).kind === "directory") {
          throw failure("EISDIR");
        }
        return await absent(error, path);
      });
    },
    list: (path, most, signal) => {
      if (disk.list === undefined) throw failure("ENOSYS");
      return disk.list(nativePath(path), most, signal);
    },
  };

  /** The stat of an open file, which is proved by its identity. */
  function opened(stat: FileStat): FileStat {
    if (stat.id === null && roundsIds) {
      throw Object.assign(failure("ENOTSUP"), { reason: "rounded_id" });
    }
    return known(stat);
  }
}

/** Any program that may write a file may set its ChangeTime, and servers without one give the year 1601. */
function known(stat: FileStat): FileStat {
  return { ...stat, ctimeMs: null };
}

/** Whether the nearest thing above a path that is there is no directory. */
async function isBelowFile(disk: FsPort, path: string): Promise<boolean> {
  for (
    let above = parentOf(path);
    splitPath(above).length > 0;
    above = parentOf(above)
  ) {
    try {
      return (await disk.lstat(nativePath(above))).kind === "file";
    } catch (error) {
      if (codeOf(error) !== "ENOENT") return false;
    }
  }
  return false;
}

/** `/C:/dir/name` as Windows spells it; fails with `ENOENT` for a name that Win32 would not read as itself. */
function nativePath(path: string): string {
  const [first = "", ...names] = splitPath(path);
  const isDrive = /^[A-Z]:$/.test(first);
  const checked = isDrive ? names : [first, ...names];
  const isPlain = checked.every((name) => nameMistake(name) === undefined);
  // A server alone is no directory.
  if (!isPlain || !isDrive && names.length === 0) throw failure("ENOENT");
  const rest = names.join("\\");
  return isDrive ? `${first}\\${rest}` : `\\\\${first}\\${rest}`;
}

/** The path of a root as a program wrote it, or a path of the core, which begins with one slash. */
function nativeStart(path: string): string {
  if (!/^\/(?!\/)/.test(path)) return path;
  return nativePath(path.replace(/^\/[a-z]:/, (drive) => drive.toUpperCase()));
}

/** What the system calls a place, in the form of the core; `undefined` for a volume without a letter, a device, and a relative path. */
function canonical(path: string): string | undefined {
  const plain = path
    .replace(/^\\\\\?\\UNC\\|^\\\?\?\\UNC\\/i, "\\\\")
    .replace(/^(?:\\\\\?\\|\\\?\?\\)(?=[a-z]:\\)/i, "");
  const isAbsolute = /^[a-z]:[\\/]|^\\\\[^\\/?.]/i.test(plain);
  return isAbsolute ? canonicalPath(plain)!.replace(/\/+$/, "") : undefined;
}

function canonicalReal(path: string): string {
  const real = canonical(path);
  if (real === undefined) throw noRealPath();
  return real;
}

function noRealPath(): Error {
  return failure("ENOTSUP", { reason: "no_real_path" });
}

/** The target of a link; that of a volume, a device, a stream or the current drive leads out. */
function canonicalTarget(target: string): string {
  const path = canonical(target);
  if (path !== undefined) return path;
  if (/^[\\/]|:/.test(target)) throw failure("EXDEV");
  return target.replaceAll("\\", "/");
}

function splitPath(path: string): string[] {
  return path.replace(/\/\.$/, "").split("/").filter((name) => name !== "");
}

function parentOf(path: string): string {
  return `/${splitPath(path).slice(0, -1).join("/")}`;
}

/** Uses an answer when it is there: a disk that answers at once must stay one. */
function then<Value, Used>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Used>,
): Awaitable<Used> {
  return isPromise(value) ? value.then(use) : use(value);
}

/** Calls the disk; each of `fail` may put the failure into another code. */
function attempt<Value>(
  ask: () => Awaitable<Value>,
  ...fail: readonly ((error: unknown) => Promise<never>)[]
): Awaitable<Value> {
  const failed = (error: unknown): Promise<Value> =>
    fail.reduce<Promise<Value>>(
      (known, next) => known.catch(next),
      Promise.reject(error),
    );
  try {
    const answer = ask();
    return isPromise(answer) ? answer.then(undefined, failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
