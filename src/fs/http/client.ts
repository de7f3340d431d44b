// Runtime-agnostic.
import { addsSlash, type HttpBase } from "./base.ts";
import { failure } from "../failure.ts";
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
  /** How long each may take. */
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
  readonly signal?: AbortSignal;
}

/** Takes what it needs of an answer; what it leaves of the body is never fetched. */
export type TakeAnswer<T> = (
  answer: Response,
  signal: AbortSignal,
) => T | Promise<T>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How many redirects one request may go through. */
const MAX_REDIRECTS = 5;

/** Fails with it when nothing of an answer is wanted any more. */
const DONE = failure("ECANCELED");

/** Asks a server, again where that may help, and never outside the base. */
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
    const controller = new AbortController();
    const { signal: outer } = question;
    const leave = () => controller.abort(outer?.reason);
    outer?.addEventListener("abort", leave, { once: true });
    if (outer?.aborted) leave();
    const timer = setTimeout(
      () => controller.abort(failure("ETIMEDOUT")),
      this.#manner.timeoutMs,
    );
    let answer: Response | undefined;
    try {
      answer = await this.#follow(question, controller.signal);
      return await take(answer, controller.signal);
    } catch (error) {
      // Runtimes have words of their own for a request that was given up.
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      clearTimeout(timer);
      outer?.removeEventListener("abort", leave);
      if (answer !== undefined) letGo(answer);
      controller.abort(DONE);
    }
  }

  async #follow(
    question: HttpQuestion,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = this.#base.urlOf(question.path);
    for (let left = MAX_REDIRECTS;; left--) {
      const answer = await this.#send(url, question, signal);
      const isOpaque = answer.type === "opaqueredirect";
      if (!isOpaque && !REDIRECTS.has(answer.status)) return answer;
      letGo(answer);
      const location = answer.headers.get("location") ?? "";
      if (addsSlash(location, url)) throw failure("EISDIR");
      const next = this.#base.follow(location, url);
      if (isOpaque || location === "" || next === undefined) {
        throw failure("EACCES");
      }
      if (left === 0) throw failure("ELOOP");
      url = next;
    }
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
      return await untilAborted(send(url, init), signal, letGo);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { name } = Object(error) as { readonly name?: unknown };
      // Deno's refusal is no matter of the server; all others name the URL.
      throw name === "NotCapable"
        ? Object.assign(new Error(name), { name })
        : failure("EIO");
    }
  }
}

/** Ends what is left of an answer; how that goes matters to no one. */
function letGo({ body, bodyUsed }: Response): void {
  if (!bodyUsed) body?.cancel().catch(() => {});
}
