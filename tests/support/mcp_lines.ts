/** The MCP server as a program, with lines as input and output. */
import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { serverCommand } from "./mcp.ts";

/** The time after which a server counts as hung. */
const LIMIT_MS = 30_000;

/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** The server, and the two ends of its lines. */
export interface LineServer {
  /** Writes to its standard input. */
  write(text: string): void;
  /** Waits for the answer to a request; `undefined` is what has no id. */
  answer(id: number | undefined): Promise<Message>;
  /** Its standard error. */
  said(): string;
  /** Ends its standard input, and waits for its own end: its code, or `null` if it hangs. */
  end(): Promise<number | null>;
}

/** Starts the server; a line of its standard output that is not a message fails the next answer. */
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

/** The opening of a connection; its answer is the first message. */
export const OPENING: string = message("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tests", version: "1" },
}, 0) + message("notifications/initialized", {});

/** A call of read_file. */
export function callOf(id: number, args: object): string {
  return message("tools/call", { name: "read_file", arguments: args }, id);
}
