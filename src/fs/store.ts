import { resolve } from "@std/path/posix/resolve";
import { timeSlice, untilAborted } from "../core/base/call.ts";
import { ownOf } from "../core/base/check.ts";
import type { FailureReason, FileHandle, FileStat } from "../core/base/port.ts";

/** A port's error: the code as Node.js spells it, no path, and a reason the core can explain. */
export function failure(
  code: string,
  { reason, cause }: { reason?: FailureReason; cause?: unknown } = {},
): Error {
  return Object.assign(new Error(code, { cause }), { code, reason });
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Joins `top` and a rest that is empty or has a leading slash. */
export function below(top: string, rest: string): string {
  return top === "/" ? rest || "/" : top + rest;
}

/** Normalizes a path on a port without links: absolute, and never above `/`. */
export function plainPath(path: string): string {
  return resolve("/", path);
}

/** The stat of a directory of which only the path is known. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  const times = { mtimeMs: null, ctimeMs: null };
  return { kind: "directory", size: 0, ...times, id, fixed: true };
}

type Read = FileHandle["read"];

/** The handle of a file that has a known stat, and that need not be closed. */
export function handleOf(path: string, stat: FileStat, read: Read): FileHandle {
  return { stat: () => stat, read, path: () => path, close() {} };
}

/** The handle of a directory: it has a `stat`, and cannot be read. */
export function openDirectory(path: string, stat: FileStat): FileHandle {
  return handleOf(path, stat, () => {
    throw failure("EISDIR");
  });
}

export function openBytes(path: string, stat: FileStat, bytes: Uint8Array) {
  const held = { start: 0, bytes };
  return handleOf(path, stat, (buffer, at) => copy(held, buffer, at));
}

/** Cancels the body of an answer that is not wanted; a failure of that does not matter. */
export function cancelBody(
  answer: {
    readonly body?: ReadableStream | null;
    readonly bodyUsed?: boolean;
  } | null,
): void {
  if (!answer?.bodyUsed) answer?.body?.cancel().catch(() => {});
}

/** How many directories above a path are looked at: each costs a request. */
const MAX_ABOVE = 8;

/** Whether one of the directories above a plain path is a file. */
export async function liesBelowFile(
  path: string,
  isFile: (above: string) => Promise<boolean>,
): Promise<boolean> {
  const above: string[] = [];
  let name = parentOf(path);
  while (name !== "/" && above.length < MAX_ABOVE) {
    above.unshift(name);
    name = parentOf(name);
  }
  const answers = await Promise.all(above.map(isFile));
  return answers.includes(true);
}

/** The size of the first range: as much as the core reads first. */
export const FIRST_RANGE_BYTES = 64 * 1024;
/** The size of the largest range. */
export const MAX_RANGE_BYTES = 4 * 1024 * 1024;

type Held = { readonly start: number; readonly bytes: Uint8Array };

/**
 * Reads a remote object of `size` bytes, which begins with `first`, a range at a
 * time; `fetch` gives at least one byte. The ranges of a sequential read,
 * forwards or backwards, double in size; a seek starts again with a small one.
 */
export function readAhead(
  size: number,
  fetch: (position: number, length: number) => Promise<Uint8Array>,
  first: Uint8Array = new Uint8Array(0),
): Read {
  let held: Held = { start: 0, bytes: first };
  let ahead = FIRST_RANGE_BYTES;

  async function readOn(buffer: Uint8Array, position: number): Promise<number> {
    const { start, end } = nextRange(position, buffer.length);
    const bytes = await fetch(start, end - start);
    // Two reads may be pending at once, so each copies from its own range.
    const fetched = { start, bytes: bytes.subarray(0, end - start) };
    const count = copy(fetched, buffer, position);
    // Zero would mean the end of the object.
    if (count === 0) throw failure("EIO");
    held = fetched;
    return count;
  }

  /** The range to fetch for `wanted` bytes: larger than the last one in a sequential read. */
  function nextRange(position: number, wanted: number) {
    const { start, bytes } = held;
    const isEmpty = bytes.length === 0;
    const larger = Math.min(2 * ahead, MAX_RANGE_BYTES);
    const isForwards = !isEmpty && position === start + bytes.length;
    const isBackwards = !isEmpty && position < start &&
      position + Math.max(larger, wanted) >= start;
    ahead = isForwards || isBackwards ? larger : FIRST_RANGE_BYTES;
    if (isBackwards) {
      // It ends where the held bytes begin, and has the wanted position in it.
      const first = Math.min(position, Math.max(0, start - ahead));
      return { start: first, end: start };
    }
    const length = Math.max(ahead, wanted);
    return { start: position, end: Math.min(size, position + length) };
  }

  return (buffer, position) => {
    if (buffer.length === 0 || position >= size) return 0;
    return copy(held, buffer, position) || readOn(buffer, position);
  };
}

/** Copies the bytes from `position` on; returns their number. */
function copy({ start, bytes }: Held, buffer: Uint8Array, position: number) {
  if (position < start || position >= start + bytes.length) return 0;
  const from = position - start;
  const part = bytes.subarray(from, from + buffer.length);
  buffer.set(part);
  return part.length;
}

/** The failure of an answer that is not one to what was asked. */
export function badAnswer(): Error {
  return failure("EPROTO", { reason: "bad_answer" });
}

export type IdleTimeout = ReturnType<typeof idleTimeout>;

/** Aborts a request when `outer` is aborted, or when too little arrives for too long. */
export function idleTimeout(timeoutMs: number, outer?: AbortSignal) {
  const controller = new AbortController();
  const expire = () => controller.abort(failure("ETIMEDOUT"));
  const leave = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", leave, { once: true });
  if (outer?.aborted) leave();
  let timer = setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    /** Restarts the timeout, since enough arrived. */
    restart() {
      clearTimeout(timer);
      timer = setTimeout(expire, timeoutMs);
    },
    /** Ends the request, since the rest of the answer is not needed. */
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", leave);
      controller.abort(failure("ECANCELED"));
    },
  };
}

