// Runtime-agnostic.
import type { FileHandle, FileStat } from "../../core/base/port.ts";
import { codeOf } from "../../core/base/errno.ts";
import { directory, failure, liesBelowFile } from "../store.ts";
import {
  readContentRange,
  readLength,
  refuseEncoded,
  strongTag,
  unsatisfiedSize,
  versionOf,
} from "./version.ts";
import type { HttpBase, HttpVersion } from "./version.ts";
import { HttpClient, Moved, refuseStatus } from "./client.ts";
import type { HttpSettings } from "./client.ts";
import { openHttpFile } from "./file.ts";

/** The files of a server; paths are canonical, and not the root. */
export function httpServer(base: HttpBase, settings: HttpSettings) {
  const client = new HttpClient(base, settings);
  /** The versions of files, and the targets of links. */
  const looks = new HttpLooks<HttpVersion | string>(() => performance.now());
  /** Whether the server answers only GET, as for signed URLs. */
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
        looks.keep(path, error.target);
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
    look,
    async readLink(path: string, signal?: AbortSignal): Promise<string> {
      const seen = looks.take(path);
      if (typeof seen === "string") return seen;
      try {
        await find(path, signal);
      } catch (error) {
        if (error instanceof Moved) return error.target;
        const code = codeOf(error);
        // A missing object may be a directory, since nothing can be listed.
        if (code !== "EISDIR" && code !== "ENOENT") throw error;
      }
      throw failure("EINVAL");
    },
    async open(path: string, signal?: AbortSignal): Promise<FileHandle> {
      const seen = looks.take(path);
      const version = typeof seen === "object"
        ? seen
        : await find(path, signal);
      return openHttpFile(client, path, version, describe(path, version));
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

/** How long the answer of `lstat` is reused for the next `open`. */
const FRESH_MS = 1_000;

/** How many answers are cached. */
const MAX_LOOKS = 64;

/** A short-lived cache, so that `lstat` and `open` of a file cost one request. */
export class HttpLooks<Seen> {
  readonly #now: () => number;
  /** By path, the oldest first. */
  readonly #seen = new Map<string, { what: Seen; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  keep(path: string, what: Seen): void {
    this.#seen.delete(path);
    this.#seen.set(path, { what, at: this.#now() });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_LOOKS) this.#seen.delete(oldest!);
  }

  /** Takes a fresh entry out of the cache. */
  take(path: string): Seen | undefined {
    const look = this.#seen.get(path);
    this.#seen.delete(path);
    const isFresh = look !== undefined && this.#now() - look.at <= FRESH_MS;
    return isFresh ? look.what : undefined;
  }
}
