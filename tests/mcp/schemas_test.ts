/**
 * Every message of the server against the schemas of its revision, as the official
 * library had them. The first version on npm is of 2024-11-05, whose schemas also
 * check 2024-10-07. `deno task test:conformance` holds the messages of 2025-11-25 and
 * 2026-07-28 against the JSON schemas, too.
 */
import * as newest from "@modelcontextprotocol/core";
import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, it } from "node:test";
import { memoryFs } from "../../mod.ts";
import { readCommandLine } from "../../mcp/src/command_line.ts";
import { lineReader } from "../../mcp/src/line_reader.ts";
import { openServer } from "../../mcp/src/server.ts";

type Json = Readonly<Record<string, unknown>>;

const STATELESS = "2026-07-28";
const REVISIONS = [
  ...["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"],
  STATELESS,
];

/** Checks a message, or a result. */
interface Schema {
  safeParse(value: unknown): { readonly error?: Error };
}

/** The schemas of a version of the official library. */
type Schemas = Readonly<Record<string, Schema>>;

/** Older versions, by aliases of npm. The name is computed, so that nobody checks their types. */
const older = (revision: string): Promise<Schemas> =>
  import(`mcp-${revision}/types.js`);
const first = await older("2024-11-05");
const SCHEMAS: Readonly<Record<string, Schemas>> = {
  "2024-10-07": first,
  "2024-11-05": first,
  "2025-03-26": await older("2025-03-26"),
  "2025-06-18": await older("2025-06-18"),
  "2025-11-25": Object(newest),
  "2026-07-28": Object(newest),
};

/** The revisions whose errors must have an `id`. For a line that is not a message the server leaves it out there, too: the official client refuses `null`. */
const WANT_ID = new Set(REVISIONS.slice(0, 4));

const OPTIONS: readonly (readonly string[])[] = [
  [],
  ["--facts"],
  ["--session"],
  ["--follow-roots"],
  ...["codex", "toolkit", "forge", "open"].map((name) => ["--dialect", name]),
];

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
const FILES = {
  "/ws/a.txt": "one\ntwo\nthree\n",
  "/ws/long.txt": "a line\n".repeat(20_000),
  "/ws/bad.bin": Uint8Array.of(0, 255, 1, 2),
  "/ws/pic.png": PNG,
  "/ws/sub/b.txt": "b",
};

/** Calls of tools, good and bad, for each tool and dialect. */
const CALLS: readonly (readonly [string, Json])[] = [
  ["read_file", { path: "a.txt" }],
  ["read_file", { path: "long.txt", tail: 3 }],
  ["read_file", { path: "long.txt", match: "nowhere" }],
  ["read_file", { path: "bad.bin" }],
  ["read_file", { path: "pic.png" }],
  ["read_file", { path: "none.txt" }],
  ["read_file", { path: "../x", start: "y" }],
  ["read_file", {}],
  ["read_files", { paths: ["a.txt", "none", "sub/b.txt"] }],
  ["list_directory", { path: ".", depth: 2 }],
  ["list_directory", { path: "a.txt" }],
  ["read_file", { file_path: "/ws/a.txt" }],
  ["open_file", { file_path: "/ws/a.txt" }],
  ["Read", { path: "/ws/long.txt", start_line: 1, end_line: 2 }],
];

const LINES = [
  "no JSON",
  "[]",
  '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  '{"jsonrpc":"1.0","id":8,"method":"ping"}',
];

/** What a result answers, by the method of its request. */
const RESULTS: Readonly<Record<string, string>> = {
  "initialize": "InitializeResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "ping": "EmptyResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};

interface Sent {
  readonly message: Json;
  /** The method of the request that it answers. */
  readonly method: string | undefined;
}

