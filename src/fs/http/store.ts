// Runtime-agnostic.
import type { FileHandle, FileStat } from "../../core/base/port.ts";
import { codeOf, directory, failure, liesBelowFile } from "../directory.ts";
import {
  type HttpBase,
  type HttpVersion,
  readContentRange,
  readLength,
  refuseEncoded,
  strongTag,
  unsatisfiedSize,
  versionOf,
} from "./version.ts";
import { type HttpClient, Moved, refuseStatus } from "./client.ts";
import { openHttpFile } from "./file.ts";

/** How long an answer to `lstat` serves for the `open` that follows. */
const FRESH_MS = 1_000;

/** How many answers are kept. */
const MAX_LOOKS = 64;

/** A short-lived cache, so that `lstat` and `open` of a file cost one request. */
export class HttpLooks<Seen> {
  readonly #now: () => number;
  /** By path, the oldest first. */
  readonly #seen = new Map<string, { what: Seen; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get count(): number {
    return this.#seen.size;
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

/** The files below a base URL, by plain path. */
export class HttpStore {
  readonly #base: HttpBase;
  readonly #client: HttpClient;
  readonly #looks = new HttpLooks<HttpVersion>(() => performance.now());
  readonly #links = new HttpLooks<string>(() => performance.now());
  /** Whether the server answers GET only, as it does for signed URLs. */
  #takesNoHead = false;

  constructor(base: HttpBase, client: HttpClient) {
    this.#base = base;
    this.#client = client;
  }

  async look(path: string, signal?: AbortSignal): Promise<FileStat> {
    try {
      const version = await this.#find(path, signal);
      this.#looks.keep(path, version);
      return this.#describe(path, version);
    } catch (error) {
      if (error instanceof Moved) return this.#linkAt(path, error.target);
      if (codeOf(error) !== "EISDIR") throw error;
      return directory(path);
    }
  }

  async readLink(path: string, signal?: AbortSignal): Promise<string> {
    const seen = this.#links.take(path);
    if (seen !== undefined) return seen;
    try {
      await this.#find(path, signal);
    } catch (error) {
      if (error instanceof Moved) return error.target;
      const code = codeOf(error);
      // A missing object may be a directory, since nothing can be listed.
      if (code !== "EISDIR" && code !== "ENOENT") throw error;
    }
    throw failure("EINVAL");
  }

  async open(path: string, signal?: AbortSignal): Promise<FileHandle> {
    if (path === "/") throw failure("EISDIR");
    const version = this.#looks.take(path) ?? await this.#find(path, signal);
    const stat = this.#describe(path, version);
    return openHttpFile({ client: this.#client, path, version, stat });
  }

  /** Finds the version at a path; `ENOTDIR` if a name above it is a file. */
  async #find(path: string, signal?: AbortSignal): Promise<HttpVersion> {
    try {
      return await this.#ask(path, signal);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      const isFile = (above: string) =>
        this.#ask(above, signal).then(() => true, () => false);
      throw await liesBelowFile(path, isFile) ? failure("ENOTDIR") : error;
    }
  }

  async #ask(path: string, signal?: AbortSignal): Promise<HttpVersion> {
    if (this.#takesNoHead) return await this.#askByPart(path, signal);
    const question = { method: "HEAD", path, signal } as const;
    const answer = await this.#client.ask(question, takeHead);
    if (answer !== "refused" && answer !== "no size") return answer;
    const version = await this.#askByPart(path, signal);
    this.#takesNoHead = answer === "refused";
    return version;
  }

  #askByPart(path: string, signal?: AbortSignal): Promise<HttpVersion> {
    const headers = { range: "bytes=0-0" };
    return this.#client.ask({ method: "GET", path, headers, signal }, takeSize);
  }

  #linkAt(path: string, target: string): FileStat {
    this.#links.keep(path, target);
    const id = `link ${this.#base.nameOf(path)}`;
    return { kind: "symlink", size: 0, mtimeMs: null, ctimeMs: null, id };
  }

  #describe(path: string, version: HttpVersion): FileStat {
    const { size, lastModified } = version;
    const mtimeMs = Date.parse(lastModified ?? "");
    const tag = strongTag(version);
    return {
      kind: "file",
      size,
      mtimeMs: Number.isNaN(mtimeMs) ? null : mtimeMs,
      ctimeMs: null,
      id: tag === null ? null : `${tag} ${this.#base.nameOf(path)}`,
      remote: true,
    };
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
