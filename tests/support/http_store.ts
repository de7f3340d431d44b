/** A server in memory that answers like nginx and S3; tests can replace its answers. */
import { type FsPort, httpFs, type HttpFsOptions } from "../../mod.ts";
import { type Place, readLayout } from "./layout.ts";

/** A file that the server serves. */
export interface ServedFile {
  readonly content: string | Uint8Array;
  readonly etag?: string | null;
  readonly lastModified?: string | null;
}

/** A request and its response. */
export interface Served {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  status: number;
  /** How many bytes of the body were read. */
  bytes: number;
  /** Whether the body was neither read to the end nor cancelled. */
  open: boolean;
}

/** Returns a replacement of the server's answer, or `undefined` to keep it. */
export type Answering = (
  request: Served,
  number: number,
) => Response | Promise<Response> | undefined;

/** How the server answers. */
export interface HttpHabits {
  /** Whether it supports range requests; true by default. */
  ranges?: boolean;
  /** Whether it supports `If-Match` and `If-Range`; true by default. */
  conditions?: boolean;
  /** The `Date` header of responses; noon by default. */
  now?: () => Date;
  /** The headers of every response that contains a file. */
  headers?: Readonly<Record<string, string>>;
  /** Replaces answers of the server. */
  answer?: Answering;
}

/** A time long ago, in the format of HTTP. */
export const LONG_AGO = "Mon, 01 Jan 2024 00:00:00 GMT";

/** The default `Date` header of responses. */
export const SENT = "Mon, 01 Jan 2024 12:00:00 GMT";

/** Old enough to be at rest by one clock, but not if two servers' clocks may differ. */
export const RECENTLY = "Mon, 01 Jan 2024 11:59:30 GMT";

/** The size of the chunks of a body. */
const CHUNK_BYTES = 8 * 1024;

/** The server. */
export class HttpStore {
  /** The files, by URL without query. */
  readonly files = new Map<string, ServedFile>();
  readonly requests: Served[] = [];
  readonly habits: HttpHabits = {};
  #signals: AbortSignal[] = [];

  /** A port that reads from the server. */
  port(
    base = "https://files.example/base",
    options: HttpFsOptions = {},
  ): FsPort {
    const fetch = (url: string, init: RequestInit) => this.fetch(url, init);
    return httpFs(base, { fetch, ...options });
  }

  /** The log of requests, such as `HEAD 200` or `GET 206 0-9`. */
  get log(): string[] {
    return this.requests.map(({ method, status, headers }) => {
      const range = headers.get("range")?.slice("bytes=".length);
      return [method, status, range].filter((word) => word !== undefined)
        .join(" ");
    });
  }

