// Runtime-agnostic.
import { orElse, whenThere } from "../awaitable.ts";
import type { Call } from "../call.ts";
import { denialOf } from "./deny.ts";
import { ReadFileError } from "../errors.ts";
import { PROOF_ROUNDS } from "../limits.ts";
import {
  type Awaitable,
  type FileHandle,
  type FileStat,
  type FsPort,
  isPromise,
} from "../port.ts";
import { isBelow, refusal, type Root, type Trail } from "./resolve.ts";

/**
 * Proves that an open file lies below the root, whatever its path was swapped
 * for between the walk and the opening; `CHANGED` if it does not.
 *
 * The system's own name of the open file settles it: links play no part in it.
 * Where the system tells none, the file is challenged: if it lies outside, some
 * directory on the trail is being swapped, and no single state of the disk shows
 * both the directories as they were seen and the open file at the trail's end.
 * Which of the two is asked first is a coin the swapper has to guess, each round.
 */
export function prove(
  handle: FileHandle,
  opened: FileStat,
  fs: FsPort,
  root: Root,
  trail: Trail,
  call: Call,
): Awaitable<void> {
  return whenThere(call.wait(handle.path()), (name) => {
    if (name === undefined) {
      return challenge(opened, fs, [...root.above, ...trail], call);
    }
    if (name.includes("\uFFFD") || !isBelow(root, name)) throw changed(call);
    // The walk has asked the rules about its own end, and about nothing else.
    if (name === trail.at(-1)!.path) return;
    const denial = denialOf(root.deny, name);
    if (denial !== undefined) throw refusal(denial, call);
  });
}

/** Asks about the trail and its end in turn, in an order that no one can guess. */
async function challenge(
  opened: FileStat,
  fs: FsPort,
  trail: Trail,
  call: Call,
): Promise<void> {
  if (opened.id === null) {
    // Neither a name nor an identity: there is nothing to compare.
    const details = { errno: null, passing: false };
    throw new ReadFileError("IO", call.path, {
      ...details,
      hint: "the file system gives open files neither names nor identities",
    });
  }
  const last = trail.length - 1;
  const order = trail.map((_, index) => index);
  for (let round = 0; round < PROOF_ROUNDS; round++) {
    shuffle(order);
    for (const index of order) {
      const { path, stat } = trail[index]!;
      const answer = look(fs, path, call);
      const now = isPromise(answer) ? await answer : answer;
      const holds = index === last
        ? now.id === opened.id
        : now.kind === "directory" && now.id === stat.id;
      if (!holds) throw changed(call);
    }
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

function changed(call: Call): ReadFileError<"CHANGED"> {
  return new ReadFileError("CHANGED", call.path, { how: "path" });
}

function shuffle(order: number[]): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = randomBelow(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
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
