// Runtime-agnostic.
import { untilAborted } from "../../core/base/call.ts";
import { propertyOf } from "../../core/base/check.ts";
import { codeOf } from "../../core/base/errno.ts";
import type { FileHandle, FileStat } from "../../core/base/port.ts";
import {
  directory,
  failure,
  handleOf,
  liesBelowFile,
  readAhead,
} from "../store.ts";
import { httpClient, refuseStatus, versionDoubt } from "./client.ts";
import type { HttpSend, IdleTimeout } from "./client.ts";
import type { HttpBase, HttpFsOptions } from "./http.ts";
import {
  conditionOf,
  type HttpVersion,
  isSameVersion,
  readContentRange,
  readLength,
  refuseEncoded,
  strongTag,
  unsatisfiedSize,
  versionOf,
} from "./version.ts";

/** The files of a server; paths are canonical, and not the root. */
export function httpFiles(base: HttpBase, settings: Required<HttpFsOptions>) {
  const send = httpClient(base, settings);
  /** The versions of files, and the targets of links. */
  const looks = lookCache<HttpVersion | string>(() => performance.now());
  /** Whether the server answers only GET, as for signed URLs. */
  let takesNoHead = false;

  /** Finds the version at a path, or the target of a link; `ENOTDIR` if a name above it is a file. */
  async function find(path: string, signal?: AbortSignal) {
    try {
      return await fetchVersion(path, signal);
    } catch (error) {
      // A redirect within the base has a target.
      const target = propertyOf(error, "target");
      if (typeof target === "string") return target;
      if (codeOf(error) !== "ENOENT") throw error;
      const isFile = (above: string) =>
        fetchVersion(above, signal).then(() => true, () => false);
      throw await liesBelowFile(path, isFile) ? failure("ENOTDIR") : error;
    }
  }

  /** Asks for the version of the file at a path, by HEAD where the server answers it. */
  async function fetchVersion(path: string, signal: AbortSignal | undefined) {
    let isRefused = false;
    if (!takesNoHead) {
      const head = { method: "HEAD", path, signal } as const;
      const answer = await send(head, takeHead);
      if (typeof answer === "object") return answer;
      isRefused = answer === "refused";
    }
    const headers = { range: "bytes=0-0" };
    const get = { method: "GET", path, headers, signal } as const;
    const version = await send(get, takeSize);
    // Only now is it known that the server refused the method, and not the path.
    if (isRefused) takesNoHead = true;
    return version;
  }

  async function lstat(path: string, signal?: AbortSignal): Promise<FileStat> {
    try {
      const seen = await find(path, signal);
      looks.keep(path, seen);
      if (typeof seen === "object") return describe(path, seen);
      const id = `link ${base.urlWithoutQuery(path)}`;
      return { kind: "symlink", size: 0, mtimeMs: null, ctimeMs: null, id };
    } catch (error) {
      if (codeOf(error) !== "EISDIR") throw error;
      return directory(path);
    }
  }

  function describe(path: string, version: HttpVersion): FileStat {
    const { size, lastModified } = version;
    const mtimeMs = Date.parse(lastModified ?? "");
    const tag = strongTag(version);
    const id = tag && `${tag} ${base.urlWithoutQuery(path)}`;
    const known = Number.isNaN(mtimeMs) ? null : mtimeMs;
    const times = { mtimeMs: known, ctimeMs: null };
    return { kind: "file", size, ...times, id, remote: true };
  }

  return {
    lstat,
    async readLink(path: string, signal?: AbortSignal): Promise<string> {
      try {
        const seen = looks.take(path) ?? await find(path, signal);
        if (typeof seen === "string") return seen;
      } catch (error) {
        const code = codeOf(error);
        // A missing object may be a directory, since nothing can be listed.
        if (code !== "EISDIR" && code !== "ENOENT") throw error;
      }
      throw failure("EINVAL");
    },
    async open(path: string, signal?: AbortSignal): Promise<FileHandle> {
      const seen = looks.take(path) ?? await find(path, signal);
      if (typeof seen === "string") throw failure("ELOOP");
      return openHttpFile(send, path, seen, describe(path, seen));
    },
  };
}

/** The statuses of a HEAD for which a GET may succeed. */
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

/** The most bytes that are skipped where a server sends more than the range. */
const MAX_SKIPPED_BYTES = 1024 * 1024;

type ByteRange = { readonly position: number; readonly length: number };