  /** How many bytes of bodies were read. */
  get bytes(): number {
    return this.requests.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** How many bodies were neither read to the end nor cancelled. */
  get open(): number {
    return this.requests.filter(({ open }) => open).length;
  }

  /** How many requests were aborted. */
  get aborted(): number {
    return this.#signals.filter(({ aborted }) => aborted).length;
  }

  /** The replacement of `fetch`. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    const { method = "GET", signal } = init;
    if (signal) this.#signals.push(signal);
    const headers = new Headers(init.headers);
    const served = { url, method, headers, status: 0, bytes: 0, open: false };
    this.requests.push(served);
    const own = this.habits.answer?.(served, this.requests.length);
    const answer = await (own ?? this.#serve(served));
    served.status = answer.status;
    return answer;
  }

  /** A response whose body counts the bytes that are read. */
  send(
    served: Served,
    bytes: Uint8Array | null,
    init: ResponseInit,
  ): Response {
    if (served.method === "HEAD" || bytes === null) {
      return new Response(null, init);
    }
    let at = 0;
    served.open = true;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = bytes.slice(at, at + CHUNK_BYTES);
        at += chunk.length;
        served.bytes += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (at < bytes.length) return;
        served.open = false;
        controller.close();
      },
      cancel() {
        served.open = false;
      },
    }, { highWaterMark: 0 });
    return new Response(body, init);
  }

  #serve(served: Served): Response {
    const { url, headers: asked } = served;
    const path = url.split("?")[0]!;
    const file = this.files.get(path);
    if (file === undefined) {
      const isFolder = [...this.files.keys()]
        .some((name) => name.startsWith(`${path}/`));
      return isFolder
        ? this.send(served, WORDS, {
          status: 301,
          headers: { location: `${path}/` },
        })
        : this.send(served, WORDS, { status: 404 });
    }
    const bytes = typeof file.content === "string"
      ? new TextEncoder().encode(file.content)
      : file.content;
    const { etag = `"${bytes.length}-${file.content}"` } = file;
    const { lastModified = LONG_AGO } = file;
    const headers: Record<string, string> = {
      date: this.habits.now?.().toUTCString() ?? SENT,
      ...etag === null ? {} : { etag: asHeader(etag) },
      ...lastModified === null ? {} : { "last-modified": lastModified },
      ...this.habits.headers,
    };
    const { ranges = true, conditions = true } = this.habits;
    const match = asked.get("if-match");
    if (conditions && match !== null && match !== headers.etag) {
      return this.send(served, WORDS, { status: 412, headers });
    }
    const since = asked.get("if-range");
    const isCurrent = since === null || since === lastModified;
    const range = /^bytes=(\d+)-(\d+)$/.exec(asked.get("range") ?? "");
    const whole = range === null || !ranges || conditions && !isCurrent;
    const [start, end] = whole
      ? [0, bytes.length]
      : [Number(range[1]), Math.min(Number(range[2]) + 1, bytes.length)];
    if (!whole && start >= bytes.length) {
      headers["content-range"] = `bytes */${bytes.length}`;
      return this.send(served, WORDS, { status: 416, headers });
    }
    headers["content-length"] = String(end - start);
    if (!whole) {
      headers["content-range"] = `bytes ${start}-${end - 1}/${bytes.length}`;
    }
    const part = bytes.subarray(start, end);
    return this.send(served, part, { status: whole ? 200 : 206, headers });
  }
}

/** The body of a refusal, which the port must cancel. */
const WORDS = new TextEncoder().encode("<html>no</html>".repeat(5_000));

/** An entity tag that depends on the content. */
function asHeader(etag: string): string {
  return etag.replace(/[^\x21-\x7e]/gu, (c) => c.codePointAt(0)!.toString(16))
    .slice(0, 200);
}

/** An endless body that records whether it is cancelled. */
export class StuckBody {
  /** Resolves at the first read. */
  readonly begun: Promise<void>;
  readonly stream: ReadableStream<Uint8Array>;
  #isCancelled = false;

  constructor() {
    let begin = () => {};
    this.begun = new Promise((resolve) => begin = resolve);
    this.stream = new ReadableStream({
      pull: () => (begin(), new Promise(() => {})),
      cancel: () => void (this.#isCancelled = true),
    }, { highWaterMark: 0 });
  }

  /** Whether it is cancelled within a few turns of the event loop. */
  async isGivenUp(): Promise<boolean> {
    for (let turns = 0; turns < 100 && !this.#isCancelled; turns++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return this.#isCancelled;
  }
}

/** Creates a layout on a new server. */
// deno-lint-ignore require-await
export async function onStore(layout: readonly string[]): Promise<Place> {
  const store = new HttpStore();
  const base = "https://files.example/base";
  for (const entry of readLayout(layout)) {
    if (entry.kind !== "file") throw new TypeError(`No ${entry.kind} there`);
    const path = entry.path.split("/").map(encodeURIComponent).join("/");
    store.files.set(`${base}/${path}`, { content: entry.text });
  }
  return {
    fs: store.port(base),
    base: "/",
    root: "/ws",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A server with one file, `/a.txt`, and a port on it. */
export function storeOf(
  file: ServedFile | string,
  options: HttpFsOptions = {},
): { readonly store: HttpStore; readonly fs: FsPort } {
  const store = new HttpStore();
  const served = typeof file === "string" ? { content: file } : file;
  store.files.set("https://files.example/base/a.txt", served);
  return { store, fs: store.port(undefined, options) };
}
