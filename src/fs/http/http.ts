// Runtime-agnostic.
import type { FileStat, FsPort } from "../../core/base/port.ts";
import {
  refuseMistake,
  type Rules,
  takeOptions,
} from "../../core/base/check.ts";
import {
  codeOf,
  directory,
  failure,
  liesBelowFile,
  plainPath,
} from "../directory.ts";
import {
  HttpClient,
  type HttpSettings,
  Moved,
  refuseStatus,
} from "./client.ts";
import { openHttpFile } from "./file.ts";
import { HttpLooks } from "./looks.ts";
import {
  HttpBase,
  type HttpVersion,
  readContentRange,
  readLength,
  refuseEncoded,
  strongTag,
  unsatisfiedSize,
  versionOf,
} from "./version.ts";

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
 * Opening a file costs one request, and so does each range: 64 KiB at first, more
 * in a sequential read. Each must be of the version that was opened, by its
 * `ETag`; by `Last-Modified` and size if the `ETag` is weak or missing; by size
 * alone if both are. Otherwise the read fails with `CHANGED`. A file that changed
 * within the last two seconds is read in one request, or after they are over,
 * since servers tell whole seconds. Without a strong `ETag`, its `id` is `null`.
 *
 * A redirect within the base is a symbolic link; all others are refused. A name
 * is a directory if the server redirects it to itself with a slash, or if a name
 * below it is read. A name with a backslash does not exist, since some servers
 * take it for a slash. The query and the headers appear in no message.
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
 * @param baseUrl The URL of `/`; its query, such as a signature, is sent with each request.
 */
export function httpFs(
  baseUrl: string | URL,
  options: HttpFsOptions = {},
): FsPort {
  const base = new HttpBase(baseUrl);
  const client = new HttpClient(base, takeSettings(options, base));
  const looks = new HttpLooks<HttpVersion>(() => performance.now());
  const links = new HttpLooks<string>(() => performance.now());
  /** Whether the server answers GET only, as it does for signed URLs. */
  let takesNoHead = false;

  /** Finds the version at a path; `ENOTDIR` if a name above it is a file. */
  async function find(path: string, signal?: AbortSignal) {
    try {
      return await ask(path, signal);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      const isFile = (above: string) =>
        ask(above, signal).then(() => true, () => false);
      throw await liesBelowFile(path, isFile) ? failure("ENOTDIR") : error;
    }
  }

  async function ask(
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<HttpVersion> {
    const head = { method: "HEAD", path, signal } as const;
    const answer = takesNoHead || await client.ask(head, takeHead);
    if (typeof answer === "object") return answer;
    const headers = { range: "bytes=0-0" };
    const get = { method: "GET", path, headers, signal } as const;
    const version = await client.ask(get, takeSize);
    if (answer === "refused") takesNoHead = true;
    return version;
  }

  async function look(path: string, signal?: AbortSignal): Promise<FileStat> {
    try {
      const version = await find(path, signal);
      looks.keep(path, version);
      return describe(path, version);
    } catch (error) {
      if (error instanceof Moved) {
        links.keep(path, error.target);
        const id = `link ${base.nameOf(path)}`;
        return { kind: "symlink", size: 0, mtimeMs: null, ctimeMs: null, id };
      }
      if (codeOf(error) !== "EISDIR") throw error;
      return directory(path);
    }
  }

  function describe(path: string, version: HttpVersion): FileStat {
    const { size, lastModified } = version;
    const mtimeMs = Date.parse(lastModified ?? "");
    const tag = strongTag(version);
    const id = tag && `${tag} ${base.nameOf(path)}`;
    const known = Number.isNaN(mtimeMs) ? null : mtimeMs;
    const times = { mtimeMs: known, ctimeMs: null };
    return { kind: "file", size, ...times, id, remote: true };
  }

  return {
    realPath: plainPath,
    lstat(path, role, signal) {
      const plain = plainPath(path);
      const isDirectory = plain === "/" || role === "way";
      return isDirectory ? directory(plain) : look(plain, signal);
    },
    async readLink(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EINVAL");
      const seen = links.take(plain);
      if (seen !== undefined) return seen;
      try {
        await find(plain, signal);
      } catch (error) {
        if (error instanceof Moved) return error.target;
        const code = codeOf(error);
        // A missing object may be a directory, since nothing can be listed.
        if (code !== "EISDIR" && code !== "ENOENT") throw error;
      }
      throw failure("EINVAL");
    },
    async open(path, signal) {
      const plain = plainPath(path);
      if (plain === "/") throw failure("EISDIR");
      const version = looks.take(plain) ?? await find(plain, signal);
      const stat = describe(plain, version);
      return openHttpFile({ client, path: plain, version, stat });
    },
  };
}

const FAILED = "Cannot read over HTTP";

/** The longest time that a timer can wait. */
const MAX_TIMEOUT_MS = 0x7fff_ffff;

const OPTIONS: Rules<HttpFsOptions> = {
  fetch: "function",
  headers: "any",
  timeoutMs: { least: 1, most: MAX_TIMEOUT_MS },
  attempts: { least: 1 },
};

function takeSettings(
  options: HttpFsOptions,
  { authorization }: HttpBase,
): HttpSettings {
  const refuse = refuseMistake(FAILED);
  const {
    // Some runtimes' own `fetch` must be called on the global object.
    fetch: send = (url, init) => fetch(url, init),
    headers = {},
    timeoutMs = 30_000,
    attempts = 3,
  }: HttpFsOptions = takeOptions(options, OPTIONS, refuse);
  const given = authorization === undefined ? {} : { authorization };
  const all = { ...given, ...takeHeaders(headers) };
  return { send, headers: all, timeoutMs, attempts };
}

/** In lower case, so that none is sent twice; without those that we set ourselves. */
function takeHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  try {
    if (typeof headers !== "object" || headers === null) throw new TypeError();
    const entries = [...new Headers(headers)]
      .filter(([name]) => !/^(range$|if-)/.test(name));
    return Object.fromEntries(entries);
  } catch {
    // The error would show the header, which may be secret.
    const problem = "the headers hold one that cannot be sent";
    throw new TypeError(`${FAILED}: ${problem}; check their names and values`);
  }
}

/** The statuses of HEAD that a GET may not have. */
const NO_HEAD: readonly number[] = [403, 405, 501];

function takeHead(answer: Response): HttpVersion | "refused" | "no size" {
  if (NO_HEAD.includes(answer.status)) return "refused";
  refuseStatus(answer);
  refuseEncoded(answer.headers);
  const size = readLength(answer.headers);
  return size === undefined ? "no size" : versionOf(answer.headers, size);
}

/** Reads the version from an answer to a request for the first byte. */
function takeSize(answer: Response): HttpVersion {
  const { status, headers } = answer;
  if (status === 416 && unsatisfiedSize(headers) === 0) {
    return versionOf(headers, 0);
  }
  refuseStatus(answer);
  refuseEncoded(headers);
  const size = status === 206
    ? readContentRange(headers)?.total
    : readLength(headers);
  // Without the size, the end of the file cannot be found.
  if (size === undefined) throw failure("ENOTSUP", { reason: "no_size" });
  return versionOf(headers, size);
}
