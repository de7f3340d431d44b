// Runtime-agnostic.
import type { FsPort } from "../../core/base/port.ts";
import { refuseMistake, takeOptions } from "../../core/base/check.ts";
import type { Rules } from "../../core/base/check.ts";
import { directory, failure, plainPath } from "../store.ts";
import { httpBase } from "./version.ts";
import type { httpServer } from "./server.ts";

/** Options for {@linkcode httpFs}. */
export interface HttpFsOptions {
  /** Sends the requests; the runtime's own `fetch` by default. Wrap it to sign them. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How long a server may take to answer, or to send the next bytes, in
   * milliseconds; 30,000 by default. It does not limit the whole request.
   */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent if the connection fails, or the answer is 408,
   * 425, 429, 500, 502, 503 or 504; 3 by default. It is not sent again if
   * `Retry-After` is more than five seconds.
   */
  readonly attempts?: number;
}

/**
 * The files of a server that answers range requests: S3, GCS, nginx, a CDN.
 * With the base `https://files.example/logs`, `/a.txt` is
 * `https://files.example/logs/a.txt`.
 *
 * Opening a file costs one request, and so does each range: 64 KiB at first,
 * more in a sequential read. Each must be of the version that was opened, by
 * its `ETag`; by `Last-Modified` and size if the `ETag` is weak or missing; by
 * size alone if both are. Otherwise the read fails with `CHANGED`. A file that
 * changed within the last two seconds is read in one request, or after those
 * seconds, since servers send times in whole seconds. Without a strong `ETag`,
 * its `id` is `null`.
 *
 * A redirect within the base is a symbolic link; all others are refused. A name
 * is a directory if the server redirects it to itself with a slash, or if a
 * name below it is read. A name with a backslash does not exist, since some
 * servers treat it as a slash. The query and the headers appear in no message.
 *
 * Under Deno, this needs `--allow-net` for the host.
 *
 * @example Usage
 * ```ts
 * import { httpFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = { etag: '"1"', "content-length": "14" };
 * const fetch = () => Promise.resolve(new Response("one\ntwo\nthree\n", { headers }));
 * const fs = httpFs("https://files.example/logs", { fetch });
 * const workspace = await openWorkspace("/", { fs });
 * const end = await readFile(workspace, "app.log", { kind: "tail", count: 1 });
 * assertEquals(end.text, "three\n");
 * ```
 *
 * @param baseUrl The URL of `/`; its query, such as a signature, is sent with each request.
 */
export function httpFs(
  baseUrl: string | URL,
  options: HttpFsOptions = {},
): FsPort {
  const base = httpBase(baseUrl);
  const {
    // Some runtimes' own `fetch` must be called on the global object.
    fetch: send = (url, init) => fetch(url, init),
    headers = {},
    timeoutMs = 30_000,
    attempts = 3,
  }: HttpFsOptions = takeOptions(options, OPTIONS, refuse);
  const all = { ...base.headers, ...takeHeaders(headers) };
  const settings = { fetch: send, headers: all, timeoutMs, attempts };
  // The client is loaded with the first request.
  let loading: Promise<ReturnType<typeof httpServer>> | undefined;
  const server = () =>
    loading ??= import("./server.ts").then(({ httpServer }) =>
      httpServer(base, settings)
    );
  return {
    realPath: plainPath,
    lstat(path, role, signal) {
      const plain = plainPath(path);
      const isDirectory = plain === "/" || role === "way";
      return isDirectory
        ? directory(plain)
        : server().then(({ look }) => look(plain, signal));
    },
    async readLink(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EINVAL");
      return await (await server()).readLink(plain, signal);
    },
    async open(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EISDIR");
      return await (await server()).open(plain, signal);
    },
  };
}

const refuse = /* @__PURE__ */ refuseMistake("Cannot read over HTTP");
/** The longest time that a timer can wait. */
const MAX_TIMEOUT_MS = 0x7fff_ffff;

const OPTIONS: Rules<HttpFsOptions> = {
  fetch: "function",
  headers: "any",
  timeoutMs: { least: 1, most: MAX_TIMEOUT_MS },
  attempts: { least: 1 },
};

/** Checks the headers. Their names become lower case, so that none is sent twice; headers that this port sets are left out. */
function takeHeaders(headers: Readonly<Record<string, string>>) {
  try {
    if (typeof headers !== "object" || headers === null) throw new TypeError();
    const entries = [...new Headers(headers)]
      .filter(([name]) => !/^(range$|if-)/.test(name));
    return Object.fromEntries(entries);
  } catch {
    // The error would show the header, which may be secret.
    const problem = "hold one that cannot be sent";
    throw refuse("the headers", `${problem}; check their names and values`);
  }
}
