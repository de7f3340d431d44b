import { untilAborted } from "../../core/base/call.ts";
import { propertyOf } from "../../core/base/check.ts";
import { codeOf } from "../../core/base/errno.ts";
import type { FailureReason } from "../../core/base/port.ts";
import {
  cancelBody,
  failure,
  type IdleTimeout,
  idleTimeout,
} from "../store.ts";
import type { HttpBase, HttpFsOptions } from "./http.ts";
import { doubtMs } from "./version.ts";

/** Waits for a time; an abort ends it early. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waking = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal ? untilAborted(waking, signal) : waking);
  } finally {
    clearTimeout(timer);
  }
}

/** How many times to wait until a modification time is old enough. */
const MAX_WAITS = 5;
/** A margin for each wait: timers may fire early, and clocks may be late. */
const MARGIN_MS = 200;
/** A server that does not cache changes its `Date` within this time. */
const MAX_SAME_DATE_MS = 1_100;

/**
 * Decides whether the version of an open file is in doubt: a file that changed
 * within the server's current second may change again and keep its time. An
 * abort of `signal` ends the waits.
 */
export function versionDoubt(signal: AbortSignal) {
  let waits = 0;
  let waitMs = 0;
  /** The `Date` of the last answer in doubt. */
  let lastSent: string | null = null;
  /** When the first answer in doubt with that `Date` came. */
  let since = 0;
  return {
    /** Returns whether a later version could have the same headers as this answer; if so, keeps how long to wait. */
    check(headers: Headers): boolean {
      const leftMs = doubtMs(headers);
      const sent = headers.get("date");
      if (leftMs === 0) return false;
      const now = performance.now();
      if (sent === null || sent !== lastSent) {
        lastSent = sent;
        since = now;
      } else if (now - since > MAX_SAME_DATE_MS) {
        // The server answers from a cache, so all its answers are of one version.
        return false;
      }
      waitMs = leftMs + MARGIN_MS;
      return true;
    },
    /** Waits until the version should no longer be in doubt; fails if the file keeps changing. */
    async wait(): Promise<void> {
      if (waits++ === MAX_WAITS) throw failure("ESTALE");
      await sleep(waitMs, signal);
    },
  };
}

const RETRIED: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** The error codes and their statuses; all other statuses are `EPROTO`. */
const CODES: readonly (readonly [code: string, ...statuses: number[]])[] = [
  ["EACCES", 401, 403, 407, 451],
  ["ENOENT", 404, 410],
  ["ENOTSUP", 405, 501],
  ["ESTALE", 412, 416],
  ["ENAMETOOLONG", 414],
];

/** The longest delay between two attempts. After a longer `Retry-After`, the request fails at once. */
const MAX_WAIT_MS = 5_000;
/** The delay before the second attempt, without a `Retry-After`. */
const FIRST_WAIT_MS = 100;

/** Fails unless the status says that the answer holds the object or a part of it. */
export function refuseStatus({ status, headers }: Response): void {
  if (status === 200 || status === 206) return;
  const [code] = CODES.find((row) => row.includes(status)) ?? ["EPROTO"];
  if (!RETRIED.includes(status)) throw failure(code);
  const retryAfterMs = readRetryAfter(headers.get("retry-after"));
  throw Object.assign(failure("EIO"), { retryAfterMs });
}

/** The delay before the next attempt; `null` if there is to be none: the error will not pass, or the server asks for too long a delay. */
export function retryDelay(error: unknown, attempt: number): number | null {
  if (codeOf(error) !== "EIO") return null;
  const wantedMs = propertyOf(error, "retryAfterMs");
  if (typeof wantedMs === "number") {
    return wantedMs <= MAX_WAIT_MS ? wantedMs : null;
  }
  // Exponential backoff, with jitter.
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
  return backoffMs * (0.5 + Math.random() / 2);
}

/** Reads a `Retry-After`: seconds, or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** A request for a normalized path, which is not yet percent-encoded. */
interface HttpRequest {
  readonly method: "GET" | "HEAD";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Reads what is needed of an answer; the rest of the body is cancelled. */
type Take<T> = (answer: Response, timeout: IdleTimeout) => T | Promise<T>;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Sends a request, and passes the answer to `take`. */
export type HttpSend = <T>(request: HttpRequest, take: Take<T>) => Promise<T>;

/** Sends requests and retries them; does not follow redirects. */
export function httpClient(
  base: HttpBase,
  { fetch, headers: always, timeoutMs, attempts }: Required<HttpFsOptions>,
): HttpSend {
  async function sendOnce<T>(request: HttpRequest, take: Take<T>) {
    const timeout = idleTimeout(timeoutMs, request.signal);
    const { signal } = timeout;
    let answer: Response | undefined;
    try {
      const url = base.urlOf(request.path);
      answer = await fetchAnswer(url, request, signal);
      timeout.restart();
      refuseMoved(answer, url, request.path);
      return await take(answer, timeout);
    } catch (error) {
      // Runtimes throw different errors when a request is aborted.
      throw signal.aborted ? signal.reason : error;
    } finally {
      if (answer !== undefined) cancelBody(answer);
      timeout.end();
    }
  }

  /** Fails for a redirect: the core decides whether it may be followed. */
  function refuseMoved(answer: Response, url: string, path: string): void {
    const isHidden = answer.type === "opaqueredirect";
    if (isHidden || !base.isAnswerTo(url, answer)) {
      throw failure("EACCES", { reason: "redirected" });
    }
    if (!REDIRECTS.includes(answer.status)) return;
    const location = answer.headers.get("location");
    const target = location ? base.pathOf(location, url) : undefined;
    if (target === undefined) throw failure("EACCES", { reason: "redirected" });
    if (target === `${path}/`) throw failure("EISDIR");
    // A redirect to itself is a loop: it has no target to follow.
    if (target === path) throw failure("ELOOP");
    // Any other redirect within the base is a symbolic link.
    throw Object.assign(failure("ELOOP"), { target });
  }

  async function fetchAnswer(
    url: string,
    { method, headers: more }: HttpRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    signal.throwIfAborted();
    // A range of compressed bytes would be useless.
    const headers = { ...always, ...more, "accept-encoding": "identity" };
    const init = { method, headers, redirect: "manual", signal } as const;
    try {
      const sending = Promise.resolve(fetch(url, init));
      return await untilAborted(sending, signal, cancelBody);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // A new error, since the message of this one may contain the URL.
      const name = "NotCapable";
      const isDenied = propertyOf(error, "name") === name;
      if (!isDenied) throw failure("EIO");
      const reason: FailureReason = "no_net";
      throw Object.assign(new Error(name), { name, reason });
    }
  }

  return async (request, take) => {
    for (let attempt = 1;; attempt++) {
      try {
        return await sendOnce(request, take);
      } catch (error) {
        const delay = attempt < attempts ? retryDelay(error, attempt) : null;
        if (delay === null) throw error;
        await sleep(delay, request.signal);
      }
    }
  };
}
