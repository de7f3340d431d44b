// Runtime-agnostic.
import type { FileHandle, FileStat } from "../../core/port.ts";
import { failure } from "../failure.ts";
import type { HttpBase } from "./base.ts";
import type { HttpClient } from "./client.ts";
import { openHttpFile } from "./file.ts";
import { HttpLooks } from "./looks.ts";
import { refuseStatus } from "./retry.ts";
import {
  type HttpVersion,
  readContentRange,
  readLength,
  refuseEncoded,
  strongTag,
  unsatisfiedSize,
  versionOf,
} from "./version.ts";

/** A server, as far as the base goes. */
export class HttpStore {
  readonly #base: HttpBase;
  readonly #client: HttpClient;
  readonly #looks = new HttpLooks(() => performance.now());
  /** Whether the server has turned out to answer GET alone, as signed URLs do. */
  #takesNoHead = false;

  constructor(base: HttpBase, client: HttpClient) {
    this.#base = base;
    this.#client = client;
  }

  /** Describes what is at a plain path. */
  async look(path: string): Promise<FileStat> {
    try {
      const version = await this.#find(path);
      this.#looks.keep(path, version);
      return this.#describe(path, version);
    } catch (error) {
      if (codeOf(error) !== "EISDIR") throw error;
      return directory(path);
    }
  }

  /** Opens what is at a plain path. */
  async open(path: string): Promise<FileHandle> {
    if (path === "/") throw failure("EISDIR");
    const version = this.#looks.take(path) ?? await this.#find(path);
    const stat = this.#describe(path, version);
    return openHttpFile({ client: this.#client, path, version, stat });
  }

  /** What is at a path; if nothing is, says whether a file is in the way. */
  async #find(path: string): Promise<HttpVersion> {
    try {
      return await this.#ask(path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      throw await this.#liesBelowFile(path) ? failure("ENOTDIR") : error;
    }
  }

  async #liesBelowFile(path: string): Promise<boolean> {
    const names = path.split("/");
    const above = names.slice(1, -1)
      .map((_, index) => names.slice(0, index + 2).join("/"));
    const files = await Promise.all(
      above.slice(-MAX_ABOVE).map((path) =>
        this.#ask(path).then(() => true, () => false)
      ),
    );
    return files.includes(true);
  }

  async #ask(path: string): Promise<HttpVersion> {
    if (this.#takesNoHead) return await this.#askByPart(path);
    const question = { method: "HEAD", path } as const;
    const answer = await this.#client.ask(question, takeHead);
    if (answer !== "refused" && answer !== "no size") return answer;
    const version = await this.#askByPart(path);
    this.#takesNoHead = answer === "refused";
    return version;
  }

  #askByPart(path: string): Promise<HttpVersion> {
    const headers = { range: "bytes=0-0" };
    return this.#client.ask({ method: "GET", path, headers }, takeSize);
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
    };
  }
}

/** How many names above a missing one are looked at: a path may have thousands. */
const MAX_ABOVE = 8;

function codeOf(error: unknown): unknown {
  return (Object(error) as { readonly code?: unknown }).code;
}

/** The answers to HEAD where GET may be answered otherwise. */
const NO_HEAD: ReadonlySet<number> = new Set([403, 405, 501]);

function takeHead(answer: Response): HttpVersion | "refused" | "no size" {
  if (NO_HEAD.has(answer.status)) return "refused";
  refuseStatus(answer);
  refuseEncoded(answer.headers);
  const size = readLength(answer.headers);
  return size === undefined ? "no size" : versionOf(answer.headers, size);
}

/** What an answer to the first byte tells of the rest. */
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
  // Without its size, no end of it can be found.
  if (size === undefined) throw failure("ENOTSUP");
  return versionOf(headers, size);
}

/** What a directory is known by: its path alone. */
export function directory(path: string): FileStat {
  const id = `directory ${path}`;
  return { kind: "directory", size: 0, mtimeMs: null, ctimeMs: null, id };
}
