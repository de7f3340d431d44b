// Runtime-agnostic.
import { failure, failureOf } from "../directory.ts";
import {
  type HttpClient,
  type Progress,
  refuseStatus,
  sleep,
  untilAborted,
} from "./client.ts";
import {
  conditionOf,
  type ContentRange,
  doubtMs,
  type HttpVersion,
  isSameVersion,
  readContentRange,
  readLength,
  refuseEncoded,
} from "./version.ts";
import { toArrayBuffer } from "@std/streams/to-array-buffer";
import type { FileHandle, FileStat } from "../../core/base/port.ts";
import { ReadAhead } from "../read_ahead.ts";

/** How often it is waited for a time to become old enough. */
const MAX_WAITS = 5;

/** What is added to each wait: timers are early, and clocks late. */
const ROOM_MS = 200;

/** After it, the clock of a server that makes its answers anew has stepped. */
const A_SECOND_MS = 1_100;

/**
 * Whether the version that an answer tells is beyond doubt, for one open file.
 *
 * What has changed this very second may change again, and look the same. So the
 * parts of it are not joined before that second is over for its server.
 */
export class Doubt {
  readonly #signal: AbortSignal;
  #waits = 0;
  #waitMs = 0;
  /** When the last answer in doubt was sent. */
  #sent: string | null = null;
  /** When the first answer came that was sent then. */
  #since = 0;

  /** Constructs a new instance that waits until `signal` says stop. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether another version might yet come to look the same as that of an answer. */
  isIn(headers: Headers): boolean {
    const waitMs = doubtMs(headers);
    const sent = headers.get("date");
    if (waitMs === 0) return false;
    const now = performance.now();
    if (sent === null || sent !== this.#sent) {
      [this.#sent, this.#since] = [sent, now];
    } else if (now - this.#since > A_SECOND_MS) {
      // Whoever answered keeps answers: all that were sent then are of one.
      return false;
    }
    this.#waitMs = waitMs + ROOM_MS;
    return true;
  }

  /** Waits until the doubt should be over; whatever is in doubt for ever changes all the time. */
  async wait(): Promise<void> {
    if (this.#waits++ === MAX_WAITS) throw failure("ESTALE");
    await sleep(this.#waitMs, this.#signal);
  }
}

/** How much of a whole object is passed over to get to the part that was asked for. */
const MAX_SKIPPED_BYTES = 1024 * 1024;

/** What is opened. */
interface HttpTarget {
  readonly client: HttpClient;
  /** The plain path. */
  readonly path: string;
  readonly version: HttpVersion;
  readonly stat: FileStat;
}

/** Which bytes are wanted. */
interface Part {
  readonly position: number;
  readonly length: number;
}

/** Opens one version of an object: each part must be of it, whatever the path names by now. */
export function openHttpFile(target: HttpTarget): FileHandle {
  const { client, path, version, stat } = target;
  const controller = new AbortController();
  const { signal } = controller;
  const doubt = new Doubt(signal);
  const askPart = (part: Part) => {
    const last = part.position + part.length - 1;
    const range = `bytes=${part.position}-${last}`;
    const headers = { range, ...conditionOf(version) };
    return client.ask(
      { method: "GET", path, headers, signal },
      (answer, progress) => takePart(answer, part, version, doubt, progress),
    ).catch((error: unknown) => {
      // It was a file when it was opened.
      const { code } = Object(error) as { readonly code?: unknown };
      throw code === "ELOOP" || code === "EISDIR" ? failure("ESTALE") : error;
    });
  };
  const fetchPart = async (position: number, length: number) => {
    for (;;) {
      const bytes = await askPart({ position, length });
      if (bytes !== undefined) return bytes;
      await doubt.wait();
    }
  };
  const bytes = new ReadAhead(version.size, fetchPart);
  return {
    stat: () => stat,
    read: (buffer, position) => bytes.read(buffer, position),
    path: () => path,
    close: () => controller.abort(failure("ECANCELED")),
  };
}

/**
 * Takes a part of that version out of an answer, be it of the part or of all;
 * nothing if another version might yet come to look the same.
 */
async function takePart(
  answer: Response,
  { position, length }: Part,
  version: HttpVersion,
  doubt: Doubt,
  progress: Progress,
): Promise<Uint8Array | undefined> {
  const { status, headers } = answer;
  // What was there when it was opened has gone.
  if (status === 404 || status === 410) throw failure("ESTALE");
  refuseStatus(answer);
  if (!isSameVersion(version, answer)) throw failure("ESTALE");
  refuseEncoded(headers);
  const given = status === 206
    ? readContentRange(headers)
    : wholeRange(headers, version.size);
  if (given === undefined) throw failureOf("EPROTO", "bad_answer");
  if (given.total !== version.size) throw failure("ESTALE");
  // One answer is of one version, if nothing is to be joined to it.
  const isAll = position === 0 && Math.min(length, given.end) === version.size;
  if (!isAll && doubt.isIn(headers)) return undefined;
  // Some servers give more than they are asked for, or all of it.
  const skipped = position - given.start;
  if (skipped < 0 || position >= given.end) {
    throw failureOf("EPROTO", "bad_answer");
  }
  if (skipped > MAX_SKIPPED_BYTES) {
    throw failureOf("ENOTSUP", "no_parts");
  }
  const least = Math.min(given.end - position, length);
  // One byte more, to see that there is none.
  const most = given.end <= position + length ? least + 1 : least;
  const part = { position: skipped, length: most };
  const bytes = await readBody(answer, part, least, progress);
  if (bytes.length > least) throw failureOf("EPROTO", "bad_answer");
  return bytes;
}

/** The range of an answer that holds all. */
function wholeRange(headers: Headers, size: number): ContentRange {
  const total = readLength(headers) ?? size;
  return { start: 0, end: total, total };
}

/** Reads a part of a body, at least so much of it, and nothing after it. */
async function readBody(
  { body }: Response,
  part: Part,
  least: number,
  progress: Progress,
): Promise<Uint8Array> {
  if (body === null) throw failure("EIO");
  const reader = body.getReader();
  try {
    const buffer = await toArrayBuffer(streamOf(reader, part, progress));
    if (buffer.byteLength >= least) return new Uint8Array(buffer);
  } catch {
    // What it says may name the URL.
  } finally {
    reader.cancel().catch(() => {});
  }
  // It broke off on the way.
  throw failure("EIO");
}

/**
 * A part of what a reader gives, as a stream that ends with the signal; a pipe
 * may wait for the next bytes before it does. `ByteSliceStream` would cut as well,
 * and is a class that every bundle holds, whether it reads over HTTP or not.
 */
function streamOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { position, length }: Part,
  progress: Progress,
): ReadableStream<Uint8Array> {
  let skip = position;
  let left = length;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await untilAborted(
        reader.read(),
        progress.signal,
      );
      if (done || value.length > 0) progress.note();
      if (done) return controller.close();
      const wanted = value.subarray(skip, skip + left);
      skip = Math.max(0, skip - value.length);
      left -= wanted.length;
      // What is empty is asked on after, and what is not given never.
      controller.enqueue(wanted);
      if (left === 0) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
