import { INVALID_PARAMS, isObject, UNSUPPORTED_REVISION } from "./messages.ts";
import type { Json, RpcError } from "./messages.ts";

/** The revision without a handshake: each request names it in its `_meta`. */
export const STATELESS = "2026-07-28";

/** What the keys of the protocol in `_meta` begin with. */
export const PREFIX = "io.modelcontextprotocol/";
const REVISION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const INFO_KEY = `${PREFIX}clientInfo`;

export interface Client {
  readonly name: string;
  readonly hasRoots: boolean;
}

/** The failure of a request whose `_meta` does not name the stateless revision. */
const WITHOUT_ENVELOPE: RpcError = {
  code: INVALID_PARAMS,
  message:
    `Request is missing the required _meta envelope for protocol revision ${STATELESS} (${REVISION_KEY}, ${CAPABILITIES_KEY})`,
};

export function unsupported(asked: unknown): RpcError {
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

type Field = readonly [
  key: string,
  value: unknown,
  type: "a string" | "an object",
];

export function isWrong(read: Client | Wrong): read is Wrong {
  return Object.hasOwn(read, "problem");
}

/** Returns the first of these fields that has the wrong type. */
export function wrongOf(...fields: readonly Field[]): Wrong | undefined {
  for (const [key, value, type] of fields) {
    const hasType = type === "a string"
      ? typeof value === "string"
      : isObject(value);
    if (hasType) continue;
    return {
      key,
      problem: value === undefined ? "missing" : `must be ${type}`,
    };
  }
  return undefined;
}

/** Reads what a client says about itself; the keys are those of its revision. */
export function readClient(
  said: Json,
  [revisionKey, capabilitiesKey, infoKey]: readonly [string, string, string],
): Client | Wrong {
  const { [capabilitiesKey]: capabilities, [infoKey]: info } = said;
  const { roots } = Object(capabilities);
  const { name, version } = Object(info);
  return wrongOf(
    [revisionKey, said[revisionKey], "a string"],
    [capabilitiesKey, capabilities, "an object"],
    [`${capabilitiesKey}.roots`, roots === undefined ? {} : roots, "an object"],
    [infoKey, info, "an object"],
    [`${infoKey}.name`, name, "a string"],
    [`${infoKey}.version`, version, "a string"],
  ) ?? { name, hasRoots: roots !== undefined };
}

/** Whether the envelope of a request is bad: then it is the failure to answer with. */
export function isBadEnvelope(
  envelope: Client | RpcError,
): envelope is RpcError {
  return Object.hasOwn(envelope, "code");
}

/** Reads the client from the `_meta` of a request of the stateless revision. */
export function readEnvelope({ _meta: meta }: Json): Client | RpcError {
  if (!isObject(meta) || !Object.hasOwn(meta, REVISION_KEY)) {
    return WITHOUT_ENVELOPE;
  }
  // What another revision wants besides is unknown here, so this comes first.
  const { [REVISION_KEY]: revision } = meta;
  if (typeof revision === "string" && revision !== STATELESS) {
    return unsupported(revision);
  }
  // A client may leave out its name.
  const said = { [INFO_KEY]: { name: "", version: "" }, ...meta };
  const keys = [REVISION_KEY, CAPABILITIES_KEY, INFO_KEY] as const;
  const client = readClient(said, keys);
  if (isWrong(client)) {
    const message =
      `Invalid _meta envelope for protocol revision ${STATELESS}: ${client.key}: ${client.problem}`;
    return { code: INVALID_PARAMS, message, data: { envelope: client } };
  }
  return client;
}
