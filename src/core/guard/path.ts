// Runtime-agnostic.
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { MAX_DEPTH, MAX_NAME_BYTES, MAX_PATH_BYTES } from "../base/limits.ts";

/** The names of a path, from the top down. */
export type Names = readonly string[];

/** A requested path, resolved by its text alone: the names from the root down, without `.` and `..`. */
export type ParsedPath = Readonly<ReturnType<typeof parsePath>>;

const encoder = new TextEncoder();

/**
 * Checks and resolves a path from the root, or an absolute one below one of
 * `roots`, before the file system sees it. `..` is resolved here, before links,
 * since runtimes differ in it.
 */
export function parsePath(path: unknown, roots: readonly Names[]) {
  if (typeof path !== "string") {
    // Some objects cannot be converted to strings: {"toString": 1} throws.
    const shown = Object(path) === path ? "" : String(path);
    throw invalidPath(shown, "must be a string");
  }
  if (path === "") throw invalidPath(path, "must not be empty");
  if (path.includes("\0")) throw invalidPath(path, "holds a NUL character");
  if (!path.isWellFormed()) {
    throw invalidPath(path, "holds half a surrogate pair");
  }
  if (isLonger(path, MAX_PATH_BYTES)) {
    throw invalidPath(path, `is longer than ${MAX_PATH_BYTES} bytes`);
  }
  const names: Names | undefined = namesBelow(path, roots);
  if (names === undefined) {
    throw new ReadFileError("OUTSIDE_WORKSPACE", path, {});
  }
  if (names.length > MAX_DEPTH) {
    throw invalidPath(path, `has more than ${MAX_DEPTH} names`);
  }
  if (names.some((name) => isLonger(name, MAX_NAME_BYTES))) {
    throw invalidPath(path, `has a name longer than ${MAX_NAME_BYTES} bytes`);
  }
  const last = path.slice(path.lastIndexOf("/") + 1);
  // A path that ends with a slash or a dot must be a directory.
  return { names, asDirectory: /^\.{0,2}$/.test(last) };
}

/**
 * The names of `path` from the root down; `undefined` if it leaves the root, even if
 * it comes back: otherwise callers could guess the root's name.
 */
export function namesBelow(path: string, roots: readonly Names[]) {
  const isAbsolute = path.startsWith("/");
  const names: string[] = [];
  const rootAbove = () =>
    roots.find((root) => root.every((name, depth) => name === names[depth]));
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") {
      names.push(name);
      continue;
    }
    const wasInside = isAbsolute && rootAbove() !== undefined;
    if (names.pop() === undefined) return undefined;
    if (wasInside && rootAbove() === undefined) return undefined;
  }
  if (!isAbsolute) return names;
  const root = rootAbove();
  return root && names.slice(root.length);
}

/** The names of a path, without resolving `..`. */
export function splitPath(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** Whether `path` is `root` or below it; both are absolute and without `..`. */
export function isAtOrBelow(root: string, path: string): boolean {
  // Comparing with `root + "/"` would be slower: V8 flattens a concatenated string first.
  if (!path.startsWith(root)) return false;
  const { length } = root;
  return path.length === length || length === 1 || path[length] === "/";
}

export function join(path: string, name: string): string {
  return path === "/" ? `/${name}` : `${path}/${name}`;
}

function isLonger(text: string, bytes: number): boolean {
  // A code unit takes at most three bytes, so most paths need no encoding.
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || encoder.encode(text).length > bytes;
}

/** Folds only the case of ASCII letters. */
export function foldCase(name: string): string {
  return isAscii(name)
    ? name.toUpperCase()
    : name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Folds text: all spellings that some file system treats as one name have the same
 * fold. ext4 may treat `straße` as `STRASSE`, and ignores invisible characters;
 * HFS+ and APFS compose accents; ZFS may replace characters by compatible ones.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.normalize("NFKD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    // The capital sharp s has no other uppercase form; its lowercase form has one.
    .toLowerCase().toUpperCase().normalize("NFKC");
}

/** Folds a whole name: as `foldText`, and Windows drops dots and spaces at its end, and reads `name::$DATA` as `name`. */
export function foldName(name: string): string {
  return foldText(name).replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

/** Whether a name looks like a short name of Windows: `ENV~1` for `.env`, `CREDEN~1.JSO` for `credentials.json`. */
export function isShortName(name: string): boolean {
  return name.includes("~") &&
    /^(?=.{1,8}(?:\.|$))[^.]+~[0-9]+(?:\.[^.]{0,3})?$/s.test(foldName(name));
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The failure of a name that may be that of another file. */
export function oddName(path: string): ReadFileError<"INVALID_ARGUMENT"> {
  const problem = "holds U+FFFD, which may stand for bytes that are not UTF-8";
  const hint = "rename the file or directory: its name must not hold U+FFFD";
  return invalidPath(path, problem, { hint });
}
