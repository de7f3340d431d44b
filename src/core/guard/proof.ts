import { type Call, isPromise } from "../base/call.ts";
import { codeOf, fromPort } from "../base/errno.ts";
import { ReadFileError } from "../base/errors.ts";
import { CLOCK_GRAIN_MS, PROOF_BITS } from "../base/limits.ts";
import type {
  Awaitable,
  FileHandle,
  FileStat,
  FsPort,
  PathRole,
} from "../base/port.ts";
import { type Denial, denialOf } from "./deny.ts";
import { isAtOrBelow, isSamePlace, oddName } from "./path.ts";
import type { Root } from "./root.ts";

/** What the attempts of a call share. */
export interface ProofContext {
  readonly fs: FsPort;
  readonly root: Root;
  readonly call: Call;
}

/** One attempt of a call to reach a file below a root. */
export interface Attempt extends ProofContext {
  /** The time of the system clock before its first question to the port. */
  readonly startedMs: number;
}

/** A path, and what `lstat` gives for it; no directory of the path is a link. */
export type PathStat = { readonly path: string; readonly stat: FileStat };

/** The directories from the root that was opened, before any `narrow()`, down to a path; and the path itself. */
export type Trail = readonly PathStat[];

/** A call of the file system that can be repeated, and its answer as text. */
export interface Question {
  readonly ask: () => Awaitable<unknown>;
  readonly answer: string;
}

/** How many calls of `lstat` are made between two checks of the time slice: they take far less than a slice, even if many reads run at once. */
export const LSTATS_PER_YIELD = 8;

/**
 * Proves that the open file at `found` lies below the root, even if a part of
 * its path was swapped after the walk; fails with `CHANGED` if it does not.
 *
 * If the system gives the path of the open file, this path must lie below the root;
 * links cannot forge it. The root, and each mounted directory above the file, must
 * be the same directories as before. Without a `trail`, the system's path must equal
 * `found`. If the system gives no path, the file is challenged along the trail of the
 * walk. Returns the path that the system gives.
 */
export async function prove(
  attempt: Attempt,
  handle: FileHandle,
  opened: FileStat,
  found: string,
  trail?: Trail,
): Promise<string | undefined> {
  const { root, call } = attempt;
  const ask = () => handle.path();
  const asking = call.wait(ask());
  const ownPath = isPromise(asking) ? await asking : asking;
  if (trail === undefined && ownPath !== found) throw changedError(call);
  if (ownPath === undefined) {
    await proveByTrail(attempt, opened, trail!);
    return undefined;
  }
  const isBelow = ownPath !== root.path && isAtOrBelow(root.path, ownPath);
  if (!isBelow) throw changedError(call);
  // U+FFFD may stand for bytes that are not UTF-8: such a path cannot be compared.
  if (ownPath.includes("\uFFFD")) {
    throw ownPath === found ? oddName(call.path) : changedError(call);
  }
  const isBoundary = ({ stat }: PathStat, at: number) =>
    at < root.trail.length || stat.top === true;
  const boundaries = trail?.filter(isBoundary) ?? root.trail;
  const now = await describeAgain(attempt, boundaries);
  if (!areSettled(attempt, now)) {
    // A directory that changed this recently may have been swapped between asking for
    // the path and `lstat`. So the file is challenged, unless the same version of it was
    // proved with the same ctimes: any swap since then would have changed them.
    const times = now.map(({ stat }) => stat.ctimeMs);
    const version = versionKey(opened, `${times.join(" ")} ${ownPath}`);
    const isCacheable = version !== undefined && !times.includes(null);
    const isProved = isCacheable && root.provedFiles.get(version) === true;
    if (!isProved) {
      await challenge(attempt, boundaries, [{ ask, answer: ownPath }]);
      if (isCacheable) root.provedFiles.set(version, true);
    }
  }
  // The walk has checked the rules for `found`.
  if (ownPath === found) return ownPath;
  const denial = denialOf(root.deny, ownPath) ??
    denialOf(root.deny, ownPath.replace(GONE, ""));
  if (denial === undefined) return ownPath;
  // Confirm first: otherwise an attacker who swaps a directory could learn from the
  // kind of failure whether a hidden file exists.
  if (trail !== undefined) await confirm(attempt, trail, []);
  throw refusal(denial, call);
}

/** What Linux adds to the path of a removed file. */
const GONE = / \(deleted\)$/;

/**
 * Challenges a file. The challenge is skipped if (a) this version was proved before,
 * and (b) no directory of its path can have moved during this attempt.
 */
async function proveByTrail(attempt: Attempt, opened: FileStat, trail: Trail) {
  const { root, call, startedMs } = attempt;
  if (opened.id === null) {
    throw new ReadFileError("IO", call.path, { errno: null, passing: false }, {
      hint: "the file system gives open files neither names nor identities",
    });
  }
  const stats = trail.with(-1, { ...trail.at(-1)!, stat: opened });
  const version = versionKey(opened, "");
  const isKnown = version !== undefined && root.provedFiles.get(version);
  if (isKnown && areSettled(attempt, await describeAgain(attempt, stats))) {
    return;
  }
  await challenge(attempt, stats, []);
  if (version !== undefined && isAtRest(opened, startedMs)) {
    root.provedFiles.set(version, true);
  }
}

