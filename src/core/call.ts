// Runtime-agnostic.
import { ReadFileError } from "./errors.ts";
import { TURN_MS } from "./limits.ts";
import { type Awaitable, isPromise } from "./port.ts";

/** One call in progress: it can be aborted, and leaves turns to others. */
export class Call {
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  readonly #signal: AbortSignal | undefined;
  /** When it was first asked for a breath after the last turn. */
  #turnBegan: number | undefined;

  /** Constructs a new instance for reading `path`, until `signal` says stop. */
  constructor(path: string, signal?: AbortSignal) {
    this.path = path;
    this.#signal = signal;
  }

  /** What says stop. */
  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  /** Throws `ABORTED` once the caller has given up. */
  check(): void {
    if (this.#signal?.aborted) throw this.#aborted();
  }

  /**
   * Waits for a port, but no longer than the caller does.
   *
   * What comes too late is given to `discard`, so that a file that opens after
   * the caller has left is closed all the same.
   */
  wait<T>(value: Awaitable<T>, discard?: (late: T) => void): Awaitable<T> {
    const signal = this.#signal;
    if (signal === undefined) return value;
    if (!isPromise(value)) {
      if (!signal.aborted) return value;
      discard?.(value);
      throw this.#aborted();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(this.#aborted());
        value.then(discard, () => {});
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      // The listener goes before the answer does, or one answer could go both ways.
      const stay = () => signal.removeEventListener("abort", leave);
      value.then((answer) => {
        stay();
        resolve(answer);
      }, (error) => {
        stay();
        reject(error);
      });
    });
  }

  /** Lets the event loop turn if this call has kept it for long. */
  breathe(): Awaitable<void> {
    this.check();
    const now = performance.now();
    this.#turnBegan ??= now;
    if (now - this.#turnBegan < TURN_MS) return;
    // A message channel would be quicker, and starves timers on Deno and Bun.
    return new Promise((resolve) =>
      setTimeout(() => {
        this.#turnBegan = undefined;
        resolve();
      }, 0)
    );
  }

  #aborted(): ReadFileError<"ABORTED"> {
    return new ReadFileError("ABORTED", this.path, {});
  }
}
