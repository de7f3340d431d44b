// Deno and Bun.

/** Where Linux names the open files of whoever asks. */
export const OWN_NAMES = "/proc/self/fd";

/**
 * The same place by the number that `self` stands for in that very `/proc`: a
 * link less for the system to follow, which every read asks for twice.
 */
export function numberedNames(readLink: (path: string) => string): string {
  try {
    const self = readLink("/proc/self");
    return /^\d+$/.test(self) ? `/proc/${self}/fd` : OWN_NAMES;
  } catch {
    return OWN_NAMES;
  }
}

/** The directory in which the system names open files, as long as it may be looked at. */
export class OpenFileNames {
  readonly #look: () => string | undefined;
  #directory: string | undefined;
  #asked = false;

  /** Constructs a new instance; `look` finds the directory, if it may be looked at. */
  constructor(look: () => string | undefined) {
    this.#look = look;
  }

  /** Asks about the name of an open file; `undefined` if that is not allowed. */
  ask<T>(fd: number, question: (name: string) => T): T | undefined {
    const directory = this.#find();
    if (directory === undefined) return undefined;
    try {
      return question(`${directory}/${fd}`);
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** The same, of someone who answers later. */
  async askLater<T>(
    fd: number,
    question: (name: string) => Promise<T>,
  ): Promise<T | undefined> {
    const directory = this.#find();
    if (directory === undefined) return undefined;
    try {
      return await question(`${directory}/${fd}`);
    } catch (error) {
      return this.#refused(error);
    }
  }

  // Deno grants the directory under a bare --allow-read, and then refuses. What
  // else may fail speaks of the one file, and not of those that come after it.
  #refused(error: unknown): undefined {
    const { name } = Object(error) as { name?: unknown };
    if (name === "NotCapable") this.#directory = undefined;
    return undefined;
  }

  /** Settled at the first file: a permission is not asked for again and again. */
  #find(): string | undefined {
    if (!this.#asked) this.#directory = this.#look();
    this.#asked = true;
    return this.#directory;
  }
}
