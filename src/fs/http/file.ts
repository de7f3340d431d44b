// Runtime-agnostic.
import { codeOf } from "../../core/base/errno.ts";
import { failure, handleOf, ReadAhead } from "../store.ts";
import { refuseStatus, sleep } from "./client.ts";
import type { HttpClient, IdleTimeout } from "./client.ts";
import { untilAborted } from "../../core/base/call.ts";
import {
  conditionOf,
  doubtMs,
  type HttpVersion,
  isSameVersion,
  readContentRange,
  readLength,
  refuseEncoded,
} from "./version.ts";
import type { FileHandle, FileStat } from "../../core/base/port.ts";

/** How many times to wait until a modification time is old enough. */
const MAX_WAITS = 5;

/** A margin for each wait: timers may fire early, and clocks may be late. */
const ROOM_MS = 200;

/** After this time, the `Date` of a server that does not cache must have changed. */
const A_SECOND_MS = 1_100;

/**
 * Decides whether the version of an open file is in doubt: a file that changed
 * within the server's current second may change again and keep its time.
 */
export class Doubt {
  readonly #signal: AbortSignal;
  #waits = 0;
  #waitMs = 0;
  /** The `Date` of the last answer in doubt. */
  #sent: string | null = null;
  /** When the first answer with that `Date` came. */
  #since = 0;

  /** An abort of `signal` ends the waits. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether a later version could have the same headers as this answer. */
  isIn(headers: Headers): boolean {
    const waitMs = doubtMs(headers);
    const sent = headers.get("date");
    if (waitMs === 0) return false;
    const now = performance.now();
    if (sent === null || sent !== this.#sent) {
      [this.#sent, this.#since] = [sent, now];
    } else if (now - this.#since > A_SECOND_MS) {
      // The server answers from a cache, so all its answers are of one version.
      return false;
    }
    this.#waitMs = waitMs + ROOM_MS;
    return true;
  }

  /** Waits until the version should no longer be in doubt; fails if the file keeps changing. */
  async wait(): Promise<void> {
    if (this.#waits++ === MAX_WAITS) throw failure("ESTALE");
    await sleep(this.#waitMs, this.#signal);
  }
}

/** The most bytes that are skipped where a server sends more than the range. */
const MAX_SKIPPED_BYTES = 1024 * 1024;

type Part = { readonly position: number; readonly length: number };

/** Opens one version of the object at a plain path: every range must belong to it. */
export function openHttpFile(
  client: HttpClient,
  path: string,
  version: HttpVersion,
  stat: FileStat,
): FileHandle {
  const controller = new AbortController();
  const { signal } = controller;
  const doubt = new Doubt(signal);
  const fetchPart = async (position: number, length: number) => {
    const range = `bytes=${position}-${position + length - 1}`;
    const headers = { range, ...conditionOf(version) };
    const request = { method: "GET", path, headers, signal } as const;
    const take = (answer: Response, timeout: IdleTimeout) =>
      takePart(answer, { position, length }, version, doubt, timeout);
    for (;;) {
      try {
        const bytes = await client.ask(request, take);
        if (bytes !== undefined) return bytes;
      } catch (error) {
        // The path is a link or a directory now.
        const isNone = /^(ELOOP|EISDIR)$/.test(codeOf(error));
        throw isNone ? failure("ESTALE") : error;
      }
      await doubt.wait();
    }
  };
  const bytes = new ReadAhead(version.size, fetchPart);
  return {
    ...handleOf(path, stat, (buffer, at) => bytes.read(buffer, at)),
    close: () => controller.abort(failure("ECANCELED")),
  };
}

/**
 * Takes a range out of an answer, which may hold the whole object; `undefined`
 * while the version is in doubt.
 */
async function takePart(
  answer: Response,
  { position, length }: Part,
  version: HttpVersion,
  doubt: Doubt,
  timeout: IdleTimeout,
): Promise<Uint8Array | undefined> {
  const { status, headers } = answer;
  // The file was removed after it was opened.
  if (status === 404 || status === 410) throw failure("ESTALE");
  refuseStatus(answer);
  if (!isSameVersion(version, answer)) throw failure("ESTALE");
  refuseEncoded(headers);
  const total = readLength(headers) ?? version.size;
  const given = status === 206
    ? readContentRange(headers)
    : { start: 0, end: total, total };
  if (given === undefined) throw failure("EPROTO", { reason: "bad_answer" });
  if (given.total !== version.size) throw failure("ESTALE");
  // A single answer is always of one version.
  const isAll = position === 0 && Math.min(length, given.end) === version.size;
  if (!isAll && doubt.isIn(headers)) return undefined;
  // Some servers send more than the range, or the whole object.
  const skipped = position - given.start;
  if (skipped < 0 || position >= given.end) {
    throw failure("EPROTO", { reason: "bad_answer" });
  }
  if (skipped > MAX_SKIPPED_BYTES) {
    throw failure("ENOTSUP", { reason: "no_parts" });
  }
  const least = Math.min(given.end - position, length);
  // Read one byte more, to check that the body ends.
  const most = given.end <= position + length ? least + 1 : least;
  const part = { position: skipped, length: most };
  const bytes = await readBody(answer, part, least, timeout);
  if (bytes.length > least) throw failure("EPROTO", { reason: "bad_answer" });
  return bytes;
}

/** Reads a part of a body: at least `least` bytes, and nothing after the part. */
async function readBody(
  { body }: Response,
  { position, length }: Part,
  least: number,
  timeout: IdleTimeout,
): Promise<Uint8Array> {
  if (body === null) throw failure("EIO");
  const reader = body.getReader();
  const bytes = new Uint8Array(length);
  let [skip, size] = [position, 0];
  try {
    while (size < length) {
      const reading = reader.read();
      const { done, value } = await untilAborted(reading, timeout.signal);
      if (done) break;
      if (value.length > 0) timeout.restart();
      const wanted = value.subarray(skip, skip + length - size);
      skip = Math.max(0, skip - value.length);
      bytes.set(wanted, size);
      size += wanted.length;
    }
    if (size >= least) return bytes.subarray(0, size);
  } catch {
    // The error is dropped, since its message may contain the URL.
  } finally {
    reader.cancel().catch(() => {});
  }
  // The connection broke.
  throw failure("EIO");
}
