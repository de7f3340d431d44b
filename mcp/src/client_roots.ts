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
import { visibleJson } from "./visible.ts";

/** The name of the question for roots, and of its answer. */
const KEY = "roots";

/** The most unserved roots to log; a client may send any number of new ones. */
const MOST_LOGGED = 100;

/** How the roots of a client determine what may be read. */
export interface ClientRootsOptions {
  /** Whether what may be read depends on the roots. */
  readonly mustKnow: boolean;
  /** Returns what these roots allow to read. */
  readonly scopeOf: (uris: readonly string[]) => Promise<Served>;
  readonly log: (message: string) => void;
}

/** Asks a client for its roots when they are needed, and finds what they allow to read. */
export class ClientRoots {
  readonly #server: McpServer["server"];
  readonly #options: ClientRootsOptions;
  readonly #logged = new Set<string>();
  #listed: Promise<readonly string[]> | undefined;
  #last: { readonly key: string; readonly scope: Scope } | undefined;

  constructor({ server }: McpServer, options: ClientRootsOptions) {
    this.#server = server;
    this.#options = options;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#listed = undefined;
    });
  }

  /** Returns what a call may read, or the question that the client must answer first. */
  async scopeFor(
    { mcpReq: { envelope, inputResponses } }: ServerContext,
  ): Promise<Scope | InputRequiredResult> {
    if (envelope === undefined) return await this.#scopeOf(await this.#list());
    // Since the revision of 2026-07-28, a server asks the client in its answer, at each call.
    const { [CLIENT_CAPABILITIES_META_KEY]: can } = Object(envelope);
    if (Object(can).roots === undefined) return await this.#scopeOf([]);
    if (inputResponses === undefined) {
      const roots = inputRequired.listRoots();
      return inputRequired({ inputRequests: { [KEY]: roots } });
    }
    const response = inputResponse(inputResponses, KEY);
    if (response.kind === "roots") {
      return await this.#scopeOf(urisOf(response.roots));
    }
    if (this.#options.mustKnow) throw rootsUnknown();
    return await this.#scopeOf([]);
  }

  async #list(): Promise<readonly string[]> {
    if (!this.#server.getClientCapabilities()?.roots) return [];
    return await (this.#listed ??= this.#ask());
  }

  async #ask(): Promise<readonly string[]> {
    const { log, mustKnow } = this.#options;
    try {
      const options = { timeout: ROOTS_TIMEOUT_MS };
      const { roots } = await this.#server.listRoots(undefined, options);
      return urisOf(roots);
    } catch (error) {
      log(`the client does not say its roots: ${String(error)}`);
      if (!mustKnow) return [];
      // The next call asks again.
      this.#listed = undefined;
      if (Object(error).code === ProtocolErrorCode.MethodNotFound) return [];
      throw rootsUnknown();
    }
  }

  async #scopeOf(uris: readonly string[]): Promise<Scope> {
    const key = JSON.stringify(uris);
    if (this.#last?.key === key) return this.#last.scope;
    const { scope, unserved } = await this.#options.scopeOf(uris);
    for (const uri of unserved) this.#logOnce(uri);
    // A root that does not exist now may exist at the next call.
    if (unserved.length === 0) this.#last = { key, scope };
    return scope;
  }

  #logOnce(uri: string): void {
    if (this.#logged.has(uri) || this.#logged.size === MOST_LOGGED) return;
    this.#logged.add(uri);
    const shown = visibleJson(uri);
    this.#options.log(`the client's root ${shown} is not served`);
  }
}

/** The failure where the roots are unknown: nothing is read then. */
function rootsUnknown(): Error {
  return deniedByRoots(
    "the client has roots but does not say which; call again, or turn its roots off",
  );
}

/** The URIs of roots; the client's answer was not checked. */
function urisOf(roots: readonly unknown[]): string[] {
  return roots.map((root) => String(Object(root).uri));
}
