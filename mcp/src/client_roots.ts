// Runtime-agnostic.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ROOTS_TIMEOUT_MS } from "./bounds.ts";
import type { Served } from "./directories.ts";
import { deniedByRoots, type Scope } from "./scope.ts";

/** What a client that was asked says under this name. */
const KEY = "roots";

/** The roots of the client at the other end, asked for when they are needed. */
export class ClientRoots {
  readonly #server: McpServer["server"];
  readonly #log: (message: string) => void;
  readonly #mustKnow: boolean;
  #listed: Promise<readonly string[]> | undefined;

  constructor(
    { server }: McpServer,
    log: (message: string) => void,
    mustKnow: boolean,
  ) {
    this.#server = server;
    this.#log = log;
    this.#mustKnow = mustKnow;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#listed = undefined;
    });
  }

  /** Finds out the roots for a call. */
  async for(
    { mcpReq }: ServerContext,
  ): Promise<readonly string[] | InputRequiredResult> {
    if (mcpReq.envelope === undefined) return await this.#list();
    // Since the revision of 2026-07-28 a server asks by its answer, at each call.
    if (!hasRoots(mcpReq.envelope)) return [];
    if (mcpReq.inputResponses === undefined) {
      const roots = inputRequired.listRoots();
      return inputRequired({ inputRequests: { [KEY]: roots } });
    }
    const said = inputResponse(mcpReq.inputResponses, KEY);
    if (said.kind === "roots") return urisOf(said.roots);
    if (this.#mustKnow) throw unsaid();
    return [];
  }

  #list(): Promise<readonly string[]> {
    if (!this.#server.getClientCapabilities()?.roots) {
      return Promise.resolve([]);
    }
    this.#listed ??= this.#server
      .listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => urisOf(roots))
      .catch((error: unknown) => {
        this.#log(`the client does not say its roots: ${String(error)}`);
        if (!this.#mustKnow) return [];
        // The next call asks again.
        this.#listed = undefined;
        if (Object(error).code === ProtocolErrorCode.MethodNotFound) return [];
        throw unsaid();
      });
    return this.#listed;
  }
}

/** What is not known cannot be kept to. */
function unsaid(): Error {
  return deniedByRoots(
    "",
    "the client has roots but does not say which; call again, or turn its roots off",
  );
}

/** Whether the client says that it has roots, as it must at each call. */
function hasRoots(envelope: object): boolean {
  // The SDK's type of the envelope lacks the keys that it has.
  const { [CLIENT_CAPABILITIES_META_KEY]: can } = envelope as Readonly<
    Record<string, unknown>
  >;
  return Object(can).roots !== undefined;
}

/** The URIs, if they are any: the client's word was not checked. */
function urisOf(roots: readonly unknown[]): string[] {
  return roots.map((root) => String(Object(root).uri));
}

/** What may be read, by the roots that a client has. */
export class ClientScope {
  readonly #find: (uris: readonly string[]) => Promise<Served>;
  readonly #log: (message: string) => void;
  readonly #told = new Set<string>();
  #last: { readonly key: string; readonly scope: Scope } | undefined;

  constructor(
    find: (uris: readonly string[]) => Promise<Served>,
    log: (message: string) => void,
  ) {
    this.#find = find;
    this.#log = log;
  }

  /** Finds out what may be read. */
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
