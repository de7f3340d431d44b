import { LruCache } from "../../core/base/lru_cache.ts";
import { propertyOf } from "../../core/base/check.ts";
import { codeOf } from "../../core/base/errno.ts";
import type { FileHandle, FileStat } from "../../core/base/port.ts";
import {
  badAnswer,
  directory,
  failure,
  handleOf,
  type IdleTimeout,
  liesBelowFile,
  readAhead,
  readBody,
} from "../store.ts";
import { httpClient, refuseStatus, versionDoubt } from "./client.ts";
import type { HttpSend } from "./client.ts";
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
      if (typeof seen === "object") return statOf(path, seen);
      const id = `link ${base.urlWithoutQuery(path)}`;
      return { kind: "symlink", size: 0, mtimeMs: null, ctimeMs: null, id };
    } catch (error) {
      if (codeOf(error) !== "EISDIR") throw error;
      return directory(path);
    }
  }

  function statOf(path: string, version: HttpVersion): FileStat {
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
      return openHttpFile(send, path, seen, statOf(path, seen));
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

/** Bytes of an object, from `start` up to but not including `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

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
  const fetchPart = async (start: number, length: number) => {
    const headers = {
      range: `bytes=${start}-${start + length - 1}`,
      ...conditionOf(version),
    };
    const request = { method: "GET", path, headers, signal } as const;
    /** Takes the range out of an answer; `undefined` while the version is in doubt. */
    const take = (answer: Response, timeout: IdleTimeout) => {
      const sent = servedRange(answer, version);
      const wanted = { start, end: Math.min(start + length, sent.end) };
      // A single answer is always of one version.
      const isAll = start === 0 && wanted.end === version.size;
      const isInDoubt = !isAll && doubt.check(answer.headers);
      return isInDoubt ? undefined : readServed(answer, sent, wanted, timeout);
    };
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

/** The bytes that an answer holds: a range, or the whole object; fails unless they are of that version. */
function servedRange(answer: Response, version: HttpVersion): ByteRange {
  const { status, headers } = answer;
  // The file was removed after it was opened.
  if (status === 404 || status === 410) throw failure("ESTALE");
  refuseStatus(answer);
  if (!isSameVersion(version, answer)) throw failure("ESTALE");
  refuseEncoded(headers);
  const total = readLength(headers) ?? version.size;
  const sent = status === 206
    ? readContentRange(headers)
    : { start: 0, end: total, total };
  if (sent === undefined) throw badAnswer();
  if (sent.total !== version.size) throw failure("ESTALE");
  return sent;
}

/** Reads the wanted bytes of an answer. Some servers send more than the range that was asked for. */
async function readServed(
  { body }: Response,
  sent: ByteRange,
  wanted: ByteRange,
  timeout: IdleTimeout,
): Promise<Uint8Array> {
  const skipped = wanted.start - sent.start;
  const length = wanted.end - wanted.start;
  if (skipped < 0 || length <= 0) throw badAnswer();
  if (skipped > MAX_SKIPPED_BYTES) {
    throw failure("ENOTSUP", { reason: "no_parts" });
  }
  // Where the body should end, look for one byte more.
  const most = wanted.end === sent.end ? length + 1 : length;
  const options = { skip: skipped, ...timeout };
  const bytes = await readBody(body ?? undefined, most, options);
  if (bytes.length > length) throw badAnswer();
  // The connection broke.
  if (bytes.length < length) throw failure("EIO");
  return bytes;
}

/** How long the answer of `lstat` is reused for the next `open`. */
const FRESH_MS = 1_000;
const MAX_LOOKS = 64;

/** A short-lived cache, so that `lstat` and `open` of a file cost one request. */
export function lookCache<Seen>(now: () => number) {
  const looks = new LruCache<{ readonly seen: Seen; readonly at: number }>(
    MAX_LOOKS,
  );
  return {
    keep: (path: string, seen: Seen) => looks.set(path, { seen, at: now() }),
    /** Takes a fresh entry out of the cache. */
    take(path: string): Seen | undefined {
      const look = looks.get(path);
      looks.delete(path);
      const isFresh = look !== undefined && now() - look.at <= FRESH_MS;
      return isFresh ? look.seen : undefined;
    },
  };
}
