// A server of the Model Context Protocol, as a model's tools.
import { LineChild } from "./line_child.ts";
import { ANSWER_MS, type Arm, type ToolCall } from "./player.ts";
import type { Want } from "./tasks.ts";

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly mimeType?: string;
}

/** A message of the server. */
interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: {
    readonly tools?: readonly Listed[];
    readonly content?: readonly Part[];
  };
  readonly error?: { readonly message: string };
}

/** How long a server may take to start. */
const START_MS = 60_000;

/** Starts a server, and again after a call that it did not answer. */
export async function mcpArm(
  name: string,
  command: readonly string[],
  first: (want: Want) => readonly ToolCall[],
): Promise<Arm> {
  let server = await Server.start(command);
  const { result } = await server.ask("tools/list", {}, START_MS) ?? {};
  // A model that only reads is offered the tools that only read.
  const offered = (result?.tools ?? [])
    .filter(({ annotations }) => annotations?.readOnlyHint)
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
  return {
    name,
    definitions: JSON.stringify(offered),
    first,
    async call({ tool, args }) {
      const params = { name: tool, arguments: args };
      const message = await server.ask("tools/call", params, ANSWER_MS);
      if (message !== undefined) {
        const { result, error } = message;
        return error?.message ?? result?.content?.map(textOf).join("\n");
      }
      server.end();
      server = await Server.start(command);
      return undefined;
    },
    end: () => Promise.resolve(server.end()),
  };
}

function textOf({ text, type, mimeType }: Part): string {
  return text ?? `[${mimeType ?? type}]`;
}

/** A server as a child process. The official client ends the connection at an answer of 10 MB, which one of the servers gives. */
class Server {
  readonly #child: LineChild;
  #id = 0;

  private constructor(command: readonly string[]) {
    this.#child = new LineChild(command);
  }

  static async start(command: readonly string[]): Promise<Server> {
    const server = new Server(command);
    await server.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "played", version: "1" },
    }, START_MS);
    const method = "notifications/initialized";
    server.#child.send({ jsonrpc: "2.0", method });
    return server;
  }

  async ask(
    method: string,
    params: object,
    most: number,
  ): Promise<Message | undefined> {
    const id = ++this.#id;
    this.#child.send({ jsonrpc: "2.0", id, method, params });
    return await this.#child.wait((line) => {
      const message: Message = JSON.parse(line);
      return message.id === id && message.method === undefined
        ? message
        : undefined;
    }, most);
  }

  end(): void {
    this.#child.end();
  }
}
