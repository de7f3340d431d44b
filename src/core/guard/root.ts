import { Call, isPromise } from "../base/call.ts";
import { LruCache } from "../base/lru_cache.ts";
import { type DenyRules, readDenyRules, SHORT_NAMES } from "./deny.ts";
import { fromPort } from "../base/errno.ts";
import { invalidPath, ReadFileError } from "../base/errors.ts";
import { MAX_LINK_FREE_PATHS, MAX_PROVED_FILES } from "../base/limits.ts";
import {
  type Aliases,
  isShortName,
  type Names,
  parsePath,
  respelt,
  splitPath,
} from "./path.ts";
import type { Awaitable, FileKind, FileStat, FsPort } from "../base/port.ts";
import {
  canonicalPath,
  nameMistake,
  startMistake,
} from "../base/windows_paths.ts";
import { quote } from "../base/words.ts";
import { Listings } from "./lister.ts";
import {
  type Attempt,
  confirm,
  type PathStat,
  refusal,
  type Trail,
} from "./proof.ts";
import { resolve } from "./walk.ts";
import { checkValue, refuseMistake, takeOptions } from "../base/check.ts";

/**
 * Which paths may not be read, and how they are refused.
 *
 * A path is denied by where it leads and by each link in it, in upper or lower
 * case. It is denied whether or not it exists: the file system is not asked.
 */
export interface DenyOptions {
  /**
   * Globs of paths from the root: `.env` denies the one in the root, `**\/.env`
   * each of them. A glob that begins with `/**\/` is matched against the real
   * path from `/`, with the names above the root.
   *
   * A glob is made of `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, `@(a|b)`, `?(a)`,
   * of `**` and `!(a|b)` for a whole name, and of `\` before a literal
   * character. Anything else is refused with a `TypeError`. On Windows, `\` is
   * refused too, since it would be taken for a separator there: write `/` between
   * names, and `[[]` for a bracket. So are drives, streams, short names, and names
   * that end with a dot or a blank, since they would deny nothing there.
   *
   * A match is denied with all that is below it; `dir/**` denies `dir` too. A
   * glob that begins with `!` makes exceptions. The last glob that matches
   * decides. An exception does not apply below a directory that is itself
   * denied: deny `dir/*`, and except `!dir/a.txt`.
   */
  readonly deny?: readonly string[];
  /** How a denied path is refused; by default `"refuse"`, or as in the wider workspace. */
  readonly denied?: "refuse" | "hide";
}

type RootOptions = DenyOptions & { readonly signal?: AbortSignal | undefined };

/** The directory that everything read must lie below. */
export interface Root {
  readonly path: string;
  readonly aliases: Aliases;
  /** The directories from the root that was opened, before any `narrow()`, down to this one, as they were when it was opened. */
  readonly trail: Trail;
  /** The rules for paths below it that may not be read. */
  readonly deny: readonly DenyRules[];
  /** The versions of files that a challenge has proved to lie below it. */
  readonly provedFiles: LruCache<true>;
  /** The paths that led to a file without a link, as the system's path of the open file confirmed: to open one again needs no walk. */
  readonly linkFree: LruCache<true>;
  /** Whether the port answers `lstat` with promises: other answers may then come sooner or later. */
  readonly answersLater: boolean;
  /** The listings that concurrent searches share. */
  readonly listings: Listings;
}

// `readDenyRules` checks the rules.
const OPTIONS = { deny: "any", denied: "any", signal: "signal" } as const;
const refuse = refuseMistake("Cannot open a workspace");

/** Finds the directory that everything read must lie below. */
export async function findRoot(
  fs: FsPort,
  path: string,
  input: RootOptions | undefined,
): Promise<Root> {
  if (typeof path !== "string" || path === "") {
    throw refuse("its root", "must be named");
  }
  checkValue("fs", fs, "port", refuse);
  const options = takeOptions(input, OPTIONS, refuse);
  const { deny = [], denied = "refuse", signal } = options;
  const { spelling } = fs;
  const written = writtenRoot(path, spelling);
  const call = new Call(path, signal);
  const real = await ask(call, () => fs.realPath(path));
  if (typeof real !== "string" || real.includes("\uFFFD")) {
    throw refuse("the path of its root", "is not Unicode");
  }
  let answersLater = false;
  const describe = (path: string) =>
    ask(call, () => {
      const stat = fs.lstat(path, "way", signal);
      answersLater = isPromise(stat);
      return stat;
    });
  const stat = await describe(real);
  refuseNonDirectory(path, stat.kind);
  if (written !== undefined && written !== real) {
    // A link in `/proc` may lead to another mount namespace, where the same
    // path is another directory.
    const given = await describe(`${written}/.`);
    // Deno drops the dot under --allow-read=<root>, which allows no such link.
    if (given.kind !== "symlink" && given.id !== stat.id) {
      throw invalidPath(path, "has no real path that leads to the same place");
    }
  }
  const paths = [real, ...written === undefined ? [] : [written]];
  const areFolded = spelling?.foldsNames === true &&
    await isFolded(real, stat, describe);
  const aliases = { paths: paths.map(splitPath), spelling, areFolded };
  const rules = [readDenyRules(real, deny, denied, spelling)];
  return makeRoot(aliases, [{ path: real, stat }], rules, answersLater);
}

