// Runtime-agnostic.
import { INVALID_PARAMS, isObject, UNSUPPORTED_REVISION } from "./messages.ts";
import type { Failure } from "./messages.ts";
import type { Json } from "./served_tool.ts";

/** The revision without a handshake: each request names it in its `_meta`. */
export const STATELESS = "2026-07-28";

/** What the keys of the protocol in `_meta` begin with. */
export const PREFIX = "io.modelcontextprotocol/";
const REVISION_KEY = `${PREFIX}protocolVersion`;
const INFO_KEY = `${PREFIX}clientInfo`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;

export interface Client {
  readonly name: string | undefined;
  readonly hasRoots: boolean;
}

/** The failure of a request of the stateless revision that does not name it. */
export const WITHOUT_ENVELOPE: Failure = {
  code: INVALID_PARAMS,
  message:
    `Request is missing the required _meta envelope for protocol revision ${STATELESS} (${REVISION_KEY}, ${CAPABILITIES_KEY})`,
};

export function unsupported(asked: unknown): Failure {
  const requested = typeof asked === "string" ? asked : "unknown";
  return {
    code: UNSUPPORTED_REVISION,
    message: `Unsupported protocol version: ${requested}`,
    data: { supported: [STATELESS], requested },
  };
}

/** A field with the wrong type. */
export interface Wrong {
  readonly key: string;
  readonly problem: string;
}

type Field = readonly [key: string, value: unknown, type: "string" | "object"];

export function wrongOf(...fields: readonly Field[]): Wrong | undefined {
  for (const [key, value, type] of fields) {
    if (type === "object" ? isObject(value) : typeof value === "string") {
      continue;
    }
    if (value === undefined) return { key, problem: "missing" };
    const kind = type === "object" ? "an object" : "a string";
    return { key, problem: `must be ${kind}` };
  }
  return undefined;
}

/** Finds the first wrong field in what a client says about itself. */
export function wrongClient(
  [capabilitiesKey, capabilities]: readonly [string, unknown],
  [infoKey, info]: readonly [string, unknown],
): Wrong | undefined {
  const { roots = {} } = Object(capabilities);
  const { name, version } = Object(info);
  return wrongOf(
    [capabilitiesKey, capabilities, "object"],
    [`${capabilitiesKey}.roots`, roots, "object"],
    [infoKey, info, "object"],
    [`${infoKey}.name`, name, "string"],
    [`${infoKey}.version`, version, "string"],
  );
}

export function clientOf(capabilities: unknown, info: unknown): Client {
  const { roots } = Object(capabilities);
  return { name: Object(info).name, hasRoots: roots !== undefined };
}

/** Reads what a request of the stateless revision says of its client; `undefined` for one of another revision. */
export function readEnvelope({ _meta: meta }: Json) {
  if (!isObject(meta) || !Object.hasOwn(meta, REVISION_KEY)) return undefined;
  const { [CAPABILITIES_KEY]: capabilities, [REVISION_KEY]: revision } = meta;
  // It may be left out.
  const { [INFO_KEY]: info = { name: "", version: "" } } = meta;
  const wrong = wrongOf([REVISION_KEY, revision, "string"]) ??
    wrongClient([CAPABILITIES_KEY, capabilities], [INFO_KEY, info]);
  if (wrong !== undefined) {
    const { key, problem } = wrong;
    const message =
      `Invalid _meta envelope for protocol revision ${STATELESS}: ${key}: ${problem}`;
    return { code: INVALID_PARAMS, message, data: { envelope: wrong } };
  }
  return revision === STATELESS
    ? clientOf(capabilities, info)
    : unsupported(revision);
}

export function isClient(read: Client | Failure | undefined): read is Client {
  return read !== undefined && !("code" in read);
}
