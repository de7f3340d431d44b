// Runtime-agnostic.
import type { Outlet } from "./shell.ts";

/** How often the line is written anew, in milliseconds. */
const PACE_MS = 100;

const MIB = 1 << 20;

/** A line on standard error while a scan takes long, gone before anything else is written. */
export class Progress {
  readonly #errors: Outlet;
  readonly #patienceMs: number;
  #since = performance.now();
  #drawnAt = -Infinity;
  #width = 0;
  #bytes = 0;

  /** Constructs a new instance that says nothing for `patienceMs`. */
  constructor(errors: Outlet, patienceMs: number) {
    this.#errors = errors;
    this.#patienceMs = patienceMs;
  }

  /** Takes note that bytes were read of a file of `size` bytes. */
  saw(bytes: number, size: number): void {
    if (!this.#errors.isTerminal) return;
    this.#bytes += bytes;
    const now = performance.now();
    if (now - this.#since < this.#patienceMs) return;
    if (now - this.#drawnAt < PACE_MS) return;
    this.#drawnAt = now;
    const mebibytes = Math.floor(this.#bytes / MIB);
    const line = `${mebibytes} MiB read, in a file of ${
      Math.ceil(size / MIB)
    } MiB`;
    const rest = " ".repeat(Math.max(0, this.#width - line.length));
    this.#width = line.length;
    // A read does not wait for it, and does not fail with it.
    this.#errors.write(`\r${line}${rest}`).catch(() => {});
  }

  /** Takes the line away, and begins to wait anew. */
  async clear(): Promise<void> {
    if (this.#width > 0) {
      await this.#errors.write(`\r${" ".repeat(this.#width)}\r`).catch(
        () => {},
      );
    }
    this.#since = performance.now();
    this.#drawnAt = -Infinity;
    this.#width = 0;
    this.#bytes = 0;
  }
}