/** Opens one version of the object at a plain path: every range must belong to it. */
function openHttpFile(
  send: HttpSend,
  path: string,
  version: HttpVersion,
  stat: FileStat,
): FileHandle {
  const controller = new AbortController();
  const { signal } = controller;
  const doubt = versionDoubt(signal);
  const fetchPart = async (position: number, length: number) => {
    const range = `bytes=${position}-${position + length - 1}`;
    const headers = { range, ...conditionOf(version) };
    const request = { method: "GET", path, headers, signal } as const;
    const take = (answer: Response, timeout: IdleTimeout) =>
      takePart(answer, { position, length }, version, doubt, timeout);
    for (;;) {
      try {
        const bytes = await send(request, take);
        if (bytes !== undefined) return bytes;
      } catch (error) {
        // The path is a link or a directory now.
        const isReplaced = /^(ELOOP|EISDIR)$/.test(codeOf(error));
        throw isReplaced ? failure("ESTALE") : error;
      }
      await doubt.wait();
    }
  };
  return {
    ...handleOf(path, stat, readAhead(version.size, fetchPart)),
    close: () => controller.abort(failure("ECANCELED")),
  };
}

/** Takes a range out of an answer, which may hold the whole object; `undefined` while the version is in doubt. */
async function takePart(
  answer: Response,
  { position, length }: ByteRange,
  version: HttpVersion,
  doubt: ReturnType<typeof versionDoubt>,
  timeout: IdleTimeout,
): Promise<Uint8Array | undefined> {
  const { status, headers } = answer;
  // The file was removed after it was opened.
  if (status === 404 || status === 410) throw failure("ESTALE");
  refuseStatus(answer);
  if (!isSameVersion(version, answer)) throw failure("ESTALE");
  refuseEncoded(headers);
  const total = readLength(headers) ?? version.size;
  const given = status === 206
    ? readContentRange(headers)
    : { start: 0, end: total, total };
  if (given === undefined) throw failure("EPROTO", { reason: "bad_answer" });
  if (given.total !== version.size) throw failure("ESTALE");
  // A single answer is always of one version.
  const isAll = position === 0 && Math.min(length, given.end) === version.size;
  if (!isAll && doubt.appliesTo(headers)) return undefined;
  // Some servers send more than the range, or the whole object.
  const skipped = position - given.start;
  if (skipped < 0 || position >= given.end) {
    throw failure("EPROTO", { reason: "bad_answer" });
  }
  if (skipped > MAX_SKIPPED_BYTES) {
    throw failure("ENOTSUP", { reason: "no_parts" });
  }
  const least = Math.min(given.end - position, length);
  // Read one byte more, to check that the body ends.
  const most = given.end <= position + length ? least + 1 : least;
  const part = { position: skipped, length: most };
  const bytes = await readBody(answer, part, least, timeout);
  if (bytes.length > least) throw failure("EPROTO", { reason: "bad_answer" });
  return bytes;
}

/** Reads a part of a body: at least `least` bytes, and nothing after the part. */
async function readBody(
  { body }: Response,
  { position, length }: ByteRange,
  least: number,
  timeout: IdleTimeout,
): Promise<Uint8Array> {
  if (body === null) throw failure("EIO");
  const reader = body.getReader();
  const bytes = new Uint8Array(length);
  let skip = position;
  let size = 0;
  try {
    while (size < length) {
      const { done, value } = await untilAborted(reader.read(), timeout.signal);
      if (done) break;
      if (value.length > 0) timeout.restart();
      const wanted = value.subarray(skip, skip + length - size);
      skip = Math.max(0, skip - value.length);
      bytes.set(wanted, size);
      size += wanted.length;
    }
    if (size >= least) return bytes.subarray(0, size);
  } catch {
    // The error is dropped, since its message may contain the URL.
  } finally {
    reader.cancel().catch(() => {});
  }
  // The connection broke.
  throw failure("EIO");
}

/** How long the answer of `lstat` is reused for the next `open`. */
const FRESH_MS = 1_000;
const MAX_LOOKS = 64;

/** A short-lived cache, so that `lstat` and `open` of a file cost one request. */
export function lookCache<Seen>(now: () => number) {
  /** By path, the oldest first. */
  const seen = new Map<string, { readonly what: Seen; readonly at: number }>();
  return {
    keep(path: string, what: Seen): void {
      seen.delete(path);
      seen.set(path, { what, at: now() });
      const [oldest] = seen.keys();
      if (seen.size > MAX_LOOKS) seen.delete(oldest!);
    },
    /** Takes a fresh entry out of the cache. */
    take(path: string): Seen | undefined {
      const look = seen.get(path);
      seen.delete(path);
      const isFresh = look !== undefined && now() - look.at <= FRESH_MS;
      return isFresh ? look.what : undefined;
    },
  };
}
