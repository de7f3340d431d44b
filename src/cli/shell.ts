// Runtime-agnostic.
import type { FsPort } from "../core/port.ts";

/** A place that output goes to. */
export interface Outlet {
  /** Whether a person looks at it. */
  readonly isTerminal: boolean;
  /** Writes, and waits until more can be taken; a {@linkcode BrokenPipeError} if no one takes more. */
  write(output: string | Uint8Array): Promise<void>;
}

/** What the command line needs of the program it runs in. */
export interface Shell {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** Standard output. */
  readonly output: Outlet;
  /** Standard error. */
  readonly errors: Outlet;
  /** Whether a terminal may be sent styles. */
  readonly styles: boolean;
  /** The file system; the runtime's own disk if there is none. */
  readonly fs?: FsPort;
  /** How long a scan may take without a word of progress, in milliseconds. */
  readonly patienceMs: number;
  /** The words that start this program, allowed to read `folders`. */
  program(folders: readonly string[]): readonly string[];
  /** The name and the version of the package. */
  version(): Promise<string>;
}

/** Whoever was reading the output has seen enough. */
export class BrokenPipeError extends Error {
  /** Always `"BrokenPipeError"`. */
  override readonly name = "BrokenPipeError";
}

/** The output cannot be written. */
export class WriteError extends Error {
  /** Always `"WriteError"`. */
  override readonly name = "WriteError";
}

/** A later part of the program itself cannot be loaded. */
export class LoadError extends Error {
  /** Always `"LoadError"`. */
  override readonly name = "LoadError";
}

/** A command line that means nothing. */
export class UsageError extends Error {
  /** Always `"UsageError"`. */
  override readonly name = "UsageError";
}
