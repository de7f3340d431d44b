// Runtime-agnostic.
import type { FailureReason } from "../../core/port.ts";
import type { HttpBase } from "./base.ts";
import { failure, failureOf } from "../failure.ts";
import { Progress } from "./progress.ts";
import { patience } from "./retry.ts";
import { sleep, untilAborted } from "./until_aborted.ts";

/** Sends a request; `fetch`, or what stands in for it. */
export type SendRequest = (
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
export interface HttpQuestion {
  readonly method: "GET" | "HEAD";
  /** The plain path. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes what it needs of an answer; what it leaves of the body is never fetched. */
export type TakeAnswer<T> = (
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