/** All that a server says to a client of a revision. */
async function talk(revision: string, args: readonly string[]) {
  const line = readCommandLine([...args, "/ws"]);
  if (typeof line === "string") throw new TypeError(line);
  const fs = memoryFs(FILES);
  const serve = await openServer({ ...line, fs, log() {} });
  const sent: Sent[] = [];
  const asked = new Map<unknown, string>();
  const peer = {
    log() {},
    send(given: Json) {
      const message: Json = JSON.parse(JSON.stringify(given));
      sent.push({ message, method: asked.get(message.id) });
      if (message.method !== "roots/list") return;
      const result = { roots: [{ uri: "file:///ws" }] };
      const answer = { jsonrpc: "2.0", id: message.id, result };
      queueMicrotask(() => write(JSON.stringify(answer)));
    },
  };
  const connection = serve(peer);
  const read = lineReader(peer, (message) => connection.take(message));
  const write = (text: string) => read(new TextEncoder().encode(`${text}\n`));
  const client = {
    capabilities: { roots: {} },
    info: { name: "tests", version: "1" },
  };
  const PREFIX = "io.modelcontextprotocol/";
  const envelope = revision !== STATELESS ? {} : {
    [`${PREFIX}protocolVersion`]: STATELESS,
    [`${PREFIX}clientCapabilities`]: client.capabilities,
    [`${PREFIX}clientInfo`]: client.info,
  };
  let count = 0;
  const ask = async (method: string, params: Json = {}) => {
    const id = `of the tests ${count++}`;
    asked.set(id, method);
    const meta = { ...envelope, progressToken: id };
    const all = { ...params, _meta: meta };
    write(JSON.stringify({ jsonrpc: "2.0", id, method, params: all }));
    await connection.idle();
  };
  if (revision !== STATELESS) {
    const { capabilities, info: clientInfo } = client;
    const params = { protocolVersion: revision, capabilities, clientInfo };
    await ask("initialize", params);
    await ask("ping");
  } else {
    await ask("server/discover");
    await ask("subscriptions/listen", { notifications: {} });
  }
  await ask("tools/list");
  await ask("tools/list", { cursor: "x" });
  await ask("nope");
  await ask("tools/call", { name: "nope" });
  await ask("tools/call", { name: 7 });
  const inputResponses = { roots: { roots: [{ uri: "file:///ws" }] } };
  for (const [name, args] of CALLS) {
    const params = { name, arguments: args };
    await ask("tools/call", params);
    if (revision !== STATELESS) continue;
    await ask("tools/call", { ...params, inputResponses });
  }
  for (const text of LINES) write(text);
  connection.endSubscriptions();
  return sent;
}

const NO_ID = "an error without an id";

/** Why a message is not one of the protocol; `undefined` if it is. */
function faultOf(
  { message, method }: Sent,
  revision: string,
): string | undefined {
  const { id, method: said, result, error } = message;
  const isError = error !== undefined;
  if (WANT_ID.has(revision) && isError && id === undefined) return NO_ID;
  // The newest library has longer names for the two.
  const renamed = SCHEMAS[revision] === Object(newest);
  const names = isError
    ? [renamed ? "JSONRPCErrorResponse" : "JSONRPCError"]
    : said === undefined
    ? [renamed ? "JSONRPCResultResponse" : "JSONRPCResponse"]
    : id === undefined
    ? ["JSONRPCNotification", "ServerNotification"]
    : ["JSONRPCRequest", "ServerRequest"];
  for (const name of names) {
    const fault = faultBy(revision, name, message);
    if (fault !== undefined) return fault;
  }
  if (result === undefined) return undefined;
  // It asks for the roots of the client, in place of the answer.
  const { resultType } = Object(result);
  if (resultType === "input_required") return undefined;
  const known = RESULTS[method ?? ""];
  if (known === undefined) return `a result of ${method}`;
  // The library's result of ping is empty, and strict.
  return faultBy(revision, known, result);
}

/** Why a value does not fit a schema of a revision. */
function faultBy(
  revision: string,
  name: string,
  value: unknown,
): string | undefined {
  const schema = SCHEMAS[revision]?.[`${name}Schema`];
  if (schema === undefined) return `no schema of ${name} in ${revision}`;
  return schema.safeParse(value).error?.message;
}

describe("every message of the MCP server", () => {
  for (const revision of REVISIONS) {
    for (const args of OPTIONS) {
      const name = ["revision", revision, ...args].join(" ");
      it(`is one of the protocol in ${name}`, async () => {
        const sent = await talk(revision, args);
        const faults = sent.map((one) => faultOf(one, revision))
          .filter((fault) => fault !== undefined);
        // The one id among them is an exact one.
        const excepted = WANT_ID.has(revision) ? LINES.length - 1 : 0;
        assertEquals(faults, Array.from({ length: excepted }, () => NO_ID));
        const methods = new Set(sent.map(({ method }) => method));
        const first = revision === STATELESS ? "server/discover" : "initialize";
        for (const method of [first, "tools/list", "tools/call"]) {
          assert(methods.has(method), method);
        }
      });
    }
  }
  it("fits the schemas that tools/list gives", async () => {
    const sent = await talk("2025-11-25", ["--facts"]);
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    const tools = sent.flatMap(({ message, method }) =>
      method === "tools/list" ? Object(message.result).tools ?? [] : []
    );
    assertEquals(tools.length, 3);
    const checks = tools.map((tool: Json) => {
      ajv.compile(Object(tool.inputSchema));
      return ajv.compile(Object(tool.outputSchema));
    });
    let count = 0;
    for (const { message } of sent) {
      const { structuredContent: facts } = Object(message.result);
      if (facts === undefined) continue;
      count++;
      assert(
        checks.some((check: (facts: unknown) => boolean) => check(facts)),
        JSON.stringify(facts),
      );
    }
    assert(count >= 6, `${count}`);
  });
});