/** Identifies a version of a file, and what else its proof relies on. `undefined` without an identity or a ctime: a rename could leave this string unchanged. */
function versionKey(stat: FileStat, proof: string): string | undefined {
  const { id, size, mtimeMs, ctimeMs } = stat;
  if (id === null || ctimeMs === null) return undefined;
  return `${id} ${size} ${mtimeMs} ${ctimeMs} ${proof}`;
}

/**
 * Proves that the stats and answers are of the tree below the root, and not of
 * a swapped part; fails with `CHANGED` otherwise. Every failure that reveals
 * something of the tree, and every listing, is confirmed before it is shown.
 */
export async function confirm(
  attempt: Attempt,
  stats: readonly PathStat[],
  questions: readonly Question[],
): Promise<void> {
  const directories = stats.filter(({ stat }) => stat.kind === "directory");
  if (directories.every(({ stat }) => stat.fixed === true)) return;
  if (areSettled(attempt, await describeAgain(attempt, directories))) return;
  await challenge(attempt, stats, questions);
}

/** Calls `lstat` for each path again; fails with `CHANGED` if the kind or the identity differs. */
export async function describeAgain(
  { fs, call }: Attempt,
  stats: readonly PathStat[],
  roleOfAll?: PathRole,
): Promise<readonly PathStat[]> {
  const seen: PathStat[] = [];
  for (const { path, stat } of stats) {
    if ((seen.length + 1) % LSTATS_PER_YIELD === 0) await call.yieldIfDue();
    // By default, ask in the role that the walk used: for a directory on the way, a store
    // then needs no request.
    const role = roleOfAll ?? (stat.kind === "directory" ? "way" : "last");
    let now: FileStat;
    try {
      const looking = call.wait(fs.lstat(path, role, call.signal));
      now = isPromise(looking) ? await looking : looking;
    } catch (error) {
      const failure = fromPort(error, call.path);
      const isOfSystem = failure.is("IO") || failure.is("ABORTED");
      throw isOfSystem ? failure : changedError(call);
    }
    if (now.kind !== stat.kind || now.id !== stat.id) throw changedError(call);
    seen.push({ path, stat: now });
  }
  return seen;
}

/** Whether nothing was renamed to these paths since the attempt began: a rename sets the ctime. It says nothing of content; {@linkcode isAtRest} does. */
function areSettled({ startedMs }: Attempt, stats: readonly PathStat[]) {
  return stats.every(({ stat: { fixed, ctimeMs } }) =>
    fixed === true || ctimeMs !== null && isSurelyBefore(ctimeMs, startedMs)
  );
}

/** Whether a time is before another by any clock of a file system; NaN never is. */
function isSurelyBefore(timeMs: number, otherMs: number): boolean {
  return otherMs - timeMs > CLOCK_GRAIN_MS;
}

/** How many questions to ask: an attacker who guesses passes each with a probability of at most (choices - 1) / choices. */
export function questionsOf(choices: number): number {
  const bits = Math.log2(choices / (choices - 1));
  return Math.max(1, Math.ceil(PROOF_BITS / bits));
}

/**
 * Repeats random questions. If what was seen lies outside the root, a directory
 * of its path is being swapped, and no single state of the disk gives all the
 * answers. So in each state at least one question fails, and an attacker has to
 * guess which question comes next.
 *
 * Questions that may take different times begin at random times: listings, and all
 * questions to a port that answers with promises. How the next question waits
 * depends on what the answer needs:
 *
 * - The event loop, as with a thread pool: several questions are asked at once. Asked
 *   one after another, each would begin when the one before it has its answer. An
 *   attacker who knows how long each kind takes could swap in that rhythm.
 * - Only microtasks: each answer is awaited before the next question. A port with
 *   layers may take more microtasks for one answer than for another. Asked at once,
 *   all short questions would be answered before all long ones, and an attacker
 *   would not have to guess their order.
 */
export async function challenge(
  attempt: Attempt,
  stats: readonly PathStat[],
  questions: readonly Question[],
  isListing = false,
): Promise<void> {
  const { root, call } = attempt;
  const atOnce = isListing ? 1 : LSTATS_PER_YIELD;
  const all = [...questions, ...placeQuestions(attempt, stats)];
  const choices = stats.length + all.length;
  let left = questionsOf(choices);
  while (left > 0) {
    await call.yieldIfDue();
    const asked: Promise<unknown>[] = [];
    for (; left > 0 && asked.length < atOnce; left--) {
      if (isListing) spin(randomBelow(MAX_LISTING_SPIN));
      else if (root.answersLater) spin(randomBelow(MAX_SPIN));
      const index = randomBelow(choices);
      const question = all[index - stats.length];
      const answer = question === undefined
        ? describeAgain(attempt, [stats[index]!])
        : askAgain(call, question);
      asked.push(answer);
      if (root.answersLater) await awaitMicrotasks(answer);
    }
    for (const answer of await Promise.allSettled(asked)) {
      if (answer.status === "rejected") throw answer.reason;
    }
  }
}

