import type { FsPort } from "../../core/base/port.ts";
import { refuseMistake, takeOptions } from "../../core/base/check.ts";
import type { Rules } from "../../core/base/check.ts";
import {
  directory,
  failure,
  MAX_TIMEOUT_MS,
  plainPath,
  USUAL_TIMEOUT_MS,
} from "../store.ts";
import { httpFiles } from "./files.ts";

/** Options for {@linkcode httpFs}. */
export interface HttpFsOptions {
  /** Sends the requests; the runtime's own `fetch` by default. Wrap it to sign them. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How long a server may take to answer, or to send the next 64 KiB or the
   * rest, in milliseconds; 30,000 by default. It does not limit the whole request.
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
 * size alone if both are missing. Otherwise the read fails with `CHANGED`. A
 * file that changed within the last two seconds is read in one request, or
 * after those seconds, since servers send times in whole seconds. Without a
 * strong `ETag`, its `id` is `null`.
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
 * import { httpFs, openWorkspace } from "@agent-tools/read-file";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = { etag: '"1"', "content-length": "14" };
 * const fetch = () => Promise.resolve(new Response("one\ntwo\nthree\n", { headers }));
 * const fs = httpFs("https://files.example/logs", { fetch });
 * const workspace = await openWorkspace("/", { fs });
 * const end = await workspace.read("app.log", { tail: 1 });
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
    timeoutMs = USUAL_TIMEOUT_MS,
    attempts = 3,
  }: HttpFsOptions = takeOptions(options, OPTIONS, refuse);
  const all = { ...base.headers, ...takeHeaders(headers) };
  const settings = { fetch: send, headers: all, timeoutMs, attempts };
  const files = httpFiles(base, settings);
  return {
    realPath: plainPath,
    async lstat(path, role, signal) {
      const plain = plainPath(path);
      if (plain === "/" || role === "way") return directory(plain);
      return await files.lstat(plain, signal);
    },
    async readLink(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EINVAL");
      return await files.readLink(plain, signal);
    },
    async open(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EISDIR");
      return await files.open(plain, signal);
    },
  };
}

const refuse = refuseMistake("Cannot read over HTTP");

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

export type HttpBase = ReturnType<typeof httpBase>;

/** The origin and the folder that all requests stay within; each name becomes one segment. Errors do not repeat the URL, which may hold a token. */
function httpBase(baseUrl: string | URL) {
  const url = parseUrl(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `Cannot read over HTTP: the base URL is not absolute; write it as "https://files.example/logs/"`,
    );
  }
  // The query may be a signature.
  const { origin, search: query } = url;
  const folder = url.pathname.replace(/\/*$/, "/");

  /** The URL of a plain path without the query, which may be secret. */
  function urlWithoutQuery(path: string): string {
    // Some servers treat a backslash as a slash, and "..\\" as the parent.
    if (path.includes("\\")) throw failure("ENOENT");
    try {
      const segments = path.slice(1).split("/").map(encodeURIComponent);
      return origin + folder + segments.join("/");
    } catch {
      // A lone surrogate cannot be encoded.
      throw failure("EINVAL");
    }
  }

  return {
    headers: authorizationOf(url),
    urlWithoutQuery,
    urlOf: (path: string): string => urlWithoutQuery(path) + query,
    /** The path that a redirect leads to, if it is within the base and keeps the query. */
    pathOf(location: string, from: string): string | undefined {
      const url = parseUrl(location, from);
      if (url === null || url.origin !== origin) return undefined;
      if (url.username !== "" || url.password !== "") return undefined;
      if (url.search !== "" && url.search !== query) return undefined;
      if (!url.pathname.startsWith(folder)) return undefined;
      const names = url.pathname.slice(folder.length).split("/");
      const decoded = names.map(decodeName);
      const isPlain = decoded.every((name, index) =>
        name !== undefined && (name !== "" || index === names.length - 1)
      );
      return isPlain ? `/${decoded.join("/")}` : undefined;
    },
    /** Whether an answer is for that URL, and not after a redirect. */
    isAnswerTo(url: string, { redirected, url: answered }: Response): boolean {
      if (redirected) return false;
      // A replacement of `fetch` may not set the URL; a signer adds to the query.
      return answered === "" || withoutQuery(answered) === withoutQuery(url);
    },
  };
}

function withoutQuery(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed === null ? undefined : parsed.origin + parsed.pathname;
}

/** `URL.parse()`, which Node.js 20 does not have. */
function parseUrl(text: string | URL, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Decodes a segment; `undefined` if a server may treat it as more than a name. */
function decodeName(segment: string): string | undefined {
  const name = decode(segment);
  if (name === undefined) return undefined;
  const isMore = /[/\\\0]|^\.\.?$/.test(name);
  return isMore ? undefined : name;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `fetch` refuses a URL with a user and a password, so they are sent as a header. */
function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const user = decode(username) ?? username;
  const secret = decode(password) ?? password;
  const bytes = new TextEncoder().encode(`${user}:${secret}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}
