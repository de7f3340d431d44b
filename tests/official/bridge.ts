/**
 * Serves the MCP server over HTTP, as the official suite wants it: for its tests
 * only. A handshake has a session; a request of the stateless revision has a
 * connection of its own.
 */
import { hostFs } from "../../mod.ts";
import type { FsPort } from "../../mod.ts";
import { openServer } from "../../mcp/src/server.ts";
import { lineReader } from "../../mcp/src/line_reader.ts";
import type { Connection } from "../../mcp/src/protocol.ts";
import { aliasOf, needsRoots, SLOW_FILE } from "./aliases.ts";

type Json = Readonly<Record<string, unknown>>;

const STATELESS = "2026-07-28";
const SESSION = "mcp-session-id";
const HEADER_MISMATCH = -32020;

/** The status of HTTP for an error; 400 for others. */
const STATUSES: Readonly<Record<number, number>> = {
  [-32601]: 404,
  [-32603]: 500,
};

/** How long each read of the slow file takes, so that its progress is seen on any machine. */
const SLOW_MS = 100;

/** A port on which one file is slow. */
function slowFs(fs: FsPort): FsPort {
  return {
    ...fs,
    async open(path, signal) {
      const handle = await fs.open(path, signal);
      if (!path.endsWith(SLOW_FILE)) return handle;
      return {
        ...handle,
        async read(buffer, position) {
          await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
          return await handle.read(buffer, position);
        },
      };
    },
  };
}

/** The answers to one request of HTTP. */
interface Stream {
  readonly id: unknown;
  readonly token: unknown;
  send(message: Json): void;
  close(): void;
}

interface Session {
  readonly connection: Connection;
  readonly streams: Set<Stream>;
  take(message: Json): void;
}

/** Serves a folder on a free port of the loopback. */
export async function openBridge(folder: string): Promise<Deno.HttpServer> {
  const options = { directories: [folder], fs: slowFs(hostFs()) };
  const serve = await openServer(options);
  const serveInRoots = await openServer({ ...options, followRoots: true });
  const sessions = new Map<string, Session>();

  function openSession(connect = serve): Session {
    const streams = new Set<Stream>();
    const peer = {
      send(message: Json) {
        const { id, method, params } = message;
        const { progressToken, _meta } = Object(params);
        const subscription =
          Object(_meta)["io.modelcontextprotocol/subscriptionId"];
        const all = [...streams];
        const of = method === undefined
          ? all.find((stream) => stream.id === id) ?? all[0]
          : all.find(({ token }) =>
            token !== undefined && token === progressToken
          ) ??
            all.find((stream) => stream.id === subscription) ?? all[0];
        of?.send(message);
        if (method !== undefined || of === undefined) return;
        streams.delete(of);
        of.close();
      },
      log() {},
    };
    const connection = connect(peer);
    const read = lineReader(peer, (message) => connection.take(message));
    const encoder = new TextEncoder();
    const take = (message: Json) =>
      read(encoder.encode(`${JSON.stringify(message)}\n`));
    return { connection, streams, take };
  }

  /** Answers a request by a stream of events. */
  function answer(session: Session, message: Json, headers: HeadersInit) {
    const encoder = new TextEncoder();
    let stream: Stream;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = {
          id: message.id,
          token: Object(Object(message.params)._meta).progressToken,
          send: (sent) =>
            controller.enqueue(
              encoder.encode(
                `event: message\ndata: ${JSON.stringify(sent)}\n\n`,
              ),
            ),
          close: () => controller.close(),
        };
        session.streams.add(stream);
        session.take(message);
      },
      cancel: () => {
        session.streams.delete(stream);
        const params = { requestId: message.id };
        const method = "notifications/cancelled";
        session.take({ jsonrpc: "2.0", method, params });
      },
    });
    const type = { "content-type": "text/event-stream" };
    return new Response(body, { headers: { ...type, ...headers } });
  }

  async function post(request: Request): Promise<Response> {
    const text = await request.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    const given: Json = Object(parsed);
    const message = aliasOf(given);
    const revision = Object(
      Object(given.params)._meta,
    )["io.modelcontextprotocol/protocolVersion"];
    const header = request.headers.get("mcp-protocol-version");
    if (revision !== undefined && header !== null && header !== revision) {
      const problem = "the header and the _meta name different revisions";
      const error = { code: HEADER_MISMATCH, message: problem };
      return Response.json({ jsonrpc: "2.0", id: given.id, error }, {
        status: 400,
      });
    }
    const isHandshake = given.method === "initialize" && revision === undefined;
    const isModern = !isHandshake && !request.headers.has(SESSION) &&
      (revision !== undefined || header === null || header === STATELESS);
    if (isModern) {
      return given.id === undefined
        ? new Response(null, { status: 202 })
        : await answerOnce(message, needsRoots(given));
    }
    const name = request.headers.get(SESSION);
    const known = name === null ? undefined : sessions.get(name);
    if (known !== undefined) {
      if (given.id !== undefined && given.method !== undefined) {
        return answer(known, message, { [SESSION]: name! });
      }
      known.take(message);
      return new Response(null, { status: 202 });
    }
    if (given.method !== "initialize") {
      return new Response(null, { status: name === null ? 400 : 404 });
    }
    const fresh = crypto.randomUUID();
    const session = openSession();
    sessions.set(fresh, session);
    return answer(session, message, { [SESSION]: fresh });
  }

  /** Answers a request of the stateless revision; an error has a status of HTTP. */
  async function answerOnce(
    message: Json,
    inRoots: boolean,
  ): Promise<Response> {
    const session = openSession(inRoots ? serveInRoots : serve);
    if (message.method === "subscriptions/listen") {
      return answer(session, message, {});
    }
    const response = answer(session, message, {});
    const isSlow = Object(Object(message.params)._meta).progressToken !==
      undefined;
    if (isSlow) return response;
    const events = await response.text();
    const data = events.split("\n").filter((line) => line.startsWith("data: "));
    const last = JSON.parse(data.at(-1)!.slice("data: ".length));
    const { code } = Object(last.error);
    return Response.json(last, { status: code ? STATUSES[code] ?? 400 : 200 });
  }

  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) => {
      const { headers, method } = request;
      const isHere = (name: string | null) =>
        name === null ||
        /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(name);
      // A page of another site must not reach the loopback.
      if (!isHere(headers.get("host")) || !isHere(headers.get("origin"))) {
        return new Response("Forbidden", { status: 403 });
      }
      if (method === "POST") return post(request);
      if (method !== "DELETE") return new Response(null, { status: 405 });
      sessions.delete(headers.get(SESSION) ?? "");
      return new Response(null, { status: 200 });
    },
  );
}