/** The longest time that a timer can wait. */
export const MAX_TIMEOUT_MS = 0x7fff_ffff;
/** How long a store may take by default. */
export const USUAL_TIMEOUT_MS = 30_000;

/** How {@linkcode readBody} reads. */
interface BodyOptions {
  /** How many bytes come before the wanted ones; none by default. */
  readonly skip?: number;
  readonly signal?: AbortSignal;
  /** Called when as many bytes have arrived as must within a timeout. */
  restart?(): void;
}

/** How many bytes must arrive within a timeout, or the rest of the body: single bytes could keep a request alive for ever. */
const LEAST_PROGRESS_BYTES = 64 * 1024;

/** How many chunks without a byte may follow one another: a body of them would never end. */
const MOST_EMPTY_CHUNKS = 1000;

/**
 * Reads up to `length` bytes of a body, and cancels the rest; fewer if it ends,
 * breaks off, or the signal aborts.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | undefined,
  length: number,
  options: BodyOptions = {},
): Promise<Uint8Array> {
  const { skip: before = 0, signal, restart } = ownOf(options);
  const bytes = new Uint8Array(length);
  if (body === undefined) return bytes.subarray(0, 0);
  const began = performance.now();
  const reader = body.getReader();
  let skip = before;
  let size = 0;
  let empty = 0;
  let arrived = 0;
  try {
    while (size < length && empty < MOST_EMPTY_CHUNKS) {
      const reading = reader.read();
      const { done, value } = signal === undefined
        ? await reading
        : await untilAborted(reading, signal);
      if (done || !(value instanceof Uint8Array)) break;
      arrived += value.length;
      if (arrived >= LEAST_PROGRESS_BYTES) {
        arrived = 0;
        restart?.();
      }
      empty = value.length > 0 ? 0 : empty + 1;
      const wanted = value.subarray(skip, skip + length - size);
      skip = Math.max(0, skip - value.length);
      bytes.set(wanted, size);
      size += wanted.length;
      // Chunks that are there at once give the loop no turn.
      await timeSlice.yieldIfDue(began);
    }
  } catch {
    // The error is dropped, since its message may hold a secret.
  } finally {
    reader.cancel().catch(() => {});
  }
  return bytes.subarray(0, size);
}
