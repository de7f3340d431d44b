// Runtime-agnostic.
import type { Places } from "./directories.ts";
import { METHOD_NOT_FOUND } from "./messages.ts";
import type { ToolRequest } from "./protocol.ts";
import { deniedByRoots, type Scope } from "./scope.ts";
import type { Json } from "./served_tool.ts";
import { visibleJson } from "./visible.ts";

const KEY = "roots";

/** How long a client may take to list its roots. */
const ROOTS_TIMEOUT_MS = 10_000;

/** The most unserved roots to log; a client may send any number of new ones. */
const MOST_LOGGED = 100;

const QUESTION: Json = {
  resultType: "input_required",
  inputRequests: { [KEY]: { method: "roots/list" } },
};

/** Asks a client for its roots when they are needed, and finds what they allow to read. */
export function clientRoots(
  { mustKnow, scopeOf }: Places,
  log: (message: string) => void,
) {
  const logged = new Set<string>();
  let listed: Promise<readonly string[]> | undefined;
  let last: { readonly key: string; readonly scope: Scope } | undefined;

  async function list({ ask }: ToolRequest): Promise<readonly string[]> {
    const outcome = await ask("roots/list", ROOTS_TIMEOUT_MS);
    const { result, error } = outcome as { result?: Json; error?: Json };
    const uris = urisOf(result);
    if (uris !== undefined) return uris;
    const why = error?.message ?? "the answer has no list of roots";
    log(`the client does not say its roots: ${visibleJson(why)}`);
    if (!mustKnow) return [];
    // The next call asks again.
    listed = undefined;
    if (error?.code === METHOD_NOT_FOUND) return [];
    throw rootsUnknown();
  }

  async function scopeFrom(uris: readonly string[]): Promise<Scope> {
    const key = JSON.stringify(uris);
    if (last?.key === key) return last.scope;
    const { scope, unserved } = await scopeOf(uris);
    for (const uri of unserved) {
      if (logged.has(uri) || logged.size === MOST_LOGGED) continue;
      logged.add(uri);
      log(`the client's root ${visibleJson(uri)} is not served`);
    }
    // A root that does not exist now may exist at the next call.
    if (unserved.length === 0) last = { key, scope };
    return scope;
  }

  return {
    /** Lists the roots anew at the next call. */
    forget: () => void (listed = undefined),
    /** Returns what a call may read, or the question that the client must answer first. */
    async scopeFor(request: ToolRequest) {
      const { client, inputs } = request;
      if (!client.hasRoots) return await scopeFrom([]);
      if (inputs === undefined) {
        return await scopeFrom(await (listed ??= list(request)));
      }
      // In the stateless revision, a server asks the client in its answer, at each call.
      if (inputs.given === undefined) return { question: QUESTION };
      const { [KEY]: answer } = Object(inputs.given);
      const uris = urisOf(answer);
      if (uris === undefined && mustKnow) throw rootsUnknown();
      return await scopeFrom(uris ?? []);
    },
  };
}

function rootsUnknown(): Error {
  return deniedByRoots(
    "the client has roots but does not say which; call again, or turn its roots off",
  );
}

/** The URIs in an answer; one that is not of a local file is not served. */
function urisOf(answer: unknown): readonly string[] | undefined {
  const { roots } = Object(answer);
  return Array.isArray(roots)
    ? roots.map((root) => String(Object(root).uri))
    : undefined;
}
