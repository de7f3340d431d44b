// Runtime-agnostic.
import { failure } from "../failure.ts";
import { sleep } from "./until_aborted.ts";
import { doubtMs } from "./version.ts";

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
