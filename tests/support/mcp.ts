/** The MCP server, in this process or in a child process, with the official client. */
import { fileURLToPath } from "node:url";
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import process from "node:process";
import type { Stream } from "node:stream";
import { readCommandLine } from "../../mcp/src/command_line.ts";
import { lineReader } from "../../mcp/src/line_reader.ts";
import { openFor } from "../../mcp/src/main.ts";
import type { Connection as Served, Peer } from "../../mcp/src/protocol.ts";
import { runtimeCommand } from "./runtime.ts";

const MOD = fileURLToPath(new URL("../../mcp/mod.ts", import.meta.url));

/** The command that starts the server; Deno may read only `folders`. */
export function serverCommand(
  folders: readonly string[],
  args: readonly string[] = folders,
): string[] {
  return [
    ...runtimeCommand([`--allow-read=${folders.join(",")}`], MOD),
    ...args,
  ];
}

/** How a client connects. */
export interface ConnectOptions {
  /** The command line of the server; the folders by default. */
  readonly args?: readonly string[];
  /** Whether the server adds structured content to the text. */
  readonly facts?: boolean;
  /** The working directory of the server. */
  readonly cwd?: string;
  /** The name of the client. */
  readonly name?: string;
  /** Lists the client's roots; without it, the client does not support roots. */
  readonly roots?: () => readonly string[];
  /** The revision of the protocol: 2025 or 2026. */
  readonly era?: "2025" | "2026";
}

/** A client with its server; disposing of it closes both. */
export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. */
  call(args: Record<string, unknown>, name?: string): Promise<Told>;
  /** What the server wrote to standard error. */
  said(): string;
}

/** The result of a call. */
export interface Told {
  readonly ok: boolean;
  /** The text for the model; each content block begins a line. */
  readonly text: string;
  /** The structured content. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The error code, if the call failed. */
  readonly code: unknown;
}

/** Serves folders in this process, with the options of the command line, and connects. */
export async function connect(
  folders: readonly string[],
  options: ConnectOptions = {},
): Promise<Connection> {
  const { args = folders, facts = false, cwd = process.cwd() } = options;
  const line = readCommandLine(facts ? ["--facts", ...args] : args);
  if (typeof line === "string") {
    throw new TypeError(`The command line asks for ${line}, not for a server`);
  }
  let said = "";
  const log = (message: string) => void (said += `${message}\n`);
  const serve = await openFor(line, cwd, log);
  return await connectTo(new Wire(serve, log), options, () => said);
}

/** Starts the server as a child process, and connects. */
export async function connectProgram(
  folders: readonly string[],
  options: ConnectOptions = {},
): Promise<Connection> {
  const { args = folders, facts = false, cwd } = options;
  const words = facts ? ["--facts", ...args] : args;
  const [command = "", ...rest] = serverCommand(folders, words);
  const transport = new StdioClientTransport({
    command,
    args: rest,
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  let stderr = "";
  (transport.stderr as Stream).on("data", (chunk) => stderr += String(chunk));
  return await connectTo(transport, options, () => stderr);
}

async function connectTo(
  transport: Transport,
  { roots, era = "2025", name }: ConnectOptions,
  said: () => string,
): Promise<Connection> {
  const client = newClient({
    capabilities: roots === undefined ? {} : { roots: { listChanged: true } },
    ...(era === "2026" && { versionNegotiation: { mode: "auto" } }),
  }, name);
  if (roots !== undefined) answerRoots(client, roots);
  await client.connect(transport);
  return {
    client,
    call: async (args, name = "read_file") =>
      tell(await client.callTool({ name, arguments: args })),
    said,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The client's end of an in-process connection; messages pass as lines of JSON. */
export class Wire implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #served: Served;
  readonly #read: (chunk: Uint8Array) => void;

  constructor(serve: (peer: Peer) => Served, log = (_: string) => {}) {
    const send = async (message: object) => {
      const text = JSON.stringify(message);
      // Messages arrive later and in order, as from another process.
      await Promise.resolve();
      this.onmessage?.(JSON.parse(text));
    };
    const peer = { send: (message: object) => void send(message), log };
    const served = serve(peer);
    this.#served = served;
    this.#read = lineReader(peer, (message) => served.take(message));
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    await Promise.resolve();
    this.#read(line);
  }

  close(): Promise<void> {
    this.#served.close();
    this.onclose?.();
    return Promise.resolve();
  }
}

/** Makes a client. */
export function newClient(options: ClientOptions = {}, name = "tests"): Client {
  return new Client({ name, version: "1" }, options);
}

/** Makes a client answer requests for its roots. */
export function answerRoots(
  client: Client,
  roots: () => readonly string[],
): void {
  client.setRequestHandler("roots/list", () => ({
    roots: roots().map((path) => ({
      uri: path.includes("://") ? path : `file://${path}`,
    })),
  }));
}

/** Parses the result of a call. */
export function tell(
  result: Awaited<ReturnType<Client["callTool"]>>,
): Told {
  const error = Object(result._meta?.["agent-tools/error"]);
  return {
    ok: result.isError !== true,
    text: result.content
      .map((part) => part.type === "text" ? part.text : `<${part.type}>`)
      .join("\n"),
    data: Object(result.structuredContent),
    code: error.code,
  };
}
