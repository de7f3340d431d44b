// Runtime-agnostic.
import { failure } from "../failure.ts";

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
    this.#controller.abort(DONE);
  }
}

/** Fails with it what is still on its way. */
const DONE = /* @__PURE__ */ failure("ECANCELED");
