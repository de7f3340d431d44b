// Runtime-agnostic.
import { type Call, orElse, whenThere } from "../base/call.ts";
import {
  type Awaitable,
  type FileHandle,
  type FileStat,
  type FsPort,
  isAtRest,
  isPromise,
} from "../base/port.ts";
import { denialOf } from "./deny.ts";
import { ReadFileError } from "../base/errors.ts";
import { PROOF_BITS } from "../base/limits.ts";
import { isBelow, refusal, type Root, type Trail } from "./walk.ts";

/**
 * Proves that an open file lies below the root, whatever its path was swapped
 * for between the walk and the opening; `CHANGED` if it does not.
 *
 * The system's own name of the open file settles it: links play no part in it.
 * Where the system tells none, the file is challenged: if it lies outside, some
 * directory on the trail is being swapped, and no single state of the disk shows
 * both the directories as they were seen and the open file at the trail's end.
 * So in each state at least one of the possible questions fails, and each
 * question is drawn by itself: a swapper has to guess which ones will be asked.
 */
export function prove(
  handle: FileHandle,
  opened: FileStat,
  fs: FsPort,
  root: Root,
  trail: Trail,
  call: Call,
): Awaitable<Proof> {
  return whenThere(call.wait(handle.path()), (name) => {
    if (name === undefined) {
      const asking = proveOnce(opened, fs, root, trail, call);
      return whenThere(asking, () => "other");
    }
    if (name.includes("\uFFFD") || !isBelow(root, name)) throw changed(call);
    // The walk has asked the rules about its own end, and about nothing else.
    if (name === trail.at(-1)!.path) return "named";
    const denial = denialOf(root.deny, name);
    if (denial !== undefined) throw refusal(denial, call);
    return "other";
  });
}

/** How it was proved: `"named"` if the system itself calls the open file by the path that was found. */
type Proof = "named" | "other";

/**
 * Challenges a file, unless it was proved before and nothing about it has changed
 * since. It may lie elsewhere by now if a directory above it was moved, but what
 * it holds is what could be read when it lay inside.
 */
function proveOnce(
  opened: FileStat,
  fs: FsPort,
  root: Root,
  trail: Trail,
  call: Call,
): Awaitable<void> {
  const version = versionOf(opened);
  if (version !== undefined && root.proved.has(version)) {
    // The walk begins at the root, and does not look at it or at what is above.
    return confirm(fs, [...root.above, trail[0]!], call);
  }
  // From before the questions: a change that comes after this must be seen.
  const now = Date.now();
  const asking = challenge(opened, fs, [...root.above, ...trail], call);
  if (version === undefined || !isAtRest(opened, now)) return asking;
  return asking.then(() => root.proved.add(version));
}

/** Names a file and all that shows a change of it; `undefined` if that is not known. */
function versionOf(stat: FileStat): string | undefined {
  const { id, size, mtimeMs, ctimeMs } = stat;
  // A new name and another place show only in the ctime.
  if (id === null || ctimeMs === null) return undefined;
  return `${id} ${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * How many questions a challenge asks about so many places. One question passes
 * by a guess with a chance of (places - 1) / places at most.
 */
export function questionsOf(places: number): number {
  return Math.max(1, Math.ceil(PROOF_BITS / Math.log2(places / (places - 1))));
}

/** Asks about places of the trail that nobody can guess. */
export async function challenge(
  opened: FileStat,
  fs: FsPort,
  trail: Trail,
  call: Call,
): Promise<void> {
  if (opened.id === null) {
    // Neither a name nor an identity: there is nothing to compare.
    throw new ReadFileError("IO", call.path, { errno: null, passing: false }, {
      hint: "the file system gives open files neither names nor identities",
    });
  }
  const places = [...trail.slice(0, -1), { ...trail.at(-1)!, stat: opened }];
  const drawn = Array.from(
    { length: questionsOf(places.length) },
    () => places[randomBelow(places.length)]!,
  );
  await confirm(fs, drawn, call);
}

/** Fails with `CHANGED` unless each place is what was seen there. */
async function confirm(fs: FsPort, places: Trail, call: Call): Promise<void> {
  for (const { path, stat } of places) {
    const answer = look(fs, path, call);
    const now = isPromise(answer) ? await answer : answer;
    if (now.kind !== stat.kind || now.id !== stat.id) throw changed(call);
  }
}

function look(fs: FsPort, path: string, call: Call): Awaitable<FileStat> {
  return orElse(
    () => call.wait(fs.lstat(path, undefined, call.signal)),
    (error) => {
      const { code } = Object(error) as { code?: unknown };
      // It was there when it was walked through.
      throw code === "ENOENT" || code === "ENOTDIR" ? changed(call) : error;
    },
  );
}

/** The failure of a path that leads elsewhere by now. */
export function changed(call: Call): ReadFileError<"CHANGED"> {
  return new ReadFileError("CHANGED", call.path, { how: "path" });
}

const random = new Uint32Array(256);
let drawn = random.length;

// `Math.random` can be predicted from what it gave before; this must not be.
function randomBelow(bound: number): number {
  if (drawn === random.length) {
    crypto.getRandomValues(random);
    drawn = 0;
  }
  return random[drawn++]! % bound;
}
