import { invalidPath, ReadFileError } from "../base/errors.ts";
import {
  MAX_NAME_UNITS,
  MAX_PATH_BYTES,
  MAX_PATH_NAMES,
} from "../base/limits.ts";
import type { PathSpelling } from "../base/port.ts";
import {
  canonicalPath,
  foldLetters,
  nameMistake,
  shownPath,
  startMistake,
} from "../base/windows_paths.ts";

/** The names of a path, from the top down. */
export type Names = readonly string[];

/** The absolute paths of a root, and how callers may write them. */
export interface Aliases {
  /** The real path of the root first, and the path as given last, as names. */
  readonly paths: readonly Names[];
  readonly spelling: PathSpelling | undefined;
  /** Whether the disk has shown that the root's own path may be written in another case or composition. */
  readonly areFolded: boolean;
}

/** A requested path, resolved by its text alone: the names from the root down, without `.` and `..`. */
export type ParsedPath = Readonly<ReturnType<typeof parsePath>>;

const encoder = new TextEncoder();

/**
 * Checks and resolves a path from the root, or an absolute one below one of its
 * `aliases`, before the file system sees it. `..` is resolved here, before links,
 * since runtimes differ in it.
 */
export function parsePath(path: unknown, aliases: Aliases) {
  if (typeof path !== "string") {
    // A message that quotes it would show a path that was never sent.
    const isMissing = path === undefined || path === null;
    const problem = isMissing ? "is missing" : "must be a string";
    const hint = "name it by its path from the root of the workspace";
    throw invalidPath("", problem, {
      words: { INVALID_ARGUMENT: () => [`path ${problem}`, hint] },
    });
  }
  if (path === "") throw invalidPath(path, "must not be empty");
  if (path.includes("\0")) throw invalidPath(path, "holds a NUL character");
  if (!path.isWellFormed()) {
    throw invalidPath(path, "holds half a surrogate pair");
  }
  if (isLonger(path, MAX_PATH_BYTES)) {
    throw invalidPath(path, `is longer than ${MAX_PATH_BYTES} bytes`);
  }
  const { spelling } = aliases;
  const isOfWindows = spelling?.form === "windows";
  if (isOfWindows) refuseMistaken(path, startMistake(path));
  const plain = isOfWindows ? canonicalPath(path) : path;
  const names: Names | undefined = plain === undefined
    ? undefined
    : namesBelow(plain, aliases);
  if (plain === undefined || names === undefined) {
    throw new ReadFileError("OUTSIDE_WORKSPACE", path, {});
  }
  if (names.length > MAX_PATH_NAMES) {
    throw invalidPath(path, `has more than ${MAX_PATH_NAMES} names`);
  }
  const inUnits = spelling?.nameUnits === "utf-16";
  for (const name of names) {
    const isLong = inUnits
      ? name.length > MAX_NAME_UNITS
      : isLonger(name, MAX_NAME_UNITS);
    if (isLong) {
      const units = inUnits ? "code units of UTF-16" : "bytes";
      const problem = `has a name longer than ${MAX_NAME_UNITS} ${units}`;
      throw invalidPath(path, problem);
    }
    if (isOfWindows) refuseMistaken(path, nameMistake(name));
  }
  const last = plain.slice(plain.lastIndexOf("/") + 1);
  // A path that ends with a slash or a dot must be a directory.
  return { names, asDirectory: /^\.{0,2}$/.test(last) };
}

function refuseMistaken(
  path: string,
  mistake: ReturnType<typeof nameMistake>,
): void {
  if (mistake === undefined) return;
  throw invalidPath(path, mistake.problem, { hint: mistake.hint });
}

/**
 * The names of `path` from the root down; `undefined` if it leaves the root, even if
 * it comes back: otherwise callers could guess the root's name.
 */
export function namesBelow(
  path: string,
  { paths, spelling, areFolded }: Aliases,
) {
  const isAbsolute = path.startsWith("/");
  const names: string[] = [];
  const rootAbove = () =>
    paths.find((root) =>
      root.every((name, depth) =>
        name === names[depth] ||
        areFolded && depth < names.length &&
          foldPart(name, spelling) === foldPart(names[depth]!, spelling)
      )
    );
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

/** Folds a name of the root's own path. Unlike a rule, this must not take two directories for one. */
function foldPart(name: string, spelling: PathSpelling | undefined): string {
  return foldLetters(
    spelling?.form === "windows" ? name : name.normalize("NFC"),
  );
}

/** Whether two absolute paths of Windows have the same names: in any case, as the disk that gave both may fold more than {@linkcode foldLetters}, or as a short name. */
export function isSamePlace(real: string, path: string): boolean {
  const names = splitPath(real);
  const asked = splitPath(path);
  return names.length === asked.length &&
    asked.every((name, depth) =>
      name === names[depth] || isShortName(name) ||
      name.toUpperCase() === names[depth]!.toUpperCase()
    );
}

/** Another spelling of a path, which a disk that folds names reads as the same; the same text if there is none. */
export function respelt(path: string): string {
  return path.replace(/[^/:]+(?!:)/g, (name) => {
    const forms = [
      foldLetters(name),
      name.toLowerCase(),
      name.normalize("NFD"),
      name.normalize("NFC"),
    ];
    return forms.find((form) => form !== name) ?? name;
  });
}

/** The names of a path that is absolute and leads out of the root, as if it began there. */
export function namesWithoutSlash(
  path: string,
  aliases: Aliases,
): Names | undefined {
  const isOfWindows = aliases.spelling?.form === "windows";
  const plain = isOfWindows ? path.replaceAll("\\", "/") : path;
  if (!plain.startsWith("/")) return undefined;
  const whole = isOfWindows ? canonicalPath(path) : path;
  if (whole !== undefined && namesBelow(whole, aliases) !== undefined) {
    return undefined;
  }
  return namesBelow(plain.replace(/^\/+/, ""), aliases);
}

/** The absolute path of these names in the form that callers know, and may write. */
export function shownFrom(
  names: Names,
  { spelling }: Pick<Aliases, "spelling">,
): string {
  const path = `/${names.join("/")}`;
  return spelling?.form === "windows" ? shownPath(path) : path;
}

/** The names of a path, without resolving `..`. */
export function splitPath(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** Whether `path` is `root` or below it; both are absolute and without `..`. */
export function isAtOrBelow(root: string, path: string): boolean {
  // `root + "/"` would be a new string for each path.
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
export function oddName(path: string): ReadFileError {
  const problem = "holds U+FFFD, which may stand for bytes that are not UTF-8";
  const hint = "rename the file or directory: its name must not hold U+FFFD";
  return invalidPath(path, problem, { hint });
}
