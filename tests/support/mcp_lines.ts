/** The MCP server as a child process, with its input and output as lines. */
import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { serverCommand } from "./mcp.ts";

/** A server that does not answer within this time counts as hung. */
const LIMIT_MS = 110_000;

/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** The server, and its three streams. */
export interface LineServer {
  /** Writes to its standard input. */
  write(text: string): void;
  /** Waits for the response to a request; `undefined` waits for a message without an id. */
  answer(id: number | undefined): Promise<Message>;
  /** What it wrote to standard error. */
  said(): string;
  /** Closes its standard input and waits for its exit: the exit code, or `null` if it hangs. */
  end(): Promise<number | null>;
}

/** Starts the server. A line of standard output that is not a message fails the next answer. */
export function startServer(
  folders: readonly string[],
  args: readonly string[] = folders,
): LineServer {
  const [command = "", ...rest] = serverCommand(folders, args);
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "pipe"] });
  const answers = new Map<unknown, PromiseWithResolvers<Message>>();
  const at = (id: unknown) => {
    const known = answers.get(id) ?? Promise.withResolvers<Message>();
    answers.set(id, known);
    return known;
  };
  const strays: string[] = [];
  const take = (line: string) => {
    try {
      const message: Message = JSON.parse(line);
      at(message.id).resolve(message);
    } catch {
      strays.push(line);
    }
  };
  let partial = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (partial + text).split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  child.stderr.on("data", (chunk) => stderr += String(chunk));
  const exit = new Promise<number | null>((resolve) =>
    child.once("close", resolve)
  );
  return {
    write: (text) => void child.stdin.write(text),
    async answer(id) {
      const message = await at(id).promise;
      assertEquals(strays, []);
      return message;
    },
    said: () => stderr,
    async end() {
      child.stdin.end();
      const hanging = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
      const code = await exit;
      clearTimeout(hanging);
      return code;
    },
  };
}

/** A message as a line. */
export function message(method: string, params: object, id?: number): string {
  return `${
    JSON.stringify({
      jsonrpc: "2.0",
      ...(id !== undefined && { id }),
      method,
      params,
    })
  }\n`;
}

/** The messages that open a connection; the first one has an answer. */
export const OPENING: string = message("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tests", version: "1" },
}, 0) + message("notifications/initialized", {});

/** A call of read_file. */
export function callOf(id: number, args: object): string {
  return message("tools/call", { name: "read_file", arguments: args }, id);
}
