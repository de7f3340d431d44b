// Runtime-agnostic.
import type { Directories } from "./directories.ts";
import type { Scope } from "./scope.ts";

/** What may be read of the directories, by the roots that a client has. */
export class ClientScope {
  readonly #directories: Directories;
  readonly #log: (message: string) => void;
  readonly #told = new Set<string>();
  #last: { readonly key: string; readonly scope: Scope } | undefined;

  /**
   * Constructs a new instance.
   *
   * @param directories The most that may be read.
   * @param log Told of roots that give no right to read, once of each.
   */
  constructor(directories: Directories, log: (message: string) => void) {
    this.#directories = directories;
    this.#log = log;
  }

  /**
   * Finds out what may be read.
   *
   * @param uris The client's roots; none leaves all of the directories.
   * @returns What may be read.
   */
  async for(uris: readonly string[]): Promise<Scope> {
    if (uris.length === 0) return this.#directories.scope;
    const key = JSON.stringify(uris);
    if (this.#last?.key === key) return this.#last.scope;
    const { scope, unserved } = await this.#directories.within(uris);
    for (const uri of unserved) this.#tell(uri);
    // What is not there now may be there at the next call.
    if (unserved.length === 0) this.#last = { key, scope };
    return scope;
  }

  #tell(uri: string): void {
    if (this.#told.has(uri) || this.#told.size === MOST_TOLD) return;
    this.#told.add(uri);
    this.#log(`the client's root ${JSON.stringify(uri)} is not served`);
  }
}

/** Roots that are told of; a client may have any number of new ones. */
const MOST_TOLD = 100;