/** The absolute path that was given for a root, as the port spells it; `undefined` for a relative one. */
function writtenRoot(
  path: string,
  spelling: FsPort["spelling"],
): string | undefined {
  if (spelling?.form !== "windows") {
    return path.startsWith("/") ? path : undefined;
  }
  // The system knows where such a path leads, as to the current directory of a drive.
  if (startMistake(path) !== undefined) return undefined;
  const plain = canonicalPath(path);
  if (plain === undefined) {
    const hint = 'name the drive or the server, as in "C:/dir"';
    throw invalidPath(path, "begins at the root of no named drive", { hint });
  }
  const names = splitPath(plain);
  for (const name of /^\/[A-Z]:/.test(plain) ? names.slice(1) : names) {
    const mistake = name === ".." ? undefined : nameMistake(name);
    if (mistake === undefined) continue;
    throw invalidPath(path, mistake.problem, { hint: mistake.hint });
  }
  return plain.startsWith("/") ? `/${names.join("/")}` : undefined;
}

/** Whether another spelling of the root's path is the same directory. It may not be, where a directory tells case. */
async function isFolded(
  real: string,
  { id }: FileStat,
  describe: (path: string) => Promise<FileStat>,
): Promise<boolean> {
  const other = respelt(real);
  if (other === real || id === null) return false;
  try {
    return (await describe(other)).id === id;
  } catch {
    // It is missing, or may not be read: only the exact spelling is known.
    return false;
  }
}

/** The same for names below a root. They are walked, since another spelling of them may be a link that leads out. */
async function areFoldedBelow(
  attempt: Attempt,
  below: Names,
  { id }: FileStat,
): Promise<boolean> {
  const others = splitPath(respelt(`/${below.join("/")}`));
  try {
    const trail = await resolve(attempt, others, "way");
    return id !== null && trail.at(-1)!.stat.id === id;
  } catch {
    return false;
  }
}

/** Calls a port; turns what it throws into a failure of the call's path. */
async function ask<T>(call: Call, work: () => Awaitable<T>): Promise<T> {
  let answer: T;
  try {
    answer = await call.wait(work());
  } catch (error) {
    throw fromPort(error, call.path);
  }
  // A port that is not typed may forget to return its answer.
  if (answer === undefined) throw refuse("its file system", "gives no answer");
  return answer;
}

/** Finds a directory below the root; keeps the rules of the root. */
export async function narrowRoot(
  fs: FsPort,
  root: Root,
  input: RootOptions & { readonly root?: string },
): Promise<Root> {
  const rules = { root: "text", ...OPTIONS } as const;
  const options = takeOptions(input, rules, refuse);
  const { root: path = ".", signal } = options;
  const call = new Call(path, signal);
  const parsed = parsePath(path, root.aliases);
  const attempt = { fs, root, call, startedMs: Date.now() };
  const trail = await ask(call, async () => {
    const walked = await resolve(attempt, parsed.names, "way");
    await confirm(attempt, walked, []);
    return walked;
  });
  const { path: found, stat } = trail.at(-1)!;
  refuseNonDirectory(path, stat.kind);
  const { deny = [], denied = root.deny.at(-1)!.mode } = options;
  const { aliases: { spelling } } = root;
  const added = readDenyRules(found, deny, denied, spelling);
  // A short name does not show what the added rules match: `SSH~1` may be `.ssh`.
  const names = splitPath(found);
  const above = splitPath(root.trail[0]!.path).length;
  if (added.stateOf !== undefined && names.slice(above).some(isShortName)) {
    const denial = { mode: added.mode, rule: SHORT_NAMES };
    throw fromPort(refusal(denial, call), path);
  }
  // Rules never become weaker.
  const kept = options.denied === "hide"
    ? root.deny.map((set) => ({ ...set, mode: denied }))
    : root.deny;
  // An absolute path may begin with any alias of the wider root.
  const below = names.slice(splitPath(root.path).length);
  const paths = root.aliases.paths.map((alias) => [...alias, ...below]);
  const areFolded = root.aliases.areFolded &&
    await areFoldedBelow(attempt, below, stat);
  const aliases = { paths, spelling, areFolded };
  return makeRoot(aliases, trail, [...kept, added], root.answersLater);
}

/**
 * Finds the same directory in another port, which has the files as they were: the
 * rules apply to the names that they had. A link above it would lead to another
 * directory, so there must be none.
 */
export async function rootAt(
  fs: FsPort,
  root: Root,
  call: Call,
): Promise<Root> {
  const real = await ask(call, () => fs.realPath(root.path));
  if (real !== root.path) {
    throw new ReadFileError("NOT_FOUND", call.path, {
      reason: "not_a_directory",
    });
  }
  const trail: PathStat[] = [];
  for (const { path } of root.trail) {
    const stat = await ask(call, () => fs.lstat(path, "way", call.signal));
    refuseNonDirectory(call.path, stat.kind);
    trail.push({ path, stat });
  }
  const aliases = { ...root.aliases, areFolded: false };
  return makeRoot(aliases, trail, root.deny, true);
}

function makeRoot(
  aliases: Aliases,
  trail: Trail,
  deny: Root["deny"],
  answersLater: boolean,
): Root {
  return {
    path: trail.at(-1)!.path,
    aliases,
    trail,
    deny,
    answersLater,
    listings: new Listings(),
    provedFiles: new LruCache(MAX_PROVED_FILES),
    linkFree: new LruCache(MAX_LINK_FREE_PATHS),
  };
}

function refuseNonDirectory(path: string, kind: FileKind): void {
  if (kind === "directory") return;
  const what = kind === "file" ? "a file" : "not a directory";
  throw new ReadFileError("NOT_A_FILE", path, { kind }, {
    words: {
      NOT_A_FILE: ({ path }) => [
        `Cannot open the workspace ${quote(path)}: it is ${what}`,
        "name a directory",
      ],
    },
  });
}