/**
 * Asks where a path is, if its port may describe what a link leads to in place of the
 * link: Node.js and Bun do so on Windows for a junction to `\\?\Volume{…}`, which anyone
 * can make. Such a link is found by its real path alone.
 */
export function asksPlace({ fs }: ProofContext, path: string): Question["ask"] {
  return async () => isSamePlace(await fs.realPath(path), path) ? HERE : "";
}

/** The answer that a file or directory is where its path says. */
export const HERE = "here";

/** Whether a port may describe what a link leads to in place of the link. */
export function mayHideLinks({ spelling }: FsPort): boolean {
  return spelling?.hidesLinks === true;
}

/** Asks where the deepest paths are that are no links: a real path shows each link above, too. */
function placeQuestions(
  attempt: Attempt,
  stats: readonly PathStat[],
): Question[] {
  if (!mayHideLinks(attempt.fs)) return [];
  const paths = stats.filter(({ stat }) => stat.kind !== "symlink")
    .map(({ path }) => path);
  const isAbove = (path: string) =>
    paths.some((other) => other !== path && isAtOrBelow(path, other));
  return [...new Set(paths)].filter((path) => !isAbove(path))
    .map((path) => ({ ask: asksPlace(attempt, path), answer: HERE }));
}

/** Waits for an answer that takes only microtasks; one from a thread pool needs the event loop. */
async function awaitMicrotasks(answer: Promise<unknown>): Promise<void> {
  let isPending = true;
  const end = () => void (isPending = false);
  answer.then(end, end);
  for (let count = 0; isPending && count < MAX_MICROTASKS; count++) {
    await undefined;
  }
}

/** More microtasks than an answer through several `overlayFs` layers takes. Awaiting all of them costs microseconds. */
const MAX_MICROTASKS = 256;
/** The most rounds of `spin` before a listing: about half a millisecond, far more than a swap takes. */
const MAX_LISTING_SPIN = 1 << 19;
/** The most rounds before another question: about 60 microseconds. */
const MAX_SPIN = 1 << 16;

/** Passes time without a clock, since clocks stand still at the edge. */
function spin(rounds: number): void {
  let hash = rounds;
  while (rounds-- > 0) hash = Math.imul(hash ^ rounds, 0x5bd1e995);
  // Use the result: an engine may leave out a loop whose result is not used.
  random[0]! ^= hash & 0;
}

/** Asks a question again; fails with `CHANGED` if the answer differs. */
async function askAgain(call: Call, { ask, answer }: Question): Promise<void> {
  let now: unknown;
  try {
    now = await call.wait(ask()) ?? "";
  } catch (error) {
    if (error instanceof ReadFileError) throw error;
    now = codeOf(error);
  }
  const told = typeof now === "string" ? now : JSON.stringify(now);
  if (told !== answer) throw changedError(call);
}

/** The failure of a path that leads elsewhere now. */
export function changedError(call: Call): ReadFileError {
  return new ReadFileError("CHANGED", call.path, { how: "path" });
}

/** The failure of a denied path; for a hidden one, the failure of the port for an absent path. */
export function refusal({ mode, rule }: Denial, call: Call): Error {
  return mode === "refuse"
    ? new ReadFileError("POLICY_DENIED", call.path, { rule })
    : Object.assign(new Error("hidden"), { code: "ENOENT" });
}

const random = new Uint32Array(256);
let drawn = random.length;

// `Math.random` can be predicted from earlier values; this must not be.
function randomBelow(bound: number): number {
  if (drawn === random.length) {
    crypto.getRandomValues(random);
    drawn = 0;
  }
  return random[drawn++]! % bound;
}

/** How a file has changed, by its size and its times. */
type Change = "same" | "shrank" | "larger" | "rewritten" | "touched";

export function changeOf(before: FileStat, now: FileStat): Change {
  if (now.size < before.size) return "shrank";
  if (now.size > before.size) return "larger";
  // NaN is the same as NaN.
  if (!Object.is(now.mtimeMs, before.mtimeMs)) return "rewritten";
  return Object.is(now.ctimeMs, before.ctimeMs) ? "same" : "touched";
}

/**
 * Whether the times of a file or a directory will show every later change of its
 * content. They do not if they are unknown, or if the last change is so recent that
 * another one could leave the same times. Sample `now` before `stat()`.
 */
export function isAtRest(stat: FileStat, now: number): boolean {
  const { mtimeMs, ctimeMs, remote } = stat;
  // An infinite time, or NaN, proves nothing.
  if (mtimeMs === null || !Number.isSafeInteger(Math.trunc(mtimeMs))) {
    return false;
  }
  // Without a ctime, a program may set the mtime back unseen. A remote store has no other
  // time than the one that it gives.
  if (ctimeMs === null) return remote === true && isSurelyBefore(mtimeMs, now);
  // An mtime in the future was set by a program, at the time that the ctime shows. A
  // later change would replace it.
  const isSetAhead = mtimeMs > now;
  return isSurelyBefore(ctimeMs, now) &&
    (isSetAhead || isSurelyBefore(mtimeMs, now));
}
