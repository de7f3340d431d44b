// Runtime-agnostic.
import { failure, failureOf } from "../directory.ts";
import type { FailureReason } from "../../core/base/port.ts";
import type { HttpBase } from "./version.ts";

/** Waits, but no longer than until `signal`; what comes too late is given to `discard`. */
export function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  discard?: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      promise.then(discard, () => {});
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    // The listener goes before the answer does, or one answer could go both ways.
    const stay = () => signal.removeEventListener("abort", leave);
    promise.then((value) => {
      stay();
      resolve(value);
    }, (error) => {
      stay();
      reject(error);
    });
  });
}

/** Waits so long, but no longer than until `signal`. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waking = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal === undefined ? waking : untilAborted(waking, signal));
  } finally {
    clearTimeout(timer);
  }
}

/** One request on its way: ended when nobody wants it, or when nothing comes of it any more. */
export class Progress {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly #leave = () => this.#controller.abort(this.#outer?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Constructs a new instance that waits so long for each sign of progress, until `outer` says stop. */
  constructor(timeoutMs: number, outer?: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
    outer?.addEventListener("abort", this.#leave, { once: true });
    if (outer?.aborted) this.#leave();
    this.note();
  }

  /** What ends the request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Notes that something came: a slow server is not one that hangs. */
  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#controller.abort(failure("ETIMEDOUT")),
      this.#timeoutMs,
    );
  }

  /** Ends it: nothing of the answer is wanted any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#leave);
    this.#controller.abort(failure("ECANCELED"));
  }
}

/** The answers that another attempt may better. */
const PASSING: ReadonlySet<number> = new Set([
  408,
  425,
  429,
  500,
  502,
  503,
  504,
]);

/** The answers that say why not, as a disk would. */
const CODES: Readonly<Record<number, string>> = {
  401: "EACCES",
  403: "EACCES",
  404: "ENOENT",
  405: "ENOTSUP",
  407: "EACCES",
  410: "ENOENT",
  412: "ESTALE",
  414: "ENAMETOOLONG",
  416: "ESTALE",
  451: "EACCES",
  501: "ENOTSUP",
};

/** The longest that a server may ask to wait; past it, the caller decides. */
const MAX_WAIT_MS = 5_000;

/** The wait before the second attempt, where the server names none. */
const FIRST_WAIT_MS = 100;

/** What a server asked to wait, by the failure it was told with. */
const waits = new WeakMap<object, number>();

/** Fails unless the answer holds what was asked for: all of it, or a part. */
export function refuseStatus({ status, headers }: Response): void {
  if (status === 200 || status === 206) return;
  if (!PASSING.has(status)) throw failure(CODES[status] ?? "EPROTO");
  const error = failure("EIO");
  const wait = readRetryAfter(headers.get("retry-after"));
  if (wait !== undefined) waits.set(error, wait);
  throw error;
}

/** How long to wait before the next attempt, in milliseconds; `null` if none is worth it. */
function patience(error: unknown, attempt: number): number | null {
  const { code } = Object(error) as { readonly code?: unknown };
  if (code !== "EIO") return null;
  const asked = waits.get(Object(error));
  if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : null;
  // Not all who were turned away at once come back at once.
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Seconds, or a time. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Sends a request; `fetch`, or what stands in for it. */
type SendRequest = (
  url: string,
  init: RequestInit,
) => Promise<Response>;

/** How requests are sent. */
export interface HttpManner {
  readonly send: SendRequest;
  /** What goes along with each of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long each may take to make progress. */
  readonly timeoutMs: number;
  /** How often each is sent, if the server asks for patience or does not answer. */
  readonly attempts: number;
}

/** One question to the server. */
interface HttpQuestion {
  readonly method: "GET" | "HEAD";
  /** The plain path. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes what it needs of an answer; what it leaves of the body is never fetched. */
type TakeAnswer<T> = (
  answer: Response,
  progress: Progress,
) => T | Promise<T>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What was asked for lies elsewhere within the base: to the core, it is a symbolic link. */
export class Moved extends Error {
  /** As a link that is met where a file was to be opened. */
  readonly code = "ELOOP";
  /** The path that it leads to. */
  readonly target: string;

  constructor(target: string) {
    super("ELOOP");
    this.target = target;
  }
}

/** What Deno's refusal is for. */
const NO_NET: FailureReason = "no_net";

/** Asks a server, again where that may help, and follows no redirect. */
export class HttpClient {
  readonly #base: HttpBase;
  readonly #manner: HttpManner;

  constructor(base: HttpBase, manner: HttpManner) {
    this.#base = base;
    this.#manner = manner;
  }

  /** Asks a question, and gives the answer to `take`. */
  async ask<T>(question: HttpQuestion, take: TakeAnswer<T>): Promise<T> {
    const { attempts } = this.#manner;
    for (let attempt = 1;; attempt++) {
      try {
        return await this.#askOnce(question, take);
      } catch (error) {
        const delay = attempt < attempts ? patience(error, attempt) : null;
        if (delay === null) throw error;
        await sleep(delay, question.signal);
      }
    }
  }

  async #askOnce<T>(
    question: HttpQuestion,
    take: TakeAnswer<T>,
  ): Promise<T> {
    const progress = new Progress(this.#manner.timeoutMs, question.signal);
    const { signal } = progress;
    let answer: Response | undefined;
    try {
      const url = this.#base.urlOf(question.path);
      answer = await this.#send(url, question, signal);
      progress.note();
      this.#refuseMoved(answer, url, question.path);
      return await take(answer, progress);
    } catch (error) {
      // Runtimes have words of their own for a request that was given up.
      throw signal.aborted ? signal.reason : error;
    } finally {
      if (answer !== undefined) letGo(answer);
      progress.end();
    }
  }

  /** Fails for a redirect: whether it may be followed is for the core to say. */
  #refuseMoved(answer: Response, url: string, path: string): void {
    const isHidden = answer.type === "opaqueredirect";
    if (isHidden || !this.#base.isAnswered(url, answer)) {
      throw failureOf("EACCES", "redirected");
    }
    if (!REDIRECTS.has(answer.status)) return;
    const location = answer.headers.get("location") ?? "";
    const target = location === ""
      ? undefined
      : this.#base.pathOf(location, url);
    if (target === undefined) throw failureOf("EACCES", "redirected");
    if (target === `${path}/`) throw failure("EISDIR");
    throw target === path ? failure("ELOOP") : new Moved(target);
  }

  async #send(
    url: string,
    { method, headers }: HttpQuestion,
    signal: AbortSignal,
  ): Promise<Response> {
    signal.throwIfAborted();
    const { send, headers: always } = this.#manner;
    // Compressed, a part of the bytes would be of no use.
    const own = { ...headers, "accept-encoding": "identity" };
    const init: RequestInit = {
      method,
      headers: { ...always, ...own },
      redirect: "manual",
      signal,
    };
    try {
      return await untilAborted(
        Promise.resolve(send(url, init)),
        signal,
        letGo,
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { name } = Object(error) as { readonly name?: unknown };
      // Deno's refusal is no matter of the server; all others name the URL.
      throw name === "NotCapable"
        ? Object.assign(new Error(name), { name, reason: NO_NET })
        : failure("EIO");
    }
  }
}

/** Ends what is left of an answer; how that goes matters to no one. */
function letGo({ body, bodyUsed }: Response): void {
  if (!bodyUsed) body?.cancel().catch(() => {});
}
