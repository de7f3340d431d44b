// Runtime-agnostic.
import type { FsPort } from "../../core/base/port.ts";
import {
  refuseMistake,
  type Rules,
  takeOptions,
} from "../../core/base/check.ts";
import { directory, failure, plainPath } from "../directory.ts";
import { HttpBase } from "./version.ts";
import { HttpClient, type HttpManner } from "./client.ts";
import { HttpStore } from "./store.ts";

/**
 * Options for {@linkcode httpFs}.
 */
export interface HttpFsOptions {
  /** Sends the requests; the runtime's own `fetch` by default. To sign them, wrap it. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** What goes along with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How long a server may take to answer, or to send the next bytes, in
   * milliseconds; 30,000 by default. One that is slow may take longer over all.
   */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent where the server does not answer, or answers with
   * 408, 425, 429 or a passing 5xx; 3 by default. A server that asks for more than
   * five seconds of patience is not asked again.
   */
  readonly attempts?: number;
}

/**
 * The files that a server offers in parts: S3, GCS, nginx, a CDN. What is at
 * `https://files.example/logs/a.txt` is at `/a.txt` below `https://files.example/logs`.
 *
 * A file costs one request to look at and to open, and one for each range that is
 * read: 64 KiB at first, larger and larger ones while a read goes on. Each must
 * be of the version that was opened, by its `ETag`; by its `Last-Modified` and
 * size where the `ETag` is weak or missing; by its size alone where there is
 * neither. Only a strong `ETag` gives a file an identity, or `id` is `null`. An
 * object that is replaced while it is read fails with `CHANGED`. Servers tell
 * times in whole seconds: a file that changed within the last two is read in one
 * request, or not before they are over.
 *
 * A redirect within the base is a symbolic link: it is followed where the
 * workspace and its rules let one lead. All others are refused. A directory is
 * whatever has a name below it that is asked for; asked for itself, it is one if
 * the server adds a slash to it. A name with a backslash is never there, for to
 * some servers it is a slash. What is secret in the URL or the headers is sent
 * nowhere else, and stands in no message.
 *
 * Under Deno, this needs `--allow-net` for the host.
 *
 * @example Usage
 * ```ts
 * import { httpFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const text = "one\ntwo\nthree\n";
 * const headers = { etag: '"1"', "content-length": "14", "content-range": "bytes 0-13/14" };
 * const fetch = (_url: string, { method }: RequestInit) =>
 *   Promise.resolve(
 *     method === "HEAD"
 *       ? new Response(null, { headers })
 *       : new Response(text, { status: 206, headers }),
 *   );
 *
 * const fs = httpFs("https://files.example/logs", { fetch });
 * const workspace = await openWorkspace("/", { fs });
 * const end = await readFile(workspace, "app.log", { kind: "tail", count: 1 });
 * assertEquals(end.text, "three\n");
 * ```
 *
 * @param baseUrl Where `/` is; a query, such as a signature, goes along with each request.
 * @param options How requests are sent.
 * @returns The port.
 */
export function httpFs(
  baseUrl: string | URL,
  options: HttpFsOptions = {},
): FsPort {
  const base = new HttpBase(baseUrl);
  const manner = readManner(options, base.authorization);
  const store = new HttpStore(base, new HttpClient(base, manner));
  return {
    realPath: plainPath,
    lstat(path, role, signal) {
      const plain = plainPath(path);
      return plain === "/" || role === "way"
        ? directory(plain)
        : store.look(plain, signal);
    },
    async readLink(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EINVAL");
      return await store.readLink(plain, signal);
    },
    open: (path, signal) => store.open(plainPath(path), signal),
  };
}

/** The longest that a timer can wait. */
const MAX_TIMEOUT_MS = 0x7fff_ffff;

const OPTIONS: Rules<HttpFsOptions> = {
  fetch: "any",
  headers: "any",
  timeoutMs: { least: 1, most: MAX_TIMEOUT_MS },
  attempts: { least: 1 },
};

function readManner(
  options: HttpFsOptions,
  authorization: string | undefined,
): HttpManner {
  const refuse = refuseMistake("Cannot read over HTTP");
  const taken: HttpFsOptions = takeOptions(options, OPTIONS, refuse);
  const {
    timeoutMs = 30_000,
    attempts = 3,
    // Some runtimes' own may be called on nothing but the global object.
    fetch: send = (url, init) => fetch(url, init),
    headers = {},
  } = taken;
  const given = authorization === undefined ? {} : { authorization };
  if (typeof send !== "function") {
    throw new TypeError(
      "Cannot read over HTTP: fetch is no function; leave it out, or pass one like the runtime's own",
    );
  }
  return {
    send,
    headers: { ...given, ...readHeaders(headers) },
    timeoutMs,
    attempts,
  };
}

/** In small letters, so that none goes twice; what asks for a part or a version is left to us. */
function readHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  try {
    if (typeof headers !== "object" || headers === null) throw new TypeError();
    const entries = [...new Headers(headers)]
      .filter(([name]) => !/^(range$|if-)/.test(name));
    return Object.fromEntries(entries);
  } catch {
    // What is wrong with it may be secret.
    throw new TypeError(
      "Cannot read over HTTP: the headers hold one that cannot be sent; check their names and values",
    );
  }
}
