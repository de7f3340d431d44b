import { sentenceOf } from "../core/base/errors.ts";
import type { FsPort } from "../core/base/port.ts";
import { escapeHidden } from "../core/unicode/escape.ts";

export interface Outlet {
  readonly isTerminal: boolean;
  /** Writes, and waits until more can be written; fails with {@linkcode BrokenPipeError} if the reader is gone. */
  write(output: string | Uint8Array): Promise<void>;
}

/** What the command line needs of its process. */
export interface Shell {
  readonly args: readonly string[];
  readonly output: Outlet;
  readonly errors: Outlet;
  readonly styles: boolean;
  /** The file system; the runtime's own disk by default. */
  readonly fs?: FsPort;
  /** How long a scan may take before progress is shown, in milliseconds. */
  readonly patienceMs: number;
  version(): Promise<string>;
  /** Reads the standard input; fails if it has more than so many bytes. */
  readInput(most: number): Promise<Uint8Array>;
  /** Waits before a file is looked at again; `false` ends that. */
  pause(ms: number): Promise<boolean>;
}

/** The reader of the output is gone. */
export class BrokenPipeError extends Error {
  override readonly name = "BrokenPipeError";
}

/** Something besides the files failed: the output, a configuration, a part of the program. */
export class HostError extends Error {
  override readonly name = "HostError";
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

const PACE_MS = 100;

const MIB = 1 << 20;

/** Standard output and standard error, with a line of progress that is cleared before other output. */
export class Reporter {
  readonly shell: Shell;
  readonly began = performance.now();
  /** The exit code: 1 if something could not be read or written. */
  code: 0 | 1 = 0;
  /** When the line was last cleared: progress is shown only after a delay. */
  #since = this.began;
  #drawnAt = -Infinity;
  #width = 0;
  /** The bytes read since the line was cleared. */
  #bytes = 0;
  bytesRead = 0;

  constructor(shell: Shell) {
    this.shell = shell;
  }

  async print(output: string | Uint8Array): Promise<void> {
    await this.#clear();
    if (output.length > 0) await this.shell.output.write(output);
  }

  /** Writes sentences, or errors and their hints, to standard error. */
  async warn(...what: readonly (string | Error | undefined)[]): Promise<void> {
    const { errors } = this.shell;
    for (const one of what) {
      if (one === undefined) continue;
      const message = `${typeof one === "string" ? one : sentenceOf(one)}\n`;
      await this.#clear();
      const shown = errors.isTerminal ? escapeHidden(message) : message;
      // Best effort: standard error itself may be broken.
      await errors.write(shown).catch(() => {});
    }
  }

  /** Writes the same, and sets the exit code. */
  async fail(what: string | Error): Promise<void> {
    this.code = 1;
    await this.warn(what);
  }

  /** Wraps a file system, and counts the bytes that are read. */
  metered(fs: FsPort): FsPort {
    return {
      ...fs,
      open: async (path, signal) => {
        const handle = await fs.open(path, signal);
        let size = 0;
        return {
          async stat() {
            const stat = await handle.stat();
            size = stat.size;
            return stat;
          },
          read: async (buffer, position) => {
            const bytes = await handle.read(buffer, position);
            this.#advance(bytes, size);
            return bytes;
          },
          path: () => handle.path(),
          close: () => handle.close(),
        };
      },
    };
  }

  /** Counts bytes read of a file of `size` bytes, and draws the progress on a terminal. */
  #advance(bytes: number, size: number): void {
    const { errors, patienceMs } = this.shell;
    this.bytesRead += bytes;
    if (!errors.isTerminal) return;
    this.#bytes += bytes;
    const now = performance.now();
    if (now - this.#since < patienceMs) return;
    if (now - this.#drawnAt < PACE_MS) return;
    this.#drawnAt = now;
    const read = Math.floor(this.#bytes / MIB);
    const all = Math.ceil(size / MIB);
    const line = `${read} MiB read, in a file of ${all} MiB`;
    // Best effort: reading does not wait for this write, nor fail with it.
    errors.write(`\r${line.padEnd(this.#width)}`).catch(() => {});
    this.#width = line.length;
  }

  /** Clears the progress; it appears again after the full delay. */
  async #clear(): Promise<void> {
    const blank = " ".repeat(this.#width);
    if (blank !== "") {
      await this.shell.errors.write(`\r${blank}\r`).catch(() => {});
    }
    this.#since = performance.now();
    this.#drawnAt = -Infinity;
    this.#width = 0;
    this.#bytes = 0;
  }
}
