// Runtime-agnostic.
import type { Served } from "./directories.ts";
import type { Scope } from "./scope.ts";

/** What may be read, by the roots that a client has. */
export class ClientScope {
  readonly #find: (uris: readonly string[]) => Promise<Served>;
  readonly #log: (message: string) => void;
  readonly #told = new Set<string>();
  #last: { readonly key: string; readonly scope: Scope } | undefined;

  /**
   * Constructs a new instance.
   *
   * @param find Finds out what may be read by some roots.
   * @param log Told of roots that have no part in it, once of each.
   */
  constructor(
    find: (uris: readonly string[]) => Promise<Served>,
    log: (message: string) => void,
  ) {
    this.#find = find;
    this.#log = log;
  }

  /**
   * Finds out what may be read.
   *
   * @param uris The client's roots.
   * @returns What may be read.
   */
  async for(uris: readonly string[]): Promise<Scope> {
    const key = JSON.stringify(uris);
    if (this.#last?.key === key) return this.#last.scope;
    const { scope, unserved } = await this.#find(uris);
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
